"""Malformed data is refused with a message that says what was expected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.engine.core import Leave, Seat
from bot.games.plenty_coups.rules.actions import Deal, DoubleRaid, Raid, Take
from bot.games.plenty_coups.rules.cards import DECK, WARRIORS, WEAPONS, Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from tests.games.plenty_coups.rules.cases import given, raid
from tests.games.plenty_coups.rules.script_adapter import ScriptTable


def state(gift: bool = False) -> State:
    script = given(
        black="arm2 arm3 black1",
        raids=(raid("yellow", "black", "white2 white1", 3, "prestige"),),
        proposals={"green": "yellow1"},
        neutral={"red": "blue1"},
        disdained="green",
        prestige={"yellow": 2},
    )
    table = ScriptTable({"shuffles": [], **script})
    if gift:
        table.move({"tribe": "black", "do": "gift", "target": "green", "discard": "arm2", "card": "arm3"})
    return table.state


def changed(document: Any, path: str, value: Any) -> Any:
    """Return the document with one thing in it replaced, or removed if the value is `...`."""
    copy = json.loads(json.dumps(document))
    inner = copy
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in way:
        inner = inner[part]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return copy


def test_a_match_as_plain_data() -> None:
    document = GAME.dump(state(gift=True))
    assert document["version"] == 1
    assert document["gift"] == {"giver": "black", "target": "green", "card": "weapon3"}
    assert document["turn"]["phase"] == "gift"
    assert document["raids"][0]["warriors"] == ["white2", "white1"]
    assert [camp["tribe"] for camp in document["camps"]] == ["black", "yellow", "green", "red"]
    assert document["camps"][2]["disdained"] is True
    assert document["left"] == []
    assert GAME.load(json.loads(json.dumps(document))) == state(gift=True)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 2, "expected a match of version 1"),
        ("version", ..., "expected a match of version 1"),
        ("players", 7, "expected a whole number from 2 to 6, not 7"),
        ("players", True, "expected a whole number from 2 to 6, not True"),
        ("players", "4", "expected a whole number from 2 to 6, not '4'"),
        ("players", 5, "expected one camp per player, and a third for two"),
        ("players", 3, "expected one camp per player, and a third for two"),
        ("starter", 6, "expected a whole number from 0 to 5, not 6"),
        ("left", {}, "expected a list, not {}"),
        ("left", [9], "expected a whole number from 0 to 5, not 9"),
        ("turn", [], r"expected an object, not \[\]"),
        ("turn.phase", "sleep", "expected one of deal, start, replace, take, act, .*, not 'sleep'"),
        ("turn.phase", [], r"expected one of deal, .*, not \[\]"),
        ("turn.phase", "gift", "expected an unfinished gift in its phase and in no other"),
        ("turn.round", 13, "expected a whole number from 0 to 12, not 13"),
        ("turn.round", -1, "expected a whole number from 0 to 12, not -1"),
        ("turn.actions_left", 3, "expected a whole number from 0 to 2, not 3"),
        ("turn.coups_open", 5, "expected a whole number from 0 to 4, not 5"),
        ("turn.draws", 3, "expected a whole number from 0 to 2, not 3"),
        ("turn.voided", 11, "expected a whole number from 0 to 10, not 11"),
        ("turn.free_gift_used", 0, "expected true or false, not 0"),
        ("turn.defence_coup_open", None, "expected true or false, not None"),
        ("turn.tribe", "white", "expected only tribes that are in play"),
        ("turn.actor", "white", "expected only tribes that are in play"),
        ("raids.0.raider", "white", "expected only tribes that are in play"),
        ("raids.0.target", "white", "expected only tribes that are in play"),
        ("raids.0.value", -1, "expected a whole number from 0 to 1000, not -1"),
        ("raids.0.prestige_side", "up", "expected true or false, not 'up'"),
        ("camps.0.hand", ["weapon5"], "expected one of black1, .*, stick, not 'weapon5'"),
        ("camps.0.hand", ["horse"], "expected the 54 cards, each in one place"),
        ("camps.0.prestige", 5, "expected a whole number from 0 to 4, not 5"),
        ("camps.0.horses", 1001, "expected a whole number from 0 to 1000, not 1001"),
        ("camps.0.owner", None, "expected one camp per player, and a third for two"),
        ("camps.0.owner", 1, "expected one camp per player, and a third for two"),
        ("camps.0.owner", 6, "expected a whole number from 0 to 5, not 6"),
        ("camps.0.bond", 3, "expected one of black1, .*, not 3"),
        ("camps.0.tribe", "brown", "expected one of black, yellow, green, red, blue, white, not 'brown'"),
        ("camps.0.disdained", True, "expected the 54 cards, each in one place"),
        ("camps.0.extra", 1, "expected the fields tribe, owner, .*, not tribe, .*, extra"),
        ("camps.0.horses", ..., "expected the fields tribe, owner, hand, horses, .*"),
        ("gift", {"giver": "black", "target": "green", "card": "stick"}, "expected an unfinished gift"),
        ("stock.pile", "horse", "expected a list, not 'horse'"),
        ("asked", -1, "expected a whole number from 0 to 1000000000, not -1"),
        ("plain", None, "expected a whole number from 0 to 1000, not None"),
        ("turn.round", 0, "expected the 54 cards, each in one place"),
    ],
)
def test_malformed_matches(path: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        GAME.load(changed(GAME.dump(state()), path, value))


@pytest.mark.parametrize("who", ["giver", "target"])
def test_a_gift_is_between_tribes_in_play(who: str) -> None:
    with pytest.raises(ValueError, match=r"^expected only tribes that are in play$"):
        GAME.load(changed(GAME.dump(state(gift=True)), f"gift.{who}", "white"))


@pytest.mark.parametrize("document", [None, [], "match", 1])
def test_no_match_at_all(document: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected a match of version 1$"):
        GAME.load(document)


def test_a_match_before_the_deal_has_no_cards() -> None:
    opened = GAME.setup({}, 2, None)
    assert GAME.load(GAME.dump(opened)) == opened
    left = GAME.apply(opened, Leave(Seat(0))).state
    assert GAME.load(GAME.dump(left)) == left
    assert GAME.dump(left)["left"] == [0]


def test_actions_as_plain_data() -> None:
    action = Raid(Seat(0), Tribe.BLACK, Tribe.RED, WARRIORS[Tribe.BLACK, 1])
    document = {"do": "raid", "seat": 0, "tribe": "black", "target": "red", "warrior": "black1"}
    assert GAME.dump_action(action) == document
    assert GAME.load_action(document) == action
    assert GAME.dump_action(Leave(Seat(3))) == {"do": "leave", "seat": 3}
    assert GAME.load_action(GAME.dump_action(Deal(Seat(-1), DECK, Seat(2)))) == Deal(Seat(-1), DECK, Seat(2))


def test_cards_without_an_order_are_put_into_one() -> None:
    document = {"do": "take", "seat": 0, "tribe": "black", "cards": ["weapon3", "black1"]}
    assert GAME.load_action(document) == Take(Seat(0), Tribe.BLACK, (WARRIORS[Tribe.BLACK, 1], WEAPONS[3]))
    document = {"do": "double_raid", "seat": 0, "tribe": "black", "target": "red", "warriors": ["black3", "black1"]}
    played = (WARRIORS[Tribe.BLACK, 3], WARRIORS[Tribe.BLACK, 1])
    assert GAME.load_action(document) == DoubleRaid(Seat(0), Tribe.BLACK, Tribe.RED, played)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "expected an action that does one of deal, shuffle, leave, take, .*"),
        ({}, "expected an action that does one of .*"),
        ({"do": []}, "expected an action that does one of .*"),
        ({"do": "dance"}, "expected an action that does one of .*"),
        ({"do": "breed", "seat": 0}, "expected the fields seat, tribe, not seat"),
        ({"do": "breed", "seat": 6, "tribe": "black"}, "expected a whole number from -1 to 5, not 6"),
        ({"do": "breed", "seat": 0, "tribe": None}, "expected one of black, .*, not None"),
        ({"do": "hunt", "seat": 0, "tribe": "black", "discard": "arm2"}, "expected one of black1, .*, not 'arm2'"),
        ({"do": "take", "seat": 0, "tribe": "black", "cards": "horse"}, "expected a list, not 'horse'"),
        ({"do": "deal", "seat": -1, "order": [], "starter": 6}, "expected a whole number from 0 to 5, not 6"),
    ],
)
def test_malformed_actions(document: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        GAME.load_action(document)
