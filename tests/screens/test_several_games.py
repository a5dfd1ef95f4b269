"""Shared screens speak of the game that they are about, whichever games are registered."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.engine.core import Outcome, Rejected, Seat
from bot.engine.registry import RULES, main_game
from bot.games.registry import KITS, register, unregister
from bot.host.commands import HostReason
from bot.host.lobby import seats_for
from bot.house_rules.kinds import EMPTY
from bot.screens.final import final_screen
from bot.screens.game import SCREENS
from bot.screens.help import help_screen
from bot.screens.house.words import page_name, title_of
from bot.screens.new_form import new_form
from bot.screens.refusals import refusal_text
from bot.screens.rules_pages import rules_screen
from bot.screens.stats.choices import ranking_choices, read_scope, scope_choices
from bot.screens.stats.history import game_line
from bot.screens.stats.queries import Scope
from bot.screens.stats.words import edition_key, edition_name, ranking_about, ranking_name
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
    for name in [*SCREENS][::-1]:  # monkeypatch puts them back in the opposite order
        monkeypatch.delitem(SCREENS, name)
    assert SAY("rules.none") in rendered(rules_screen(SAY))
    assert SAY("rules.none") in rendered(rules_screen(SAY, "basics"))
    assert SAY("lobby.button.rules") not in rendered(help_screen(SAY, []))


def test_help_explains_the_look_by_the_name_that_a_game_gives_it() -> None:
    shown = rendered(help_screen(SAY, ["coyote look", "plenty new", "plenty hand", "plenty take"]))
    for name, key in (("coyote look", "coyote.look"), ("plenty hand", "plenty-coups.look")):
        assert f"**/{name}** · {SAY(f'command.{key}.description')}" in shown
    assert "**/plenty take**" not in shown


@pytest.mark.usefixtures("toy")
def test_help_opens_a_table_of_each_game() -> None:
    shown = rendered(help_screen(SAY, ["coyote new", "highcard new"]))
    assert "Open a table in this channel with **/coyote new or /highcard new**." in shown
    assert "**Coyote**, by Spartaco Albertarelli: everyone wears a feather" in shown
    assert "| **High Card**" in shown
    for button in ("[New table: Coyote] green c1:0:0:new", "[New table: High Card] green c1:0:0:new:highcard"):
        assert button in shown
    assert "[High Card, with other rules…] grey c1:0:0:choose:highcard" in shown
    assert str(new_form(SAY, TOY.name).custom_id) == "c1:0:0:chosen:highcard"


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


@pytest.mark.usefixtures("toy")
def test_a_figure_is_named_by_the_words_of_its_own_game(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = SAY("board.by.coyote.exact")
    monkeypatch.setitem(FIGURES, TOY.name, GameFigures(names=("exact",), rankings=("wins", "exact")))
    assert ranking_name(SAY, "coyote", "exact") == exact != ranking_name(SAY, TOY.name, "exact")
    assert ranking_name(SAY, TOY.name, "exact") == "Exact"
    assert ranking_about(SAY, "coyote", "exact") == SAY("board.about.coyote.exact")
    assert ranking_about(SAY, TOY.name, "exact") is None
    assert ranking_name(SAY, TOY.name, "wins") == SAY("board.by.wins")
    offered = [choice for choice in ranking_choices() if choice.value == "exact"]
    assert offered == [(exact, "board.by.coyote.exact", "exact")]


@pytest.mark.usefixtures("toy")
def test_the_seats_of_a_game_follow_the_rules_that_are_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seats_for(TOY.name, {}) == range(2, 7)
    monkeypatch.setitem(RULES, TOY.name, replace(TOY.rules, setup=RULES["plenty-coups"].setup))
    assert seats_for(TOY.name, {"max_players": 3}) == range(2, 4)
    monkeypatch.setitem(RULES, TOY.name, TOY.rules)
    assert seats_for(TOY.name, {"max_players": 3}) == range(2, 7)


def test_the_history_names_the_game_only_if_there_are_several(toy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    coyote, other = a_game(1, 3), a_game(2, 3)._replace(game=TOY.name, edition=WHOLE_GAME)
    edition = edition_name(SAY, "coyote", coyote.edition)
    assert f"Coyote{DOT}{edition}" in game_line(SAY, coyote)
    assert f"High Card{DOT}" in game_line(SAY, other)
    unregister(TOY)
    monkeypatch.delitem(SCREENS, "plenty-coups")
    assert edition in game_line(SAY, coyote)
    assert "Coyote" not in game_line(SAY, coyote)


def test_no_more_choices_are_offered_than_discord_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert "**/coyote new, /plenty new, or /highcard new** opens one" in refusal_text(SAY, no_table)
    unregister(TOY)
    assert "**/coyote new or /plenty new** opens one" in refusal_text(SAY, no_table)


def test_the_end_names_all_winners_and_explains_the_points() -> None:
    both = Outcome((Seat(0), Seat(2)), (1, 3, 1))
    shown = rendered(
        final_screen(SAY, a_table(3), both, rounds=12, scoring=("5 and 3 make 8.",), highlights=("Bold!",))
    )
    assert "## 🏆 <@1001> and <@1003> win together" in shown
    assert shown.index("**3** <@1002>") < shown.index("5 and 3 make 8.") < shown.index("Bold!")


def test_a_thread_is_named_after_what_is_played() -> None:
    slots = {"name": "Feathers", "host": "Chloé"}
    assert SAY.for_game("coyote")("lobby.thread.name", **slots) == "Coyote · Feathers · Chloé"
    assert SAY.for_game(TOY.name)("lobby.thread.name", name="High Card", host="Chloé") == "High Card · Chloé"


def test_the_main_game_can_be_chosen_once_another_may_be_shown_instead(
    toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = {choice.value: choice for choice in scope_choices()}
    assert offered["any"] == ("Coyote", None, "any")
    assert read_scope("any") == Scope()
    unregister(TOY)
    monkeypatch.delitem(SCREENS, "plenty-coups")
    assert "any" not in [choice.value for choice in scope_choices()]
