"""Coyote's own things in words: feathers, coins, actions, editions, terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, SPECIALS, TIMES_TWO, Card
from bot.games.coyote.rules.editions import EDITIONS, TRAITS, Rules
from bot.games.coyote.rules.view import SeatView
from bot.host.model import House
from bot.screens.words import DOT, duration, number
from bot.text.catalogue import Catalogue

HIDDEN: Final = "🪶"
"""A feather whose face the reader may not see."""
_FACES: Final[dict[Card, str]] = {
    QUESTION: "?",
    MAX_ZERO: "Max→0",
    MAX_MINUS: "Max→−",
    TIMES_TWO: "×2",
    NIGHT: "🌙0",
}
_CHOICES_IN_TERMS: Final = ("x2_doubles", "max_zero_hits", "actions_per", "next_starter", "if_starter_is_out")
"""The rules whose values are words; the terms mention those that differ from the edition's own."""


def face(card: Card) -> str:
    """Write a feather."""
    return number(card) if isinstance(card, int) else _FACES[card]


def faces(cards: Iterable[Card]) -> str:
    """Write feathers next to each other."""
    return DOT.join(map(face, cards))


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sort feathers for reading: numbers from low to high, then the special ones."""
    return sorted(cards, key=lambda card: (0, card) if isinstance(card, int) else (1, SPECIALS.index(card)))


def purse(rules: Rules, seat: SeatView) -> str:
    """Draw the coins of a player, taken and still free, or their open and closed eyes."""
    if rules.has_eyes:
        return "◉" * seat.eyes[0] + "◌" * seat.eyes[1]
    return "●" * seat.tokens + "○" * max(0, rules.threshold - seat.tokens)


def edition(say: Catalogue, rules: Rules) -> str:
    """Name the edition."""
    return say(f"edition.{rules.edition}.name")


def action_name(say: Catalogue, action: str, edition: str) -> str:
    """Name an optional action of an edition. Editions may use the same word for different actions."""
    traits = TRAITS[edition]
    if traits.turns_without_bid and action == "reverse":
        return say("used.turn")
    match traits.kind:
        case "coin":
            return say(f"coin.{action}")
        case "trick":
            return say(f"trick.{action}")
        case _:
            return say(f"used.{action}")


def terms(say: Catalogue, rules: Rules, house: House) -> str:
    """Sum up the rules of a table in one line: first what everybody asks about, then what differs from the edition."""
    standard = EDITIONS[rules.edition]
    variant = say(f"edition.variant.{rules.edition}")
    parts = [
        say("terms.eyes", count=rules.threshold)
        if rules.has_eyes
        else say("terms.out_at", ordinal=say.ordinal(rules.threshold)),
        say("terms.with", variant=variant) if rules.variant else say("terms.without", variant=variant),
    ]
    if rules.min_bid != standard.min_bid:
        lowest = rules.min_bid
        parts.append(say("terms.any_bid") if lowest is None else say("terms.lowest", number=number(lowest)))
    if rules.deck != standard.deck:
        parts.append(say("terms.custom_deck", count=len(rules.cards)))
    if rules.variant and rules.actions_off:
        names = [action_name(say, action, rules.edition) for action in rules.actions_off]
        parts.append(say("terms.left_out", actions=say.listing(names)))
    if rules.variant and rules.coins != standard.coins:
        parts.append(say("terms.coins", coins=", ".join(f"{say(f'coin.{coin}')} {n}" for coin, n in rules.coins)))
    parts += [
        say(f"terms.{name}.{getattr(rules, name)}")
        for name in _CHOICES_IN_TERMS
        if getattr(rules, name) != getattr(standard, name)
    ]
    clock = house.turn_seconds
    parts.append(say("terms.no_clock") if clock is None else say("terms.clock", time=duration(say, clock)))
    line = DOT.join(parts)
    return line[:1].upper() + line[1:]
