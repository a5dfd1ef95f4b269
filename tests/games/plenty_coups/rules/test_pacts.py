"""Sections 5 and 6: proposals, alliances with players and neutral colours, disdain."""

from __future__ import annotations

from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, hand, no, raid, table

BLACK_AND_RED = ({"black": "red2", "red": "black3"},)


@table(
    case(
        "a proposal stands, is public and costs an action",
        given(black="red2 horse"),
        do("black", "propose", target="red", card="red2"),
        expect(
            proposals=[{"by": "black", "to": "red", "card": "red2"}],
            hand=hand(black="horse"),
            actions_left=1,
            events=["AllianceProposed"],
        ),
    ),
    case(
        "it ends at the proposer's next turn",
        given(phase="start", black="horse", proposals={"black": "red2", "yellow": "green2"}),
        expect(
            proposals=[{"by": "yellow", "to": "green", "card": "green2"}],
            discard=["red2"],
            phase="take",
            events=["TurnBegan", "ProposalDropped"],
        ),
    ),
    case(
        "which targets and warriors are allowed",
        given(black="red2 yellow3 green1 blue1 arm4", raids=(raid("black", "yellow", "yellow1", 1),)),
        no("raid_between", "black", "propose", target="yellow", card="yellow3"),
        no("wrong_cards", "black", "propose", target="red", card="yellow3"),
        no("wrong_cards", "black", "propose", target="red", card="arm4"),
        no("not_held", "black", "propose", target="red", card="red3"),
        no("no_other_tribe", "black", "propose", target="black", card="red2"),
        no("no_other_tribe", "black", "propose", target="blue", card="blue1"),
        no("malformed", "black", "propose", target="red"),
        do("black", "propose", target="green", card="green1"),
    ),
    case(
        "four players or more",
        given("black yellow green", black="green2"),
        no("too_few_players lowest=4", "black", "propose", target="green", card="green2"),
    ),
    case(
        "not twice at a time (R14)",
        given(black="yellow2 red4", proposals={"black": "red2"}),
        no("proposing", "black", "propose", target="yellow", card="yellow2"),
        no("proposing", "black", "propose", target="red", card="red4"),
    ),
    case(
        "not while allied",
        given(black="yellow2", alliances=BLACK_AND_RED),
        no("allied", "black", "propose", target="yellow", card="yellow2"),
    ),
    case(
        "not with a neutral ally (R15)",
        given(black="yellow2", neutral={"black": "blue1"}),
        no("allied", "black", "propose", target="yellow", card="yellow2"),
    ),
    case(
        "no action left",
        given(black="yellow2", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "propose", target="yellow", card="yellow2"),
    ),
    case(
        "outbidding needs a higher card, and the rival's card is discarded",
        given(black="red1 red3", proposals={"yellow": "red2", "green": "yellow1"}),
        no("too_low above=2", "black", "propose", target="red", card="red1"),
        do("black", "propose", target="red", card="red3"),
        expect(
            proposals=[
                {"by": "black", "to": "red", "card": "red3"},
                {"by": "green", "to": "yellow", "card": "yellow1"},
            ],
            discard=["red2"],
            events=["ProposalDropped", "AllianceProposed"],
        ),
    ),
    case(
        "the card must beat that of the target's ally",
        given(black="red2 red4 green1", alliances=({"yellow": "red3", "red": "yellow1"},)),
        no("too_low above=3", "black", "propose", target="red", card="red2"),
        do("black", "propose", target="red", card="red4"),
        do("black", "hunt", discard="green1"),
    ),
    case(
        "the card must beat both the rival and the ally",
        given(
            black="red2 red4",
            proposals={"green": "red3"},
            alliances=({"yellow": "red1", "red": "yellow1"},),
        ),
        no("too_low above=3", "black", "propose", target="red", card="red2"),
        do("black", "propose", target="red", card="red4"),
    ),
    case(
        "a neutral ally of the target sets no minimum",
        given(black="red1", neutral={"red": "blue4"}),
        do("black", "propose", target="red", card="red1"),
    ),
    case(
        "the target's raid is bought off with a horse (R25)",
        given(
            black="red1 horse",
            raids=(raid("red", "black", "white3", 3), raid("red", "green", "white2", 2)),
        ),
        do("black", "propose", target="red", card="red1"),
        expect(
            raids=[raid("red", "green", "white2", 2)],
            horses={"black": 2, "red": 4},
            discard=["white3"],
            coups_open=0,
            events=["AllianceProposed", "RaidCameHome"],
        ),
    ),
    case(
        "an empty herd buys off for nothing",
        given(black="red1", raids=(raid("red", "black", "white3", 3),), horses={"black": 0}),
        do("black", "propose", target="red", card="red1"),
        expect(raids=[], horses={"black": 0, "red": 3}),
    ),
    case(
        "another's raid stays",
        given(black="red1", raids=(raid("green", "black", "white3", 3),)),
        do("black", "propose", target="red", card="red1"),
        expect(raids=[raid("green", "black", "white3", 3)]),
    ),
)
def test_propose(case: Case) -> None:
    check(case)


@table(
    case(
        "an alliance is made, and the proposer gains (R24)",
        given(black="red2 horse", proposals={"red": "black1", "black": "yellow2"}),
        do("black", "accept", target="red", card="red2"),
        expect(
            alliances=[{"cards": {"black": "red2", "red": "black1"}}],
            proposals=[],
            discard=["yellow2"],
            prestige={"black": 0, "red": 1},
            actions_left=1,
            hand=hand(black="horse"),
            events=["ProposalDropped", "AllianceMade", "PrestigeChanged"],
        ),
    ),
    case(
        "only a proposal made to us, with a warrior of the proposer",
        given(black="red2 green3 yellow1 arm4 red4", proposals={"red": "black1", "green": "yellow3"}),
        no("no_proposal", "black", "accept", target="green", card="green3"),
        no("no_proposal", "black", "accept", target="yellow", card="yellow1"),
        no("wrong_cards", "black", "accept", target="red", card="green3"),
        no("wrong_cards", "black", "accept", target="red", card="arm4"),
        no("not_held", "black", "accept", target="red", card="red3"),
        no("no_other_tribe", "black", "accept", target="black", card="red2"),
        no("no_other_tribe", "black", "accept", target="blue", card="red2"),
    ),
    case(
        "no action left",
        given(
            "black yellow green red blue",
            black="blue4",
            proposals={"blue": "black4"},
            actions_left=0,
            alliances=BLACK_AND_RED,
        ),
        no("no_action_left", "black", "accept", target="blue", card="blue4"),
    ),
    case(
        "a better alliance ends the old one, at no loss",
        given(
            "black yellow green red blue",
            black="green1 green2",
            proposals={"green": "black4"},
            alliances=BLACK_AND_RED,
            prestige={"black": 1, "red": 1},
        ),
        no("too_low at_least=2", "black", "accept", target="green", card="green1"),
        do("black", "accept", target="green", card="green2"),
        expect(
            alliances=[{"cards": {"black": "green2", "green": "black4"}}],
            discard=["black3", "red2"],
            prestige={"black": 1, "red": 1, "green": 1},
            events=["AllianceEnded", "AllianceMade", "PrestigeChanged"],
        ),
    ),
    case(
        "a proposal must still beat the present ally (R29)",
        given(black="green4", proposals={"green": "black3"}, alliances=({"black": "red2", "red": "black4"},)),
        no("proposal_too_low above=4", "black", "accept", target="green", card="green4"),
    ),
    case(
        "an equal proposal does not beat the present ally",
        given(black="green4", proposals={"green": "black2"}, alliances=({"black": "red2", "red": "black3"},)),
        no("proposal_too_low above=3", "black", "accept", target="green", card="green4"),
    ),
    case(
        "a neutral alliance is given up for a player's",
        given(black="green1 green3", proposals={"green": "black1"}, neutral={"black": "blue2"}),
        no("too_low at_least=2", "black", "accept", target="green", card="green1"),
        do("black", "accept", target="green", card="green3"),
        expect(
            alliances=[{"cards": {"black": "green3", "green": "black1"}}],
            neutral={},
            discard=["blue2"],
        ),
    ),
    case(
        "the proposer at four prestige gains nothing",
        given(black="red2", proposals={"red": "black1"}, prestige={"red": 4}),
        do("black", "accept", target="red", card="red2"),
        expect(prestige={"red": 4}),
    ),
)
def test_accept(case: Case) -> None:
    check(case)


@table(
    case(
        "a neutral alliance cancels the tribe's own proposal and brings no prestige",
        given(black="blue2 horse", proposals={"black": "yellow2"}),
        do("black", "neutral", card="blue2"),
        expect(
            neutral={"black": "blue2"},
            proposals=[],
            discard=["yellow2"],
            prestige={"black": 0},
            actions_left=1,
            hand=hand(black="horse"),
            events=["ProposalDropped", "NeutralAllianceMade"],
        ),
    ),
    case(
        "only a warrior of a colour not in play",
        given(black="red2 arm4 horse black1"),
        no("wrong_cards", "black", "neutral", card="red2"),
        no("wrong_cards", "black", "neutral", card="black1"),
        no("wrong_cards", "black", "neutral", card="arm4"),
        no("not_held", "black", "neutral", card="blue2"),
    ),
    case(
        "not while allied to a player",
        given(black="blue4", alliances=BLACK_AND_RED),
        no("allied", "black", "neutral", card="blue4"),
    ),
    case(
        "no action left",
        given(black="blue4", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "neutral", card="blue4"),
    ),
    case(
        "a change: another colour, not below the old card",
        given(black="white1 white2 blue4", neutral={"black": "blue2"}),
        no("too_low at_least=2", "black", "neutral", card="white1"),
        no("wrong_cards", "black", "neutral", card="blue4"),
        do("black", "neutral", card="white2"),
        expect(neutral={"black": "white2"}, discard=["blue2"], events=["AllianceEnded", "NeutralAllianceMade"]),
    ),
    case(
        "won from another tribe with more",
        given(black="blue2 blue4", neutral={"yellow": "blue3", "red": "white4"}),
        no("too_low above=3", "black", "neutral", card="blue2"),
        do("black", "neutral", card="blue4"),
        expect(neutral={"black": "blue4", "red": "white4"}, discard=["blue3"], prestige={"yellow": 0}),
    ),
    case(
        "an equal card is not more",
        given("black yellow green", black="blue3", neutral={"yellow": "blue4"}),
        no("too_low above=4", "black", "neutral", card="blue3"),
    ),
    case(
        "changed and won at once",
        given(black="blue4", neutral={"black": "white4", "yellow": "blue3"}),
        do("black", "neutral", card="blue4"),
        expect(neutral={"black": "blue4"}, discard=["blue3", "white4"]),
    ),
    case(
        "the third tribe is not neutral (R22)",
        given("black green yellow", players=2, black="green4 blue1"),
        no("wrong_cards", "black", "neutral", card="green4"),
        do("black", "neutral", card="blue1"),
    ),
)
def test_neutral_alliance(case: Case) -> None:
    check(case)


@table(
    case(
        "the target answers at once; the stick stays",
        given(black="stick stick horse", green="arm3 arm4 stick red4", prestige={"green": 2}),
        do("black", "disdain", target="green"),
        expect(
            phase="disdain",
            actor="green",
            turn="black",
            actions_left=1,
            disdained=["green"],
            legal=["prove", "decline"],
            hand=hand(black="horse stick"),
            events=["Disdained"],
        ),
        no("not_your_decision", "black", "decline"),
        no("not_now", "green", "give", card="arm3"),
        no("proves_nothing", "green", "prove", card="arm3"),
        no("not_held", "green", "prove", card="blue4"),
        do("green", "prove", card="red4"),
        expect(
            phase="act",
            actor="black",
            prestige={"green": 2},
            discard=["red4"],
            hand=hand(green="arm3 arm4 stick"),
            disdained=["green"],
            events=["WorthProved"],
        ),
        no("already_disdained", "black", "disdain", target="green"),
        do("black", "disdain", target="yellow"),
    ),
    *(
        case(
            f"{proof} proves the worth",
            given(black="stick", green=f"{proof} horse"),
            do("black", "disdain", target="green"),
            do("green", "prove", card=proof),
            expect(hand=hand(green="horse")),
        )
        for proof in ("stick", "arm4", "blue4")
    ),
    case(
        "declining costs one prestige, also with a proof in hand (R16)",
        given(black="stick", green="stick", prestige={"green": 2, "black": 1}),
        do("black", "disdain", target="green"),
        do("green", "decline"),
        expect(
            prestige={"green": 1, "black": 1}, hand=hand(green="stick"), events=["WorthNotProved", "PrestigeChanged"]
        ),
    ),
    case(
        "nothing is lost at zero (R08)",
        given(black="stick", green=""),
        do("black", "disdain", target="green"),
        expect(legal=["decline"]),
        do("green", "decline"),
        expect(prestige={"green": 0}, events=["WorthNotProved"]),
    ),
    case(
        "disdaining the ally ends the alliance and costs prestige",
        given(black="stick", red="arm4", prestige={"black": 2, "red": 2}, alliances=BLACK_AND_RED),
        do("black", "disdain", target="red"),
        expect(
            alliances=[],
            prestige={"black": 1, "red": 2},
            discard=["black3", "red2"],
            events=["Disdained", "AllianceEnded", "PrestigeChanged"],
        ),
        do("red", "prove", card="arm4"),
        expect(prestige={"black": 1, "red": 2}),
    ),
    case(
        "disdaining another tribe does not affect the alliance",
        given(black="stick", prestige={"black": 2}, alliances=BLACK_AND_RED),
        do("black", "disdain", target="green"),
        expect(alliances=[{"cards": {"black": "red2", "red": "black3"}}], prestige={"black": 2}),
    ),
    case(
        "whom and when",
        given(black="stick", disdained="yellow"),
        no("already_disdained", "black", "disdain", target="yellow"),
        no("no_other_tribe", "black", "disdain", target="black"),
        no("no_other_tribe", "black", "disdain", target="blue"),
    ),
    case(
        "nobody left to disdain",
        given("black yellow green", black="stick", disdained="yellow green"),
        expect(legal=["donate", "hunt"]),
    ),
    case("a stick is needed", given(black="arm4"), no("not_held", "black", "disdain", target="red")),
    case(
        "no action left",
        given(black="stick", actions_left=0, alliances=BLACK_AND_RED),
        no("no_action_left", "black", "disdain", target="green"),
    ),
    case("in round 9", given(round=9, black="stick"), do("black", "disdain", target="red")),
    case("not in winter", given(round=10, black="stick"), no("not_in_winter", "black", "disdain", target="red")),
    case(
        "a loss turns a marker at home first",
        given(
            black="stick",
            green="",
            prestige={"green": 2},
            raids=(raid("green", "red", "green1", 2, "prestige"),),
        ),
        do("black", "disdain", target="green"),
        do("green", "decline"),
        expect(prestige={"green": 1}, raids=[raid("green", "red", "green1", 2, "prestige")]),
    ),
    case(
        "without one at home, a loss turns the marker on the oldest raid with a prestige side",
        given(
            "black yellow green red blue",
            black="stick",
            green="",
            prestige={"green": 2},
            raids=(
                raid("green", "red", "green1", 2),
                raid("green", "yellow", "green2", 3, "prestige"),
                raid("green", "black", "green3", 4, "prestige"),
            ),
        ),
        do("black", "disdain", target="green"),
        do("green", "decline"),
        expect(
            prestige={"green": 1},
            raids=[
                raid("green", "red", "green1", 2),
                raid("green", "yellow", "green2", 3),
                raid("green", "black", "green3", 4, "prestige"),
            ],
        ),
    ),
)
def test_disdain(case: Case) -> None:
    check(case)
