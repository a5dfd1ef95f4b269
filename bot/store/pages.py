"""Builds what people see of finished games, from rows that a store has read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId
from bot.stats.model import Card, Ending, Line, Page, PastGame, PastSeat, Season, Totals
from bot.stats.replay import Replay

Ranked = TypeVar("Ranked", Page, Card)

MAX_CURVE_POINTS: Final = 200
"""Cap on the points of a rating curve: one for each of a person's newest games."""
MAX_GAMES_TOGETHER: Final = 5
"""Cap on the shared games, newest first, that a comparison of two people lists."""


async def ranked_after(
    minimum: int | None, read: Callable[[], Awaitable[Ranked]], rank_again: Callable[[int], Awaitable[bool]]
) -> Ranked:
    """Read a page or a card. If its board was ranked with another minimum of games, rank the board and read again."""
    found = await read()
    if minimum is not None and found.minimum != minimum and await rank_again(minimum):
        found = await read()
    return found


def fit(count: int, number: int, size: int) -> tuple[int, int]:
    """Return the number of pages, and `number` clamped to a page that exists."""
    pages = max(1, -(-count // size))
    return pages, min(max(1, number), pages)


def lines_of(users: Iterable[UserId], totals: Mapping[UserId, Totals], by: str, skipped: int, above: int) -> list[Line]:
    """Return the lines of a leaderboard after the first `skipped`; `above` people are ranked higher than the first."""
    lines: list[Line] = []
    rank = above + 1
    for place, user in enumerate(users, skipped + 1):
        score = totals[user].score(by)
        if lines and score != lines[-1].score:
            rank = place
        lines.append(Line(rank, user, score, totals[user]))
    return lines


def past_game(row: Sequence[Any], seats: Iterable[Sequence[Any]]) -> PastGame:
    """Return a finished game.

    `row` is its number, table, game, edition, rounds, started, ended, ai, counted and season. Each of `seats` is its
    number, the person, ai, place, rating and the AI's name; the person is None if they opted out of statistics.
    """
    number, table, game, edition, rounds, started, ended, ai, counted, season = row
    return PastGame(
        number,
        TableId(table),
        game,
        edition,
        rounds,
        started,
        ended,
        bool(ai),
        bool(counted),
        season,
        tuple(
            PastSeat(Seat(seat), None if user is None else UserId(user), bool(is_ai), place, rating, name)
            for seat, user, is_ai, place, rating, name in seats
        ),
    )


def seasons_of(closed: Iterable[tuple[int, Millis]]) -> tuple[Season, ...]:
    """Return a guild's seasons, newest first, beginning with the running one. `closed` has the others, oldest first."""
    found = [Season(number, at) for number, at in closed]
    return (Season(len(found) + 1, None), *reversed(found))


def with_highlights(ending: Ending, replay: Replay) -> Ending:
    """Return an ending together with the match's highlights and events."""
    events = tuple(event for moment in replay.moments for event in moment.events)
    return ending._replace(highlights=replay.highlights, events=events)
