"""What happened, in sentences."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.core import DEALER, Seat
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.cards import STICK, WARRIORS, WEAPONS, Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.ui.narration import event_line, news_lines
from tests.games.plenty_coups.ui.tables import SAY, a_table

BLACK, YELLOW, GREEN, RED, WHITE = Tribe.BLACK, Tribe.YELLOW, Tribe.GREEN, Tribe.RED, Tribe.WHITE
ON_YELLOW = RaidOut(BLACK, YELLOW, (WARRIORS[BLACK, 4],), 5, prestige_side=False)
ON_GREEN = RaidOut(BLACK, GREEN, (WARRIORS[RED, 2],), 2, prestige_side=True)
TABLE = a_table(4)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            e.Dealt((BLACK, YELLOW), (Seat(0), Seat(1))),
            "Three cards for each tribe. The turns go ⚫️ <@1001> and ⭐ <@1002>.",
        ),
        (e.RaidLaunched(ON_YELLOW), "⚫️ <@1001> raids ⭐ <@1002> with **black warrior 4**: attack **5**."),
        (e.RaidCameHome(ON_YELLOW, True, False), "The raid of ⚫️ <@1001> on ⭐ <@1002> comes home with a horse."),
        (
            e.RaidCameHome(ON_YELLOW, False, True),
            "The raid of ⚫️ <@1001> on ⭐ <@1002> goes home; there was no horse to buy it off with.",
        ),
        (
            e.RaidRepelled(ON_YELLOW, (WEAPONS[2], WEAPONS[3])),
            "⭐ <@1002> repels the raid of ⚫️ <@1001> (attack 5) with **weapon 2 and weapon 3**.",
        ),
        (
            e.GiftLaid(BLACK, GREEN, STICK),
            "⚫️ <@1001> discards **a coup stick** and lays a card face down before 🌲 <@1003>.",
        ),
        (
            e.AllianceMade(GREEN, WARRIORS[BLACK, 4], BLACK, WARRIORS[GREEN, 3]),
            "⚫️ <@1001> accepts with **green warrior 3**: 🌲 <@1003> and ⚫️ <@1001> are allies.",
        ),
        (e.AllianceEnded(BLACK, WHITE), "The alliance of ⚫️ <@1001> and ⬜ White is over."),
        (
            e.NeutralAllianceMade(RED, WARRIORS[WHITE, 1]),
            "🔺 <@1004> wins ⬜ White as a neutral ally with **white warrior 1**.",
        ),
        (e.PrestigeChanged(BLACK, 3), "⚫️ <@1001> now has prestige **3**."),
        (
            e.PrestigeChanged(BLACK, 4, ON_GREEN),
            "⚫️ <@1001> now has prestige **4**. The marker on the raid on 🌲 <@1003> turns to show it, so that raid no"
            " longer allows a coup.",
        ),
        (
            e.PrestigeChanged(BLACK, 0, ON_YELLOW),
            "⚫️ <@1001> now has prestige **0**. The marker on the raid on ⭐ <@1002> turns back, so that raid allows a"
            " coup again.",
        ),
        (e.Undone(RED, (e.Bred(RED),)), "🔺 <@1004> takes that back."),
        (e.SeatLeft(Seat(3)), "🔺 <@1004> has left for good; the tribe plays on by itself."),
        (e.MatchEnded((Seat(0), Seat(1))), "🏆 <@1001> and <@1002> win together."),
    ],
)
def test_events(event: e.Event, expected: str) -> None:
    assert event_line(SAY, TABLE, event) == expected


def test_a_raid_that_allows_no_coup_says_so() -> None:
    line = event_line(SAY, TABLE, e.RaidLaunched(ON_GREEN))
    assert line is not None
    assert line.endswith("The marker shows prestige already, so this raid allows no coup.")


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_event_of_whole_matches_has_a_sentence(players: int) -> None:
    table, rng, told = a_table(players), Random(players), set[type]()
    for _ in range(3):
        state = GAME.setup({}, players, None)
        while prompts := GAME.prompts(state):
            action = GAME.deal(state, rng) if prompts[0].seat == DEALER else prompts[0].pick(rng)
            state, events = GAME.apply(state, action)
            for event in events:
                line = event_line(SAY, table, event)
                assert (line is None) == isinstance(event, e.TurnEnded)
                told.add(type(event))
            assert len(news_lines(SAY, table, events)) <= 2
    assert {e.Dealt, e.RaidCameHome, e.HuntEnded, e.MatchEnded} <= told


def test_news_join_what_belongs_together() -> None:
    events: list[e.Event] = [
        e.TurnBegan(3, BLACK),
        e.Taken(BLACK, (STICK, STICK)),
        e.RaidCameHome(ON_YELLOW, True, False),
        e.RaidCameHome(ON_GREEN, False, False),
        e.CoupStruck(BLACK, True),
        e.PrestigeChanged(BLACK, 2),
        e.TurnEnded(BLACK),
        e.OfferOpened((STICK,)),
    ]
    assert news_lines(SAY, TABLE, events) == [
        "The raid of ⚫️ <@1001> on ⭐ <@1002> comes home with a horse. The raid of ⚫️ <@1001> on 🌲 <@1003> comes home"
        " without a horse: there was none to take.",
        "⚫️ <@1001> strikes a coup on return from a raid. ⚫️ <@1001> now has prestige **2**.",
    ]
    assert len(news_lines(SAY, TABLE, events, most=3)) == 3
    assert news_lines(SAY, TABLE, events[-2:]) == []


def test_news_tell_what_made_way_after_what_came_in_its_place() -> None:
    stronger = RaidOut(RED, YELLOW, (WARRIORS[RED, 4], WARRIORS[RED, 3]), 8, prestige_side=False)
    assert news_lines(SAY, TABLE, [e.RaidLost(ON_YELLOW), e.RaidLaunched(stronger)]) == [
        "🔺 <@1004> raids ⭐ <@1002> with **red warrior 4 and red warrior 3**: attack **8**. The raid of ⚫️ <@1001> on"
        " ⭐ <@1002> is over and brings nothing."
    ]


def test_what_the_end_costs_is_told_with_the_end() -> None:
    events: list[e.Event] = [
        e.HorsesGiven(BLACK, YELLOW, STICK),
        e.PrestigeChanged(BLACK, 3),
        e.TurnEnded(BLACK),
        e.RaidLost(ON_GREEN),
        e.PrestigeChanged(BLACK, 2),
        e.MatchEnded((Seat(1),)),
    ]
    assert news_lines(SAY, TABLE, events) == [
        "⚫️ <@1001> discards **a coup stick** and gives two horses to ⭐ <@1002>. ⚫️ <@1001> now has prestige **3**.",
        "🏆 <@1002> wins. The raid of ⚫️ <@1001> on 🌲 <@1003> is over and brings nothing. ⚫️ <@1001> now has prestige"
        " **2**.",
    ]


def test_disdain_and_its_answer_are_one_line() -> None:
    events: list[e.Event] = [
        e.Disdained(BLACK, YELLOW),
        e.AllianceEnded(BLACK, YELLOW),
        e.PrestigeChanged(BLACK, 0),
        e.WorthNotProved(YELLOW),
        e.PrestigeChanged(YELLOW, 1),
    ]
    assert news_lines(SAY, TABLE, events) == [
        "⚫️ <@1001> disdains ⭐ <@1002>. The alliance of ⚫️ <@1001> and ⭐ <@1002> is over. ⚫️ <@1001> now has prestige"
        " **0**. ⭐ <@1002> declines to answer. ⭐ <@1002> now has prestige **1**."
    ]
