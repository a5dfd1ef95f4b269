"""Reads and writes decks the way people type them: "1..10×2, −5×2, ?, ×2, 🌙0"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.core import Rejected
from bot.games.coyote.rules.cards import SPECIALS, Card, Deck
from bot.games.coyote.rules.editions import Problem, deck_from
from bot.house_rules.list_kinds import split

_COPIES: Final = re.compile(
    r"(?:(?P<first>-?\d{1,3})\.\.(?P<last>-?\d{1,3})|(?P<card>\?|max0|max-|x2|night|-?\d{1,3}))(?:[x×*](?P<count>\d{1,3}))?",
    re.ASCII,
)
_SIGNS: Final[Mapping[Card, str]] = {"x2": "×2", "max0": "Max→0", "max-": "Max→−", "night": "🌙0"}
"""Special cards as they look on screen, in every language, by their code in the rules."""


def _as_read(typed: str) -> str:
    return typed.casefold().replace("−", "-")


_TYPED: Final = {**{_as_read(sign): str(code) for code, sign in _SIGNS.items()}, "🌙": "night"}
"""What people may type for a special card instead of its code."""


def read_deck(typed: str) -> Deck:
    """Read a deck as people type it; raise Rejected if it is not one."""
    cards: dict[Card, int] = {}
    for word in split(_as_read(typed)):
        plain = next((code + word[len(sign) :] for sign, code in _TYPED.items() if word.startswith(sign)), word)
        found = _COPIES.fullmatch(plain)
        if found is None:
            raise Rejected(Problem.NOT_A_DECK, value=word)
        for card in _cards(found, word):
            cards[card] = cards.get(card, 0) + int(found["count"] or 1)
    return deck_from(tuple(cards.items()))


def _cards(found: re.Match[str], word: str) -> Sequence[Card]:
    if found["card"] is not None:
        special = next((each for each in SPECIALS if each == found["card"]), None)
        return (int(found["card"]) if special is None else special,)
    first, last = int(found["first"]), int(found["last"])
    if first > last:
        raise Rejected(Problem.NOT_A_DECK, value=word)
    return range(first, last + 1)


def write_deck(deck: Deck) -> str:
    """Write a deck with the signs on the cards, so that people of every language and `read_deck` can read it."""
    signs = [(_SIGNS.get(card, str(card).replace("-", "−")), copies) for card, copies in deck]
    return " ".join(sign if copies == 1 else f"{sign}×{copies}" for sign, copies in signs)
