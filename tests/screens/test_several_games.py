"""Shared screens speak of the game that they are about, whichever games are registered."""

from collections.abc import Iterator

import pytest

from bot.engine.registry import main_game
from bot.games.registry import KITS, register, unregister
from bot.house_rules.kinds import EMPTY
from bot.screens.game import SCREENS
from bot.screens.help import help_screen
from bot.screens.house.words import page_name, title_of
from bot.screens.rules_pages import rules_screen
from bot.screens.stats.words import edition_name
from bot.stats.figures import WHOLE_GAME
from bot.text.catalogue import catalogue
from tests.screens.rendering import rendered
from tests.toy_game.kit import KIT as TOY

SAY = catalogue()


@pytest.fixture
def toy() -> Iterator[None]:
    """Register a second game that can be played."""
    register(TOY)
    yield
    unregister(TOY)


def test_the_main_game_can_be_played() -> None:
    assert main_game() == KITS[0].name
    assert KITS[0].screens is not None
    assert KITS[0].presses is not None


def test_help_and_rules_cope_with_games_that_have_no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(SCREENS):
        monkeypatch.delitem(SCREENS, name)
    assert SAY("rules.none") in rendered(rules_screen(SAY))
    assert SAY("rules.none") in rendered(rules_screen(SAY, "basics"))
    assert SAY("lobby.button.rules") not in rendered(help_screen(SAY, []))


@pytest.mark.usefixtures("toy")
def test_a_game_has_the_same_title_on_all_screens() -> None:
    assert TOY.settings is not None
    assert title_of(SAY, EMPTY, TOY.name) == "High Card"
    assert page_name(SAY, TOY.settings.settings[0]) == "High Card"
    assert edition_name(SAY, TOY.name, WHOLE_GAME) == "High Card"
