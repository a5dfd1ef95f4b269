"""`make arena`: tournaments between an AI and the players it must beat, with confidence intervals."""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from bench import players
from bot.ai.characters import Character
from bot.games.core import DEALER, Seat
from bot.games.coyote import rules

OTHERS = {"plain": players.plain, "gap": players.gap, "wild": players.wild}


def match(seats: list[players.Player], options: dict[str, Any], rng: Random) -> int:
    """Play one match; return the seat that won."""
    state = rules.setup(options, len(seats), None)
    while asked := rules.prompts(state):
        prompt = asked[0]
        if prompt.seat == DEALER:
            action: Any = rules.deal(state, rng)
        else:
            action = seats[prompt.seat](rules.view_for(state, prompt.seat), prompt, rng)
        state = rules.apply(state, action).state
    return int(state.match.living[0])


def tournament(job: tuple[Character, str, dict[str, Any], int, range]) -> int:
    """Play the games with these numbers, one AI against others of one kind, seats in rotation; return the wins."""
    character, others, options, size, games = job
    hero = players.ai(character)
    wins = 0
    for game in games:
        seat = game % size
        seats = [hero if place == seat else OTHERS[others] for place in range(size)]
        wins += match(seats, options, Random(game * 7919 + 17)) == seat
    return wins


def wilson(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half
