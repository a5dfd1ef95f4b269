"""The odds when a "?" may find the pile empty: every course of the draws is followed (R10, R11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from bot.ai.sums import Weights, spread, total_of
from bot.games.coyote.cards import QUESTION, Card
from bot.games.coyote.editions import Rules


def scarce_weights(
    rules: Rules,
    seen: tuple[Card, ...],
    pool: Mapping[Card, int],
    *,
    hidden: int,
    pile: int,
    discard: tuple[Card, ...],
) -> Weights:
    """Return the weights of all totals, following every hidden card, every draw and every shuffled discard."""
    shares: dict[int, Fraction] = {}
    thrown: dict[Card, int] = {}
    for card in discard:
        thrown[card] = thrown.get(card, 0) + 1
    for worn, rest, share in _drawn(dict(pool), hidden):
        questions = seen.count(QUESTION) + worn.count(QUESTION)
        for turned, chance in _turned(rest, pile, thrown, questions):
            total = total_of(spread((*seen, *worn, *turned)), rules)
            shares[total] = shares.get(total, Fraction(0)) + share * chance
    common = lcm(*(share.denominator for share in shares.values()))
    return {total: int(share * common) for total, share in shares.items()}


def _drawn(pool: dict[Card, int], cards: int) -> Iterator[tuple[tuple[Card, ...], dict[Card, int], Fraction]]:
    """Yield every sequence of so many cards, what is left then, and its probability."""
    if cards == 0 or not pool:
        yield (), pool, Fraction(1)
        return
    for card, rest, share in _one(pool):
        for others, left, chance in _drawn(rest, cards - 1):
            yield (card, *others), left, share * chance


def _turned(
    rest: dict[Card, int], pile: int, thrown: dict[Card, int], questions: int
) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """Yield what so many "?" may turn: the pile first, then the discard, shuffled; nothing left counts 0."""
    source = rest if pile else thrown
    if questions == 0 or not source:
        yield (), Fraction(1)
        return
    for card, left, share in _one(source):
        after = (left, pile - 1, thrown) if pile else (rest, 0, left)
        missing = questions if card == QUESTION else questions - 1
        for turned, chance in _turned(*after, missing):
            yield (turned if card == QUESTION else (card, *turned)), share * chance


def _one(pool: dict[Card, int]) -> Iterator[tuple[Card, dict[Card, int], Fraction]]:
    size = sum(pool.values())
    for card, copies in pool.items():
        rest = dict(pool)
        if copies == 1:
            del rest[card]
        else:
            rest[card] = copies - 1
        yield card, rest, Fraction(copies, size)
