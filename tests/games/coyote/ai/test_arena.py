"""The arena is repeatable, and its simple opponents play as documented."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.arena import Job, match, play, wilson
from bench.players import Player, gap, named, plain, wild
from bench.repeater import as_they_saw_it
from bot.ai_players.characters import Character
from bot.engine.core import Prompt, Seat
from bot.games.coyote.ai.brain import policy
from bot.games.coyote.ai.odds import odds
from bot.games.coyote.rules import game as coyote
from bot.games.coyote.rules.actions import Bid, Call
from bot.games.coyote.rules.view import CoyoteView


def test_intervals_follow_wilsons_formula() -> None:
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


def test_the_repeater_knows_what_the_others_saw() -> None:
    """Given its real feather, it computes the same policy for another seat as an expert in that seat."""
    rng, expert = Random(5), Character("x", "steady", 3)
    state = coyote.apply(coyote.setup({}, 4, Seat(0)), coyote.deal(coyote.setup({}, 4, Seat(0)), rng)).state
    seen: list[tuple[Seat, dict[Any, float]]] = []
    for number in (3, 5, 6, 9, 11):
        (prompt,) = coyote.prompts(state)
        seen.append((prompt.seat, policy(coyote.view_for(state, prompt.seat), prompt, expert)))
        state = coyote.apply(state, Bid(prompt.seat, number)).state
    me = Seat(3)
    (card,) = state.round.cards.worn[me]
    view = coyote.view_for(state, me)
    for place, (seat, likely) in enumerate(seen):
        if seat != me:
            assert policy(*as_they_saw_it(view, card, seat, view.ladder[:place]), expert) == pytest.approx(likely)


def test_the_repeater_plays_a_whole_match() -> None:
    expert = named("coyote", "ai3")
    assert match("coyote", [named("coyote", "repeater"), expert, expert], {"threshold": 2}, Random(1))
