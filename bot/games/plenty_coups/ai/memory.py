"""Remembers cards that a tribe took in the open and has not shown since."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.plenty_coups.rules import events
from bot.games.plenty_coups.rules.cards import HORSE, STICK, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.events import Event


def remembered(news: Sequence[Event]) -> dict[Tribe, Cards]:
    """Return the cards that each tribe must hold, going by the latest events alone."""
    known: dict[Tribe, list[Card]] = {}
    for event in news:
        match event:
            case events.Taken(tribe, cards):
                known.setdefault(tribe, []).extend(cards)
            case events.GiftsExchanged(tribe, target):  # any of their cards may have changed hands
                known.pop(tribe, None)
                known.pop(target, None)
            case events.GiftLaid(tribe, _, _):
                known.pop(tribe, None)
            case _:
                for tribe, card in _shown(event):
                    if card in known.get(tribe, ()):
                        known[tribe].remove(card)
    return {tribe: ordered(cards) for tribe, cards in known.items()}


def _shown(event: Event) -> list[tuple[Tribe, Card]]:
    """Return the cards that left a hand face up, each with the tribe that had it."""
    match event:
        case events.RaidLaunched(raid):
            return [(raid.raider, card) for card in raid.warriors]
        case events.RaidRepelled(raid, weapons):
            return [(raid.target, card) for card in weapons]
        case events.CoupStruck(tribe, _) | events.Disdained(tribe, _):
            return [(tribe, STICK)]
        case events.Bred(tribe):
            return [(tribe, HORSE)]
        case events.HuntEnded(tribe, cards):
            return [(tribe, card) for card in cards]
        case (
            events.WorthProved(tribe, card)
            | events.HorsesGiven(tribe, _, card)
            | events.Hunted(tribe, card)
            | events.AllianceProposed(tribe, _, card)
            | events.AllianceMade(_, _, tribe, card)
            | events.NeutralAllianceMade(tribe, card)
        ):
            return [(tribe, card)]
        case _:
            return []
