"""The events of each move, field by field."""

from __future__ import annotations

from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, raid, table

BLACK_AND_RED = ({"black": "red2", "red": "black3"},)


@table(
    case(
        "a turn begins",
        given(phase="start", black="arm2 arm3", disdained="black", proposals={"black": "red1"}),
        expect(told=["TurnBegan 5 black", "StickLifted black 1", "ProposalDropped black red1"]),
    ),
    case(
        "a stick is lifted at no cost",
        given(phase="start", black="arm2 arm3 arm4", disdained="black"),
        expect(told=["TurnBegan 5 black", "StickLifted black 0"]),
    ),
    case(
        "taking and coming home",
        given(
            phase="start",
            black="arm2",
            offer="stick horse arm3 arm4",
            raids=(raid("black", "red", "red1", 1), raid("black", "green", "red2", 2)),
            horses={"green": 0},
        ),
        do("black", "take", cards="stick arm3"),
        expect(told=["Taken black arm3+stick", "RaidCameHome black>red yes no", "RaidCameHome black>green no no"]),
        do("black", "coup"),
        expect(told=["CoupStruck black yes", "PrestigeChanged black 1"]),
    ),
    case(
        "a gain turns the marker on a raid",
        given(black="stick", raids=(raid("black", "red", "red1", 1),), prestige={"black": 3}, coups_open=1),
        do("black", "coup"),
        expect(told=["CoupStruck black yes", "PrestigeChanged black 4 black>red"]),
    ),
    case(
        "a loss turns the marker on a raid back",
        given(black="stick", prestige={"green": 1}, raids=(raid("green", "red", "green1", 2, "prestige"),)),
        do("black", "disdain", target="green"),
        do("green", "decline"),
        expect(told=["WorthNotProved green", "PrestigeChanged green 0 green>red"]),
    ),
    case(
        "a raid displaces another",
        given(black="black4", raids=(raid("green", "yellow", "green1", 2),)),
        do("black", "raid", target="yellow", cards="black4"),
        expect(told=["RaidLost green>yellow", "RaidLaunched black>yellow"]),
    ),
    case(
        "a defence and its coup",
        given(black="arm4 stick", raids=(raid("green", "black", "white2", 2),)),
        do("black", "defend", cards="arm4"),
        expect(told=["RaidRepelled green>black arm4"]),
        do("black", "coup"),
        expect(
            told=[
                "CoupStruck black no",
                "PrestigeChanged black 1",
                "TurnEnded black",
                "OfferOpened black1+black2",
                "TurnBegan 5 yellow",
            ]
        ),
    ),
    case(
        "a double defence",
        given(black="arm4 arm2", raids=(raid("green", "black", "white2", 2),), offer="arm3 arm3 stick horse", round=10),
        do("black", "double_defend", cards="arm4 arm2"),
        expect(told=["RaidRepelled green>black arm2+arm4", "TurnEnded black", "TurnBegan 10 yellow"]),
    ),
    case("breeding", given(black="horse"), do("black", "breed"), expect(told=["Bred black"])),
    case(
        "a gift",
        given(black="arm2 arm3"),
        do("black", "gift", target="green", discard="arm2", card="arm3"),
        expect(told=["GiftLaid black green arm2"]),
        do("green", "give", card="horse"),
        expect(told=["GiftsExchanged black green"]),
    ),
    case(
        "a free gift",
        given(black="arm2", alliances=BLACK_AND_RED),
        do("black", "free_gift", card="arm2"),
        expect(told=["GiftLaid black red -"]),
        do("red", "give", card="horse"),
        expect(told=["GiftsExchanged black red"]),
    ),
    case(
        "a proposal that outbids and buys off",
        given(black="red4", proposals={"green": "red3"}, raids=(raid("red", "black", "white1", 1),)),
        do("black", "propose", target="red", card="red4"),
        expect(
            told=["ProposalDropped green red3", "AllianceProposed black red red4", "RaidCameHome red>black yes yes"]
        ),
    ),
    case(
        "a change of alliance",
        given(black="green4", proposals={"green": "black4"}, alliances=BLACK_AND_RED, prestige={"green": 1}),
        do("black", "accept", target="green", card="green4"),
        expect(told=["AllianceEnded black red", "AllianceMade green black4 black green4", "PrestigeChanged green 2"]),
    ),
    case(
        "neutral alliances won, broken and given up",
        given(black="blue4", neutral={"black": "white3", "red": "blue2"}),
        do("black", "neutral", card="blue4"),
        expect(told=["AllianceEnded red blue", "AllianceEnded black white", "NeutralAllianceMade black blue4"]),
    ),
    case(
        "disdain of the ally, proved",
        given(black="stick", red="arm4", alliances=BLACK_AND_RED, prestige={"black": 3}),
        do("black", "disdain", target="red"),
        expect(told=["Disdained black red", "AllianceEnded black red", "PrestigeChanged black 2"]),
        do("red", "prove", card="arm4"),
        expect(told=["WorthProved red arm4"]),
    ),
    case(
        "disdain, not proved",
        given(black="stick", prestige={"green": 1}),
        do("black", "disdain", target="green"),
        do("green", "decline"),
        expect(told=["WorthNotProved green", "PrestigeChanged green 0"]),
    ),
    case(
        "horses given",
        given(black="arm2"),
        do("black", "donate", target="green", discard="arm2"),
        expect(told=["HorsesGiven black green arm2", "PrestigeChanged black 1"]),
    ),
    case(
        "a hunt",
        given(black="arm2 arm3 arm4"),
        do("black", "hunt", discard="arm2"),
        expect(told=["Hunted black arm2"]),
        do("black", "hunt_discard", cards="arm4 arm3"),
        expect(told=["HuntEnded black arm3+arm4"]),
    ),
    case(
        "an offer that is replaced",
        given(black="horse", actions_left=1, offer="arm3 arm3", pile="white2 arm3 blue3 blue1 blue2 stick"),
        do("black", "breed"),
        expect(
            told=[
                "Bred black",
                "TurnEnded black",
                "OfferOpened white2+arm3",
                "OfferVoided white2+arm3+arm3+arm3",
                "OfferOpened blue1+blue2+blue3+stick",
                "TurnBegan 5 yellow",
            ]
        ),
    ),
    case(
        "the end",
        given(
            round=12,
            turn="red",
            red="",
            prestige={"black": 2, "red": 1},
            horses={"red": 0},
            raids=(raid("green", "yellow", "white1", 1),),
        ),
        do("red", "end"),
        expect(told=["TurnEnded red", "RaidLost green>yellow", "PrestigeChanged red 0", "MatchEnded 0"]),
    ),
    case(
        "leaving",
        given("black yellow green", black="horse arm2"),
        do("green", "leave"),
        expect(told=["SeatLeft 2"]),
        do("black", "leave"),
        expect(told=["SeatLeft 0", "MatchEnded 1"]),
    ),
)
def test_events(case: Case) -> None:
    check(case)
