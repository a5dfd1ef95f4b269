"""The exact hit and the boldest bluff of a match."""

from collections.abc import Sequence
from functools import reduce

from bot.engine.core import Seat
from bot.games.coyote.rules.counting import Count
from bot.games.coyote.rules.highlights import Highlights, update_highlights
from bot.games.coyote.rules.results import Ending, Result, Spread
from tests.games.coyote.rules.cases import table

NOTHING = Spread((), (), (), None, None)


def ended(bidder: int, bid: int, total: int | None) -> Result:
    counted = None if total is None else Count(total, (), ())
    ending = Ending.VOID if total is None else Ending.SHOWDOWN
    return Result(1, ending, NOTHING, None, Seat(bidder), bid, counted, None, 0, None, None, (), night=False)


def highlights(rounds: Sequence[Result]) -> Highlights:
    return reduce(update_highlights, rounds, Highlights())


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


def test_a_bluff_is_measured_against_the_total_and_the_earlier_of_equals_counts() -> None:
    smaller, larger = ended(0, 50, 40), ended(1, 20, 5)
    assert highlights([smaller, larger]).bluff == (Seat(1), 20, 5)
    assert highlights([larger, smaller]).bluff == (Seat(1), 20, 5)
    assert highlights([larger, ended(2, 30, 15)]).bluff == (Seat(1), 20, 5)
    assert highlights([ended(0, 3, -4), ended(1, 12, 4)]).bluff == (Seat(1), 12, 4)


def test_an_exact_bid_is_no_bluff_and_an_uncounted_round_hides_nothing_after_it() -> None:
    assert highlights([ended(0, 9, 9)]) == Highlights((Seat(0), 9), None)
    assert highlights([ended(0, 9, None), ended(1, 9, 9)]).exact == (Seat(1), 9)
    assert highlights([ended(0, 9, 9), ended(1, 5, 5)]).bluff is None, "nor is one that a higher one outshines"


def test_a_match_remembers_as_it_goes() -> None:
    game = table("1 2 3").play("A bid 6", "B call", "deal", "A bid 900", "B call", "deal")
    assert game.view().best.exact == (Seat(0), 6)
    bluff = game.view().best.bluff
    assert bluff is not None
    assert bluff[:2] == (Seat(0), 900)
