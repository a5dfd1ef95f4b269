"""Who may sit down when a friend is missing: names, temperaments, strengths."""

from __future__ import annotations

from typing import Final, NamedTuple


class Character(NamedTuple):
    """An AI player as far as its play is concerned; the host keeps the same three values for its seat."""

    name: str
    temperament: str = "steady"
    strength: int = 2


class Temper(NamedTuple):
    """What a temperament does to play and to the pace of it."""

    nerve: float
    """How much more (or less) likely than even a call must be before it is made: adds to the worth of calling."""
    bluff: float
    """How often a higher bid than the best one is named, where little is lost by it."""
    tricks: float
    """How much is added to the worth of special actions."""
    pace: float
    """How slowly it thinks."""


STRENGTHS: Final = (1, 2, 3)
"""Beginner, regular, expert."""

TEMPERS: Final[dict[str, Temper]] = {
    "steady": Temper(0.0, 0.0, 0.0, 1.0),
    "cautious": Temper(-0.02, 0.0, -0.02, 1.25),
    "bluffer": Temper(0.01, 0.3, 0.01, 0.85),
    "counter": Temper(0.0, 0.0, 0.0, 1.4),
    "gambler": Temper(0.02, 0.15, 0.04, 0.7),
}
TEMPERAMENTS: Final = tuple(TEMPERS)

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
    Character("Two Moons", "bluffer"),
    Character("Quill", "counter"),
)
"""Enough for a table of twelve, each name once."""
