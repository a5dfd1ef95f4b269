"""AI players in the lobby: the host adds them, fills the table with them, removes them, or watches them play."""

from __future__ import annotations

from typing import Final

from msgspec.structs import asdict

from bot.engine.core import Rejected, Seat
from bot.host.ai_seats import choose, has_brain
from bot.host.commands import AddAi, FillWithAi, HostReason, OutboxKind, RemoveAi, Watch
from bot.host.deadlines import MINUTE
from bot.host.decision import Actor, Draft
from bot.host.lobby import free_seat, seats_for
from bot.host.model import Ai, Dm, Player, Stage, Table, UserId
from bot.host.seating import require_host, require_stage, seat_of

COMFORTABLE_PLAYERS: Final = 6
"""With more players than this, everybody waits a long time for their turn."""


def add(draft: Draft, command: AddAi) -> None:
    """Give one AI player a seat."""
    _check_may_add(draft.table, command.by)
    if not _free_seats(draft.table):
        raise Rejected(HostReason.TABLE_FULL, seats=len(draft.table.players))
    ai = choose(draft.table, draft.rng, command.name, command.temperament, command.strength)
    _give_seat(draft, command.by, ai)


def fill(draft: Draft, command: FillWithAi) -> None:
    """Give free seats to AI players: up to a comfortable number or, if that is reached, all of them."""
    _check_may_add(draft.table, command.by)
    free, comfortable = _free_seats(draft.table), COMFORTABLE_PLAYERS - len(draft.table.players)
    if not free:
        raise Rejected(HostReason.TABLE_FULL, seats=len(draft.table.players))
    for _ in range(min(free, comfortable) if comfortable > 0 else free):
        _give_seat(draft, command.by, choose(draft.table, draft.rng, strength=command.strength))


def remove(draft: Draft, command: RemoveAi) -> None:
    """Remove an AI player."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    require_host(table, command.by)
    seat = table.seat_of(command.whom)
    if seat is None or table.players[seat].ai is None:
        raise Rejected(HostReason.NOT_AN_AI)
    draft.log(Actor.USER, command.by, {"host": "remove_ai", "seat": seat})
    free_seat(draft, seat)
    draft.send(OutboxKind.TABLE)


def watch(draft: Draft, command: Watch) -> None:
    """Free the host's seat; they stay the host and watch."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    require_host(table, command.by)
    seat = seat_of(table, command.by)
    if len(table.players) == 1:
        raise Rejected(HostReason.NOBODY_TO_WATCH)
    draft.log(Actor.USER, command.by, {"host": "watch", "seat": seat})
    free_seat(draft, seat, stays_host=True)
    draft.send(OutboxKind.TABLE)


def _check_may_add(table: Table, by: UserId) -> None:
    require_stage(table, Stage.LOBBY)
    require_host(table, by)
    if not table.house.ai_seats:
        raise Rejected(HostReason.NO_AI_SEATS)
    if not has_brain(table.game):
        raise Rejected(HostReason.NO_BRAIN)


def _free_seats(table: Table) -> int:
    return max(0, seats_for(table.game, table.options)[-1] - len(table.players))


def _give_seat(draft: Draft, by: UserId, ai: Ai) -> None:
    table = draft.table
    user = UserId(min([0, *[player.user for player in table.players]]) - 1)
    player = Player(user, ai.name, Dm.OFF, pinged=False, ai=ai)
    draft.change(players=(*table.players, player), closes=draft.now + table.house.lobby_minutes * MINUTE)
    draft.log(Actor.USER, by, {"host": "add_ai", "seat": Seat(len(table.players)), "ai": asdict(ai)})
    draft.send(OutboxKind.TABLE)
