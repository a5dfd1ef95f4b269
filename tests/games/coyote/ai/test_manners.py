"""AI players are kind to newcomers: low openings, small raises, and no call before a person has had a turn."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.ai_players.characters import STRENGTHS, TEMPERAMENTS, Character
from bot.engine.core import DEALER, Seat
from bot.games.coyote.ai.brain import policy, think, with_manners
from bot.games.coyote.ai.odds import odds
from bot.games.coyote.rules import game as coyote
from bot.games.coyote.rules.actions import Bid, Call, Flip
from bot.games.coyote.rules.state import State
from tests.games.coyote.rules.cases import table

EDITIONS: tuple[dict[str, Any], ...] = (
    {},
    {"variant": True},
    {"edition": "scout", "variant": True},
    {"edition": "peek"},
)


def moments(options: dict[str, Any], seed: int, steps: int = 40) -> list[State]:
    """Play at random with low bids; return the moments at which a player is asked."""
    rng = Random(seed)
    state, found = coyote.setup(options, 4, Seat(0)), []
    for _ in range(steps):
        (prompt, *_) = coyote.prompts(state) or (None,)
        if prompt is None:
            break
        if prompt.seat == DEALER:
            state = coyote.apply(state, coyote.deal(state, rng)).state
            continue
        found.append(state)
        bids = [each for each in prompt.choices if each.verb is Bid and each.fields[1] == (None,)]
        call = Call(prompt.seat)
        if prompt.allows(call) and (not bids or rng.random() < 0.2):
            state = coyote.apply(state, call).state
        else:
            lowest = max(bids[0].fields[0][0], 1)  # type: ignore[index]  # a range
            state = coyote.apply(state, Bid(prompt.seat, lowest + rng.randrange(4))).state
    return found


@pytest.mark.parametrize("options", EDITIONS)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_gentle_player_opens_safely_and_raises_in_small_steps(options: dict[str, Any], strength: int) -> None:
    for seed, state in enumerate(moments(options, strength)):
        (prompt, *_) = coyote.prompts(state)
        view = coyote.view_for(state, prompt.seat)
        ai = Character("x", TEMPERAMENTS[seed % len(TEMPERAMENTS)], strength, is_gentle=True)
        action = think(view, prompt, ai, seed).action
        assert prompt.allows(action)
        if not isinstance(action, Bid):
            continue
        if view.bid is None:
            lowest = 1 if state.rules.min_bid is None else state.rules.min_bid
            assert action.number <= lowest or odds(view).at_least(action.number) >= 0.9
        else:
            assert action.number <= view.bid + 3


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
@pytest.mark.parametrize("strength", [2, 3])
def test_a_gentle_player_does_not_call_a_bid_that_surely_holds(temperament: str, strength: int) -> None:
    game = table("x2 10 10 10 4 3", edition="scout", players=6).play("A bid 5")
    ai = Character("x", temperament, strength, is_gentle=True)
    moves = [think(game.view("B"), game.prompt, ai, seed).action for seed in range(100)]
    assert {move.number for move in moves if isinstance(move, Bid)} == {8}
    assert not any(isinstance(move, Call) for move in moves)


@pytest.mark.parametrize("options", EDITIONS)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_patient_player_does_not_end_the_round(options: dict[str, Any], strength: int) -> None:
    for seed, state in enumerate(moments(options, strength + 9)):
        (prompt, *_) = coyote.prompts(state)
        view = coyote.view_for(state, prompt.seat)
        action = think(view, prompt, Character("x", "gambler", strength, is_patient=True), seed).action
        assert prompt.allows(action)
        assert not isinstance(action, Call)
        assert not (isinstance(action, Flip) and action.coin == "guess")


def test_a_patient_player_calls_if_nothing_else_is_left() -> None:
    game = table("3 4 5").play("A bid 999")
    ai = Character("x", "steady", 3, is_patient=True)
    assert isinstance(think(game.view("B"), game.prompt, ai, 1).action, Call)


def test_a_patient_player_says_so() -> None:
    game = table("3 4 5").play("A bid 60")
    thought = think(game.view("B"), game.prompt, Character("x", "steady", 3, is_patient=True), 1)
    assert thought.reason is not None
    assert thought.reason[0] == "ai.patient"


def test_without_newcomers_nothing_is_left_out() -> None:
    game = table("3 4 5").play("A bid 5")
    assert with_manners(game.view("B"), game.prompt, Character("x")) == game.prompt


def test_experts_choose_by_chance_among_moves_of_nearly_equal_worth() -> None:
    game = table("3 4 5 2", players=4).play("A bid 5")
    view, ai = game.view("B"), Character("x", "steady", 3)
    likely = policy(view, game.prompt, ai)
    assert sum(likely.values()) == pytest.approx(1.0)
    assert max(likely.values()) < 0.9
    moves = [think(view, game.prompt, ai, seed).action for seed in range(400)]
    for action, share in likely.items():
        assert moves.count(action) / 400 == pytest.approx(share, abs=0.1)
    assert {think(view, game.prompt, ai, 7).action for _ in range(5)} == {think(view, game.prompt, ai, 7).action}
