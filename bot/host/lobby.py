"""Before the match: joining and leaving, what the host may do, and the start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from bot.engine.core import Game, Json, Rejected, Seat
from bot.engine.registry import RULES
from bot.host import turns
from bot.host.commands import (
    ChooseStarter,
    HostReason,
    Join,
    Kick,
    Leave,
    MoveUp,
    Notice,
    OutboxKind,
    PassHost,
    SetRules,
    ShuffleSeats,
    Start,
)
from bot.host.deadlines import MINUTE
from bot.host.decision import Actor, Draft
from bot.host.model import Dm, Player, Stage, UserId
from bot.host.seating import (
    nobody_is_left,
    other_seat,
    pass_on_host,
    require_host,
    require_stage,
    seat_of,
    send_final_dms,
)

MAX_SEATS: Final = 12
"""Largest table size that `seats_for` tries."""


def seats_for(game: str, options: Mapping[str, Json]) -> range:
    """Return the numbers of players for which these options work; raise Rejected if there are none."""
    return _seats_for(RULES[game], json.dumps(options, sort_keys=True))


@lru_cache(maxsize=256)
def _seats_for(rules: Game[Any, Any, Any], options: str) -> range:
    # The game itself is asked, so that the answer always agrees with its rules.
    fit = []
    refusal: Rejected | None = None
    for players in range(1, MAX_SEATS + 1):
        try:
            rules.setup(json.loads(options), players, None)
            fit.append(players)
        except Rejected as refused:
            refusal = refused
    if not fit:
        raise refusal or Rejected(HostReason.NO_TABLE)
    return range(fit[0], fit[-1] + 1)


def seated(join: Join, *, dms: bool) -> Player:
    """Return the new player for a join."""
    dm = join.dm if dms else Dm.OFF
    return Player(
        join.by,
        join.name,
        dm,
        slow=join.slow,
        pinged=join.pinged,
        learning=join.learning,
        language=join.language,
    )


def join(draft: Draft, command: Join) -> None:
    """Take a seat. The lobby then stays open for its full time again."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    if table.seat_of(command.by) is not None:
        raise Rejected(HostReason.ALREADY_SEATED)
    if command.by in table.kicked:
        raise Rejected(HostReason.WAS_KICKED)
    most = seats_for(table.game, table.options)[-1]
    if len(table.players) >= most:
        raise Rejected(HostReason.TABLE_FULL, seats=most)
    player = seated(command, dms=table.house.dms)
    draft.change(players=(*table.players, player), closes=draft.now + table.house.lobby_minutes * MINUTE)
    draft.log(Actor.USER, command.by, {"host": "join", "seat": len(table.players)})
    draft.send(OutboxKind.TABLE)
    if player.dm in (Dm.UNTRIED, Dm.OPEN):
        draft.send(OutboxKind.DM, player.user)


def leave(draft: Draft, command: Leave) -> None:
    """Leave the lobby. The next person becomes the host if the host left; the table closes after the last person."""
    seat = seat_of(draft.table, command.by)
    draft.log(Actor.USER, command.by, {"host": "leave", "seat": seat})
    free_seat(draft, seat)
    draft.send(OutboxKind.TABLE)
    if nobody_is_left(draft.table, command.by):
        close(draft, command.by)


def free_seat(draft: Draft, seat: Seat, *, stays_host: bool = False) -> None:
    """Free a seat. If it was the host's, another person becomes the host, unless `stays_host`."""
    table = draft.table
    user, dm = table.players[seat].user, table.players[seat].dm
    if user == table.host and not stays_host:
        pass_on_host(draft, seat)
    if user == table.starter:
        draft.change(starter=None)
    draft.change(players=table.players[:seat] + table.players[seat + 1 :])
    if dm in (Dm.UNTRIED, Dm.OPEN):  # their DM promised that the match would be shown there
        draft.send(OutboxKind.DM, user)


def kick(draft: Draft, command: Kick) -> None:
    """Remove a player, who then cannot join this table again."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    require_host(table, command.by)
    seat = other_seat(table, command.by, command.whom)
    free_seat(draft, seat)
    draft.log(Actor.USER, command.by, {"host": "kick", "seat": seat})
    draft.send(OutboxKind.TABLE)
    player = table.players[seat]
    if player.ai is None:  # an AI player can be added again, and need not be told
        draft.change(kicked=(*table.kicked, command.whom))
        pings = player.pinged and table.house.pings
        draft.notice(Notice.REMOVED, user=command.whom, by=command.by, pings=pings)


def pass_host(draft: Draft, command: PassHost) -> None:
    """Make another player the host, in the lobby or in the match."""
    table = draft.table
    if table.stage is not Stage.PLAYING:
        require_stage(table, Stage.LOBBY)
    require_host(table, command.by)
    seat = other_seat(table, command.by, command.to)
    if table.players[seat].ai is not None:
        raise Rejected(HostReason.NOT_A_PERSON)
    draft.change(host=command.to)
    draft.log(Actor.USER, command.by, {"host": "pass_host", "seat": seat})
    draft.send(OutboxKind.TABLE)
    if table.seat_of(command.by) is None:  # their DM says that they host and watch
        draft.send(OutboxKind.DM, command.by)
    if table.stage is Stage.PLAYING:
        draft.notice(Notice.NEW_HOST, user=command.to)


def choose_starter(draft: Draft, command: ChooseStarter) -> None:
    """Choose who begins; None leaves it to chance."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    require_host(table, command.by)
    seat = None if command.who is None else table.seat_of(command.who)
    if seat is None and command.who is not None:
        raise Rejected(HostReason.NOT_AT_TABLE, whom=command.who)
    draft.change(starter=command.who)
    draft.log(Actor.USER, command.by, {"host": "starter", "seat": seat})
    draft.send(OutboxKind.TABLE)


def shuffle_seats(draft: Draft, command: ShuffleSeats) -> None:
    """Put the players into a random order."""
    players = list(_seats_to_arrange(draft, command.by))
    draft.rng.shuffle(players)
    _arrange(draft, command.by, players)


def move_up(draft: Draft, command: MoveUp) -> None:
    """Let a player change seats with the one before them; the first one goes to the end."""
    players = list(_seats_to_arrange(draft, command.by))
    seat = draft.table.seat_of(command.whom)
    if seat is None:
        raise Rejected(HostReason.NOT_AT_TABLE, whom=command.whom)
    players.insert(seat - 1 if seat else len(players) - 1, players.pop(seat))
    _arrange(draft, command.by, players)


def _seats_to_arrange(draft: Draft, by: UserId) -> tuple[Player, ...]:
    require_stage(draft.table, Stage.LOBBY)
    require_host(draft.table, by)
    return draft.table.players


def _arrange(draft: Draft, by: UserId, players: list[Player]) -> None:
    before = draft.table.players
    draft.change(players=tuple(players))
    draft.log(Actor.USER, by, {"host": "seats", "order": [before.index(player) for player in players]})
    draft.send(OutboxKind.TABLE)


def set_rules(draft: Draft, command: SetRules) -> None:
    """Play by other rules, if everybody who has a seat can keep it."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    require_host(table, command.by)
    if command.based_on != table.wishes:
        raise Rejected(HostReason.STALE)
    most = seats_for(table.game, command.options)[-1]
    if len(table.players) > most:
        raise Rejected(HostReason.TOO_MANY_SEATED, players=len(table.players), seats=most)
    draft.change(options=command.options, house=command.house, wishes=command.wishes)
    draft.log(Actor.USER, command.by, {"host": "rules", "options": command.options})
    draft.send(OutboxKind.TABLE)
    draft.notice(Notice.RULES_CHANGED, by=command.by, changes=[list(each) for each in command.changes])


def start(draft: Draft, command: Start) -> None:
    """Begin the match with the first deal."""
    table = draft.table
    require_stage(table, Stage.LOBBY)
    if command.by != table.host:
        seat_of(table, command.by)
    require_host(table, command.by)
    players, fit = len(table.players), seats_for(table.game, table.options)
    if players < fit[0]:
        raise Rejected(HostReason.TOO_FEW, players=players, lowest=fit[0], missing=fit[0] - players)
    starter = None if table.starter is None else table.seat_of(table.starter)
    match = draft.game.setup(table.options, players, starter)
    begun = {"host": "start", "game": table.game, "options": table.options, "players": players, "starter": starter}
    draft.log(Actor.USER, command.by, begun)
    learning = dict(command.learning)
    seated = tuple([each._replace(learning=learning.get(each.user, each.learning)) for each in table.players])
    draft.change(stage=Stage.PLAYING, players=seated, match=match, closes=None, secret=draft.rng.getrandbits(63))
    draft.send(OutboxKind.TABLE)
    turns.advance(draft, match)


def close(draft: Draft, by: UserId | None) -> None:
    """Close a lobby without a match."""
    draft.change(stage=Stage.CLOSED, ended_by=by, closes=None)
    draft.send(OutboxKind.TABLE)
    send_final_dms(draft)
    draft.notice(Notice.LOBBY_CLOSED, by=by)
