"""Feathers and purses in words, for the descriptions of pictures."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.view import SeatView
from bot.text.catalogue import Catalogue


def spoken_card(say: Catalogue, card: Card) -> str:
    """Say a feather so that a screen reader pronounces it well."""
    if not isinstance(card, int):
        return say(f"pictures.card.{_SPECIAL_KEYS[card]}")
    return say("pictures.card.minus", number=-card) if card < 0 else say("pictures.card.plain", number=card)


def spoken_cards(say: Catalogue, cards: Sequence[Card]) -> str:
    """Say several feathers."""
    return say.listing([spoken_card(say, card) for card in cards])


def spoken_number(say: Catalogue, number: int) -> str:
    """Say a bid or a total."""
    return say("pictures.card.minus", number=-number) if number < 0 else str(number)


def spoken_purse(say: Catalogue, rules: Rules, seat: SeatView) -> str:
    """Say how many coins or eyes a player has."""
    if rules.has_eyes:
        return say("pictures.look.alt.eyes", count=seat.eyes[0], closed=seat.eyes[1])
    return say("pictures.look.alt.coins", taken=seat.tokens, count=rules.threshold)


_SPECIAL_KEYS = {"?": "question", "max0": "max_zero", "max-": "max_minus", "x2": "times_two", "night": "night"}
