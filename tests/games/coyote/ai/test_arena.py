"""The arena is repeatable, and its simple opponents play as documented."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.arena import Job, match, play, wilson
from bench.players import Player, gap, plain, wild
from bot.ai_players.characters import Character
from bot.engine.core import Prompt
from bot.games.coyote.ai.odds import odds
from bot.games.coyote.rules.actions import Bid, Call
from bot.games.coyote.rules.view import CoyoteView


def test_intervals_are_wilsons() -> None:
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0, 10)[0] == pytest.approx(0, abs=1e-9)


def test_the_same_seed_gives_the_same_games() -> None:
    job = Job(
        "coyote",
        Character("a beginner", "steady", 1),
        "wild",
        {"edition": "feathers", "variant": False},
        4,
        3,
        range(8),
    )
    first, again = play(job), play(job)
    assert (first.wins, first.matches, len(first.moves)) == (again.wins, again.matches, len(again.moves))
    assert len({len(play(job._replace(seed=seed)).moves) for seed in (4, 5, 6)}) > 1


@pytest.mark.parametrize("player", [plain, gap, wild])
def test_simple_opponents_play_as_documented(player: Player) -> None:
    def watched(view: CoyoteView, prompt: Prompt, rng: Random) -> Any:
        action = player(view, prompt, rng)
        assert prompt.allows(action)
        if player is not wild and view.bid is not None:
            chances = odds(view)
            assert isinstance(action, Call) == (chances.at_least(view.bid) < 0.2)
            if isinstance(action, Bid):
                most = chances.highest(0.2)
                step = 1 if player is plain else max(1, (most - view.bid + 1) // 2)
                assert action.number == view.bid + step
        if player is wild and isinstance(action, Bid):
            assert 1 <= action.number - (view.bid or 0) <= 5
        return action

    match("coyote", [watched] * 4, {}, Random(2))
