"""Round summaries, final scoring and replays: golden files, Discord's limits, and what must never be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bot.engine.core import Seat
from bot.engine.views import public
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.cards import STICK, WARRIORS, Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.ui.highlights import highlight_lines
from bot.games.plenty_coups.ui.replay import round_ending
from bot.games.plenty_coups.ui.round_summary import ROUND_SCREENS
from bot.screens.layout import Screen
from bot.text.catalogue import languages
from tests.games.plenty_coups.rules.cases import do, given, raid
from tests.games.plenty_coups.ui import explained_scenes as scenes
from tests.games.plenty_coups.ui.tables import SAY, a_table
from tests.golden import matches_golden
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.text.speaking import PSEUDO, speaking

SCENES: dict[str, Callable[[], Iterator[tuple[str, Screen]]]] = {
    "summaries": scenes.summaries,
    "endings": scenes.endings,
    "replays": scenes.replays,
    "statistics": scenes.statistics,
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("scene", SCENES)
def test_golden_explanations(scene: str, language: str) -> None:
    with speaking(language):
        shown = [f"=== {name}\n{rendered(screen)}\n" for name, screen in SCENES[scene]()]
    matches_golden(f"plenty_coups_{scene}.txt", "\n".join(shown), language)


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
@pytest.mark.parametrize("scene", SCENES)
def test_explanations_fit_discord(scene: str, language: str) -> None:
    with speaking(language):
        for _, screen in SCENES[scene]():
            check_limits(screen)


def test_the_summary_is_never_the_table_message() -> None:
    over = scenes.played(given(turn="red", round=10), do("red", "end")).state
    assert not ROUND_SCREENS.is_over(public(GAME.view_for(over, None)))


def test_highlights_name_what_was_best() -> None:
    position = given(
        turn="black", phase="start", round=5, black="stick stick horse", raids=(raid("black", "yellow", "black4", 5),)
    )
    match = scenes.played(position, do("black", "take", cards="horse stick"), do("black", "coup"))
    told = highlight_lines(SAY, a_table(4), public(GAME.view_for(match.state, None)))
    assert told == [
        "Most coups: ⚫️ <@1001>, with 1.",
        "Strongest raid that came home: ⚫️ <@1001>'s on ⭐ <@1002>, attack 5 (black 4).",
    ]


def test_nothing_worth_remembering_is_not_told() -> None:
    quiet = scenes.played(given())
    assert highlight_lines(SAY, a_table(4), public(GAME.view_for(quiet.state, None))) == []


def test_the_longest_alliance_is_told_once() -> None:
    match = scenes.played(given(round=7, alliances=scenes.ALLIES))
    for name in (Tribe.BLACK, Tribe.YELLOW):
        camp = match.state.camps[name]
        match.state = match.state.with_camps(camp._replace(best=camp.best._replace(since=3)))
    told = highlight_lines(SAY, a_table(4), public(GAME.view_for(match.state, None)))
    assert told == ["Longest alliance: ⚫️ <@1001> and ⭐ <@1002>, for 4 rounds."]


def test_a_replay_names_the_gifts_of_an_exchange_to_those_who_may_see_them() -> None:
    shown = {name: rendered(screen) for name, screen in scenes.replays() if name.startswith("an exchange")}
    named = "⚫️ <@1001> gives **a coup stick**, and ⭐ <@1002> gives **weapon 3** in return."
    assert [named in screen for screen in shown.values()] == [True, False, True]


def test_a_round_is_labelled_with_what_it_brought() -> None:
    home = e.RaidCameHome(RaidOut(Tribe.BLACK, Tribe.RED, (WARRIORS[Tribe.BLACK, 1],), 2, False), True, False)
    coup = e.CoupStruck(Tribe.BLACK, True)
    assert round_ending(SAY, a_table(4), [home, coup, e.Undone(Tribe.BLACK, (coup,))]) == "Raids home: 1 · coups: 0"
    won = round_ending(SAY, a_table(4), [e.Taken(Tribe.RED, (STICK,)), e.MatchEnded((Seat(1),))])
    assert won == "Raids home: 0 · coups: 0 · won by Ben"
