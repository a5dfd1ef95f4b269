"""The brain answers legally, is pure, and uses nothing that its seat cannot see."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from bot.ai_players.characters import STRENGTHS, TEMPERAMENTS, Character
from bot.engine.core import DEALER, Leave, Seat
from bot.games.plenty_coups.ai.brain import think
from bot.games.plenty_coups.ai.temperaments import TEMPERAMENT_SETTINGS
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.view import Phase
from bot.text.catalogue import catalogue
from tests.games.plenty_coups.ai.tables import anyone, positions
from tests.games.plenty_coups.contract import twin

SAY = catalogue()
MATCHES = int(os.environ.get("SOAK", "3"))
OPENINGS: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, 2),
    ({}, 3),
    ({"tribes": ["white", "green", "black", "red"]}, 4),
    ({}, 5),
    ({}, 6),
    ({"rounds": 3, "winter_hunting": False}, 2),
    ({"rounds": 4, "decline_when_able": False, "accepter_gains": True}, 4),
)

every_opening = pytest.mark.parametrize(
    ("options", "players"),
    [pytest.param(options, players, id=f"{number}-{players}") for number, (options, players) in enumerate(OPENINGS)],
)


@every_opening
def test_every_answer_is_legal_and_does_not_depend_on_hidden_cards(options: dict[str, Any], players: int) -> None:
    phases = set()
    for match in range(MATCHES):
        rng = Random(match)
        for state, prompt in positions(options, players, match):
            phases.add(state.turn.phase)
            ai, seed = anyone(rng), rng.getrandbits(32)
            view = GAME.view_for(state, prompt.seat)
            thought = think(view, prompt, ai, seed)
            assert prompt.allows(thought.action), thought.action
            assert GAME.apply(state, thought.action)
            other = twin(state, prompt.seat, rng)
            assert think(GAME.view_for(other, prompt.seat), prompt, ai, seed) == thought, "it knew what it cannot see"
            if thought.reason is not None:
                key, slots = thought.reason
                assert set(slots) >= SAY.slots(key), key
                assert thought.weight >= 0
    assert phases >= {Phase.TAKE, Phase.ACT, Phase.HUNT, Phase.GIFT, Phase.DISDAIN}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("strength", STRENGTHS)
def test_ai_players_finish_a_match_among_themselves(players: int, strength: int) -> None:
    rng = Random(players)
    state = GAME.setup({}, players, None)
    while asked := GAME.prompts(state):
        (prompt,) = asked
        action: Any = GAME.deal(state, rng) if prompt.seat == DEALER else None
        if action is None:
            view = GAME.view_for(state, prompt.seat)
            action = think(view, prompt, anyone(rng, strength), rng.getrandbits(32)).action
        state = GAME.apply(state, action).state
    assert GAME.outcome(state)


def test_the_same_input_gives_the_same_thought() -> None:
    rng = Random(4)
    for state, prompt in positions({}, 3, 4):
        view, ai, seed = GAME.view_for(state, prompt.seat), anyone(rng), rng.getrandbits(32)
        assert think(view, prompt, ai, seed) == think(view, prompt, ai, seed)


def test_ai_players_go_on_after_somebody_left() -> None:
    rng = Random(5)
    state = GAME.setup({}, 3, None)
    state = GAME.apply(state, GAME.deal(state, rng)).state
    state = GAME.apply(state, Leave(Seat(1))).state
    while asked := GAME.prompts(state):
        (prompt,) = asked
        action: Any = GAME.deal(state, rng) if prompt.seat == DEALER else None
        if action is None:
            view = GAME.view_for(state, prompt.seat)
            action = think(view, prompt, anyone(rng, 3), rng.getrandbits(32)).action
        state = GAME.apply(state, action).state
    assert GAME.outcome(state)


def test_every_temperament_has_numbers_and_experts_leave_nothing_to_chance() -> None:
    assert set(TEMPERAMENT_SETTINGS) == set(TEMPERAMENTS)
    chances: dict[int, int] = dict.fromkeys(STRENGTHS, 0)
    for state, prompt in positions({}, 3, 6):
        view = GAME.view_for(state, prompt.seat)
        for strength in STRENGTHS:
            ai = Character("somebody", "steady", strength)
            chances[strength] += len({think(view, prompt, ai, seed).action for seed in range(3)}) > 1
    assert chances[1] > chances[2] > chances[3] == 0
