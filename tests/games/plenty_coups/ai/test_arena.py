"""Duels in the arena are repeatable, and fair to both sides."""

from __future__ import annotations

from collections import Counter

import pytest

from bench import arena, players
from bench.arena import Job, arrangements, line, play
from bot.ai_players.characters import Character

EXPERT = Character("the AI", "counter", 3)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_both_sides_have_every_seat_equally_often(size: int) -> None:
    cycle = arrangements(size, duel=True)
    seats = Counter(seat for mine in cycle for seat in mine)
    assert all(seats[seat] * 2 == len(cycle) for seat in range(size))
    everybody = frozenset(range(size))
    assert Counter(cycle) == Counter(everybody - mine for mine in cycle), "mirrored"


def test_outside_of_duels_there_is_one_ai_player_in_each_seat_in_turn() -> None:
    assert arrangements(4, duel=False) == [frozenset({seat}) for seat in range(4)]


def test_the_same_seed_gives_the_same_games() -> None:
    job = Job("plenty-coups", EXPERT, "ai1", {}, 3, 3, range(6), duel=True)
    first, again = play(job), play(job)
    assert (first.wins, len(first.moves)) == (again.wins, len(again.moves))
    assert len({len(play(job._replace(seed=seed)).moves) for seed in (4, 5, 6)}) > 1
    assert "3 players, against ai1" in line(job, [first])
    assert "wanted: at least 75%" in line(job, [first])


def test_a_player_gets_half_against_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Winners are seats by turns here, so every arrangement and its mirror image even out; allies share a win."""
    won = iter([(0,), (0,), (1,), (1,), (0, 1), (0, 1)])
    monkeypatch.setattr(arena, "match", lambda *_: next(won))
    cycle = arrangements(3, duel=True)
    assert len(cycle) == 6
    assert play(Job("plenty-coups", EXPERT, "aimless", {}, 3, 1, range(6), duel=True)).wins == 3


def test_plenty_coups_is_played_by_two_three_and_four() -> None:
    usual = players.opposition("plenty-coups")
    assert (usual.sizes, usual.matches, usual.duel) == ((2, 3, 4), 1000, True)
    assert dict(usual.wanted) == {"ai1": 0.75, "aimless": 0.95}


def test_wins_shared_with_an_opponent_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The AI player has seats 0 and 1 first, then 2 and 3: it wins alone, with an opponent, as a pair, not at all."""
    won = iter([(0,), (0, 2), (0, 1), (0, 1)])
    monkeypatch.setattr(arena, "match", lambda *_: next(won))
    monkeypatch.setattr(arena, "arrangements", lambda *_, **__: [frozenset({0, 1})] * 3 + [frozenset({2, 3})])
    job = Job("plenty-coups", EXPERT, "ai1", {}, 4, 1, range(4), duel=True)
    tally = play(job)
    assert (tally.wins, tally.shared) == (2.5, 1)
    assert "25.0% shared" in line(job, [tally._replace(moves=(1.0,))])


def test_one_ai_player_against_a_whole_table_has_no_aim() -> None:
    job = Job("plenty-coups", EXPERT, "aimless", {}, 3, 3, range(3))
    written = line(job, [play(job)])
    assert "against 2 × aimless" in written
    assert "wanted" not in written
