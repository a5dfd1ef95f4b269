"""How a match changes somebody's totals: pure arithmetic, one board at a time."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from bot.stats.model import By, SeatRecord, Totals
from bot.stats.rating import NEWCOMER, Skill

NOTHING: Final = Totals(mu=NEWCOMER.mu, sigma=NEWCOMER.sigma, rating=NEWCOMER.shown)
"""The totals of somebody who has not played."""


def added(before: Totals, seat: SeatRecord, rounds: int, skill: Skill | None) -> Totals:
    """Return the totals with one match more; `skill` is None if it was not rated."""
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
        survived=before.survived + seat.survived,
        taken=before.taken + seat.taken,
        dealt=before.dealt + seat.dealt,
        calls=before.calls + seat.calls,
        calls_right=before.calls_right + seat.calls_right,
        bids=before.bids + seat.bids,
        caught=before.caught + seat.caught,
        exact=before.exact + seat.exact,
        thought=before.thought + seat.thought,
        thoughts=before.thoughts + seat.thoughts,
        run=run,
        best_run=max(before.best_run, run),
        rated=before.rated + (skill is not None),
        mu=after.mu,
        sigma=after.sigma,
        rating=after.shown,
        win_rate=wins * 1000 // games,
    )


SCORED: Final = tuple(by.value for by in By)
"""What totals are ordered by, as plain names: an enum is slow to go through, and every game does it dozens of times."""
scores: Final[Callable[[Totals], tuple[int, ...]]] = attrgetter(*SCORED)
"""Return the values of `SCORED`."""
