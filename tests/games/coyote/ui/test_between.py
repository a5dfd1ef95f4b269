"""Between rounds a private look shows the player's own bet and no others."""

import pytest

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Bet, Bid, Call
from bot.games.coyote.ui.look import bystander_screen, look_screen
from bot.games.coyote.ui.table import table_screen
from bot.host.model import Pause, Remark, UserId
from tests.screens.rendering import rendered
from tests.screens.scenes import NOW, SAY, a_table, dealt, played, seen, seen_by

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


@pytest.mark.parametrize("pause", [None, Pause(NOW, UserId(1001))])
@pytest.mark.parametrize(("aside", "offered"), [(True, True), (False, False)])
def test_what_the_ais_thought_can_still_be_asked_after_a_pause_between_rounds(
    pause: Pause | None, aside: bool, offered: bool
) -> None:
    remark = Remark(C, "ai.forced", (("seen", "3"), ("bid", "90"), ("chance", "4")), is_aside=aside)
    table = a_table(4, PEEK, pause=pause, explained=(remark,))
    over = played(HIGH, Bet(C, A), Bet(D, B))
    assert ("What the AIs thought" in rendered(table_screen(SAY, table, seen(over)))) == offered
    assert "What the AIs thought" not in rendered(table_screen(SAY, table, seen(HIGH)))
