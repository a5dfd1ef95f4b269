"""Two games keep their settings apart, even if both have a setting with the same key."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.engine.core import Rejected
from bot.house_rules import documents
from bot.house_rules.changes import change, drop, reset_all, save
from bot.house_rules.documents import export, read_file
from bot.house_rules.game_settings import GAME_SETTINGS, GameSettings, pages, setting_of
from bot.house_rules.kinds import Basis, Number, Switch
from bot.house_rules.presets import all_presets, use_preset
from bot.house_rules.reasons import HouseReason
from bot.house_rules.saved import Saved
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting, SettingScope
from bot.house_rules.wishes import Typed, table_terms
from bot.screens.house.overview import Missing, overview_screen, page_screen, preset_name, presets_screen
from bot.screens.house.setting import setting_screen
from bot.screens.house.words import about, name_of, value_of
from bot.screens.new_form import new_form, read_form
from bot.screens.refusals import refusal_text
from bot.text.catalogue import catalogue

SAY = catalogue()
TOY = "toy"


def _refuse_one_player(options: dict[str, Any]) -> None:
    if options.get("max_players") == 1:
        raise Rejected(HouseReason.NOT_ONE_OF, value=1)


def _setting(key: str, **more: Any) -> Setting:
    return Setting(key=key, page="table", scope=SettingScope.GAME, game=TOY, in_presets=True, **more)


SETTINGS = GameSettings(
    settings=(
        _setting("max_players", kind=Number(1, 4), default=4),
        _setting("open_hands", kind=Switch(), default=False),
    ),
    presets={"quick": {"toy.max_players": 2, "turn_seconds": 20}, "open": {"toy.open_hands": True}},
    check_options=_refuse_one_player,
    new_fields={"open": "toy.open_hands"},
)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    GAME_SETTINGS[TOY] = SETTINGS
    yield
    del GAME_SETTINGS[TOY]


def _suggested(key: str, game: str | None) -> object:
    with pytest.raises(Rejected) as refused:
        setting_of(key, game)
    return refused.value.details["nearest"]


def test_the_same_key_means_another_setting_in_another_game() -> None:
    rules = change(ServerRules(1), {"max_players": 5, "toy.max_players": 3}).rules
    assert rules.values == {"max_players": 5, "toy.max_players": 3}
    assert rules.options("coyote")["max_players"] == 5
    assert rules.options(TOY) == {"max_players": 3}
    assert setting_of("coyote.max_players") is setting_of("max_players")
    assert setting_of("max_players", TOY) is setting_of("toy.max_players")
    with pytest.raises(Rejected):
        setting_of("threshold", TOY)
    assert _suggested("threshold", TOY) == "thread", "only settings of this game and shared ones are suggested"
    assert _suggested("max_player", TOY) == "max_players"
    assert _suggested("turn_second", TOY) == "turn_seconds"
    assert _suggested("toy.max_player", None) == "toy.max_players"
    with pytest.raises(Rejected):
        change(rules, {"toy.max_players": 1})
    assert reset_all(rules).rules.values == {}


def test_table_rules_apply_to_the_game_of_the_table() -> None:
    rules = change(ServerRules(1), {"max_players": 5}).rules
    terms = table_terms(rules, TOY, {"max_players": Typed("2"), "turn_seconds": Typed("off")}, manager=False)
    assert terms.options == {"max_players": 2}
    assert terms.house.turn_seconds is None
    nothing = table_terms(rules, "a game without settings", {"turn_seconds": Typed("2h")}, manager=False)
    assert (nothing.options, nothing.house.turn_seconds) == ({}, 7_200)


def test_documents_and_files_keep_the_games_apart() -> None:
    rules = change(ServerRules(1), {"max_players": 5, "toy.max_players": 3, "pings": False}).rules
    written = documents.dump(rules)
    assert json.loads(written) == {
        "version": 2,
        "shared": {"pings": False},
        "games": {
            "coyote": {"values": {"max_players": 5}, "saved": {}},
            TOY: {"values": {"max_players": 3}, "saved": {}},
        },
    }
    assert documents.load(1, 1, written) == rules
    assert read_file(ServerRules(1), export(rules), Basis()).result.rules == rules
    old = {"version": 1, "rules": {"max_players": 5, "pings": False}, "decks": {}}
    assert documents.load(1, 1, json.dumps(old)).values == {"max_players": 5, "pings": False}


def test_two_games_with_decks_do_not_share_them(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Saved("deck", "decks", "cards", str, str, str, game=TOY)
    toy_deck, deck = _setting("deck", kind=kind), setting_of("deck")
    monkeypatch.setitem(GAME_SETTINGS, TOY, GameSettings(settings=(toy_deck,)))
    assert isinstance(deck.kind, Saved)
    rules = save(ServerRules(1), deck, deck.kind, "Small", deck.kind.read_contents("1..30"), use=True).rules
    rules = save(rules, toy_deck, kind, "Small", "aces", use=True).rules
    assert {key: list(things) for key, things in rules.saved.items()} == {"decks": ["Small"], "toy.decks": ["Small"]}
    assert rules.saved["toy.decks"]["Small"] == "aces"
    assert documents.load(1, 2, documents.dump(rules)) == rules
    imported = read_file(ServerRules(1), export(rules), Basis()).result.rules
    assert (imported.values, imported.saved) == (rules.values, rules.saved)
    dropped = drop(rules, toy_deck, kind, "Small").rules
    assert (list(dropped.saved), dropped.values) == (["decks"], {"deck": "Small"})


def test_the_values_of_a_game_that_is_not_registered_are_kept() -> None:
    before = documents.dump(change(ServerRules(1), {"toy.max_players": 3, "threshold": 4}).rules)
    del GAME_SETTINGS[TOY]
    rules = documents.load(1, 1, before)
    assert rules.values == {"threshold": 4}
    after = documents.dump(change(rules, {"threshold": 2}).rules)
    GAME_SETTINGS[TOY] = SETTINGS
    assert documents.load(1, 2, after).values == {"toy.max_players": 3, "threshold": 2}


def test_a_preset_leaves_other_games_alone() -> None:
    assert all_presets()["toy.quick"].game == TOY
    assert all_presets()["coyote.quick"].game == "coyote"
    rules = change(ServerRules(1), {"threshold": 4, "toy.open_hands": True}).rules
    assert use_preset(rules, "toy.quick").rules.values == {"threshold": 4, "toy.max_players": 2, "turn_seconds": 20}


def test_a_game_without_words_can_be_shown() -> None:
    rules = change(ServerRules(1), {"toy.open_hands": True}).rules
    setting = setting_of("toy.open_hands")
    assert name_of(SAY, setting) == about(SAY, setting) == "Open hands"
    assert value_of(SAY, setting, True) == "on"
    assert pages() == ["game", "cards", "plenty-coups.plenty-coups", "toy.table", "time", "place", "ranks"]
    shown = [
        overview_screen(SAY, rules, Missing(), manager=True),
        page_screen(SAY, rules, "toy.table", Missing(), manager=True),
        setting_screen(SAY, rules, setting, frozenset()),
        presets_screen(SAY),
    ]
    for screen in shown:
        assert screen.to_components()
    assert preset_name(SAY, "toy.quick") == "Toy: quick"
    with pytest.raises(Rejected) as refused:
        setting_of("toy.max_players").read("9", rules.basis())
    assert refusal_text(SAY, refused.value) == "**Max players** can be 1 to 4; you wrote 9. Did you mean 4?"


def test_the_form_for_a_new_table_asks_for_the_settings_that_the_game_names() -> None:
    assert len(new_form(SAY, TOY).children) == 2
    assert len(new_form(SAY, "chess").children) == 1
    assert read_form(TOY, {"open": "yes", "rules": " max_players=2 "}) == ({"toy.open_hands": True}, "max_players=2")
