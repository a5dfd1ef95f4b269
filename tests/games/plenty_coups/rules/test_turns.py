"""Sections 3, 4, 7, 8, 9, 11 and 12: the deal, the course of turns, winter, scoring, time-outs, leaving."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import Leave, Rejected, Seat
from bot.games.plenty_coups.rules.actions import Breed, Hunt, Reason, Take
from bot.games.plenty_coups.rules.cards import DECK, HORSE, Card, Kind, Tribe
from bot.games.plenty_coups.rules.game import GAME
from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, hand, no, raid, table
from tests.games.plenty_coups.rules.script_adapter import written

BLACK_AND_RED = ({"black": "red2", "red": "black3"},)


def deck(first: str, tribes: str = "black yellow green", players: int = 3, shuffle: str = "") -> dict[str, Any]:
    """Set up a deal from a deck that begins with these cards."""
    rest = [written(card) for card in DECK]
    top = first.split()
    for card in top:
        rest.remove(card)
    setup = {"deck": top + rest}
    return {"players": players, "tribes": tribes.split(), "setup": setup, "shuffles": [shuffle.split()]}


DEALT = "black1 arm2 horse yellow1 arm3 horse green1 arm4 horse"


@table(
    case(
        "three cards each in turn order, then the offer",
        deck(f"{DEALT} stick arm2 horse red1"),
        expect(
            round=1,
            turn="black",
            actor="black",
            phase="take",
            plain=15,
            horses={"black": 1, "yellow": 1, "green": 1},
            prestige={"black": 0},
            actions_left=2,
            hand=hand(black="black1 arm2 horse", yellow="yellow1 arm3 horse", green="green1 arm4 horse"),
            offer=["stick", "arm2", "horse", "red1"],
            pile=41,
            discard=0,
            events=["Dealt", "OfferOpened", "TurnBegan"],
        ),
    ),
    *(
        case(
            f"an offer of {alike} is replaced",
            deck(
                f"{DEALT} {alike} stick red2 arm2 blue4"
                if "stick" not in alike
                else f"{DEALT} {alike} red2 arm2 blue4 horse"
            ),
            expect(
                discard=alike.split(),
                pile=37,
                events=["Dealt", "OfferOpened", "OfferVoided", "OfferOpened", "TurnBegan"],
            ),
        )
        for alike in (
            "horse horse horse red1",
            "stick red1 stick stick",
            "red3 blue3 arm4 white3",
            "arm3 red1 arm3 arm3",
            "stick stick stick stick",
        )
    ),
    *(
        case(f"an offer of {mixed} stays", deck(f"{DEALT} {mixed}"), expect(offer=mixed.split(), discard=0))
        for mixed in ("arm3 arm3 red3 blue3", "red1 red2 red3 red4", "horse horse stick stick", "arm2 arm3 arm4 red4")
    ),
    case(
        "the second offer may be replaced too",
        deck(f"{DEALT} horse horse horse red1 stick stick stick red2 red3 red4 arm2 blue1"),
        expect(offer=["red3", "red4", "arm2", "blue1"], discard=8, pile=33),
    ),
    case(
        "ten replacements in a row are enough (R28)",
        deck(
            "black4 yellow4 green4 blue4 red4 horse arm2 arm3 arm4"
            " horse horse horse arm2 horse horse horse arm2 horse horse horse arm2"
            " stick stick stick arm3 stick stick stick arm3"
            " black1 yellow1 green1 arm3 red1 blue1 white1 arm4"
            " black2 yellow2 green2 arm4 red2 blue2 white2 arm4 black3 yellow3 green3 stick"
            " red3 blue3 white3 stick"
        ),
        expect(offer=["red3", "blue3", "white3", "stick"], discard=40, pile=1, turn="black"),
    ),
    case(
        "the deal itself may need a shuffle",
        deck(
            "black4 yellow4 green4 blue4 red4 horse arm2 arm3 arm4 white4 black1 yellow1 green1 red1 blue1"
            " horse horse horse arm2 horse horse horse arm2 horse horse horse arm2"
            " stick stick stick arm3 stick stick stick arm3"
            " black2 yellow2 green2 arm4 red2 blue2 white2 arm4 black3 yellow3 green3 arm4"
            " red3 blue3 white3 arm3 stick stick",
            "black yellow green red blue",
            5,
            shuffle=(
                "horse red3 blue3 white3 arm3 horse horse horse horse horse horse horse horse arm2 arm2 arm2"
                " stick stick stick stick stick stick arm3 arm3 black2 yellow2 green2 arm4 red2 blue2 white2 arm4"
                " black3 yellow3 green3 arm4"
            ),
        ),
        expect(
            round=1,
            turn="black",
            offer=["stick", "stick", "horse", "white1"],
            pile=35,
            discard=0,
            events=[
                "Dealt",
                *["OfferOpened", "OfferVoided"] * 9,
                "OfferOpened",
                "PileRenewed",
                "OfferOpened",
                "TurnBegan",
            ],
        ),
    ),
)
def test_deal(case: Case) -> None:
    check(case)


@table(
    case(
        "two cards of the offer",
        given(phase="start", black="arm2", offer="arm3 arm3 horse stick"),
        expect(phase="take", legal=["take"], actions_left=2),
        no("wrong_cards needed=2", "black", "take", cards="arm3"),
        no("wrong_cards needed=2", "black", "take", cards="arm3 arm3 horse"),
        no("not_offered", "black", "take", cards="horse horse"),
        no("not_offered", "black", "take", cards="arm2 arm3"),
        no("not_now", "black", "hunt", discard="arm2"),
        no("not_your_decision", "yellow", "take", cards="arm3 arm3"),
        do("black", "take", cards="stick arm3"),
        expect(
            phase="act",
            hand=hand(black="arm2 arm3 stick"),
            offer=["arm3", "horse"],
            actions_left=2,
            coups_open=0,
            events=["Taken"],
        ),
        no("not_now", "black", "take", cards="arm3 horse"),
    ),
    case(
        "the offer is completed after the turn",
        given(black="horse horse", offer="arm3 horse", pile="white1 white2 white3"),
        do("black", "breed"),
        expect(offer=["arm3", "horse"], actions_left=1, turn="black"),
        do("black", "breed"),
        expect(
            offer=["arm3", "horse", "white1", "white2"],
            pile=1,
            turn="yellow",
            actions_left=2,
            events=["Bred", "TurnEnded", "OfferOpened", "TurnBegan"],
        ),
    ),
    case(
        "the completed offer is replaced if three cards are alike",
        given(black="horse", actions_left=1, offer="arm3 arm3", pile="arm3 white2 white3 blue1 blue2 blue3"),
        do("black", "breed"),
        expect(offer=["white3", "blue1", "blue2", "blue3"], pile=0),
    ),
    case(
        "an offer that was complete before is not replaced",
        given(round=11, black="horse", offer="arm3 arm3 arm3 white1"),
        do("black", "end"),
        expect(offer=["arm3", "arm3", "arm3", "white1"], turn="yellow"),
    ),
    case(
        "before the elder's turn the round goes up",
        given(turn="red", red="horse", actions_left=1),
        do("red", "breed"),
        expect(round=6, turn="black"),
    ),
    case(
        "winter comes after round 9",
        given(round=9, turn="red", red="horse", actions_left=1, offer="arm3 horse", pile="white1 white2 white3"),
        do("red", "breed"),
        expect(round=10, turn="black", phase="take", actions_left=1),
        no("wrong_cards needed=1", "black", "take", cards="arm3 horse"),
        do("black", "take", cards="arm3"),
        expect(phase="act", actions_left=1, legal=["breed", "gift", "donate", "hunt", "end"]),
        do("black", "end"),
        expect(turn="yellow", round=10, phase="take"),
    ),
    case(
        "no taking in round 11; raids come home all the same",
        given(
            round=10, turn="red", red="horse", raids=(raid("black", "green", "black1", 2),), proposals={"black": "red1"}
        ),
        do("red", "end"),
        expect(
            round=11,
            turn="black",
            phase="act",
            actions_left=1,
            raids=[],
            proposals=[],
            coups_open=1,
            horses={"black": 4, "green": 2},
        ),
    ),
    case(
        "in rounds 1 to 9 both actions must be played",
        given(black="horse arm2"),
        no("actions_left actions=2", "black", "end"),
    ),
    case("in winter nobody must act", given(round=10, black="horse arm2"), do("black", "end"), expect(turn="yellow")),
    case(
        "an empty hand in rounds 1 to 9 cannot do anything but end",
        given(black=""),
        expect(legal=["end"], timeout={"do": "end", "seat": 0, "tribe": "black"}),
        do("black", "end"),
        expect(turn="yellow"),
    ),
)
def test_turns(case: Case) -> None:
    check(case)


@table(
    case(
        "the stick is lifted, and a lost card replaced",
        given(phase="start", black="arm2 arm3", disdained="black green", pile="white1 white2"),
        expect(
            hand=hand(black="arm2 arm3 white1"),
            disdained=["green"],
            pile=1,
            phase="take",
            events=["TurnBegan", "StickLifted"],
        ),
    ),
    case(
        "never more than one card (R35)",
        given(phase="start", black="arm2", disdained="black", pile="white1 white2"),
        expect(hand=hand(black="arm2 white1"), pile=1),
    ),
    case(
        "not for a hand of three",
        given(phase="start", black="arm2 arm3 arm4", disdained="black", pile="white1 white2"),
        expect(hand_sizes={"black": 3}, pile=2, disdained=[]),
    ),
    case(
        "not without a stick",
        given(phase="start", black="arm2", pile="white1 white2"),
        expect(hand_sizes={"black": 1}, pile=2, events=["TurnBegan"]),
    ),
    case(
        "the replacement comes before the proposal is discarded (R32)",
        given(
            "black yellow green red blue white",
            phase="start",
            black="arm2 arm3",
            yellow="black1 black2 black3 black4 yellow1 yellow2 yellow3 yellow4 green1 green2 green3 green4 red1 red2",
            green="red4 blue1 blue2 blue3 blue4 white1 white2 white3 white4 arm2 arm2 arm2 arm3 arm3 arm3",
            red="arm4 arm4 arm4 arm4 horse horse horse horse horse horse",
            blue="horse stick stick stick stick stick stick",
            white="",
            offer="horse horse horse stick",
            proposals={"black": "red3"},
            disdained="black",
            pile="",
            shuffles=("stick",),
        ),
        expect(
            hand=hand(black="arm2 arm3 stick"),
            discard=["red3"],
            pile=0,
            events=["TurnBegan", "StickLifted", "PileRenewed", "ProposalDropped"],
        ),
    ),
)
def test_start_of_turn(case: Case) -> None:
    check(case)


ALL_BUT_FOUR = {
    "yellow": "black1 black2 black3 black4 yellow1 yellow2 yellow3 yellow4 green1 green2 green3 green4 red1 red2 red3",
    "green": "red4 blue1 blue2 blue3 blue4 white1 white2 white3 white4 arm2 arm2 arm2 arm2 arm3 arm3 arm3 arm3",
    "red": "arm4 arm4 arm4 arm4 horse horse horse horse horse horse horse horse",
}


@table(
    case(
        "without any card left the offer stays short",
        given(
            **ALL_BUT_FOUR,  # type: ignore[arg-type]
            turn="red",
            black="horse stick stick stick stick stick stick",
            offer="horse stick stick",
            pile="",
            round=11,
        ),
        do("red", "end"),
        expect(offer=["horse", "stick", "stick"], turn="black", round=12, phase="act"),
    ),
    case(
        "if only one card is on offer, only one is taken",
        given(
            **ALL_BUT_FOUR,  # type: ignore[arg-type]
            phase="start",
            black="horse stick stick stick stick stick stick stick stick",
            offer="horse",
            pile="",
        ),
        do("black", "take", cards="horse"),
        expect(offer=[], phase="act", hand_sizes={"black": 10}),
    ),
    case(
        "an empty offer causes no prompt",
        given(
            **ALL_BUT_FOUR,  # type: ignore[arg-type]
            phase="start",
            black="horse horse stick stick stick stick stick stick stick stick",
            offer="",
            pile="",
            shuffles=("stick",),
        ),
        expect(phase="act", actions_left=2, events=["TurnBegan"]),
        do("black", "hunt", discard="stick"),
        expect(phase="hunt", actor="black", hand_sizes={"black": 10}, pile=0, discard=0),
        do("black", "hunt_discard", cards="stick stick"),
        expect(phase="act", actor="black", pile=0, discard=2),
    ),
)
def test_when_the_cards_run_out(case: Case) -> None:
    check(case)


def last(**more: Any) -> dict[str, Any]:
    """Set up the last turn of the match."""
    hands = {"black": "", "yellow": "", "green": "", "red": ""}
    return given(**{"round": 12, "turn": "red", **hands, **more})


@table(
    case(
        "the match is over after round 12, raids are lost",
        last(raids=(raid("black", "green", "blue1", 1), raid("yellow", "red", "blue2", 2)), horses={"green": 6}),
        do("red", "end"),
        expect(
            phase="over",
            round=12,
            turn=None,
            actor=None,
            legal=[],
            actions_left=0,
            raids=[],
            discard=["blue1", "blue2"],
            horses={"green": 6, "black": 3},
            winners=["green"],
            events=["TurnEnded", "RaidLost", "RaidLost", "MatchEnded"],
        ),
        no("match_over", "black", "end"),
        no("match_over", "black", "leave"),
    ),
    case(
        "an empty herd costs a prestige",
        last(prestige={"black": 2, "yellow": 2, "green": 0}, horses={"black": 0, "green": 0}),
        do("red", "end"),
        expect(
            prestige={"black": 1, "yellow": 2, "green": 0},
            winners=["yellow"],
            scores={"black": {"outside": 1, "herd": 0, "total": 1}, "yellow": {"outside": 2, "herd": 0, "total": 2}},
            events=["TurnEnded", "PrestigeChanged", "MatchEnded"],
        ),
    ),
    case(
        "horses beyond five count",
        last(horses={"black": 5, "yellow": 6, "green": 8}, prestige={"black": 2, "red": 2}),
        do("red", "end"),
        expect(
            scores={
                "black": {"outside": 2, "herd": 0, "total": 2},
                "yellow": {"outside": 0, "herd": 1, "total": 1},
                "green": {"outside": 0, "herd": 3, "total": 3},
            },
            winners=["green"],
        ),
    ),
    case(
        "a tie goes to prestige",
        last(horses={"yellow": 7}, prestige={"black": 2}),
        do("red", "end"),
        expect(winners=["black"]),
    ),
    case(
        "then to horses",
        last(horses={"yellow": 4}, prestige={"black": 1, "yellow": 1}),
        do("red", "end"),
        expect(winners=["yellow"]),
    ),
    case("else it is shared", last(), do("red", "end"), expect(winners=["black", "yellow", "green", "red"])),
    case(
        "allies with two prestige each add up and win together (R21)",
        last(horses={"black": 6, "yellow": 9}, prestige={"black": 2, "red": 2, "yellow": 0}, alliances=BLACK_AND_RED),
        do("red", "end"),
        expect(
            winners=["black", "red"],
            scores={
                "black": {"outside": 2, "herd": 1, "total": 5},
                "red": {"outside": 2, "herd": 0, "total": 5},
                "yellow": {"outside": 0, "herd": 4, "total": 4},
            },
        ),
    ),
    *(
        case(
            f"not if {poor} has one",
            last(prestige={"black": 4, "red": 4, "green": 3} | {poor: 1}, alliances=BLACK_AND_RED),
            do("red", "end"),
            expect(
                winners=["red" if poor == "black" else "black"], scores={poor: {"outside": 1, "herd": 0, "total": 1}}
            ),
        )
        for poor in ("black", "red")
    ),
    case(
        "not with a neutral ally",
        last(prestige={"black": 3, "red": 2}, neutral={"black": "blue1"}),
        do("red", "end"),
        expect(scores={"black": {"outside": 3, "herd": 0, "total": 3}}, winners=["black"]),
    ),
    case(
        "a pair's sums break ties",
        last(
            horses={"black": 3, "red": 3, "yellow": 6, "green": 5},
            prestige={"black": 2, "red": 2, "yellow": 3, "green": 4},
            alliances=BLACK_AND_RED,
        ),
        do("red", "end"),
        expect(winners=["black", "red"]),
    ),
)
def test_end_and_scoring(case: Case) -> None:
    check(case)


@table(
    case(
        "the third tribe sits between, and the elder decides in odd rounds",
        deck(f"{DEALT} stick arm2 red1 red2", "black green yellow", 2),
        expect(
            plain=15,
            controller={"green": "black", "black": "black", "yellow": "yellow"},
            sees={
                "black": {"black": ["arm2", "black1", "horse"], "green": ["arm3", "horse", "yellow1"], "yellow": 3},
                "yellow": {"black": 3, "green": 3, "yellow": ["arm4", "green1", "horse"]},
            },
        ),
    ),
    case(
        "in even rounds the other does",
        given("black green yellow", players=2, round=6, turn="green", green="horse horse"),
        expect(controller={"green": "yellow"}),
        {**no("not_your_decision", "green", "breed"), "player": "black"},
        {**do("green", "breed"), "player": "yellow"},
        expect(horses={"green": 4}),
    ),
    case(
        "in their own turns nobody acts for the third",
        given("black green yellow", players=2, round=5, green="horse", black="horse"),
        no("not_your_decision", "green", "breed"),
        do("black", "breed"),
    ),
    case(
        "the third tribe answers through its controller",
        given("black green yellow", players=2, round=6, black="stick", green="arm4", prestige={"green": 1}),
        do("black", "disdain", target="green"),
        {**no("not_your_decision", "green", "decline"), "player": "black"},
        {**do("green", "prove", card="arm4"), "player": "yellow"},
        expect(prestige={"green": 1}),
    ),
    case(
        "only players are ranked (R36)",
        given("black green yellow", players=2, round=12, turn="yellow", prestige={"green": 4, "yellow": 1}),
        do("yellow", "end"),
        expect(winners=["yellow"]),
    ),
    case(
        "if one player leaves, the other wins, and an open gift goes back",
        given("black green yellow", players=2, black="arm2 arm3", green="arm4"),
        do("black", "gift", target="green", discard="arm2", card="arm3"),
        do("yellow", "leave"),
        expect(
            phase="over",
            winners=["black"],
            hand=hand(black="arm3", green="arm4"),
            gift={"black": None},
            events=["SeatLeft", "MatchEnded"],
        ),
    ),
)
def test_two_players(case: Case) -> None:
    check(case)


@table(
    case(
        "taking: the first of the offer",
        given(phase="start", black="arm2", offer="stick horse arm4 white1"),
        do("black", "timeout"),
        expect(hand=hand(black="arm2 white1 arm4"), phase="act"),
    ),
    case(
        "taking in round 10: the first",
        given(phase="start", round=10, black="arm2", offer="stick horse arm4 white1"),
        do("black", "timeout"),
        expect(hand=hand(black="arm2 white1")),
    ),
    case(
        "acting: a hunt with the first card, then its first two",
        given(black="stick arm4 horse", pile="black1 white1 white2"),
        do("black", "timeout"),
        expect(phase="hunt", hand=hand(black="black1 white1 horse stick")),
        do("black", "timeout"),
        expect(phase="act", hand=hand(black="horse stick"), actions_left=1),
    ),
    case("acting in winter: end", given(round=10, black="stick"), do("black", "timeout"), expect(turn="yellow")),
    case(
        "with the free gift left: end",
        given(black="stick", actions_left=0, alliances=BLACK_AND_RED),
        do("black", "timeout"),
        expect(turn="yellow", hand=hand(black="stick")),
    ),
    case(
        "giving: the first card",
        given(black="arm2 arm3", green="stick horse"),
        do("black", "gift", target="green", discard="arm2", card="arm3"),
        do("green", "timeout"),
        expect(hand=hand(black="horse", green="arm3 stick")),
    ),
    case(
        "disdained with prestige: the first proof",
        given(black="stick", green="horse stick arm4", prestige={"green": 1}),
        do("black", "disdain", target="green"),
        do("green", "timeout"),
        expect(hand=hand(green="horse stick"), prestige={"green": 1}),
    ),
    case(
        "disdained without a proof: decline",
        given(black="stick", green="horse arm3", prestige={"green": 1}),
        do("black", "disdain", target="green"),
        do("green", "timeout"),
        expect(hand=hand(green="horse arm3"), prestige={"green": 0}),
    ),
    case(
        "disdained with nothing to lose: decline",
        given(black="stick", green="horse stick"),
        do("black", "disdain", target="green"),
        do("green", "timeout"),
        expect(hand=hand(green="horse stick"), prestige={"green": 0}),
    ),
)
def test_time_out(case: Case) -> None:
    check(case)


@table(
    case(
        "the tribe stays and follows the defaults",
        given(black="horse horse", yellow="arm2 arm3 arm4"),
        do("yellow", "leave"),
        expect(turn="black", events=["SeatLeft"]),
        no("not_playing", "yellow", "leave"),
        do("black", "breed"),
        do("black", "breed"),
        expect(turn="green", hand_sizes={"yellow": 3}, horses={"yellow": 3}),
        no("not_your_decision", "yellow", "hunt", discard="arm2"),
    ),
    case(
        "a player who leaves in their own turn finishes it at once",
        given(black="horse horse arm2 arm3 arm4"),
        do("black", "leave"),
        expect(turn="yellow", phase="take", hand_sizes={"black": 3}, horses={"black": 3}),
    ),
    case(
        "an open answer is given at once",
        given(black="arm2 arm3", green="horse stick"),
        do("black", "gift", target="green", discard="arm2", card="arm3"),
        do("green", "leave"),
        expect(phase="act", actor="black", hand=hand(black="horse", green="arm3 stick")),
    ),
    case(
        "the last player who stays wins at once",
        given("black yellow green", black="horse arm2", horses={"yellow": 9}),
        do("yellow", "leave"),
        do("green", "leave"),
        expect(phase="over", winners=["black"], actions_left=0, coups_open=0, turn=None),
    ),
    case(
        "a player who left cannot win, but their points are added to the ally's",
        last(prestige={"black": 2, "red": 2, "yellow": 3}, alliances=BLACK_AND_RED),
        do("black", "leave"),
        do("red", "end"),
        expect(winners=["red"], scores={"red": {"outside": 2, "herd": 0, "total": 4}}),
    ),
    case(
        "the best of those who stayed wins",
        last(prestige={"black": 4, "yellow": 1}),
        do("black", "leave"),
        do("red", "end"),
        expect(winners=["yellow"]),
    ),
)
def test_leaving(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    "action",
    [
        None,
        Leave(True),  # type: ignore[arg-type]
        Breed(0.0, Tribe.BLACK),  # type: ignore[arg-type]
        Breed(Seat(0), 0),  # type: ignore[arg-type]
        Hunt(Seat(0), Tribe.BLACK, Card(Kind.WARRIOR, None, 1)),
        Take(Seat(0), Tribe.BLACK, [HORSE]),  # type: ignore[arg-type]
    ],
)
def test_a_field_of_a_wrong_type_is_refused(action: Any) -> None:
    with pytest.raises(Rejected) as refused:
        GAME.apply(GAME.setup({}, 3, None), action)
    assert refused.value.reason is Reason.MALFORMED
