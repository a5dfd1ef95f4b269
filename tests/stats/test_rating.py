from __future__ import annotations

from random import Random

import pytest

from bot.stats.rating import NEWCOMER, Skill, rate
from tests.stats.recount import plackett_luce


def test_everybody_begins_at_a_thousand() -> None:
    assert NEWCOMER.shown == 1000


def test_a_better_place_gains_more() -> None:
    after = rate([NEWCOMER] * 4, [3, 1, 4, 2])
    assert sorted(range(4), key=lambda seat: after[seat].shown, reverse=True) == [1, 3, 0, 2]
    assert after[1].shown > 1000 > after[2].shown
    assert all(skill.sigma < NEWCOMER.sigma for skill in after), "each game makes the estimate more certain"


def test_a_surprising_result_changes_ratings_more() -> None:
    strong, weak = Skill(32.0, 4.0), Skill(18.0, 4.0)
    expected = rate([strong, weak], [1, 2])
    surprise = rate([strong, weak], [2, 1])
    assert surprise[1].mu - weak.mu > expected[0].mu - strong.mu > 0


def test_ties_stay_equal_and_a_single_player_keeps_their_rating() -> None:
    first, second, _ = rate([NEWCOMER] * 3, [1, 1, 3])
    assert first == second
    assert rate([NEWCOMER], [1]) == [NEWCOMER]
    assert rate([], []) == []


def test_the_order_of_the_seats_makes_no_difference() -> None:
    skills = [Skill(20.0 + seat, 5.0 + seat / 3) for seat in range(5)]
    there = rate(skills, [1, 2, 3, 4, 5])
    back = rate(skills[::-1], [5, 4, 3, 2, 1])[::-1]
    for one, other in zip(there, back, strict=True):
        assert one == pytest.approx(other)


def test_ratings_follow_the_model_of_the_paper() -> None:
    rng = Random(1)
    for _ in range(200):
        skills = [Skill(rng.uniform(10, 40), rng.uniform(1, 9)) for _ in range(rng.randint(2, 12))]
        places = [rng.randint(1, len(skills)) for _ in skills]
        for one, other in zip(rate(skills, places), plackett_luce([*skills], places), strict=True):
            assert one == pytest.approx(other, rel=1e-9)
