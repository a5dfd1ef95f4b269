"""What a host can change in the lobby, and what a change leads to."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.engine.core import Rejected
from bot.house_rules.changes import change
from bot.house_rules.lobby_rules import NewTerms, lobby_settings, new_terms, rules_at
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.wishes import Typed

SERVER = ServerRules(1)


def changed(wishes: Mapping[str, Any], server: ServerRules = SERVER, **wanted: Any) -> NewTerms:
    return new_terms(server, "coyote", wishes, wanted, manager=False)


def test_a_wish_is_added_to_those_before_it() -> None:
    new = changed({"variant": True}, threshold=Typed("2nd"), turn_seconds=Typed("2m"))
    assert new.terms.options == {"edition": "feathers", "guess_along": 5, "variant": True, "threshold": 2}
    assert new.terms.house.turn_seconds == 120
    assert dict(new.terms.wishes) == {"variant": True, "threshold": 2, "turn_seconds": 120}
    assert new.changes == (("threshold", 3, 2), ("turn_seconds", 90, 120))


def test_another_edition_drops_what_does_not_fit_it() -> None:
    coins = {"extra": 3, "reverse": 1, "skip": 2, "replace": 2, "guess": 1}
    new = changed({"variant": True, "coins": coins, "threshold": 4}, edition="scout")
    assert new.terms.options == {"edition": "scout", "guess_along": 5, "variant": True, "threshold": 4}
    assert ("edition", "feathers", "scout") in new.changes
    assert changed({"edition": "scout", "x2_doubles": "all"}, edition="feathers").terms.options == {
        "edition": "feathers",
        "guess_along": 5,
    }, "what ×2 doubles follows the edition"
    assert changed({"edition": "scout", "x2_doubles": "all"}, edition="scout").changes == ()


def test_a_wish_is_checked_against_the_edition_of_the_table() -> None:
    new = changed({"edition": "tomahawk", "variant": True}, actions_per="player")
    assert new.terms.options["actions_per"] == "player"
    with pytest.raises(Rejected) as refused:
        changed({"edition": "scout"}, actions_per="player")
    assert refused.value.reason is HouseReason.MEANS_NOTHING


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"threshold": Typed("9")}, HouseReason.OUT_OF_RANGE),
        ({"nonsense": Typed("9")}, HouseReason.UNKNOWN_KEY),
        ({"thread": True}, HouseReason.AT_OPENING),
        ({"dms": False}, HouseReason.AT_OPENING),
        ({"tables_at_once": 3}, HouseReason.AT_OPENING),
    ],
)
def test_what_a_lobby_cannot_change(wanted: dict[str, Any], reason: HouseReason) -> None:
    with pytest.raises(Rejected) as refused:
        changed({}, **wanted)
    assert refused.value.reason is reason


def test_impossible_rules_are_refused() -> None:
    with pytest.raises(Rejected):
        changed({"max_players": 4}, min_players=8, max_players=5)


def test_server_rules_stay_in_force_below_the_wishes() -> None:
    server = change(SERVER, {"threshold": 5, "pause_seconds": 30}).rules
    new = changed({}, server, variant=True)
    assert new.terms.options == {"edition": "feathers", "guess_along": 5, "threshold": 5, "variant": True}
    assert new.terms.house.pause_seconds == 30
    assert new.changes == (("variant", False, True),)


def test_only_what_means_something_is_offered() -> None:
    keys = {setting.key for setting in lobby_settings("coyote", SERVER)}
    assert {"edition", "variant", "threshold", "max_players", "turn_seconds", "coins"} <= keys
    assert {"actions_per", "thread", "dms", "channels"}.isdisjoint(keys)
    camps = lobby_settings("coyote", rules_at(SERVER, {"edition": "tomahawk"}))
    assert "actions_per" in {setting.key for setting in camps}


def test_plenty_coups() -> None:
    new = new_terms(SERVER, "plenty-coups", {}, {"rounds": Typed("4")}, manager=False)
    assert new.terms.options == {"rounds": 4}
    assert new.changes == (("plenty-coups.rounds", 9, 4),)
