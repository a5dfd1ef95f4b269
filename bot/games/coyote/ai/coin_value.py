"""Values coins: my chance to win the match if everybody is equally likely to lose each later round."""

from __future__ import annotations

from functools import lru_cache

from bot.engine.core import Seat
from bot.games.coyote.rules.view import CoyoteView


def lives(view: CoyoteView) -> dict[Seat, int]:
    """Return how many penalties each living seat can still take; the last one puts it out."""
    if view.rules.has_centre:
        return {seat.seat: sum(seat.eyes) for seat in view.seats if seat.living}
    return {seat.seat: view.rules.threshold - seat.tokens for seat in view.seats if seat.living}


def worth(left: dict[Seat, int], me: Seat, loser: Seat | None, penalty: int = 1) -> float:
    """Return my chance to win the match after `loser` has taken the penalty."""
    after = {seat: number - penalty * (seat == loser) for seat, number in left.items()}
    if after[me] <= 0:
        return 0.0
    return _chance(after[me], tuple(sorted(number for seat, number in after.items() if seat != me and number > 0)))


@lru_cache(maxsize=100_000)
def _chance(mine: int, others: tuple[int, ...]) -> float:
    """Return the chance to be the last one left, when each round costs a random player one life."""
    if mine == 0:
        return 0.0
    if not others:
        return 1.0
    if len(others) > 5:  # a big table: a quick estimate is close enough
        return mine / (mine + sum(others))
    total = _chance(mine - 1, others)
    for place, number in enumerate(others):
        rest = others[:place] + others[place + 1 :]
        total += _chance(mine, tuple(sorted((*rest, number - 1))) if number > 1 else rest)
    return total / (len(others) + 1)
