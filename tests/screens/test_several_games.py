"""Shared screens speak of the game that they are about, whichever games are registered."""

import pytest

from bot.engine.registry import main_game
from bot.games.registry import KITS
from bot.screens.game import SCREENS
from bot.screens.help import help_screen
from bot.screens.rules_pages import rules_screen
from bot.text.catalogue import catalogue
from tests.screens.rendering import rendered

SAY = catalogue()


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
