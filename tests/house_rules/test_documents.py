"""House rules as a document: as it is stored, and as a file that people export and bring back."""

import json
from typing import Any

import pytest

from bot.games.coyote.decks import read_deck
from bot.games.coyote.settings import DECKS
from bot.house_rules import documents
from bot.house_rules.changes import ChangeResult, change, save
from bot.house_rules.documents import MARK, FileRefused, export, read_file
from bot.house_rules.game_settings import all_settings, by_key, setting_of
from bot.house_rules.kinds import Basis
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import SettingScope
from bot.screens.house.forms import reasons_text
from bot.text.catalogue import catalogue

GUILD, OTHER = 100, 200


def save_deck(rules: ServerRules, name: str, deck: Any, *, use: bool) -> ChangeResult:
    return save(rules, setting_of("deck"), DECKS, name, deck, use=use)


def test_an_old_document_is_read_leniently() -> None:
    document = {
        "version": 1,
        "rules": {"threshold": 7, "edition": "scout", "min_bid": None, "gone": 1, "coins": {}, "deck": "Lost"},
        "decks": {"Odd": [["dragon", 1]], "Small": [[1, 9]]},
    }
    rules = documents.load(GUILD, 3, json.dumps(document))
    assert rules.values == {"edition": "scout", "min_bid": None}
    assert rules.saved == {"decks": {"Small": ((1, 9),)}}
    with pytest.raises(ValueError, match="version 1 or 2"):
        documents.load(GUILD, 3, '{"version": 3}')


def everything() -> ServerRules:
    """Return rules in which every setting differs from its default."""
    rules = save_deck(ServerRules(GUILD), "Small", read_deck("1..9×3 x2 −3"), use=False).rules
    wanted: dict[str, Any] = {"edition": "tomahawk"}
    basis = Basis(wanted, rules.saved)
    for setting in all_settings():
        if setting.key not in ("edition", "channels", "role", "language") and setting.applies(wanted):
            usual = setting.usual(wanted)
            wanted[setting.full_key] = next(each for each in setting.kind.offers(basis) if each != usual)
    wanted |= {"channels": [5, 6], "role": 7, "min_players": 3, "max_players": 9}
    return change(rules, wanted | {"plenty-coups.min_players": 3, "plenty-coups.max_players": 5}).rules


def test_a_file_round_trips() -> None:
    rules = everything()
    of_other_editions = {"coins", "right_guess", "open_eyes"}
    assert {setting.full_key for setting in all_settings()} - set(rules.values) == {"language", *of_other_editions}
    here = Basis(channels=frozenset({5, 6}), roles=frozenset({7}))
    found = read_file(ServerRules(OTHER), export(rules), here)
    assert found.result.rules == rules._replace(guild=OTHER, seq=1)
    assert found.foreign == ()
    assert read_file(found.result.rules, export(rules), here).result.changes == ()
    elsewhere = read_file(ServerRules(OTHER), export(rules), Basis(channels=frozenset(), roles=frozenset()))
    assert elsewhere.foreign == ("channels", "role")
    of_server = {setting.key for setting in all_settings() if setting.scope is SettingScope.SERVER} - {"ranked_after"}
    assert {k: v for k, v in rules.values.items() if k not in of_server} == elsewhere.result.rules.values
    assert documents.load(OTHER, 1, documents.dump(found.result.rules)) == found.result.rules


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        json.dumps({MARK: "1"}),
        json.dumps({MARK: 1, "rules": [], "decks": {}}),
        json.dumps({MARK: 1, "more": 1}),
        json.dumps({MARK: 1, "rules": {"threshold": True}}),
        json.dumps({MARK: 1, "rules": {"threshold": 1e308}}),
        json.dumps({MARK: 1, "rules": {"channels": [["x"]]}}),
        json.dumps({MARK: 1, "rules": {"channels": [0]}}),
        json.dumps({MARK: 1, "rules": {"role": "9" * 40}}),
        json.dumps({MARK: 1, "rules": {"deck": "Lost"}}),
        json.dumps({MARK: 1, "decks": {"A": [[1, 2, 3]]}}),
        json.dumps({MARK: 1, "decks": {"A": 5}}),
        json.dumps({MARK: 1, "decks": {"A": {"1": -1}}}),
        json.dumps({MARK: 1, "decks": {f"D{n}": "1" for n in range(21)}}),
        json.dumps({MARK: [1] * 5000}),
        json.dumps({MARK: 1, "rules": {"deck": "DEEP"}}).replace('"DEEP"', "[" * 700 + "]" * 700),
        json.dumps({MARK: 1, "rules": {"deck": "DEEP"}}).replace('"DEEP"', '{"a":' * 700 + "1" + "}" * 700),
        *[
            json.dumps({MARK: 1, "rules": dict.fromkeys(by_key(), bad)})
            for bad in ([1] * 500, 10**999, "x" * 900, 1e308)
        ],
        json.dumps({MARK: 1, "decks": {f"D{n}": [1] * 900 for n in range(9)}}),
    ],
)
def test_a_file_that_is_not_an_export_is_refused_in_one_message(text: str) -> None:
    with pytest.raises(FileRefused) as refused:
        read_file(ServerRules(GUILD), text, Basis(channels=frozenset({1}), roles=frozenset()))
    assert refused.value.reasons
    assert len(reasons_text(catalogue(), refused.value.reasons)) < 4000
