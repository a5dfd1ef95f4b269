"""Decides how long AI players seem to think: by chance and temperament, never by the cards, so it reveals nothing."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.ai_players.characters import Character

MIN_THINKING_MILLIS: Final = 1600
"""The shortest time an AI player seems to think; anything quicker would not look like thinking."""
MAX_THINKING_MILLIS: Final = 6500
"""The longest time an AI player seems to think; anything slower would try people's patience."""

_SLOWNESS: Final = {"steady": 1.0, "cautious": 1.25, "bluffer": 0.85, "counter": 1.4, "gambler": 0.7}
"""Factor by which each temperament stretches the thinking time."""


def thinking_millis(seed: int, character: Character) -> int:
    """Return how many milliseconds this character seems to think; the same seed gives the same time.

    Times beyond a bound are reflected back inside it. If they were clamped, many would equal the bound exactly,
    and a move that really took longer to compute would stand out.
    """
    # The prefix keeps this random stream separate from the brain's: a quick answer must not reveal a bluff.
    rng = Random(f"pause {seed}")
    millis = int((900 + min(9000.0, rng.lognormvariate(7.3, 0.5))) * _SLOWNESS[character.temperament])
    millis = MIN_THINKING_MILLIS + abs(millis - MIN_THINKING_MILLIS)
    if millis > MAX_THINKING_MILLIS:
        excess = (millis - MAX_THINKING_MILLIS) % (MAX_THINKING_MILLIS - MIN_THINKING_MILLIS)
        millis = MAX_THINKING_MILLIS - excess
    return millis * 3 // 2 if character.is_gentle else millis
