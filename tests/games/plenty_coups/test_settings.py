"""The house rules of Plenty Coups reach the match, and presets can be played."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import Rejected
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.options import Options, Problem
from bot.games.plenty_coups.settings import NAME, SETTINGS
from bot.games.plenty_coups.ui.terms import terms
from bot.house_rules.game_settings import settings_of
from bot.house_rules.presets import all_presets, use_preset
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.wishes import Typed, table_terms
from bot.screens.house.words import about, name_of
from tests.games.plenty_coups.ui.tables import SAY, a_table


def _options(wanted: dict[str, str], rules: ServerRules | None = None) -> dict[str, Any]:
    typed = {key: Typed(value) for key, value in wanted.items()}
    return dict(table_terms(rules or ServerRules(1), NAME, typed, manager=False).options)


def test_every_option_but_the_tribes_is_a_setting() -> None:
    assert {each.key for each in SETTINGS.settings} == {*Options._fields} - {"tribes"}


def test_every_setting_has_words() -> None:
    for setting in settings_of(NAME):
        assert f"setting.{setting.full_key}.name" in SAY
        assert len(name_of(SAY, setting)) <= 45
        assert len(about(SAY, setting)) <= 100


def test_wishes_become_options_of_the_match() -> None:
    options = _options({"rounds": "5", "winter_hunting": "off", "max_players": "3"})
    assert options == {"rounds": 5, "winter_hunting": False, "max_players": 3}
    assert GAME.view_for(GAME.setup(options, 3, None), None).options.rounds == 5
    with pytest.raises(Rejected) as refused:
        GAME.setup(options, 4, None)
    assert refused.value.reason is Problem.TOO_MANY_PLAYERS


def test_a_limit_on_players_gives_way_to_the_one_that_is_asked_for() -> None:
    small = ServerRules(1, values={f"{NAME}.max_players": 3})
    assert _options({"min_players": "5"}, small) == {"max_players": 5, "min_players": 5}
    large = ServerRules(1, values={f"{NAME}.min_players": 5})
    assert _options({"max_players": "3"}, large) == {"min_players": 3, "max_players": 3}
    with pytest.raises(Rejected) as refused:
        _options({"min_players": "5", "max_players": "3"})
    assert refused.value.reason is Problem.LIMITS_CROSSED


def test_every_preset_can_be_played() -> None:
    presets = [name for name, preset in all_presets().items() if preset.game == NAME]
    assert presets == [f"{NAME}.{name}" for name in ("book", "first", "quick", "post")]
    for name in presets:
        rules = use_preset(ServerRules(1), name).rules
        assert GAME.setup(rules.options(NAME), 4, None)
        assert f"preset.{name}.about" in SAY
        assert len(SAY(f"preset.{name}.about")) <= 100


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "9 rounds and winter · 90 seconds for each decision"),
        (
            {"rounds": 4, "winter_hunting": False, "decline_when_able": False, "accepter_gains": True},
            "4 rounds and winter · no hunting in winter · those who can prove their worth must"
            " · prestige for both new allies · 90 seconds for each decision",
        ),
    ],
)
def test_the_lobby_says_what_a_table_plays_by(options: dict[str, Any], expected: str) -> None:
    assert terms(SAY, a_table(3, options)).replace("\u00a0", " ") == expected


def test_a_table_without_a_clock_says_so() -> None:
    table = a_table(3)
    told = terms(SAY, table._replace(house=table.house._replace(turn_seconds=None)))
    assert told.endswith(SAY("terms.no_clock"))
