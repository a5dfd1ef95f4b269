"""Places of people for whom an AI finished the match."""

from random import Random

import pytest

from bot.engine.core import Leave, Seat
from bot.engine.standing import capped_places, place_now
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS

FRESH = COYOTE.setup({"edition": "feathers"}, 3, Seat(0))


@pytest.mark.parametrize(
    ("places", "best", "expected"),
    [
        ((1, 2, 3, 4), {}, (1, 2, 3, 4)),
        ((1, 2, 3, 4), {0: 1}, (1, 2, 3, 4)),
        ((1, 2, 3, 4), {0: 3}, (3, 1, 2, 4)),  # those in between move up
        ((1, 2, 3, 4), {0: 4}, (4, 1, 2, 3)),
        ((4, 2, 3, 1), {0: 2}, (4, 2, 3, 1)),  # the AI did worse
        ((1, 2, 3, 4), {1: 2, 0: 3}, (3, 2, 1, 4)),
        ((1, 2, 3, 4), {0: 3, 1: 4}, (3, 4, 1, 2)),
        ((1, 2, 3, 4), {0: 4, 1: 4}, (4, 4, 1, 2)),  # neither is better than they stood
        ((1, 2, 3, 4), {0: 4, 1: 4, 2: 4, 3: 4}, (4, 4, 4, 4)),
        ((1, 1, 3), {0: 3}, (3, 1, 2)),
        ((1, 1, 3), {2: 3}, (1, 1, 3)),
        ((2, 1, 2, 4), {1: 4}, (1, 4, 1, 3)),  # equals stay equal
    ],
)
def test_nobody_is_better_than_they_stood(
    places: tuple[int, ...], best: dict[int, int], expected: tuple[int, ...]
) -> None:
    assert capped_places(places, {Seat(seat): place for seat, place in best.items()}) == expected


def test_a_seat_stands_behind_all_that_are_as_good() -> None:
    assert [place_now(COYOTE, FRESH, Seat(seat)) for seat in range(3)] == [3, 3, 3]


def test_a_seat_that_is_out_has_no_place_to_keep() -> None:
    dealt = COYOTE.apply(FRESH, COYOTE.deal(FRESH, Random(1))).state
    left = COYOTE.apply(dealt, Leave(Seat(1))).state
    assert place_now(COYOTE, left, Seat(1)) is None


def test_points_prestige_and_horses_say_who_stands_better_in_plenty_coups() -> None:
    match = PLENTY_COUPS.setup({}, 3, Seat(0))
    ahead = next(camp for camp in match.camps.values() if camp.owner == 1)
    better = match.with_camps(ahead._replace(horses=ahead.horses + 1))
    assert [place_now(PLENTY_COUPS, better, Seat(seat)) for seat in range(3)] == [3, 1, 3]
