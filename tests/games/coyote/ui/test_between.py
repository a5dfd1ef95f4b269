"""Between rounds a private look shows the player's own bet and no others."""

import pytest

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Bet, Bid, Call
from bot.games.coyote.ui.look import bystander_screen, look_screen
from tests.screens.rendering import rendered
from tests.screens.scenes import SAY, a_table, dealt, played, seen, seen_by

PEEK = {"edition": "peek", "variant": True}
A, B, C, D = (Seat(seat) for seat in range(4))
HIGH = played(dealt(PEEK, (5, 10, -5, 8), 20), Bid(A, 90), Call(B))


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (B, "Your bet was on <@1002>. The reveal tells whether it was right."),
        (A, "Your bet was on <@1001>. The reveal tells whether it was right."),
        (None, "You let the bet pass, which counts as a wrong one."),
    ],
)
def test_the_last_bettor_is_told_what_they_bet_on(on: Seat | None, expected: str) -> None:
    state = played(HIGH, Bet(C, A), Bet(D, on))
    look = rendered(look_screen(SAY, a_table(4, PEEK), seen_by(state, D)))
    assert f"{expected} Round over." in look


def test_the_caller_the_bidder_and_bystanders_are_shown_no_bet() -> None:
    table, state = a_table(4, PEEK), played(HIGH, Bet(C, A), Bet(D, B))
    looks = [look_screen(SAY, table, seen_by(state, seat)) for seat in (A, B)]
    for screen in (*looks, bystander_screen(SAY, table, seen(state))):
        assert "Between rounds" in rendered(screen)
        assert " bet" not in rendered(screen)
