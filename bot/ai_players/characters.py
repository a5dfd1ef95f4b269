"""Who may sit down when a friend is missing: names, temperaments, strengths."""

from __future__ import annotations

from typing import Final, NamedTuple


class Character(NamedTuple):
    """An AI player as far as its play is concerned; the host keeps the same three values for its seat."""

    name: str
    temperament: str = "steady"
    strength: int = 2


class Temper(NamedTuple):
    """What a temperament does to play and to the pace of it. All but the pace in shares of what a round is worth."""

    nerve: float
    """What a call seems worth beyond what it is."""
    bluff: float
    """How much is given away for naming a higher number than the best; negative: for naming a lower one."""
    tricks: float
    """What special actions seem worth beyond what they are."""
    pace: float
    """How slowly it thinks."""
    waver: float = 1.0
    """How far it misjudges things, as long as it is no expert, beside others of its strength."""


BEGINNER, REGULAR, EXPERT = 1, 2, 3
STRENGTHS: Final = (BEGINNER, REGULAR, EXPERT)

TEMPERS: Final[dict[str, Temper]] = {
    "steady": Temper(nerve=0.0, bluff=0.0, tricks=0.0, pace=1.0),
    "cautious": Temper(nerve=-0.04, bluff=-0.05, tricks=-0.03, pace=1.25),
    "bluffer": Temper(nerve=-0.02, bluff=0.06, tricks=0.02, pace=0.85),
    "counter": Temper(nerve=0.0, bluff=0.0, tricks=0.0, pace=1.4, waver=0.3),
    "gambler": Temper(nerve=0.04, bluff=0.03, tricks=0.06, pace=0.7, waver=1.5),
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
    Character("Marigold", "bluffer"),
    Character("Quill", "counter"),
)
"""Enough for a table of twelve, each name once."""
