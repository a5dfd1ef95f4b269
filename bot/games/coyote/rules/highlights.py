"""Picks the highlights of a match from how its rounds ended."""

from __future__ import annotations

from bot.engine.core import Seat
from bot.engine.frozen import Frozen
from bot.games.coyote.rules.results import Result


class Highlights(Frozen, frozen=True):
    """The best moments of a match; None where there was none."""

    exact: tuple[Seat, int] | None = None
    """The seat whose bid was exactly the total, and the bid; of several, the highest."""
    bluff: tuple[Seat, int, int] | None = None
    """The seat whose bid was furthest above the total, the bid, and the total."""


def update_highlights(best: Highlights, result: Result) -> Highlights:
    """Return the highlights after one more round; of two equals, the earlier one stays."""
    if result.counted is None or result.bidder is None or result.bid is None:
        return best
    bid, total = result.bid, result.counted.total
    if bid == total and (best.exact is None or bid > best.exact[1]):
        return best._replace(exact=(result.bidder, bid))
    if bid > total and (best.bluff is None or bid - total > best.bluff[1] - best.bluff[2]):
        return best._replace(bluff=(result.bidder, bid, total))
    return best
