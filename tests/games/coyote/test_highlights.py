"""The exact hit and the boldest bluff of a match."""

from bot.games.core import Seat
from bot.games.coyote.counting import Count
from bot.games.coyote.highlights import Highlights, highlights
from bot.games.coyote.results import Ending, Result, Spread

NOTHING = Spread((), (), (), None, None)


def ended(bidder: int, bid: int, total: int | None) -> Result:
    counted = None if total is None else Count(total, (), ())
    ending = Ending.VOID if total is None else Ending.SHOWDOWN
    return Result(1, ending, NOTHING, None, Seat(bidder), bid, counted, None, 0, None, None, (), night=False)


def test_the_best_of_a_match() -> None:
    rounds = [
        ended(0, 14, 35),
        ended(1, 9, 9),
        ended(2, 23, 23),
        ended(3, 23, 23),
        ended(1, 31, 12),
        ended(0, 90, None),
    ]
    assert highlights(rounds) == Highlights((Seat(2), 23), (Seat(1), 31, 12))


def test_a_match_without_any() -> None:
    assert highlights([]) == highlights([ended(0, 14, 35)]) == Highlights()
