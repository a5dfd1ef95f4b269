"""Defines the feathers and the four published decks (rules, sections 2 to 5)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Special: TypeAlias = Literal["?", "max0", "max-", "x2", "night"]
Card: TypeAlias = int | Special
Deck: TypeAlias = tuple[tuple[Card, int], ...]
"""A deck as pairs of a card and its number of copies; each card appears once."""

QUESTION: Final = "?"
MAX_ZERO: Final = "max0"
MAX_MINUS: Final = "max-"
TIMES_TWO: Final = "x2"
NIGHT: Final = "night"
SPECIALS: Final[tuple[Special, ...]] = (QUESTION, MAX_ZERO, MAX_MINUS, TIMES_TWO, NIGHT)

_THIRTY_CARDS: Final[Deck] = (
    *((value, 2) for value in range(1, 11)),
    *((value, 1) for value in (15, 20)),
    (-5, 2),
    (-10, 1),
    *((special, 1) for special in SPECIALS),
)

DECKS: Final[dict[str, Deck]] = {
    "scout": (
        *((value, 4) for value in range(1, 6)),
        (10, 3),
        (15, 2),
        (20, 1),
        (0, 3),
        (-5, 2),
        (-10, 1),
        (QUESTION, 1),
        (MAX_ZERO, 1),
        (TIMES_TWO, 1),
        (NIGHT, 1),
    ),
    "tomahawk": _THIRTY_CARDS,
    "feathers": _THIRTY_CARDS,
    "peek": (
        *((value, 1) for value in (-10, -5, *range(11), 15, 20)),
        (QUESTION, 1),
        (MAX_ZERO, 1),
    ),
}


def face(card: Card) -> Card:
    """Return what a guess must name: the card itself, except that the night card is a 0 (R43)."""
    return 0 if card == NIGHT else card
