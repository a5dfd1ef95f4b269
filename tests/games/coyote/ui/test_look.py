"""What a look tells beside the feathers: what the buttons cost, and which actions are behind the bids."""

import pytest

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Bid, Peek, Redo, Turnabout
from bot.games.coyote.ui.look import look_screen
from tests.screens.rendering import rendered
from tests.screens.scenes import SAY, a_table, dealt, played, seats, seen_by

A, B, C = Seat(0), Seat(1), Seat(2)
PEEK = {"edition": "peek"}
CAMPS = {"edition": "tomahawk", "variant": True}
COST = "**Peek:** Close an eye, see the centre card; then you must raise"
KNOWN = "You already know the centre card."


@pytest.mark.parametrize(("learning", "told"), [(3, True), (0, False)])
def test_a_newcomer_is_told_what_a_peek_costs_before_they_press_it(learning: int, told: bool) -> None:
    table = a_table(3, PEEK, players=seats(3, learning=learning))
    state = played(dealt(PEEK, (7, 3, 10), 15), Bid(A, 5))
    assert (COST in rendered(look_screen(SAY, table, seen_by(state, B)))) == told


def test_nobody_is_told_of_a_button_that_they_do_not_have() -> None:
    table = a_table(3, PEEK, players=seats(3, learning=3))
    opening = dealt(PEEK, (7, 3, 10), 15)
    peeked = played(opening, Bid(A, 5), Peek(B))
    for state, seat in ((opening, A), (opening, B), (peeked, B), (peeked, C)):
        assert COST not in rendered(look_screen(SAY, table, seen_by(state, seat)))


@pytest.mark.parametrize("learning", [3, 0])
def test_a_player_who_has_peeked_is_told_that_another_peek_shows_nothing_new(learning: int) -> None:
    """It would cost an eye and the right to call, and the button is as near as before."""
    table = a_table(3, PEEK, players=seats(3, learning=learning))
    state = played(dealt(PEEK, (7, 3, 10), 15), Bid(A, 5), Peek(B), Bid(B, 6), Bid(C, 7), Bid(A, 8))
    look = rendered(look_screen(SAY, table, seen_by(state, B)))
    assert KNOWN in look
    assert COST not in look
    assert KNOWN not in rendered(look_screen(SAY, table, seen_by(played(state, Bid(B, 9)), C)))


def test_a_player_who_must_bid_again_is_told_why() -> None:
    state = played(dealt(CAMPS, (7, 3, 10)), Bid(A, 5), Turnabout(B))
    look = rendered(look_screen(SAY, a_table(3, CAMPS), seen_by(state, A)))
    assert "**Your turn.** The direction has changed: bid again, higher." in look


def test_a_look_says_who_has_turned_play_about() -> None:
    """Otherwise somebody bids twice in a row for no reason that can be seen."""
    table = a_table(3, CAMPS)
    state = played(dealt(CAMPS, (7, 3, 10)), Bid(A, 5), Turnabout(B))
    for seat in (A, B, C):
        look = rendered(look_screen(SAY, table, seen_by(state, seat)))
        assert "Play goes the other way this round" in look
        assert "Used this round: <@1002> turned play about" in look


def test_a_look_says_who_refused_a_bid_and_what_may_be_named_instead() -> None:
    table = a_table(3, CAMPS)
    second = played(dealt(CAMPS, (7, 3, 10)), Bid(A, 12), Bid(B, 13), Redo(C))
    own = rendered(look_screen(SAY, table, seen_by(second, B)))
    assert "<@1003> refused your 13." in own
    assert "**Your turn.** Name 14 or more." in own, "12 must be beaten, and 13 is out"
    assert "<@1003> refused <@1002>'s 13;" in rendered(look_screen(SAY, table, seen_by(second, A)))
    first = played(dealt(CAMPS, (7, 3, 10)), Bid(A, 13), Redo(B))
    assert "**Your turn.** Name a number other than 13." in rendered(look_screen(SAY, table, seen_by(first, A)))


def test_whoever_may_call_a_doubled_bid_reads_first_that_it_costs_two() -> None:
    table = a_table(3, CAMPS)
    state = played(dealt(CAMPS, (7, 3, 10)), Bid(A, 12, "double"))
    own = rendered(look_screen(SAY, table, seen_by(state, B)))
    assert own.index("**Doubled:** if you call, the loser takes two coins.") < own.index("Bid to beat")
    assert "Doubled: if <@1002> calls" not in own
    assert "Doubled: if <@1002> calls" in rendered(look_screen(SAY, table, seen_by(state, C)))
