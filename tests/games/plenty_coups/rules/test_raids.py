"""Sections 4.3 and 5: raids and double attacks, homecoming, defence, coups."""

from __future__ import annotations

from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, hand, no, raid, table


@table(
    case(
        "own colour counts one more",
        given(black="black2 black4 horse"),
        do("black", "raid", target="yellow", cards="black2"),
        expect(
            raids=[raid("black", "yellow", "black2", 3)],
            hand=hand(black="black4 horse"),
            actions_left=1,
            discard=0,
            events=["RaidLaunched"],
        ),
        do("black", "raid", target="red", cards="black4"),
        expect(turn="yellow", events=["RaidLaunched", "TurnEnded", "OfferOpened", "TurnBegan"]),
    ),
    case(
        "a foreign colour counts as printed",
        given(black="yellow2 red3 horse"),
        do("black", "raid", target="yellow", cards="yellow2"),
        do("black", "raid", target="red", cards="red3"),
        expect(raids=[raid("black", "yellow", "yellow2", 2), raid("black", "red", "red3", 3)]),
    ),
    case(
        "the ally's colour counts one more",
        given(black="red1 green1", alliances=({"black": "red2", "red": "black3"},)),
        do("black", "raid", target="yellow", cards="red1"),
        do("black", "raid", target="green", cards="green1"),
        expect(raids=[raid("black", "yellow", "red1", 2), raid("black", "green", "green1", 1)]),
    ),
    case(
        "a neutral ally's colour counts one more",
        given(black="blue1 white1", neutral={"black": "blue2", "red": "white2"}),
        do("black", "raid", target="yellow", cards="blue1"),
        do("black", "raid", target="green", cards="white1"),
        expect(raids=[raid("black", "yellow", "blue1", 2), raid("black", "green", "white1", 1)]),
    ),
    case(
        "who cannot be raided",
        given(
            "black yellow green red blue",
            black="white1 white4",
            alliances=({"black": "red2", "red": "black3"},),
            proposals={"yellow": "black4"},
            raids=(raid("black", "green", "green3", 3),),
        ),
        no("ally", "black", "raid", target="red", cards="white4"),
        no("proposal_between", "black", "raid", target="yellow", cards="white4"),
        no("raid_between", "black", "raid", target="green", cards="white4"),
        no("no_other_tribe", "black", "raid", target="black", cards="white4"),
        no("no_other_tribe", "black", "raid", target="white", cards="white4"),
        no("malformed", "black", "raid", target="brown", cards="white4"),
        no("malformed", "black", "raid", cards="white4"),
        no("malformed", "black", "raid", target="blue", cards="white1 white4"),
        no("ally", "black", "double_raid", target="red", cards="white1 white4"),
        do("black", "raid", target="blue", cards="white4"),
    ),
    case(
        "a proposal of one's own bars the raid too (R12)",
        given(black="white1", proposals={"black": "yellow4"}),
        no("proposal_between", "black", "raid", target="yellow", cards="white1"),
        do("black", "raid", target="red", cards="white1"),
    ),
    case(
        "a proposal to another tribe does not matter",
        given(black="white1 white2", proposals={"yellow": "red4"}),
        do("black", "raid", target="yellow", cards="white1"),
        do("black", "raid", target="red", cards="white2"),
    ),
    case(
        "only warriors from the hand raid",
        given(black="white1 arm4 horse stick"),
        no("wrong_cards", "black", "raid", target="yellow", cards="arm4"),
        no("wrong_cards", "black", "raid", target="yellow", cards="horse"),
        no("wrong_cards", "black", "raid", target="yellow", cards="stick"),
        no("not_held", "black", "raid", target="yellow", cards="white2"),
        expect(legal=["raid", "breed", "gift", "disdain", "donate", "hunt", "neutral"]),
    ),
    case(
        "displacing needs more, with the bonus counted (R03)",
        given(black="white3 black2 black3 green3", raids=(raid("green", "yellow", "red3", 3),)),
        no("too_weak above=3", "black", "raid", target="yellow", cards="white3"),
        no("too_weak above=3", "black", "raid", target="yellow", cards="black2"),
        no("too_weak above=3", "black", "raid", target="yellow", cards="green3"),
        do("black", "raid", target="yellow", cards="black3"),
        expect(
            raids=[raid("black", "yellow", "black3", 4)],
            discard=["red3"],
            horses={"green": 3, "yellow": 3},
            events=["RaidLost", "RaidLaunched"],
        ),
    ),
    case(
        "both warriors of a displaced double attack are discarded",
        given(black="white2 white4", raids=(raid("green", "yellow", "red1 red3", 4),)),
        do("black", "double_raid", target="yellow", cards="white2 white4"),
        expect(raids=[raid("black", "yellow", "white2 white4", 6)], discard=["red1", "red3"], turn="yellow"),
    ),
    case(
        "four markers, four raids",
        given(
            "black yellow green red blue white",
            black="black4",
            raids=tuple(raid("black", target, f"{target}1", 1) for target in ("yellow", "green", "red", "blue")),
        ),
        no("no_marker_at_home", "black", "raid", target="white", cards="black4"),
    ),
    case(
        "three raids out leave a marker for a double attack",
        given(
            "black yellow green red blue white",
            black="black4 black2",
            raids=tuple(raid("black", target, f"{target}1", 1) for target in ("yellow", "green", "red")),
        ),
        do("black", "double_raid", target="white", cards="black4 black2"),
        expect(turn="yellow"),
    ),
    case(
        "raid sides go first, then prestige sides",
        given(black="white1 white2", prestige={"black": 3}),
        do("black", "raid", target="yellow", cards="white1"),
        do("black", "raid", target="red", cards="white2"),
        expect(raids=[raid("black", "yellow", "white1", 1), raid("black", "red", "white2", 2, "prestige")]),
    ),
    case(
        "a prestige-side marker on a raid is not at home",
        given(black="white1", prestige={"black": 3}, raids=(raid("black", "green", "green1", 1, "prestige"),)),
        do("black", "raid", target="yellow", cards="white1"),
        expect(
            raids=[raid("black", "green", "green1", 1, "prestige"), raid("black", "yellow", "white1", 1)],
            prestige={"black": 3},
        ),
    ),
)
def test_raid(case: Case) -> None:
    check(case)


@table(
    case(
        "own colour counts one more, once, and the turn is over",
        given(black="black1 black3 horse"),
        do("black", "double_raid", target="yellow", cards="black3 black1"),
        expect(raids=[raid("black", "yellow", "black3 black1", 5)], turn="yellow", hand=hand(black="horse")),
    ),
    case(
        "two warriors of one colour",
        given(black="black1 red3 arm2 white1 white2 white3"),
        no("wrong_cards", "black", "double_raid", target="yellow", cards="black1 red3"),
        no("wrong_cards", "black", "double_raid", target="yellow", cards="black1 arm2"),
        no("wrong_cards", "black", "double_raid", target="yellow", cards="arm2 black1"),
        no("wrong_cards needed=2", "black", "double_raid", target="yellow", cards="black1"),
        no("wrong_cards needed=2", "black", "double_raid", target="yellow", cards="white1 white2 white3"),
        no("not_held", "black", "double_raid", target="yellow", cards="black1 black1"),
    ),
    case(
        "strictly stronger than what stands there",
        given(black="white1 white2 white3", raids=(raid("green", "yellow", "green3", 4),)),
        no("too_weak above=4", "black", "double_raid", target="yellow", cards="white1 white3"),
        do("black", "double_raid", target="yellow", cards="white2 white3"),
    ),
    case(
        "both actions must be unspent",
        given(black="white1 white2", actions_left=1),
        no("needs_both_actions", "black", "double_raid", target="yellow", cards="white1 white2"),
    ),
    case(
        "no action left",
        given(black="white1 white2", actions_left=0, alliances=({"black": "red2", "red": "black3"},)),
        no("no_action_left", "black", "double_raid", target="yellow", cards="white1 white2"),
        no("no_action_left", "black", "raid", target="yellow", cards="white1"),
    ),
    case(
        "round 9 is not winter",
        given(round=9, black="white1 white2"),
        do("black", "double_raid", target="yellow", cards="white1 white2"),
        expect(turn="yellow"),
    ),
    *(
        case(
            f"not in round {number}",
            given(round=number, black="white1 white2"),
            no("not_in_winter", "black", "double_raid", target="yellow", cards="white1 white2"),
        )
        for number in (10, 11, 12)
    ),
    case(
        "the free gift is lost",
        given(black="white1 white2 horse", alliances=({"black": "red2", "red": "black3"},)),
        do("black", "double_raid", target="yellow", cards="white1 white2"),
        expect(turn="yellow", free_gift_used=False),
    ),
)
def test_double_attack(case: Case) -> None:
    check(case)


@table(
    case(
        "raids come home after taking, each with a horse",
        given(
            phase="start",
            black="arm2",
            offer="arm3 arm4 horse stick",
            raids=(
                raid("black", "yellow", "white1 white2", 3),
                raid("green", "red", "green1", 2),
                raid("black", "green", "white3", 3, "prestige"),
            ),
            prestige={"black": 1},
        ),
        expect(
            phase="take",
            raids=[
                raid("black", "yellow", "white1 white2", 3),
                raid("green", "red", "green1", 2),
                raid("black", "green", "white3", 3, "prestige"),
            ],
        ),
        do("black", "take", cards="arm3 stick"),
        expect(
            raids=[raid("green", "red", "green1", 2)],
            horses={"black": 5, "yellow": 2, "green": 2, "red": 3},
            discard=["white1", "white2", "white3"],
            coups_open=1,
            prestige={"black": 1},
            events=["Taken", "RaidCameHome", "RaidCameHome"],
        ),
        do("black", "coup"),
        expect(prestige={"black": 2}, coups_open=0, actions_left=1, events=["CoupStruck", "PrestigeChanged"]),
    ),
    case(
        "an empty herd gives no horse, yet a coup (R09)",
        given(phase="start", black="stick", raids=(raid("black", "yellow", "white1", 1),), horses={"yellow": 0}),
        do("black", "take", cards="horse stick"),
        expect(horses={"black": 3, "yellow": 0}, raids=[], coups_open=1),
        do("black", "coup"),
        expect(prestige={"black": 1}),
    ),
    case(
        "several coups on return, each an action (R23)",
        given(black="stick stick stick", coups_open=2),
        do("black", "coup"),
        expect(coups_open=1, actions_left=1, discard=["stick"]),
        do("black", "coup"),
        expect(prestige={"black": 2}, turn="yellow"),
    ),
    case(
        "anything else closes the moment",
        given(black="stick horse", coups_open=1),
        do("black", "breed"),
        expect(coups_open=0),
        no("no_occasion", "black", "coup"),
    ),
    case("a coup needs a stick", given(black="horse", coups_open=1), no("not_held", "black", "coup")),
    case("a coup needs an occasion", given(black="stick"), no("no_occasion", "black", "coup")),
    case(
        "a coup needs an action",
        given(black="stick", coups_open=1, actions_left=0, alliances=({"black": "red2", "red": "black3"},)),
        no("no_action_left", "black", "coup"),
    ),
    case(
        "in winter one coup on return",
        given(round=12, black="stick stick", coups_open=2),
        do("black", "coup"),
        expect(turn="yellow", prestige={"black": 1}),
    ),
)
def test_homecoming_and_coup_on_return(case: Case) -> None:
    check(case)


@table(
    case(
        "an equal weapon repels",
        given(black="arm3 stick", raids=(raid("yellow", "black", "black3", 3), raid("red", "green", "red1", 2))),
        do("black", "defend", cards="arm3"),
        expect(
            raids=[raid("red", "green", "red1", 2)],
            discard=["arm3", "black3"],
            hand=hand(black="stick"),
            horses={"black": 3, "yellow": 3},
            defence_coup_open=False,
            actions_left=1,
            events=["RaidRepelled"],
        ),
        no("no_occasion", "black", "coup"),
    ),
    case(
        "a weaker weapon does not repel the raid",
        given(black="arm3 arm2 horse stick white4", raids=(raid("yellow", "black", "yellow3", 4),)),
        no("too_weak at_least=4", "black", "defend", cards="arm3"),
        no("wrong_cards", "black", "defend", cards="horse"),
        no("wrong_cards", "black", "defend", cards="white4"),
        no("not_held", "black", "defend", cards="arm4"),
        no("malformed", "black", "defend", cards="arm3 arm2"),
        no("malformed", "black", "defend"),
        expect(legal=["double_defend", "raid", "disdain", "breed", "gift", "hunt", "neutral"]),
    ),
    case(
        "a tribe defends only its own camp (R26)",
        given(black="arm4 arm4", raids=(raid("yellow", "red", "yellow1", 2),)),
        no("not_under_raid", "black", "defend", cards="arm4"),
        no("not_under_raid", "black", "double_defend", cards="arm4 arm4"),
    ),
    case(
        "no action left",
        given(
            black="arm4 arm4",
            raids=(raid("yellow", "black", "yellow1", 2),),
            actions_left=0,
            alliances=({"black": "red2", "red": "black3"},),
        ),
        no("no_action_left", "black", "defend", cards="arm4"),
        no("no_action_left", "black", "double_defend", cards="arm4 arm4"),
    ),
    case(
        "two weapons together, and the turn is over",
        given(black="arm2 arm3 stick", raids=(raid("yellow", "black", "yellow4", 5),)),
        do("black", "double_defend", cards="arm3 arm2"),
        expect(raids=[], discard=["arm2", "arm3", "yellow4"], turn="yellow", hand=hand(black="stick")),
    ),
    case(
        "two weapons may be too weak",
        given(black="arm2 arm2 arm3 horse", raids=(raid("yellow", "black", "yellow4", 5),)),
        no("too_weak at_least=5", "black", "double_defend", cards="arm2 arm2"),
        no("wrong_cards needed=2", "black", "double_defend", cards="arm3"),
        no("wrong_cards needed=2", "black", "double_defend", cards="arm2 arm2 arm3"),
        no("wrong_cards", "black", "double_defend", cards="arm3 horse"),
        no("not_held", "black", "double_defend", cards="arm3 arm3"),
    ),
    case(
        "double defence needs both actions",
        given(black="arm2 arm3", raids=(raid("yellow", "black", "yellow4", 5),), actions_left=1),
        no("needs_both_actions", "black", "double_defend", cards="arm2 arm3"),
    ),
    case(
        "in round 10 it takes the one action, and the free gift is lost",
        given(
            round=10,
            black="arm2 arm3 horse",
            raids=(raid("yellow", "black", "yellow4", 5),),
            alliances=({"black": "red2", "red": "black3"},),
        ),
        do("black", "double_defend", cards="arm2 arm3"),
        expect(turn="yellow", raids=[]),
    ),
    case(
        "in round 10 it still needs the action",
        given(
            round=10,
            black="arm2 arm3",
            raids=(raid("yellow", "black", "yellow4", 5),),
            actions_left=0,
            alliances=({"black": "red2", "red": "black3"},),
        ),
        no("no_action_left", "black", "double_defend", cards="arm2 arm3"),
    ),
    *(
        case(
            f"double defence not in round {number}",
            given(round=number, black="arm2 arm3", raids=(raid("yellow", "black", "yellow1", 2),)),
            no("not_in_winter", "black", "double_defend", cards="arm2 arm3"),
            do("black", "defend", cards="arm2"),
        )
        for number in (11, 12)
    ),
)
def test_defence(case: Case) -> None:
    check(case)


WON = {"black": "arm4 stick horse", "raids": (raid("yellow", "black", "white3", 3),)}


@table(
    case(
        "a coup in defence as second action",
        given(**WON),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        expect(defence_coup_open=True, legal=["coup", "breed", "gift", "disdain", "donate", "hunt"]),
        do("black", "coup"),
        expect(
            prestige={"black": 1},
            turn="yellow",
            defence_coup_open=False,
            events=["CoupStruck", "PrestigeChanged", "TurnEnded", "OfferOpened", "TurnBegan"],
        ),
    ),
    case(
        "the free gift may come in between (R31)",
        given(**WON, alliances=({"black": "red2", "red": "black3"},)),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        do("black", "free_gift", card="horse"),
        do("red", "give", card="horse"),
        do("black", "coup"),
        expect(prestige={"black": 1}, turn="yellow"),
    ),
    case(
        "not if the defence was the second action",
        given(**WON, actions_left=1, alliances=({"black": "red2", "red": "black3"},)),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        expect(defence_coup_open=False, legal=["free_gift", "end"]),
    ),
    case(
        "not later",
        given(**WON, alliances=({"black": "red2", "red": "black3"},)),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        do("black", "breed"),
        expect(turn="black", defence_coup_open=False, legal=["free_gift", "end"]),
    ),
    case(
        "not against a young warrior (R04)",
        given(black="arm4 stick", raids=(raid("yellow", "black", "yellow1", 2),)),
        do("black", "defend", cards="arm4"),
        no("no_occasion", "black", "coup"),
    ),
    case(
        "two young warriors are not a lone one",
        given(black="arm4 stick", raids=(raid("yellow", "black", "white1 white2", 3),)),
        do("black", "defend", cards="arm4"),
        do("black", "coup"),
        expect(prestige={"black": 1}),
    ),
    case(
        "with three prestige a marker is left",
        given(**WON, prestige={"black": 3}),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        do("black", "coup"),
        expect(prestige={"black": 4}),
    ),
    case(
        "with four prestige no marker is left (R34)",
        given(**WON, prestige={"black": 4}),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        no("no_occasion", "black", "coup"),
    ),
    case(
        "a coup turns a marker on a raid if none is at home",
        given(
            "black yellow green red blue",
            black="arm4 stick",
            prestige={"black": 2},
            raids=(
                raid("black", "yellow", "white1", 1, "prestige"),
                raid("black", "green", "white2", 2),
                raid("black", "red", "white3", 3),
                raid("black", "blue", "white4", 4, "prestige"),
                raid("blue", "black", "blue2", 3),
            ),
        ),
        do("black", "defend", cards="arm4"),
        do("black", "coup"),
        expect(
            prestige={"black": 3},
            raids=[
                raid("black", "yellow", "white1", 1, "prestige"),
                raid("black", "green", "white2", 2, "prestige"),
                raid("black", "red", "white3", 3),
                raid("black", "blue", "white4", 4, "prestige"),
            ],
        ),
    ),
    case(
        "not in winter: there is no second action",
        given(**WON, round=10),  # type: ignore[arg-type]
        do("black", "defend", cards="arm4"),
        expect(turn="yellow", prestige={"black": 0}),
    ),
)
def test_coup_in_defence(case: Case) -> None:
    check(case)
