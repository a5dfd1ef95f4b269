"""Section 5: breeding, gifts, giving horses, hunting."""

from __future__ import annotations

from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, hand, no, raid, table

BLACK_AND_RED = ({"black": "red2", "red": "black3"},)


@table(
    case(
        "a horse from the plain",
        given(black="horse arm2", plain=1),
        do("black", "breed"),
        expect(horses={"black": 4}, plain=0, discard=["horse"], hand=hand(black="arm2"), events=["Bred"]),
        no("not_held", "black", "breed"),
    ),
    case("an empty plain", given(black="horse", plain=0), no("empty_plain", "black", "breed")),
    case(
        "no action left",
        given(black="horse", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "breed"),
    ),
)
def test_breed(case: Case) -> None:
    check(case)


@table(
    case(
        "each takes the other's card, and the giver's stays secret until then",
        given(black="arm2 arm3 stick", green="arm4 horse"),
        do("black", "gift", target="green", discard="arm2", card="arm3"),
        expect(
            phase="gift",
            actor="green",
            turn="black",
            actions_left=1,
            legal=["give"],
            discard=["arm2"],
            hand=hand(black="stick", green="arm4 horse"),
            gift={
                "black": {"from": "black", "to": "green", "card": "arm3"},
                "green": {"from": "black", "to": "green", "card": None},
                "red": {"from": "black", "to": "green", "card": None},
            },
            events=["GiftLaid"],
        ),
        no("not_your_decision", "black", "give", card="stick"),
        no("not_held", "green", "give", card="arm3"),
        no("malformed", "green", "give"),
        do("green", "give", card="arm4"),
        expect(
            phase="act",
            actor="black",
            actions_left=1,
            hand=hand(black="arm4 stick", green="arm3 horse"),
            gift={"black": None, "green": None},
            discard=["arm2"],
            events=["GiftsExchanged"],
        ),
    ),
    case(
        "to whom",
        given(
            "black yellow green red blue white",
            black="arm2 arm3",
            blue="",
            raids=(raid("black", "yellow", "green1", 1), raid("green", "black", "green2", 3)),
        ),
        no("raid_between", "black", "gift", target="yellow", discard="arm2", card="arm3"),
        no("raid_between", "black", "gift", target="green", discard="arm2", card="arm3"),
        no("empty_hand", "black", "gift", target="blue", discard="arm2", card="arm3"),
        no("no_other_tribe", "black", "gift", target="black", discard="arm2", card="arm3"),
        do("black", "gift", target="white", discard="arm2", card="arm3"),
    ),
    case(
        "a raid on another tribe does not matter",
        given(black="arm2 arm3", raids=(raid("black", "yellow", "green1", 1), raid("yellow", "red", "green2", 2))),
        do("black", "gift", target="red", discard="arm2", card="arm3"),
    ),
    case(
        "two cards of the hand",
        given(black="arm2 horse horse"),
        no("not_held", "black", "gift", target="red", discard="arm2", card="arm2"),
        no("not_held", "black", "gift", target="red", discard="arm3", card="arm2"),
        do("black", "gift", target="red", discard="horse", card="horse"),
    ),
    case(
        "one card is not enough",
        given(black="arm2"),
        no("needs_two_cards", "black", "gift", target="red", discard="arm2", card="arm2"),
    ),
    case(
        "no action left",
        given(black="arm2 arm3", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "gift", target="red", discard="arm2", card="arm3"),
    ),
    case(
        "as the last action: the turn ends when the other tribe has given",
        given(black="arm2 arm3", actions_left=1),
        do("black", "gift", target="red", discard="arm2", card="arm3"),
        expect(turn="black", phase="gift"),
        do("red", "give", card="horse"),
        expect(turn="yellow", hand=hand(black="horse", red="arm3")),
    ),
)
def test_gift(case: Case) -> None:
    check(case)


@table(
    case(
        "once in each turn, without discard or action",
        given(black="arm2 arm3", red="arm4", alliances=BLACK_AND_RED, coups_open=1),
        do("black", "free_gift", card="arm2"),
        expect(phase="gift", actor="red", actions_left=2, coups_open=0, free_gift_used=True, discard=0),
        do("red", "give", card="arm4"),
        expect(hand=hand(black="arm3 arm4", red="arm2"), actions_left=2, phase="act", actor="black"),
        no("already_given", "black", "free_gift", card="arm3"),
    ),
    case(
        "the turn waits for the free gift",
        given(black="horse arm2", actions_left=1, alliances=BLACK_AND_RED),
        no("not_held", "black", "free_gift", card="arm3"),
        no("actions_left actions=1", "black", "end"),
        do("black", "breed"),
        expect(turn="black", actions_left=0, legal=["free_gift", "end"]),
        do("black", "end"),
        expect(turn="yellow", free_gift_used=False, events=["TurnEnded", "OfferOpened", "TurnBegan"]),
    ),
    case(
        "the turn does not wait for a gift that was used",
        given(black="horse arm2", actions_left=1, alliances=BLACK_AND_RED, free_gift_used=True),
        do("black", "breed"),
        expect(turn="yellow"),
    ),
    case(
        "the turn does not wait if the ally has no card",
        given(black="horse arm2", red="", actions_left=1, alliances=BLACK_AND_RED),
        no("empty_hand", "black", "free_gift", card="arm2"),
        do("black", "breed"),
        expect(turn="yellow"),
    ),
    case(
        "the turn does not wait if the hand is empty",
        given(black="horse", actions_left=1, alliances=BLACK_AND_RED),
        do("black", "breed"),
        expect(turn="yellow"),
    ),
    case("not without an ally", given(black="arm2"), no("no_ally", "black", "free_gift", card="arm2")),
    case(
        "not with a neutral ally",
        given(black="arm2", neutral={"black": "blue1"}),
        no("no_ally", "black", "free_gift", card="arm2"),
    ),
    case(
        "only in the phase act (R31)",
        given(phase="start", black="arm2", alliances=BLACK_AND_RED),
        no("not_now", "black", "free_gift", card="arm2"),
    ),
)
def test_free_gift(case: Case) -> None:
    check(case)


@table(
    case(
        "two horses for one prestige",
        given(black="arm2 arm3", horses={"black": 3, "green": 3}),
        do("black", "donate", target="green", discard="arm2"),
        expect(
            horses={"black": 1, "green": 5},
            prestige={"black": 1, "green": 0},
            discard=["arm2"],
            hand=hand(black="arm3"),
            actions_left=1,
            events=["HorsesGiven", "PrestigeChanged"],
        ),
        no("too_few_horses lowest=2", "black", "donate", target="green", discard="arm3"),
    ),
    case(
        "the last two horses",
        given(black="arm2", horses={"black": 2, "green": 0}),
        do("black", "donate", target="green", discard="arm2"),
        expect(horses={"black": 0, "green": 2}),
    ),
    case(
        "which targets and discards are allowed",
        given(
            "black yellow green red blue",
            black="arm2",
            horses={"black": 4, "green": 5},
            alliances=BLACK_AND_RED,
            raids=(raid("green", "yellow", "blue1", 1), raid("black", "green", "blue2", 2))[:1],
        ),
        no("too_many_horses highest=4", "black", "donate", target="green", discard="arm2"),
        no("under_raid", "black", "donate", target="yellow", discard="arm2"),
        no("ally", "black", "donate", target="red", discard="arm2"),
        no("no_other_tribe", "black", "donate", target="black", discard="arm2"),
        no("no_other_tribe", "black", "donate", target="white", discard="arm2"),
        no("not_held", "black", "donate", target="blue", discard="arm3"),
        do("black", "donate", target="blue", discard="arm2"),
    ),
    case(
        "not while under raid",
        given(black="arm2", raids=(raid("green", "black", "blue1", 1),)),
        no("under_raid", "black", "donate", target="red", discard="arm2"),
    ),
    case(
        "no action left",
        given(black="arm2", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "donate", target="green", discard="arm2"),
    ),
    case(
        "at four prestige it brings nothing (R34)",
        given(black="arm2", prestige={"black": 4}),
        do("black", "donate", target="green", discard="arm2"),
        expect(prestige={"black": 4}, horses={"black": 1, "green": 5}, events=["HorsesGiven"]),
    ),
)
def test_donate(case: Case) -> None:
    check(case)


@table(
    case(
        "discard one card, draw two, discard any two",
        given(black="arm2 arm3 horse", pile="white1 white2 white3 blue1 blue2 blue3"),
        do("black", "hunt", discard="arm2"),
        expect(
            phase="hunt",
            actor="black",
            actions_left=1,
            hand=hand(black="arm3 horse white1 white2"),
            pile=4,
            legal=["hunt_discard"],
            events=["Hunted"],
        ),
        no("wrong_cards needed=2", "black", "hunt_discard", cards="arm3"),
        no("wrong_cards needed=2", "black", "hunt_discard", cards="arm3 white1 white2"),
        no("not_held", "black", "hunt_discard", cards="arm3 arm3"),
        no("not_now", "black", "end"),
        do("black", "hunt_discard", cards="white2 arm3"),
        expect(phase="act", hand=hand(black="horse white1"), actions_left=1, events=["HuntEnded"]),
    ),
    case(
        "not with a card that is not held",
        given(black="arm2"),
        no("not_held", "black", "hunt", discard="arm3"),
        no("malformed", "black", "hunt"),
    ),
    case(
        "no action left",
        given(black="arm2", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "hunt", discard="arm2"),
    ),
    case(
        "the pile runs out between the two cards: the price is shuffled in",
        given(
            "black yellow green red blue white",
            black="arm2 horse",
            pile="white1",
            offer="arm3 arm4",
            shuffles=(
                "arm2 black1 black2 black3 black4 yellow1 yellow2 yellow3 yellow4 green1 green2 green3 green4"
                " red1 red2 red3 red4 blue1 blue2 blue3 blue4 white2 white3 white4 arm2 arm2 arm2 arm3 arm3 arm3"
                " arm4 arm4 arm4 horse horse horse horse stick stick stick stick stick stick stick stick",
            ),
        ),
        do("black", "hunt", discard="arm2"),
        expect(
            hand=hand(black="horse white1 arm2"), pile=44, discard=0, phase="hunt", events=["Hunted", "PileRenewed"]
        ),
    ),
    case(
        "in winter with the last card",
        given(round=12, black="arm2", pile="white1 white2"),
        do("black", "hunt", discard="arm2"),
        do("black", "hunt_discard", cards="white1 white2"),
        expect(turn="yellow", hand=hand(black="")),
    ),
)
def test_hunt(case: Case) -> None:
    check(case)
