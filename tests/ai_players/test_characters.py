"""The roster, how long AI players think, and which games they can play."""

from __future__ import annotations

from random import Random

from bot.ai_players.brains import BRAINS
from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS, Character
from bot.ai_players.pace import MAX_THINKING_MILLIS, MIN_THINKING_MILLIS, thinking_millis
from bot.games.kit import GameKit
from bot.games.registry import KITS, register, unregister
from bot.host.lobby import MAX_SEATS


def test_the_roster_fills_the_largest_table() -> None:
    assert len({ai.name for ai in ROSTER}) == MAX_SEATS
    assert {ai.temperament for ai in ROSTER} == set(TEMPERAMENTS)
    assert all(ai.strength in STRENGTHS for ai in ROSTER)


def test_only_games_with_a_brain_are_played() -> None:
    assert set(BRAINS) == {kit.name for kit in KITS if kit.brain is not None} == {"coyote"}


def test_a_brain_comes_and_goes_with_its_kit() -> None:
    kit = next(kit for kit in KITS if kit.brain is None)
    taught = GameKit(rules=kit.rules, title=kit.title, brain=BRAINS["coyote"])
    unregister(kit)
    try:
        register(taught)
        assert kit.name in BRAINS
    finally:
        unregister(taught)
        register(kit)
    assert kit.name not in BRAINS


def test_thinking_times_look_human_and_follow_from_the_seed() -> None:
    for ai in ROSTER:
        times = [thinking_millis(seed, ai) for seed in range(300)]
        assert times == [thinking_millis(seed, ai) for seed in range(300)]
        assert min(times) >= MIN_THINKING_MILLIS
        assert max(times) <= MAX_THINKING_MILLIS
        assert len(set(times)) > 200


def test_a_thinking_time_does_not_reveal_a_bluff() -> None:
    """The same seed decides on bluffs and thinking times; slow answers must be as frequent among bluffs."""
    ai = Character("Magpie", "bluffer", 3)
    times = {seed: thinking_millis(seed, ai) for seed in range(400)}
    middle = sorted(times.values())[200]
    bold = [seed for seed in times if Random(seed).random() < 0.5]
    quick = sum(times[seed] < middle for seed in bold)
    assert 0.4 < quick / len(bold) < 0.6
