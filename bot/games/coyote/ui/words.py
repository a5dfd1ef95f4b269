"""Coyote's own things in words: feathers, coins, actions, editions, terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.games.coyote.emoji_names import COIN_FREE, COIN_TAKEN, EYE_CLOSED, EYE_OPEN, HIDDEN_FEATHER, feather_emoji
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, SPECIALS, TIMES_TWO, Card
from bot.games.coyote.rules.editions import EDITIONS, TRAITS, Rules
from bot.games.coyote.rules.view import SeatView
from bot.host.model import House
from bot.screens.words import DOT, duration, number
from bot.text.catalogue import Catalogue

HIDDEN: Final = "🪶"
"""A feather whose face the reader may not see, in words."""
_SIGNS: Final = {
    HIDDEN: HIDDEN_FEATHER,
    "●": COIN_TAKEN,
    "○": COIN_FREE,
    "◉": EYE_OPEN,
    "◌": EYE_CLOSED,
}
"""The emoji for each sign of a text."""
_FACES: Final[dict[Card, str]] = {
    QUESTION: "?",
    MAX_ZERO: "Max→0",
    MAX_MINUS: "Max→−",
    TIMES_TWO: "×2",
    NIGHT: "🌙0",
}
_CHOICES_IN_TERMS: Final = (
    "x2_doubles",
    "max_zero_hits",
    "actions_per",
    "actions_per_turn",
    "right_guess",
    "next_starter",
    "if_starter_is_out",
)
"""The rules whose values are words; the terms mention those that differ from the edition's own."""


def face(card: Card) -> str:
    """Write a feather in words, as labels and sums have it."""
    return number(card) if isinstance(card, int) else _FACES[card]


def faces(cards: Iterable[Card]) -> str:
    """Write feathers in words next to each other, as long lists have them."""
    return DOT.join(map(face, cards))


def feather(say: Catalogue, card: Card) -> str:
    """Write a feather in a text: in words, with its emoji before them if there is one."""
    emoji = say.emoji(feather_emoji(card))
    return f"{emoji}\u00a0{face(card)}" if emoji else face(card)


def feathers(say: Catalogue, cards: Iterable[Card]) -> str:
    """Write feathers next to each other in a text, with their emojis."""
    return DOT.join(feather(say, card) for card in cards)


def with_signs(say: Catalogue, text: str) -> str:
    """Write a text with emojis in place of its signs for coins, eyes and hidden feathers, if there are emojis."""
    for sign, name in _SIGNS.items():
        text = text.replace(sign, say.emoji(name) or sign)
    return text


def tallied(say: Catalogue, cards: Mapping[Card, int]) -> str:
    """Write feathers in order, each once with how many there are: "−5 (2) · 1 to 10 (2 each) · 15 · ?"."""
    runs: list[list[Card]] = []
    for card in in_order(cards):
        before = runs[-1][-1] if runs else None
        follows = isinstance(card, int) and isinstance(before, int) and card == before + 1
        if follows and before is not None and cards[before] == cards[card]:
            runs[-1].append(card)
        else:
            runs.append([card])
    return DOT.join(written for run in runs for written in _run(say, run, cards[run[0]]))


def _run(say: Catalogue, run: Sequence[Card], copies: int) -> list[str]:
    """Write feathers that follow each other; from three on, only the first and the last."""
    if len(run) < 3:
        return [face(card) if copies == 1 else say("supplies.copies", card=face(card), count=copies) for card in run]
    written = say("supplies.run", first=face(run[0]), last=face(run[-1]))
    return [written if copies == 1 else say("supplies.copies_each", run=written, count=copies)]


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sort feathers for reading: numbers from low to high, then the special ones."""
    return sorted(cards, key=lambda card: (0, card) if isinstance(card, int) else (1, SPECIALS.index(card)))


def purse(say: Catalogue, rules: Rules, seat: SeatView) -> str:
    """Show the coins of a player, taken and still free, or their open and closed eyes."""
    if rules.has_eyes:
        return with_signs(say, "◉" * seat.eyes[0] + "◌" * seat.eyes[1])
    return with_signs(say, "●" * seat.tokens + "○" * max(0, rules.threshold - seat.tokens))


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
    parts = [
        say("terms.eyes", count=rules.threshold)
        if rules.has_eyes
        else say("terms.out_at", ordinal=say.ordinal(rules.threshold, "coin")),
    ]
    if rules.variant:
        parts.append(say("terms.with", variant=say(f"edition.variant.{rules.edition}")))
    if rules.min_bid != standard.min_bid:
        lowest = rules.min_bid
        parts.append(say("terms.any_bid") if lowest is None else say("terms.lowest", number=number(lowest)))
    if rules.deck != standard.deck:
        parts.append(say("terms.custom_deck", count=len(rules.cards)))
    if rules.variant and rules.actions_off:
        names = [action_name(say, action, rules.edition) for action in rules.actions_off]
        parts.append(say("terms.left_out", actions=say.listing(names)))
    if rules.variant and rules.coins != standard.coins:
        parts.append(say("terms.coins", coins=say.listing([f"{say(f'coin.{coin}')} {n}" for coin, n in rules.coins])))
    if rules.open_eyes is not None:
        parts.append(say("terms.open_eyes", count=rules.eyes[0]))
    parts += [
        say(f"terms.{name}.{getattr(rules, name)}")
        for name in _CHOICES_IN_TERMS
        if getattr(rules, name) != getattr(standard, name)
    ]
    clock = house.turn_seconds
    parts.append(say("terms.no_clock") if clock is None else say("terms.clock", time=duration(say, clock)))
    line = DOT.join(parts)
    return line[:1].upper() + line[1:]
