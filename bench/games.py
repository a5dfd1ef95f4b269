"""Steps per second of whole random games through the public `apply`, compared with games of other libraries."""

from __future__ import annotations

import random
from random import Random
from typing import Any

import chess
import numpy as np
import pyspiel
import rlcard

from bench.figures import Figure, rates
from bot.engine.core import DEALER, Game, Prompt, Seat
from bot.games.coyote.rules.actions import Bid, Call
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.coyote.rules.game import apply, deal, setup
from bot.games.coyote.rules.view import Phase
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS

STEPS = 20_000
"""The minimum number of steps in each loop; the slow libraries play a tenth of it."""
PLAYERS = 6


def coyote_by_apply() -> int:
    """Play `feathers` with six players who call with probability ¼, else raise by 1 to 5. Deals count as steps."""
    rng, steps = Random(7), 0
    bidding, over = Phase.BIDDING, Phase.OVER
    while steps < STEPS:
        state = setup({}, PLAYERS, Seat(0))
        while (phase := state.phase) is not over:
            if phase is bidding:
                seat, bid = state.bidding.turn, state.bidding.bid
                if bid is not None and rng.random() < 0.25:
                    action: Any = Call(seat)
                else:
                    action = Bid(seat, (bid or 0) + 1 + int(rng.random() * 5))
            else:
                action = deal(state, rng)
            state = apply(state, action).state
            steps += 1
    return steps


def _raise_a_little(prompt: Prompt, rng: Random) -> Any:
    if len(prompt.choices) > 1 and rng.random() < 0.25:
        return Call(prompt.seat)
    numbers: Any = prompt.choices[0].fields[0]
    return Bid(prompt.seat, max(numbers.start, 1) + int(rng.random() * 5))


def by_prompts(game: Game[Any, Any, Any], answer: Any = Prompt.pick) -> int:
    """Play at random, asking the game for its prompts at every step."""
    rng, steps = Random(7), 0
    while steps < STEPS:
        state = game.setup({}, PLAYERS, None)
        while prompts := game.prompts(state):
            prompt = prompts[0]
            action = game.deal(state, rng) if prompt.seat == DEALER else answer(prompt, rng)
            state = game.apply(state, action).state
            steps += 1
    return steps


LIARS_DICE = pyspiel.load_game("liars_dice")


def liars_dice_as_documented() -> int:
    """Play OpenSpiel's liars_dice as its own Python example does, drawing chance outcomes with numpy."""
    steps = 0
    while steps < STEPS:
        state = LIARS_DICE.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(np.random.choice(actions, p=chances))
            else:
                state.apply_action(random.choice(state.legal_actions(state.current_player())))
            steps += 1
    return steps


def liars_dice_lean() -> int:
    """Play liars_dice in the cheapest loop that still draws chance outcomes by their probabilities."""
    rng, steps = Random(7), 0
    while steps < STEPS:
        state = LIARS_DICE.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps


def rlcard_uno() -> int:
    """Play rlcard's uno through its environment."""
    rng, steps = Random(7), 0
    environment = rlcard.make("uno", config={"seed": 7})
    while steps < STEPS // 10:
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(rng.choice(list(state["legal_actions"])))
            steps += 1
    return steps


def python_chess() -> int:
    """Play random legal moves with python-chess."""
    rng, steps = Random(7), 0
    while steps < STEPS // 10:
        board = chess.Board()
        while not board.is_game_over() and steps < STEPS // 10:
            board.push(rng.choice(list(board.legal_moves)))
            steps += 1
    return steps


def figures() -> list[Figure]:
    """Measure all loops alternately, and compare ours with liars_dice."""
    loops = {
        "Coyote through apply": coyote_by_apply,
        "Coyote with every prompt": lambda: by_prompts(COYOTE, _raise_a_little),
        "Plenty Coups with every prompt": lambda: by_prompts(PLENTY_COUPS),
        "liars_dice as documented": liars_dice_as_documented,
        "liars_dice, leanest loop": liars_dice_lean,
        "rlcard uno": rlcard_uno,
        "python-chess": python_chess,
    }
    measured = rates(loops)
    documented, lean = measured["liars_dice as documented"], measured["liars_dice, leanest loop"]
    lines = []
    for name, rate in measured.items():
        value = f"{rate:,.0f} steps/s"
        ours = name.startswith(("Coyote", "Plenty"))
        wanted = "at least 0.3" if name == "Coyote through apply" else ""
        lines.append(Figure(name, value, rate / documented if ours else None, "liars_dice as documented", wanted))
        if ours:
            lines.append(Figure("", "", rate / lean, "liars_dice, leanest loop"))
        if name.startswith("Plenty"):
            # It was 0.05, 11,000 steps/s, before choices were built only where they are asked for.
            lines.append(
                Figure("", "", rate / measured["Coyote through apply"], "Coyote through apply", "at least 0.15")
            )
    return lines
