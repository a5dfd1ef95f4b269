"""Shared screens speak of the game that they are about, whichever games are registered."""

from collections.abc import Iterator

import pytest

from bot.engine.core import Rejected
from bot.engine.registry import main_game
from bot.games.registry import KITS, register, unregister
from bot.host.commands import HostReason
from bot.house_rules.kinds import EMPTY
from bot.screens.game import SCREENS
from bot.screens.help import help_screen
from bot.screens.house.words import page_name, title_of
from bot.screens.refusals import refusal_text
from bot.screens.rules_pages import rules_screen
from bot.screens.stats.choices import ranking_choices, scope_choices
from bot.screens.stats.history import game_line
from bot.screens.stats.words import edition_key, edition_name
from bot.screens.words import DOT
from bot.stats.figures import FIGURES, WHOLE_GAME, GameFigures
from bot.text.catalogue import catalogue
from tests.screens.rendering import rendered
from tests.screens.scenes import a_table
from tests.screens.stats_scenes import a_game
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


@pytest.mark.usefixtures("toy")
def test_an_edition_is_named_by_the_words_of_its_own_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert edition_name(SAY, "coyote", "scout") == SAY("edition.scout.name")
    assert edition_name(SAY, TOY.name, "tomahawk_two") == "Tomahawk two"
    monkeypatch.setitem(FIGURES, TOY.name, GameFigures(editions=("feathers",)))
    assert edition_key(TOY.name, "feathers") is None
    offered = {choice.value: choice for choice in scope_choices()}
    assert offered["feathers"].key == "edition.feathers.name"
    assert offered["highcard.any"] == ("High Card", None, "highcard.any")
    assert offered["highcard.feathers"] == (f"High Card{DOT}Feathers", None, "highcard.feathers")


def test_the_history_names_the_game_only_if_there_are_several(toy: None) -> None:
    coyote, other = a_game(1, 3), a_game(2, 3)._replace(game=TOY.name, edition=WHOLE_GAME)
    edition = edition_name(SAY, "coyote", coyote.edition)
    assert f"Coyote{DOT}{edition}" in game_line(SAY, coyote)
    assert f"High Card{DOT}" in game_line(SAY, other)
    unregister(TOY)
    assert edition in game_line(SAY, coyote)
    assert "Coyote" not in game_line(SAY, coyote)


def test_no_more_choices_are_offered_than_discord_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(f"edition{number}" for number in range(30))
    monkeypatch.setitem(FIGURES, "coyote", GameFigures(editions=many, names=many, rankings=many))
    assert len(scope_choices()) == len(ranking_choices()) == 25


@pytest.mark.usefixtures("toy")
def test_refusals_name_the_command_of_the_tables_game() -> None:
    no_table = Rejected(HostReason.NO_TABLE)
    over = Rejected(HostReason.TABLE_CLOSED)
    table = a_table(3)
    assert "**/coyote new** opens another" in refusal_text(SAY, over, table)
    assert "**/highcard new** opens another" in refusal_text(SAY, over, table._replace(game=TOY.name))
    assert "**/coyote new or /highcard new** opens one" in refusal_text(SAY, no_table)
    unregister(TOY)
    assert "**/coyote new** opens one" in refusal_text(SAY, no_table)


def test_a_thread_is_named_after_what_is_played() -> None:
    slots = {"name": "Feathers", "host": "Chloé"}
    assert SAY.for_game("coyote")("lobby.thread.name", **slots) == "Coyote · Feathers · Chloé"
    assert SAY.for_game(TOY.name)("lobby.thread.name", name="High Card", host="Chloé") == "High Card · Chloé"
