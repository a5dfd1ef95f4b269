"""What Plenty Coups is played with: the deck, and what of it lies open."""

from __future__ import annotations

from bot.games.plenty_coups.rules.cards import DECK, faces_of, ordered
from bot.games.plenty_coups.rules.view import PlentyCoupsView
from bot.games.plenty_coups.ui.status import offer_lines
from bot.games.plenty_coups.ui.views import PublicView
from bot.games.plenty_coups.ui.words import card_label
from bot.screens.words import DOT
from bot.text.catalogue import Catalogue


def supply_lines(say: Catalogue, view: PublicView | None) -> list[str]:
    """List the deck and, in a match, the offer and the discards."""
    deck = say("plenty.supplies.deck", count=len(DECK))
    return [deck] if view is None else [deck, *offer_lines(say, view), *discard_lines(say, view)]


def discard_lines(say: Catalogue, view: PlentyCoupsView) -> list[str]:
    """List what lies face up in the discards."""
    seen = ordered(view.discards)
    if not seen:
        return []
    cards = [
        card_label(say, card)
        if seen.count(card) == 1
        else say("plenty.hand.several", card=card_label(say, card), count=seen.count(card))
        for card in faces_of(seen)
    ]
    return [say("plenty.hand.discards", cards=DOT.join(cards))]
