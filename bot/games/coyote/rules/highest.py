"""Computes the highest possible total from the deck and the number of players, never from the cards in play."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.games.coyote.rules.cards import TIMES_TWO
from bot.games.coyote.rules.editions import COINS, Rules

_EXTRA_COIN: Final = COINS.index("extra")


@lru_cache(maxsize=256)
def highest_total(rules: Rules, players: int) -> int:
    """Return a total that no deal for this many living players can exceed; for the published decks it can be reached.

    A "?" takes one place and turns over one card, so it adds no place. Cards that lower the total are left out
    if others could be dealt instead; if not (in a custom deck), they count as 0.
    """
    places = min(cards_counted(rules, players), len(rules.cards))
    numbers = sorted((card for card in rules.cards if isinstance(card, int) and card > 0), reverse=True)
    doublings = min(rules.census[TIMES_TWO], places)
    return max(sum(numbers[: places - twos]) << twos for twos in range(doublings + 1))


def cards_counted(rules: Rules, players: int) -> int:
    """Return the most cards that can count: worn ones, the centre card, and what the optional actions can add."""
    if rules.has_centre:
        return players + 1 + ("coyote_card" in rules.tricks)
    if "extra" in rules.announcements:
        # `tomahawk` with actions per player: at most two feathers each (R64). Otherwise one extra at the whole table.
        return players + (players if rules.actions_per == "player" else 1)
    return players + (rules.supply[_EXTRA_COIN] if players > 2 else 0)
