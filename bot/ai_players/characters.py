"""The AI players that can take a seat: their names, temperaments and strengths.

What a temperament or strength means for the moves of a game is up to that game's brain.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Character(NamedTuple):
    """An AI player as a brain knows it. The host keeps the first three values for the seat."""

    name: str
    temperament: str = "steady"
    strength: int = 2
    is_gentle: bool = False
    """Somebody at the table is playing their first match: the AI opens low, raises in small steps, takes its time."""
    is_patient: bool = False
    """The match has just begun and no person has had a turn, so the AI does not end the round if it can help it."""


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
"""Every AI player there is: enough to fill a table of twelve."""
