"""The AI players that can take a seat: their names, temperaments and strengths.

What a temperament or strength means for the moves of a game is up to that game's brain.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Character(NamedTuple):
    """An AI player as a brain knows it. The host keeps the same three values for the seat."""

    name: str
    temperament: str = "steady"
    strength: int = 2


BEGINNER, REGULAR, EXPERT = 1, 2, 3
STRENGTHS: Final = (BEGINNER, REGULAR, EXPERT)
TEMPERAMENTS: Final = ("steady", "cautious", "bluffer", "counter", "gambler")

ROSTER: Final = (
    Character("Juniper", "cautious"),
    Character("Old Tom", "counter"),
    Character("Magpie", "bluffer"),
    Character("Rosalind", "steady"),
    Character("Ferret", "gambler"),
    Character("Brother Owl", "counter"),
    Character("Saffron", "bluffer"),
    Character("Pebble", "cautious"),
    Character("Captain Elk", "gambler"),
    Character("Hazel", "steady"),
    Character("Marigold", "bluffer"),
    Character("Quill", "counter"),
)
"""Enough different names for a table of twelve."""
