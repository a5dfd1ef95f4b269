"""AI players in the lobby: the host asks them to the table, fills it with them, sends them away, or watches them."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Rejected, Seat
from bot.host.ai_seats import choose, has_brain
from bot.host.clocks import MINUTE
from bot.host.commands import AddAi, FillWithAi, HostReason, RemoveAi, Tell, Watch
from bot.host.decision import Actor, Draft
from bot.host.lobby import get_up, seats_for
from bot.host.model import Ai, Dm, Player, Stage, Table, UserId
from bot.host.seating import host_only, in_stage, seat_of

GOOD_ROUND: Final = 6
"""With more players than this one waits long for one's turn."""


def add(draft: Draft, command: AddAi) -> None:
    """Give one AI a seat."""
    _may_ask(draft.table, command.by)
    if not _free(draft.table):
        raise Rejected(HostReason.TABLE_FULL, seats=len(draft.table.players))
    ai = choose(draft.table, draft.rng, command.name, command.temperament, command.strength)
    _sit_down(draft, command.by, ai)


def fill(draft: Draft, command: FillWithAi) -> None:
    """Give the free seats to AIs: up to a round of six, and asked again, all of them."""
    _may_ask(draft.table, command.by)
    free, round_of_six = _free(draft.table), GOOD_ROUND - len(draft.table.players)
    if not free:
        raise Rejected(HostReason.TABLE_FULL, seats=len(draft.table.players))
    for _ in range(min(free, round_of_six) if round_of_six > 0 else free):
        _sit_down(draft, command.by, choose(draft.table, draft.rng, strength=command.strength))


def remove(draft: Draft, command: RemoveAi) -> None:
    """Send an AI away."""
    table = draft.table
    in_stage(table, Stage.LOBBY)
    host_only(table, command.by)
    seat = table.seat_of(command.whom)
    if seat is None or table.players[seat].ai is None:
        raise Rejected(HostReason.NOT_AN_AI)
    draft.log(Actor.USER, command.by, {"host": "remove_ai", "seat": seat})
    get_up(draft, seat)
    draft.tell(Tell.TABLE)


def watch(draft: Draft, command: Watch) -> None:
    """Let the host get up and stay the host."""
    table = draft.table
    in_stage(table, Stage.LOBBY)
    host_only(table, command.by)
    seat = seat_of(table, command.by)
    if len(table.players) == 1:
        raise Rejected(HostReason.NOBODY_TO_WATCH)
    draft.log(Actor.USER, command.by, {"host": "watch", "seat": seat})
    get_up(draft, seat, hosts_on=True)
    draft.tell(Tell.TABLE)


def _may_ask(table: Table, by: UserId) -> None:
    in_stage(table, Stage.LOBBY)
    host_only(table, by)
    if not table.house.ai_seats:
        raise Rejected(HostReason.NO_AI_SEATS)
    if not has_brain(table.game):
        raise Rejected(HostReason.NO_BRAIN)


def _free(table: Table) -> int:
    return max(0, seats_for(table.game, table.options)[-1] - len(table.players))


def _sit_down(draft: Draft, by: UserId, ai: Ai) -> None:
    table = draft.table
    user = UserId(min([0, *[player.user for player in table.players]]) - 1)
    player = Player(user, ai.name, Dm.OFF, pinged=False, ai=ai)
    draft.change(players=(*table.players, player), closes=draft.now + table.house.lobby_minutes * MINUTE)
    draft.log(Actor.USER, by, {"host": "add_ai", "seat": Seat(len(table.players)), "ai": ai._asdict()})
    draft.tell(Tell.TABLE)
