"""Positions for the tests of the AI: from scripts, and from random matches."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bot.ai_players.brains import Thought
from bot.ai_players.characters import EXPERT, ROSTER, TEMPERAMENTS, Character
from bot.engine.core import DEALER, Prompt
from bot.games.plenty_coups.ai.brain import think
from bot.games.plenty_coups.rules.cards import Card, Tribe, name_of
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from tests.games.plenty_coups.rules.cases import do, given
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

EXPERT_PLAYER = Character("an expert", "steady", EXPERT)


def scripted(**position: Any) -> State:
    """Return a position as the rule cases write it."""
    return ScriptTable(given(**position)).state


def prompt_of(state: State) -> Prompt:
    (prompt,) = GAME.prompts(state)
    return prompt


def answer(state: State, ai: Character = EXPERT_PLAYER, seed: int = 1) -> Thought:
    """Let an AI player answer the open prompt."""
    prompt = prompt_of(state)
    thought = think(GAME.view_for(state, prompt.seat), prompt, ai, seed)
    assert prompt.allows(thought.action), thought.action
    return thought


def chosen(state: State) -> str:
    """Return an expert's answer as words: "Raid YELLOW red4"."""
    return written(answer(state).action)


def written(action: Any) -> str:
    """Write an action with its target and cards."""
    words = [type(action).__name__]
    for value in action[2:]:
        if isinstance(value, Card):
            words.append(name_of(value))
        elif isinstance(value, tuple):
            words += map(name_of, value)
        else:
            words.append(value.name)
    return " ".join(words)


def anyone(rng: Random, strength: int | None = None) -> Character:
    return Character(rng.choice(ROSTER).name, rng.choice(TEMPERAMENTS), strength or rng.choice((1, 2, 3)))


def positions(options: dict[str, Any], players: int, seed: int, wild: float = 0.7) -> Iterator[tuple[State, Prompt]]:
    """Play a match, partly at random and partly as AI players would; yield every question to a player."""
    rng = Random(seed)
    state = GAME.setup(options, players, None)
    while asked := GAME.prompts(state):
        (prompt,) = asked
        if prompt.seat == DEALER:
            action: Any = GAME.deal(state, rng)
        else:
            yield state, prompt
            if rng.random() < wild:
                action = prompt.pick(rng)
            else:
                view = GAME.view_for(state, prompt.seat)
                action = think(view, prompt, anyone(rng), rng.getrandbits(32)).action
        state = GAME.apply(state, action).state


def _place(state: State) -> tuple[int, Tribe]:
    return state.turn.round, state.turn.tribe


def turn_of(state: State) -> list[str]:
    """Let an expert play until the turn is over; return what was done."""
    begun, done = _place(state), []
    while _place(state) == begun and (asked := GAME.prompts(state)) and asked[0].seat != DEALER:
        action = answer(state).action
        done.append(written(action))
        state = GAME.apply(state, action).state
    return done


def disdained(by: str, target: str, **position: Any) -> State:
    """Return a position in which one tribe has just disdained another."""
    table = ScriptTable(given(turn=by, **position))
    table.move(do(by, "disdain", target=target))
    return table.state
