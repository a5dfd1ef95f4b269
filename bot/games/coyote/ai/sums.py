"""Does the arithmetic behind the odds: counts the ways in which known and unknown cards add up to each total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import comb
from typing import Final, NamedTuple, TypeAlias, TypeVar

from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, TIMES_TWO, Card
from bot.games.coyote.rules.editions import LOWEST_BID, Rules

Weights: TypeAlias = dict[int, int]
"""The number of ways that lead to each total."""

AnyCard = TypeVar("AnyCard", bound=Card)

_ACTING: Final[tuple[Card, ...]] = (MAX_ZERO, MAX_MINUS, TIMES_TWO, NIGHT)


class Seen(NamedTuple):
    """Known cards, sorted for counting."""

    numbers: tuple[int, ...]
    """The number cards, highest first."""
    strikes: int
    """How many Max→0 there are; each strikes out the highest number."""
    flips: int
    """How many Max→− there are; each turns the highest number negative."""
    twos: int
    """How many ×2 there are."""


def spread(cards: Sequence[Card]) -> Seen:
    """Sort cards for counting. A "?" itself counts for nothing."""
    numbers = sorted([card for card in cards if isinstance(card, int)], reverse=True)
    if len(numbers) == len(cards):
        return Seen(tuple(numbers), 0, 0, 0)
    return Seen(tuple(numbers), cards.count(MAX_ZERO), cards.count(MAX_MINUS), cards.count(TIMES_TWO))


def total_of(seen: Seen, rules: Rules) -> int:
    """Return the total (sections 2 to 5 of the rules; R14 to R17)."""
    numbers, strikes, flips, twos = seen
    if strikes and rules.max_zero_hits == "any":
        numbers, strikes = numbers[strikes:], 0
    positive = negative = 0
    for number in numbers:
        if number <= 0:
            negative += number
        elif strikes:
            strikes -= 1
        elif flips:
            flips -= 1
            negative -= number
        else:
            positive += number
    if rules.x2_doubles == "positives":
        return (positive << twos) + negative
    return (positive + negative) << twos


def summed(seen: Seen, pool: Mapping[Card, int], more: int, rules: Rules) -> Weights:
    """Return the totals of the seen cards plus `more` cards from the pool, in every combination without a "?"."""
    found: Weights = {}
    numbers = [(card, copies) for card, copies in pool.items() if isinstance(card, int)]
    held = sum(copies for _, copies in numbers)
    for strikes, flips, twos, drawn, times in _specials(pool, more):
        if more - drawn > held:
            continue
        acting = Seen(seen.numbers, seen.strikes + strikes, seen.flips + flips, seen.twos + twos)
        if more == drawn:
            total = total_of(acting, rules)
            found[total] = found.get(total, 0) + times
            continue
        count = _count_with_hits if acting.strikes or acting.flips else _count_plain
        for total, ways in count(acting, numbers, more - drawn, rules).items():
            found[total] = found.get(total, 0) + ways * times
    return found


def _specials(pool: Mapping[Card, int], most: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield each possible set of unknown special cards: strikes, flips, twos, cards in all, and the number of ways."""
    if most == 1:  # a fast path for the common case
        yield 0, 0, 0, 0, 1
        if MAX_ZERO in pool:
            yield 1, 0, 0, 1, pool[MAX_ZERO]
        if MAX_MINUS in pool:
            yield 0, 1, 0, 1, pool[MAX_MINUS]
        if TIMES_TWO in pool:
            yield 0, 0, 1, 1, pool[TIMES_TWO]
        if NIGHT in pool:
            yield 0, 0, 0, 1, pool[NIGHT]
        return
    copies = [pool.get(card, 0) for card in _ACTING]
    for taken in product(*(range(min(held, most) + 1) for held in copies)):
        drawn = sum(taken)
        if drawn <= most:
            times = 1
            for held, some in zip(copies, taken, strict=True):
                if some:
                    times *= comb(held, some)
            yield taken[0], taken[1], taken[2], drawn, times


def _count_plain(seen: Seen, pool: Sequence[tuple[int, int]], more: int, rules: Rules) -> Weights:
    """Count the ways when nothing is struck or flipped, so that each number always adds the same amount."""
    twos = seen.twos
    base = total_of(seen, rules)
    whole = rules.x2_doubles == "all"
    worth = [(number << twos if whole or number > 0 else number, copies) for number, copies in pool] if twos else pool
    if more == 1:  # all numbers differ, so no total comes twice
        return {base + value: copies for value, copies in worth}
    if more == 2:
        return _pairs(base, worth)
    sums: list[Weights] = [{base: 1}, *({} for _ in range(more))]
    for value, copies in worth:
        for filled in range(more - 1, -1, -1):
            for taken in range(1, min(copies, more - filled) + 1):
                target, ways = sums[filled + taken], comb(copies, taken)
                for total, weight in sums[filled].items():
                    reached = total + taken * value
                    target[reached] = target.get(reached, 0) + weight * ways
    return sums[more]


def _pairs(base: int, worth: Sequence[tuple[int, int]]) -> Weights:
    found: Weights = {}
    for place, (value, copies) in enumerate(worth):
        first = base + value
        if copies > 1:
            found[first + value] = found.get(first + value, 0) + comb(copies, 2)
        for other, others in worth[place + 1 :]:
            both = first + other
            found[both] = found.get(both, 0) + copies * others
    return found


def _count_with_hits(seen: Seen, pool: Sequence[tuple[int, int]], more: int, rules: Rules) -> Weights:
    """Count the ways when something is struck or flipped. Unknown numbers too low to be hit are simply added."""
    known, strikes, flips, twos = seen
    last = strikes + flips - 1
    bar = known[last] if last < len(known) else LOWEST_BID
    if bar <= 0 and (flips or rules.max_zero_hits == "positive"):
        bar = LOWEST_BID
    above = [pair for pair in pool if pair[0] > bar]
    if not above:
        return _count_plain(seen, pool, more, rules)
    below = [pair for pair in pool if pair[0] <= bar]
    found = _count_plain(seen, below, more, rules) if sum([copies for _, copies in below]) >= more else {}
    for high in range(1, more + 1):
        for hits, ways in hands(above, high):
            for adds, times in hands(below, more - high):
                hand = Seen(tuple(sorted((*known, *hits, *adds), reverse=True)), strikes, flips, twos)
                total = total_of(hand, rules)
                found[total] = found.get(total, 0) + ways * times
    return found


def hands(pool: Sequence[tuple[AnyCard, int]], more: int) -> Iterator[tuple[tuple[AnyCard, ...], int]]:
    """Yield every multiset of `more` cards, with the number of ways to draw it."""
    if more == 0:
        yield (), 1
    elif more == 1:
        for number, copies in pool:
            yield (number,), copies
    else:
        for place, (number, copies) in enumerate(pool):
            for taken in range(1, min(copies, more) + 1):
                ways = comb(copies, taken)
                for hand, others in hands(pool[place + 1 :], more - taken):
                    yield (number,) * taken + hand, ways * others
