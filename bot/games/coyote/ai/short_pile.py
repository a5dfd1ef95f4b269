"""Computes the odds when the pile may run out before every "?" is replaced: then the discard is shuffled (R10, R11).

Single cards need not be tracked. It is enough to know how many unseen cards and how many cards of the discard count
in the end, since all sets of that size are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb, lcm

from bot.games.coyote.ai.sums import Weights, hands, spread, summed
from bot.games.coyote.rules.cards import QUESTION, Card
from bot.games.coyote.rules.editions import Rules


def scarce_weights(
    rules: Rules,
    seen: tuple[Card, ...],
    pool: Mapping[Card, int],
    *,
    hidden: int,
    pile: int,
    discard: tuple[Card, ...],
) -> Weights:
    """Return the weight of each total, over all hidden cards and all cards drawn for a "?"."""
    fresh: dict[Card, int] = {card: copies for card, copies in pool.items() if card != QUESTION}
    thrown: Counter[Card] = Counter(card for card in discard if card != QUESTION)
    unseen, spent = sum(fresh.values()), thrown.total()
    shares: dict[tuple[int, int], Fraction] = {}
    for cards, again, share in _courses(unseen, pool.get(QUESTION, 0), hidden, pile, seen.count(QUESTION)):
        ends = cards, min(again, spent)  # a "?" that finds no card counts 0
        shares[ends] = shares.get(ends, Fraction(0)) + share
    units = {ends: share / (comb(unseen, ends[0]) * comb(spent, ends[1])) for ends, share in shares.items()}
    common = lcm(*(unit.denominator for unit in units.values()))
    found: Weights = {}
    for (cards, again), unit in units.items():
        few, many = ((cards, fresh), (again, thrown)) if cards <= again else ((again, thrown), (cards, fresh))
        for hand, ways in hands(list(few[1].items()), few[0]):
            times = ways * int(unit * common)
            for total, weight in summed(spread((*seen, *hand)), many[1], many[0], rules).items():
                found[total] = found.get(total, 0) + weight * times
    return found


def _courses(fresh: int, loose: int, hidden: int, pile: int, open_: int) -> Iterator[tuple[int, int, Fraction]]:
    """Yield how many unseen cards count, how many "?" draw from the discard, and the probability of that."""
    for worn in range(max(0, hidden - fresh), min(loose, hidden) + 1):  # how many hidden cards are a "?"
        rest, questions = fresh - (hidden - worn), open_ + worn
        left = rest + loose - worn
        ways = comb(loose, worn) * comb(fresh, hidden - worn)
        for there in range(max(0, pile - (loose - worn)), min(rest, pile) + 1):  # how many other cards the pile has
            turned = min(there, questions)
            share = Fraction(ways, comb(fresh + loose, hidden)) * comb(rest, there) * comb(loose - worn, pile - there)
            yield hidden - worn + turned, questions - turned, share / comb(left, pile)
