"""How long AI players seem to think. Chance and temperament decide; no card does, so the time gives nothing away."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.ai_players.characters import Character

MIN_THINKING_MILLIS: Final = 1600
"""A quicker answer would not look like thinking."""
MAX_THINKING_MILLIS: Final = 6500
"""A slower answer would try the patience of the people at the table."""

_PACE: Final = {"steady": 1.0, "cautious": 1.25, "bluffer": 0.85, "counter": 1.4, "gambler": 0.7}
"""How slow each temperament is, as a factor."""


def thinking_millis(seed: int, character: Character) -> int:
    """Return for how many milliseconds this character thinks, the same for the same seed.

    Times outside the bounds are reflected at them. Clamped ones would all land on the same millisecond, and a thought
    that takes longer than usual would then show.
    """
    # The prefix keeps this apart from the thought's own chance: a quick answer must not reveal a bluff.
    rng = Random(f"pause {seed}")
    millis = int((900 + min(9000.0, rng.lognormvariate(7.3, 0.5))) * _PACE[character.temperament])
    millis = MIN_THINKING_MILLIS + abs(millis - MIN_THINKING_MILLIS)
    if millis > MAX_THINKING_MILLIS:
        excess = (millis - MAX_THINKING_MILLIS) % (MAX_THINKING_MILLIS - MIN_THINKING_MILLIS)
        millis = MAX_THINKING_MILLIS - excess
    return millis
