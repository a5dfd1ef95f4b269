"""Turns a table's log into the record of its match: the engine replays it, and its public events are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.engine.core import Json, Seat
from bot.engine.registry import RULES
from bot.engine.standing import capped_places
from bot.host.decision import Actor
from bot.host.former_players import is_former_id
from bot.host.model import Millis, UserId
from bot.stats.absences import Absences
from bot.stats.figures import figures_of
from bot.stats.model import GameRecord, SeatRecord


class Entry(NamedTuple):
    """One line of the log, and when it was written."""

    at: Millis
    actor: Actor
    action: Json
    thought: Millis | None = None


class Log(NamedTuple):
    """Everything that is needed to replay a match and to know who played it."""

    users: Mapping[Seat, UserId]
    """Who sat where. A seat that is missing is an AI's."""
    house: Mapping[str, Any]
    """The house rules as they were written; what is missing has its default."""
    entries: Sequence[Entry]


def tally(log: Log) -> GameRecord:
    """Replay the match and count it; ValueError if the log does not lead to an end."""
    begun, moves = opening(log.entries)
    options, players = begun.action["options"], begun.action["players"]
    game = RULES[begun.action["game"]]
    state = game.setup(options, players, begun.action["starter"])
    users = [_person(log.users.get(Seat(seat))) for seat in range(players)]
    absences = Absences(game, {Seat(seat) for seat, user in enumerate(users) if user is not None})
    thoughts = [[0, 0] for _ in range(players)]
    events: list[Any] = []
    ai = None in users
    for entry in log.entries[log.entries.index(begun) + 1 :]:
        if "do" not in entry.action:
            absences.host_did(entry.action, state)
            continue
        ai = ai or entry.actor is Actor.AI
        action = game.load_action(entry.action)
        absences.before_move(entry.actor, action, state)
        step = game.apply(state, action)
        state = step.state
        events += step.events
        absences.after_move(entry.actor, action, state)
        if entry.thought is not None and entry.actor is Actor.USER:
            thoughts[action.seat][0] += entry.thought
            thoughts[action.seat][1] += 1
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("the log ends before the match does")
    places = capped_places(outcome.places, absences.best) if absences.best else outcome.places
    counting = figures_of(game.name)
    counted = counting.count(players, events)
    seats = zip(users, places, thoughts, counted.seats or [{}] * players, strict=True)
    return GameRecord(
        game=game.name,
        edition=counting.edition_of(options),
        rounds=game.rounds_ended(state) if counted.rounds is None else counted.rounds,
        started=begun.at,
        ended=moves[-1].at,  # later lines, such as a person's deletion, are no part of the game
        ai=ai,
        counts=log.house.get("counts", True) and (None not in users or log.house.get("count_ai", False)),
        seats=tuple(
            SeatRecord(user, place, thought, answers, {name: figures.get(name, 0) for name in counting.names})
            for user, place, (thought, answers), figures in seats
        ),
        duels=counted.duels,
    )


def opening(entries: Sequence[Entry]) -> tuple[Entry, list[Entry]]:
    """Return the start of the match, and the game's moves after it."""
    begun = next((entry for entry in entries if entry.action.get("host") == "start"), None)
    if begun is None:
        raise ValueError("the log has no start")
    return begun, [entry for entry in entries if "do" in entry.action]


def _person(user: UserId | None) -> UserId | None:
    """Return the user, or None if the seat is an AI's; people who were deleted remain people."""
    return None if user is None or (user < 0 and not is_former_id(user)) else user
