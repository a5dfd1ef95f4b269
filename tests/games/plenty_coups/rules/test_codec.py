"""Malformed data is refused with a message that says what was expected."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from bot.engine.core import Leave, Seat
from bot.engine.frozen import encode
from bot.games.plenty_coups.rules import events
from bot.games.plenty_coups.rules.actions import Deal, DoubleRaid, Raid, Take
from bot.games.plenty_coups.rules.cards import DECK, HORSE, STICK, WARRIORS, WEAPONS, Tribe
from bot.games.plenty_coups.rules.events import Event
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.state import State
from tests.games.plenty_coups.rules.cases import given, raid
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

RAID = RaidOut(Tribe.RED, Tribe.BLACK, (WARRIORS[Tribe.RED, 2], WARRIORS[Tribe.RED, 1]), 4, True)
FOUR = WARRIORS[Tribe.BLUE, 4]
EVENTS: tuple[Event, ...] = (
    events.Dealt((Tribe.RED, Tribe.BLUE, Tribe.GREEN), (Seat(0), None, Seat(1))),
    events.OfferOpened((FOUR, HORSE)),
    events.OfferVoided((HORSE, HORSE, HORSE, STICK)),
    events.PileRenewed(20),
    events.TurnBegan(3, Tribe.RED),
    events.TurnEnded(Tribe.RED),
    events.StickLifted(Tribe.RED, 1),
    events.ProposalDropped(Tribe.RED, FOUR),
    events.Taken(Tribe.RED, (HORSE, STICK)),
    events.RaidCameHome(RAID, True, False),
    events.RaidLost(RAID),
    events.Bred(Tribe.RED),
    events.RaidLaunched(RAID),
    events.RaidRepelled(RAID, (WEAPONS[4],)),
    events.CoupStruck(Tribe.RED, True),
    events.PrestigeChanged(Tribe.RED, 3),
    events.PrestigeChanged(Tribe.RED, 4, RAID),
    events.GiftLaid(Tribe.RED, Tribe.BLACK, None),
    events.GiftLaid(Tribe.RED, Tribe.BLACK, HORSE),
    events.GiftsExchanged(Tribe.RED, Tribe.BLACK),
    events.AllianceProposed(Tribe.RED, Tribe.BLUE, FOUR),
    events.AllianceMade(Tribe.RED, FOUR, Tribe.BLUE, WARRIORS[Tribe.RED, 4]),
    events.AllianceEnded(Tribe.RED, Tribe.BLUE),
    events.NeutralAllianceMade(Tribe.RED, FOUR),
    events.Disdained(Tribe.RED, Tribe.BLUE),
    events.WorthProved(Tribe.BLUE, STICK),
    events.WorthNotProved(Tribe.BLUE),
    events.HorsesGiven(Tribe.RED, Tribe.BLUE, HORSE),
    events.Hunted(Tribe.RED, HORSE),
    events.HuntEnded(Tribe.RED, (HORSE, STICK)),
    events.SeatLeft(Seat(2)),
    events.MatchEnded((Seat(0), Seat(3))),
)


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
    """Return the document with one value replaced, or removed if the value is `...`."""
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


def test_a_match_is_written_as_plain_data() -> None:
    document = GAME.dump(state(gift=True))
    assert document["version"] == 1
    assert document["gift"] == {"giver": "black", "target": "green", "card": "weapon3"}
    assert document["turn"]["phase"] == "gift"
    assert document["raids"][0]["warriors"] == ["white2", "white1"]
    assert [camp["tribe"] for camp in document["camps"]] == ["black", "yellow", "green", "red"]
    assert document["camps"][2]["disdained"] is True
    assert document["left"] == []
    assert GAME.load(json.loads(json.dumps(document))) == state(gift=True)


def test_a_match_without_options_is_upgraded_to_the_rules_of_the_book() -> None:
    document = json.loads(encode(GAME.dump(GAME.setup({}, 4, Seat(0)))))
    del document["options"]
    assert GAME.load(GAME.upgrade(document)).options == GAME.setup({}, 4, Seat(0)).options


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 2, "expected a match of version 1"),
        ("version", ..., "expected a match of version 1"),
        ("players", 7, "expected a whole number from 2 to 6, not 7"),
        ("players", True, "expected a whole number from 2 to 6, not True"),
        ("players", "4", "expected a whole number from 2 to 6, not '4'"),
        ("players", 5, "expected options that can be played: not_tribes"),
        ("players", 3, "expected options that can be played: not_tribes"),
        ("starter", 6, "expected a whole number from 0 to 5, not 6"),
        ("left", {}, "expected a list, not {}"),
        ("left", [9], "expected a whole number from 0 to 5, not 9"),
        ("turn", [], r"expected an object, not \[\]"),
        ("turn.phase", "sleep", "expected one of deal, start, replace, take, act, .*, not 'sleep'"),
        ("turn.phase", [], r"expected one of deal, .*, not \[\]"),
        ("turn.phase", "gift", "expected an unfinished gift in its phase and in no other"),
        ("turn.round", 13, "expected a whole number from 0 to 12, not 13"),
        ("options", [], r"expected an object, not \[\]"),
        ("options", ..., "expected an object, not None"),
        ("options.rounds", 10, "expected options that can be played: out_of_range"),
        ("options.moons", 1, "expected options that can be played: unknown_option"),
        ("options.tribes", ["black"], "expected options that can be played: not_tribes"),
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
        ("camps.0.owner", ..., "expected the fields tribe, owner, hand, horses, .*"),
        ("gift", {"giver": "black", "target": "green", "card": "stick"}, "expected an unfinished gift"),
        ("stock.pile", "horse", "expected a list, not 'horse'"),
        ("asked", -1, "expected a whole number from 0 to 1000000000, not -1"),
        ("plain", None, "expected a whole number from 0 to 1000, not None"),
        ("turn.round", 0, "expected the 54 cards, each in one place"),
    ],
)
def test_malformed_matches_are_refused(path: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        GAME.load(changed(GAME.dump(state()), path, value))


def test_a_round_after_the_last_is_refused() -> None:
    late = ScriptTable({"shuffles": [], **given(round=12)}).state
    with pytest.raises(ValueError, match=r"^expected no round after the last$"):
        GAME.load(changed(GAME.dump(late), "options.rounds", 8))


def undoable() -> State:
    table = ScriptTable({"shuffles": [], **given(phase="take", offer="horse arm2 arm3 arm4", black="stick horse arm2")})
    table.move({"tribe": "black", "do": "take", "cards": ["horse", "arm2"]})
    table.move({"tribe": "black", "do": "breed"})
    return table.state


def test_only_what_leads_back_is_written_of_earlier_states() -> None:
    document = GAME.dump(undoable())
    bred, taken = document["earlier"]
    assert bred["turn"]["phase"] == "act"
    assert taken["turn"]["phase"] == "take"
    assert [camp["tribe"] for camp in bred["camps"]] == ["black"]
    assert (bred["news"], bred["discards"], taken["news"]) == (1, 0, 0)
    assert (bred["asked"], taken["asked"]) == (1, 0)
    assert GAME.load(json.loads(json.dumps(document))) == undoable()
    assert "earlier" not in GAME.dump(state())


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("earlier", {}, "expected a list, not {}"),
        ("earlier.0.turn", None, "expected an object, not None"),
        ("earlier.0.moon", 1, "expected the fields turn, camps, .*, not turn, .*, moon"),
        ("earlier.0.undone", 7, "expected a whole number from 0 to 6, not 7"),
        ("earlier.0.camps.0.tribe", "white", "expected one camp per player, and a third for two"),
        ("earlier.0.camps.0.hand", [], "expected the 54 cards, each in one place"),
        ("earlier.1.offer", ["horse"], "expected the 54 cards, each in one place"),
        ("earlier.0.raids", [{}], "expected the fields raider, target, .*"),
        ("undone", 7, "expected a whole number from 0 to 6, not 7"),
    ],
)
def test_malformed_earlier_states_are_refused(path: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        GAME.load(changed(GAME.dump(undoable()), path, value))


def test_one_camp_is_raided_once() -> None:
    document = GAME.dump(state())
    with pytest.raises(ValueError, match=r"^expected at most one raid on each camp$"):
        GAME.load(changed(document, "raids", document["raids"] * 2))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "expected an object, not None"),
        ({}, "expected one of Dealt, .*, MatchEnded, not None"),
        ({"event": "Danced"}, "expected one of Dealt, .*, not 'Danced'"),
        ({"event": "Undone", "tribe": "black", "events": []}, "expected one of Dealt, .*, not 'Undone'"),
        ({"event": []}, r"expected one of Dealt, .*, not \[\]"),
        ({"event": "Bred"}, "expected the fields tribe, not "),
        ({"event": "Bred", "tribe": "brown"}, "expected one of black, .*, not 'brown'"),
        ({"event": "Taken", "tribe": "black", "cards": "horse"}, "expected a list, not 'horse'"),
        ({"event": "SeatLeft", "seat": 6}, "expected a whole number from 0 to 5, not 6"),
        ({"event": "RaidLost", "raid": {}}, "expected the fields raider, target, .*"),
    ],
)
def test_malformed_news_are_refused(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        GAME.load(changed(GAME.dump(state()), "news", [value]))


@pytest.mark.parametrize("happened", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_can_be_among_the_news(happened: Event) -> None:
    told = state()._replace(news=(happened,))
    assert GAME.load(json.loads(encode(GAME.dump(told)))) == told


def test_every_kind_of_event_was_tried() -> None:
    assert {*map(type, EVENTS)} | {events.Undone} == {*get_args(Event)}


@pytest.mark.parametrize("who", ["giver", "target"])
def test_a_gift_is_between_tribes_in_play(who: str) -> None:
    with pytest.raises(ValueError, match=r"^expected only tribes that are in play$"):
        GAME.load(changed(GAME.dump(state(gift=True)), f"gift.{who}", "white"))


@pytest.mark.parametrize("document", [None, [], "match", 1])
def test_anything_but_a_match_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected a match of version 1$"):
        GAME.load(document)


def test_a_match_before_the_deal_has_no_cards() -> None:
    opened = GAME.setup({}, 2, None)
    assert GAME.load(GAME.dump(opened)) == opened
    left = GAME.apply(opened, Leave(Seat(0))).state
    assert GAME.load(GAME.dump(left)) == left
    assert GAME.dump(left)["left"] == [0]


def test_actions_are_written_as_plain_data() -> None:
    action = Raid(Seat(0), Tribe.BLACK, Tribe.RED, WARRIORS[Tribe.BLACK, 1])
    document = {"do": "raid", "seat": 0, "tribe": "black", "target": "red", "warrior": "black1"}
    assert GAME.dump_action(action) == document
    assert GAME.load_action(document) == action
    assert GAME.dump_action(Leave(Seat(3))) == {"do": "leave", "seat": 3}
    assert GAME.load_action(GAME.dump_action(Deal(Seat(-1), DECK, Seat(2)))) == Deal(Seat(-1), DECK, Seat(2))


def test_cards_are_sorted_where_their_order_means_nothing() -> None:
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
def test_malformed_actions_are_refused(document: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        GAME.load_action(document)
