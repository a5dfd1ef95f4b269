"""What Coyote's forms offer."""

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Bid, Redo
from bot.games.coyote.rules.game import prompts
from bot.games.coyote.ui.forms import bid_form, guess_form
from tests.screens.rendering import rendered
from tests.screens.scenes import FEATHERS, SAY, a_table, dealt, played, seen

A, B, C = Seat(0), Seat(1), Seat(2)
CAMPS = {"edition": "tomahawk", "variant": True}


def guessed(deck: dict[str, int] | None = None) -> str:
    """Return the form for a guess, with this deck or the edition's own."""
    options = FEATHERS if deck is None else {**FEATHERS, "deck": deck}
    state = played(dealt(options, (1, 2, 3)), Bid(A, 5))
    (question,) = prompts(state)
    return rendered(guess_form(SAY, a_table(3, options), seen(state), question))


def test_the_list_of_guesses_has_a_plain_0_only_if_the_deck_has() -> None:
    assert "0: 🌙0" in guessed()
    assert "0: 0" not in guessed()
    assert "0: 0" in guessed({**{str(number): 3 for number in range(10)}, "night": 1})


def test_the_form_after_a_refusal_names_what_the_rules_allow() -> None:
    state = played(dealt(CAMPS, (7, 3, 10)), Bid(A, 12), Bid(B, 13), Redo(C))
    (question,) = prompts(state)
    shown = rendered(bid_form(SAY, a_table(3, CAMPS), seen(state), question))
    assert "14 or more." in shown
    assert "but not 13" not in shown
