"""The CPU time that AI players of Plenty Coups need for a decision, in matches among themselves."""

from __future__ import annotations

import time
from itertools import product
from random import Random
from typing import Any

from bench import players
from bench.arena import match
from bench.figures import Figure
from bot.ai_players.characters import STRENGTHS, TEMPERAMENTS, Character

GAME = "plenty-coups"
SIZES = (2, 3, 4, 6)
MATCHES = 10
"""How many matches of each size."""
MOST_MILLIS = 150
"""How many milliseconds a decision may take at the 99th percentile."""


def times(strength: int, size: int) -> list[float]:
    """Return the CPU milliseconds of each decision at tables of one size, sorted."""
    took: list[float] = []

    def timed(player: players.Player) -> players.Player:
        def decide(*asked: Any) -> Any:
            begin = time.thread_time()
            answer = player(*asked)
            took.append(1000 * (time.thread_time() - begin))
            return answer

        return decide

    everybody = [timed(players.ai(GAME, Character("an AI", each, strength))) for each in TEMPERAMENTS]
    for number in range(MATCHES):
        seats = [everybody[(number + seat) % len(everybody)] for seat in range(size)]
        match(GAME, seats, {}, Random(f"{size} {number}"))
    return sorted(took)


def figures() -> list[Figure]:
    """Return the figures."""
    found = []
    for strength, size in product(STRENGTHS, SIZES):
        took = times(strength, size)
        for name, part, wanted in (("p50", 0.5, ""), ("p99", 0.99, f"at most {MOST_MILLIS} ms")):
            label = f"Plenty Coups, {size} players, strength {strength}: a decision, {name} of {len(took)}"
            found.append(Figure(label, f"{took[int(len(took) * part)]:.2f} ms", wanted=wanted))
    return found
