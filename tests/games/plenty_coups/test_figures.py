"""Figures are counted from public events and agree with the view at the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Seat
from bot.games.plenty_coups.figures import COUPS, FIGURES, HORSES, PRESTIGE, RAIDS_HOME, count, without_undone
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.actions import Undo
from bot.games.plenty_coups.rules.cards import WARRIORS, WEAPONS, Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import PlentyCoupsView

BLACK, YELLOW, GREEN = Tribe.BLACK, Tribe.YELLOW, Tribe.GREEN
RAID = RaidOut(BLACK, YELLOW, (WARRIORS[BLACK, 4],), 5, prestige_side=False)
ON_THIRD = RaidOut(BLACK, GREEN, (WARRIORS[BLACK, 3],), 4, prestige_side=False)
DEALT = e.Dealt((YELLOW, GREEN, BLACK), (Seat(1), None, Seat(0)))


def _play(players: int, options: dict[str, Any], seed: int) -> tuple[list[e.Event], PlentyCoupsView]:
    """Play at random, taking something back now and then; return all events and the last view."""
    rng, state = Random(seed), GAME.setup(options, players, None)
    told: list[e.Event] = []
    while prompts := GAME.prompts(state):
        view = GAME.view_for(state, prompts[0].seat)
        if prompts[0].seat == DEALER:
            action: Any = GAME.deal(state, rng)
        elif view.may_undo and view.actor is not None and rng.random() < 0.2:
            action = Undo(prompts[0].seat, view.actor)
        else:
            action = prompts[0].pick(rng)
        state, events = GAME.apply(state, action)
        told += events
    return told, GAME.view_for(state, None)


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {}), (3, {"rounds": 5}), (4, {"tribes": ["white", "green", "black", "red"]}), (6, {})],
)
def test_the_figures_agree_with_the_last_view(players: int, options: dict[str, Any]) -> None:
    undone = 0
    for seed in range(4):
        events, view = _play(players, options, seed)
        undone += sum(isinstance(event, e.Undone) for event in events)
        counted = count(players, events)
        assert counted.rounds == view.options.last_round
        assert len(counted.seats) == players
        for camp in view.camps:
            if camp.owner is not None:
                figures = counted.seats[camp.owner]
                assert (figures.get(HORSES, 0), figures.get(PRESTIGE, 0)) == (camp.horses, camp.prestige)
                assert figures.get(COUPS, 0) == camp.best.coups
                assert set(figures) <= set(FIGURES.names)
        assert sum(figures.get(RAIDS_HOME, 0) for figures in counted.seats)
    assert undone


def test_every_figure_is_counted() -> None:
    events: list[e.Event] = [
        DEALT,
        e.TurnBegan(1, YELLOW),
        e.Bred(YELLOW),
        e.TurnBegan(2, BLACK),
        e.RaidLaunched(RAID),
        e.RaidLaunched(ON_THIRD),
        e.RaidRepelled(ON_THIRD, (WEAPONS[4],)),
        e.RaidCameHome(RAID, True, False),
        e.CoupStruck(BLACK, True),
        e.PrestigeChanged(BLACK, 1),
        e.Disdained(YELLOW, BLACK),
        e.AllianceMade(BLACK, WARRIORS[YELLOW, 3], YELLOW, WARRIORS[BLACK, 3]),
        e.HorsesGiven(BLACK, YELLOW, WEAPONS[2]),
    ]
    counted = count(2, events)
    assert counted.rounds == 2
    black, yellow = counted.seats
    assert dict(black) == {
        "horses": 0,
        "raids": 2,
        "raids_home": 1,
        "coups": 1,
        "prestige": 1,
        "alliances": 1,
    }
    assert dict(yellow) == {"horses": 3, "disdains": 1, "alliances": 1}
    assert counted.duels == ((0, 1, 1),)


def test_horses_of_the_third_tribe_are_nobodys_loss() -> None:
    home: list[e.Event] = [DEALT, e.RaidCameHome(ON_THIRD, True, False)]
    assert count(2, home).duels == ()


def test_what_was_taken_back_is_not_counted() -> None:
    raid, coup = e.RaidLaunched(RAID), e.CoupStruck(BLACK, True)
    events: list[e.Event] = [DEALT, coup, raid, e.Undone(BLACK, (raid,)), e.Undone(BLACK, (coup,)), e.Bred(BLACK)]
    assert without_undone(events) == [DEALT, e.Bred(BLACK)]


def test_a_match_that_never_began_counts_nothing() -> None:
    counted = count(3, [e.SeatLeft(Seat(0)), e.SeatLeft(Seat(1)), e.MatchEnded((Seat(2),))])
    assert (counted.rounds, [dict(each) for each in counted.seats]) == (0, [{}, {}, {}])
