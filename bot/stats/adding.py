"""Adds one match to a person's totals on one board: pure arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Final

from bot.stats.figures import SHARED_RANKINGS
from bot.stats.model import SeatRecord, Totals
from bot.stats.rating import NEWCOMER, Skill

NOTHING: Final = Totals(mu=NEWCOMER.mu, sigma=NEWCOMER.sigma, rating=NEWCOMER.shown)
"""The totals of a person who has not played."""


def added(before: Totals, seat: SeatRecord, rounds: int, skill: Skill | None) -> Totals:
    """Return the totals after one more match; `skill` is None if the match was not rated."""
    won = seat.won
    games, wins = before.games + 1, before.wins + won
    run = before.run + 1 if won else 0
    after = skill or Skill(before.mu, before.sigma)
    return Totals(
        games=games,
        wins=wins,
        seconds=before.seconds + (seat.place == 2),
        thirds=before.thirds + (seat.place == 3),
        places=before.places + seat.place,
        rounds=before.rounds + rounds,
        thought=before.thought + seat.thought,
        thoughts=before.thoughts + seat.thoughts,
        run=run,
        best_run=max(before.best_run, run),
        rated=before.rated + (skill is not None),
        mu=after.mu,
        sigma=after.sigma,
        rating=after.shown,
        win_rate=wins * 1000 // games,
        figures={name: before.own(name) + number for name, number in seat.figures.items()},
    )


@cache
def scorer(rankings: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[Totals], tuple[int, ...]]]:
    """Return the figures that rank people, the shared ones first, and a function that returns their values.

    Made once per game: every match that ends asks for dozens of such values.
    """
    shared = tuple(by for by in rankings if by in SHARED_RANKINGS)
    own = tuple(by for by in rankings if by not in SHARED_RANKINGS)

    def read_one_by_one(totals: Totals) -> tuple[int, ...]:
        return tuple([getattr(totals, by) for by in shared])

    # attrgetter is much faster, but with a single name it returns no tuple.
    read_shared: Callable[[Totals], tuple[int, ...]] = attrgetter(*shared) if len(shared) > 1 else read_one_by_one

    def values(totals: Totals) -> tuple[int, ...]:
        figures = totals.figures
        return (*read_shared(totals), *[figures.get(by, 0) for by in own])

    return shared + own, values
