"""The roster, how long AI players think, and which games they can play."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.ai_players.brains import BRAINS, REASON_TIMINGS
from bot.ai_players.characters import ROSTER, STRENGTHS, TEMPERAMENTS, Character
from bot.ai_players.pace import MAX_THINKING_MILLIS, MIN_THINKING_MILLIS, thinking_millis
from bot.games.registry import KITS, register, unregister
from bot.host.lobby import MAX_SEATS


def test_the_roster_fills_the_largest_table() -> None:
    assert len({ai.name for ai in ROSTER}) == MAX_SEATS
    assert {ai.temperament for ai in ROSTER} == set(TEMPERAMENTS)
    assert all(ai.strength in STRENGTHS for ai in ROSTER)


def test_ai_players_can_play_only_games_with_a_brain() -> None:
    assert set(BRAINS) == {kit.name for kit in KITS if kit.brain is not None} == {"coyote", "plenty-coups"}


def test_a_brain_is_registered_and_unregistered_with_its_kit() -> None:
    kit = KITS[-1]
    assert kit.name in BRAINS
    untaught = replace(kit, brain=None)
    unregister(kit)
    try:
        register(untaught)
        assert kit.name not in BRAINS
        assert kit.name not in REASON_TIMINGS
    finally:
        unregister(untaught)
        register(kit)
    assert BRAINS[kit.name] is kit.brain
    assert REASON_TIMINGS[kit.name] is kit.reason_timing


def test_thinking_times_look_human_and_depend_only_on_the_seed() -> None:
    for ai in ROSTER:
        times = [thinking_millis(seed, ai) for seed in range(300)]
        assert times == [thinking_millis(seed, ai) for seed in range(300)]
        assert min(times) >= MIN_THINKING_MILLIS
        assert max(times) <= MAX_THINKING_MILLIS
        assert len(set(times)) > 200


def test_a_thinking_time_does_not_reveal_a_bluff() -> None:
    """Bluffs and thinking times come from the same seed; bluffs must not be quicker or slower than other moves."""
    ai = Character("Magpie", "bluffer", 3)
    times = {seed: thinking_millis(seed, ai) for seed in range(400)}
    middle = sorted(times.values())[200]
    bold = [seed for seed in times if Random(seed).random() < 0.5]
    quick = sum(times[seed] < middle for seed in bold)
    assert 0.4 < quick / len(bold) < 0.6
