"""From a table's log to the record of its match: the engine plays it again, and its public events are counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bot.engine.core import Json, Seat
from bot.engine.registry import RULES
from bot.games.coyote import figures as coyote
from bot.games.coyote.rules.editions import DEFAULT_EDITION
from bot.host.decision import Actor
from bot.host.former_players import is_ghost
from bot.host.model import Millis, UserId
from bot.stats.model import GameRecord, SeatRecord


class Entry(NamedTuple):
    """One line of the log as it was written, and when."""

    at: Millis
    actor: Actor
    action: Json
    thought: Millis | None = None


class Log(NamedTuple):
    """Everything that is needed to play a match again and to know whose it was."""

    users: Mapping[Seat, UserId]
    """Who sat where. A seat that is missing is an AI's."""
    house: Mapping[str, Any]
    """The house rules as they were written; what is missing has its default."""
    entries: Sequence[Entry]


class Counted(NamedTuple):
    """What a game's own counting has found."""

    rounds: int
    seats: Sequence[SeatRecord]
    coins: tuple[tuple[Seat, Seat, int], ...]


Counting = Callable[[Sequence[SeatRecord], Sequence[Any]], Counted]


def tally(log: Log) -> GameRecord:
    """Play the match again and count; ValueError if the log does not lead to an end."""
    begun, moves = opening(log.entries)
    game, players = RULES[begun.action["game"]], begun.action["players"]
    state = game.setup(begun.action["options"], players, begun.action["starter"])
    thoughts = [[0, 0] for _ in range(players)]
    events: list[Any] = []
    ai = False
    for entry in moves:
        ai = ai or entry.actor is Actor.AI
        action = game.load_action(entry.action)
        step = game.apply(state, action)
        state = step.state
        events += step.events
        if entry.thought is not None and entry.actor is Actor.USER:
            thoughts[action.seat][0] += entry.thought
            thoughts[action.seat][1] += 1
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("the log ends before the match does")
    users = [_person(log.users.get(Seat(seat))) for seat in range(players)]
    ai = ai or None in users
    seats = [
        SeatRecord(user, place, thought=thought, thoughts=count)
        for user, place, (thought, count) in zip(users, outcome.places, thoughts, strict=True)
    ]
    rounds, counted, coins = _COUNTING.get(game.name, _nothing)(seats, events)
    options = begun.action["options"]
    return GameRecord(
        game=game.name,
        edition=options.get("edition", DEFAULT_EDITION) if game.name == "coyote" else game.name,
        variant=bool(options.get("variant", False)),
        rounds=rounds,
        started=begun.at,
        ended=moves[-1].at,  # what is noted at the table later, such as that somebody was deleted, is not the game's
        ai=ai,
        counts=log.house.get("counts", True) and (not ai or log.house.get("count_ai", False)),
        seats=tuple(counted),
        coins=coins,
    )


def opening(entries: Sequence[Entry]) -> tuple[Entry, list[Entry]]:
    """Return the start of the match, and the moves of the game after it."""
    begun = next((entry for entry in entries if entry.action.get("host") == "start"), None)
    if begun is None:
        raise ValueError("the log has no start")
    return begun, [entry for entry in entries if "do" in entry.action]


def _person(user: UserId | None) -> UserId | None:
    """Return the user, or None if the seat is an AI's; people who were deleted stay somebody."""
    return None if user is None or (user < 0 and not is_ghost(user)) else user


def _nothing(seats: Sequence[SeatRecord], events: Sequence[Any]) -> Counted:
    """Count only what every game has: places and thinking time."""
    return Counted(0, seats, ())


_COUNTING: Final[dict[str, Counting]] = {"coyote": lambda seats, events: Counted(*coyote.count(seats, events))}
