"""What "This table" says of the deck: all of it, and what has been used since the shuffle."""

from bot.games.coyote.ui.supplies import supply_lines
from bot.games.coyote.ui.views import PublicView
from bot.text.catalogue import catalogue
from tests.games.coyote.rules.cases import Table, table

SAY = catalogue().for_game("coyote")


def told(game: Table) -> str:
    view = PublicView(game.view())
    return "\n".join(supply_lines(SAY, view.rules, view)).replace("\u00a0", " ")


def test_nothing_is_used_in_the_first_round() -> None:
    assert "**Used since the shuffle:** nothing yet" in told(table("7 3 10"))


def test_what_was_revealed_is_used() -> None:
    shown = told(table("7 3 10").play("A bid 1", "B call"))
    assert "**Used since the shuffle** (3): 3 · 7 · 10" in shown
    assert "**Left to draw:** 27 feathers" in shown


def test_after_the_night_everything_is_shuffled() -> None:
    shown = told(table("7 night 10").play("A bid 1", "B call"))
    assert "Used since the shuffle" not in shown
    assert "shuffled again before the next deal" in shown
