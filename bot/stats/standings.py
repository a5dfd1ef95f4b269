"""Counts one match on one board, and finds who moves on it: pure, and the same for every store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.host.model import UserId
from bot.stats.adding import NOTHING, added, scorer
from bot.stats.figures import GUESSED, GUESSED_RIGHT, figures_of
from bot.stats.model import GameRecord, SeatRecord, Totals
from bot.stats.rating import Skill, rate


class Person(NamedTuple):
    """A person in a match whose totals are kept."""

    seat: Seat
    user: UserId
    played: SeatRecord


class Standing(NamedTuple):
    """A person's totals on one board, and whether they are ranked there."""

    totals: Totals
    ranked: bool


NEWCOMER: Final = Standing(NOTHING, ranked=False)
"""The standing of a person of whom nothing was counted on a board."""


class ScoreChange(NamedTuple):
    """A person whose scores change; None: not ranked before, or not ranked any more."""

    user: UserId
    before: Totals | None
    after: Totals | None


class Moves(NamedTuple):
    """What a match changes in the order of one board: `by` is the figure that ranks people."""

    changed: Sequence[tuple[UserId, str, int, int]]
    """The person, `by`, the score before and after."""
    came: Sequence[tuple[UserId, str, int]]
    """The person, `by` and the score of everybody who is ranked now and was not before."""
    went: Sequence[tuple[UserId, str, int]]
    """The same for everybody who was ranked before and is not any more."""
    steps: Mapping[tuple[str, int], int]
    """By how many people more or fewer have a score."""
    newly_ranked: int
    """By how many people more or fewer are ranked."""


def people_of(record: GameRecord, off: int) -> list[Person]:
    """Return the people whose totals are kept: no AI, and no seat whose bit is set in `off`."""
    return [
        Person(Seat(seat), played.user, played)
        for seat, played in enumerate(record.seats)
        if played.user is not None and not off >> seat & 1
    ]


def after_match(
    people: Sequence[Person], record: GameRecord, before: Sequence[Standing], minimum: int, *, rank: bool
) -> list[Standing]:
    """Return the people's standings after a match. Without `rank` nobody is ranked: that is decided later."""
    rated = len(people) > 1
    skills = rate([Skill(totals.mu, totals.sigma) for totals, _ in before], [person.played.place for person in people])
    after = [
        added(totals, person.played, record.rounds, skill if rated else None)
        for person, (totals, _), skill in zip(people, before, skills, strict=True)
    ]
    return [Standing(totals, rank and totals.games >= minimum) for totals in after]


def ratings_after(people: Sequence[Person], after: Sequence[Standing]) -> dict[Seat, int | None]:
    """Return the ratings after a match, None for everybody if it was not rated."""
    rated = len(people) > 1
    return {person.seat: each.totals.rating if rated else None for person, each in zip(people, after, strict=True)}


def after_guesses(
    guesses: Sequence[tuple[UserId, int, int]], before: Sequence[Standing], minimum: int, *, rank: bool
) -> list[Standing]:
    """Return the standings of people who guessed along: their `games` are matches in which they did."""
    after = []
    for (_, made, right), (was, _) in zip(guesses, before, strict=True):
        figures = {GUESSED: was.own(GUESSED) + made, GUESSED_RIGHT: was.own(GUESSED_RIGHT) + right}
        totals = was._replace(games=was.games + 1, figures=figures)
        after.append(Standing(totals, rank and totals.games >= minimum))
    return after


def changes(users: Iterable[UserId], before: Sequence[Standing], after: Sequence[Standing]) -> list[ScoreChange]:
    """Return how people's scores change; all three arguments have the same order."""
    return [
        ScoreChange(user, was.totals if was.ranked else None, now.totals if now.ranked else None)
        for user, was, now in zip(users, before, after, strict=True)
    ]


def moves_of(game: str, changed_scores: Iterable[ScoreChange]) -> Moves:
    """Return how people move from their old scores to their new ones."""
    names, values = scorer(figures_of(game).rankings)
    steps: defaultdict[tuple[str, int], int] = defaultdict(int)
    changed: list[tuple[UserId, str, int, int]] = []
    came: list[tuple[UserId, str, int]] = []
    went: list[tuple[UserId, str, int]] = []
    newly_ranked = 0
    for user, before, after in changed_scores:
        if before and after:
            for by, was, now in zip(names, values(before), values(after), strict=True):
                if was != now:
                    steps[by, was] -= 1
                    steps[by, now] += 1
                    changed.append((user, by, was, now))
        elif before:
            newly_ranked -= 1
            for by, was in zip(names, values(before), strict=True):
                steps[by, was] -= 1
                went.append((user, by, was))
        elif after:
            newly_ranked += 1
            for by, now in zip(names, values(after), strict=True):
                steps[by, now] += 1
                came.append((user, by, now))
    return Moves(changed, came, went, steps, newly_ranked)


def pairs_of(people: Sequence[Person], record: GameRecord) -> list[tuple[UserId, UserId, bool, bool, int, int]]:
    """Return what a match says of every two people: whether the first was ahead or behind, what they gave and took."""
    duels = {(giver, taker): amount for giver, taker, amount in record.duels}
    return [
        (
            one.user,
            other.user,
            one.played.place < other.played.place,
            one.played.place > other.played.place,
            duels.get((one.seat, other.seat), 0),
            duels.get((other.seat, one.seat), 0),
        )
        for one, other in permutations(people, 2)
    ]
