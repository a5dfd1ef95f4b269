"""The 54 cards (section 1), and functions on hands of cards.

Equal cards are interchangeable, so a card is its face. The natural order of cards is the canonical
order of section 11: warriors by tribe, then by value, weapons by value, horses, sticks.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from itertools import combinations
from typing import Final, TypeAlias

from bot.engine.frozen import Frozen


class Tribe(IntEnum):
    """The six colours. One that has a camp is in play, the others are neutral."""

    BLACK = 0
    YELLOW = 1
    GREEN = 2
    RED = 3
    BLUE = 4
    WHITE = 5


class Kind(IntEnum):
    """What a card is."""

    WARRIOR = 0
    WEAPON = 1
    HORSE = 2
    STICK = 3


class Card(Frozen, frozen=True, order=True, cache_hash=True):
    """One face. Only warriors have a tribe; horses and sticks have the value 0, which means none."""

    kind: Kind
    tribe: Tribe | None
    value: int


Cards: TypeAlias = tuple[Card, ...]
"""Cards in canonical order, unless stated otherwise (the order of the pile is secret)."""

HORSE: Final = Card(Kind.HORSE, None, 0)
STICK: Final = Card(Kind.STICK, None, 0)
WEAPONS: Final = {value: Card(Kind.WEAPON, None, value) for value in (2, 3, 4)}
WARRIORS: Final = {(tribe, value): Card(Kind.WARRIOR, tribe, value) for tribe in Tribe for value in (1, 2, 3, 4)}

DECK: Final[Cards] = (*WARRIORS.values(), *sorted([*WEAPONS.values()] * 4), *[HORSE] * 10, *[STICK] * 8)
FACES: Final[Cards] = tuple(dict.fromkeys(DECK))
PROOFS: Final = frozenset(card for card in FACES if card.value == 4 or card is STICK)
"""What proves a disdained tribe's worth: a stick, a weapon 4 or a warrior 4 (section 5, Disdain)."""


def name_of(card: Card) -> str:
    """Return the card's name in saved matches: black1, weapon4, horse, stick."""
    if card.tribe is not None:
        return f"{card.tribe.name.lower()}{card.value}"
    return f"{card.kind.name.lower()}{card.value or ''}"


CARD_NAMED: Final = {name_of(card): card for card in FACES}
NAMES: Final = {card: name for name, card in CARD_NAMED.items()}
"""The name of each card, in saved matches."""
TRIBE_NAMES: Final = {tribe: tribe.name.lower() for tribe in Tribe}


def ordered(cards: Iterable[Card]) -> Cards:
    """Return the cards in canonical order."""
    return tuple(sorted(cards))


def without(hand: Cards, *cards: Card) -> Cards:
    """Return the hand after these cards have left it; all of them must be there."""
    for card in cards:
        place = hand.index(card)
        hand = hand[:place] + hand[place + 1 :]
    return hand


def holds(hand: Cards, cards: Cards) -> bool:
    """Return whether all these cards are in the hand, as often as they are named."""
    for card in cards:  # noqa: SIM110 - `all` takes twice as long
        if hand.count(card) < cards.count(card):
            return False
    return True


def faces_of(cards: Cards) -> Cards:
    """Return each different card among these once."""
    return cards if len({*cards}) == len(cards) else tuple(dict.fromkeys(cards))


def sets_of(cards: Cards, size: int) -> tuple[Cards, ...]:
    """Return every different choice of `size` cards, each in canonical order."""
    return tuple(dict.fromkeys(combinations(cards, size)))


def is_void(offer: Cards) -> bool:
    """Return whether three of the four cards have the same kind and value, whatever their tribe (section 3; R06)."""
    alike = [(card.kind, card.value) for card in offer]
    return alike.count(alike[0]) >= 3 or alike.count(alike[1]) >= 3
