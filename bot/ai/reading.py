"""What the bids of others say about one's own feather.

Others see my feather and bid on what they see. For each feather that I may wear I know what everybody else sees, so I
know how likely their bids were, had they played like one of a few kinds of people. Bayes does the rest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from bot.ai.odds import Odds, Pool, Sight, odds_of, own_feathers
from bot.ai.people import Sees, sees
from bot.games.core import Seat
from bot.games.coyote.cards import Card
from bot.games.coyote.editions import Rules
from bot.games.coyote.view import CoyoteView

Own: TypeAlias = tuple[Card, ...]


class Other(NamedTuple):
    """A player whom I see, as far as the odds are concerned."""

    seat: Seat
    worn: tuple[Card, ...]
    beneath: tuple[Card, ...]


class Known(NamedTuple):
    """Everything that the odds of a round depend on; the same all through a round in which no card moves."""

    rules: Rules
    mine: Own | None
    """My feathers, if I may see them."""
    own: int
    """How many hidden feathers of mine count."""
    others: tuple[Other, ...]
    open: tuple[Card, ...]
    """Counting cards that lie open to everybody or are known to me alone, the centre among them."""
    dark: int
    """Counting cards that nobody wears and I do not know."""
    pool: tuple[tuple[Card, int], ...]
    pile: int
    discard: tuple[Card, ...]
    window: tuple[int, int]
    """The bids between which anything may happen."""


class Guess(NamedTuple):
    """One supposition about my own feathers, and what everybody would see then."""

    own: Own
    prior: float
    total: Sees
    """The total, if this is what I wear."""
    sights: dict[Seat, Sees]
    """The odds as each other player would reckon them."""


MOST: Final = 20
"""So many suppositions are told apart; more are put together with their neighbours."""


def known(view: CoyoteView, looks: Sight, plain: Odds) -> Known:
    """Take from a view what the odds depend on."""
    others = tuple(
        Other(seat.seat, seat.worn, seat.covered or ())
        for seat in view.seats
        if seat.living and seat.worn is not None and seat.seat != view.viewer
    )
    mine = view.seats[view.viewer or 0]
    own = 0 if mine.worn is not None else own_feathers(view.rules, mine.feathers)
    lying = [card for seat in view.seats for card in seat.opened]
    lying += [card for card in (view.centre, view.coyote_card) if card is not None]
    return Known(
        view.rules,
        mine.worn,
        own,
        others,
        tuple(lying),
        looks.hidden - own,
        tuple(looks.pool.items()),
        view.pile,
        view.discard,
        (min(0, plain.highest(0.97) - 6), plain.highest(0.03) + 3),
    )


@lru_cache(maxsize=512)
def guesses(facts: Known) -> tuple[Guess, ...]:
    """Return what I may wear, with what I would then know of the total and of what others see."""
    pool = dict(facts.pool)
    hands = [(facts.mine, 1.0)] if facts.mine is not None else _hands(pool, facts.own)
    found = []
    low, high = facts.window
    shared: dict[tuple[Own, Own, Own], Sees] = {}
    for own, weight in hands:
        rest = _without(pool, own) if facts.mine is None else pool
        worn = [card for other in facts.others for card in other.worn]
        seen = (*own, *worn, *facts.open)
        total = odds_of(Sight(facts.rules, seen, rest, facts.dark, facts.pile, facts.discard))
        sights = {}
        for other in facts.others:
            key = (own, other.worn, other.beneath)
            if key not in shared:
                shared[key] = sees(odds_of(_their_sight(facts, other, own, rest)), low, high)
            sights[other.seat] = shared[key]
        found.append(Guess(own, weight, sees(total, low, high), sights))
    return tuple(found)


def _their_sight(facts: Known, other: Other, own: Own, rest: Pool) -> Sight:
    """Return what another sees if I wear `own`; what I know and they do not is taken as known to them (rare)."""
    seen = [*own, *facts.open]
    for each in facts.others:
        if each is not other:
            seen += each.worn
    pool = dict(rest)
    for card in (*other.worn, *other.beneath):
        pool[card] = pool.get(card, 0) + 1
    return Sight(facts.rules, tuple(seen), pool, len(other.worn) + facts.dark, facts.pile, facts.discard)


def _hands(pool: Pool, own: int) -> list[tuple[Own, float]]:
    """Return what I may wear, with its weight."""
    if own == 0:
        return [((), 1.0)]
    size = sum(pool.values())
    if own == 1:
        return [((card,), copies / size) for card, copies in pool.items()]
    cards = list(pool.items())
    pairs: list[tuple[Own, float]] = []
    for place, (card, copies) in enumerate(cards):
        if copies > 1:
            pairs.append(((card, card), copies * (copies - 1) / 2))
        pairs += [((card, other), float(copies * others)) for other, others in cards[place + 1 :]]
    return _thinned(pairs)


def _thinned(pairs: list[tuple[Own, float]]) -> list[tuple[Own, float]]:
    """Let neighbours speak for each other where there are too many to tell apart."""
    pairs.sort(key=lambda pair: sum(card for card in pair[0] if isinstance(card, int)))
    everything = sum(weight for _, weight in pairs)
    thinned: list[tuple[Own, float]] = []
    heap: list[tuple[Own, float]] = []
    gathered = 0.0
    for pair in pairs:
        heap.append(pair)
        gathered += pair[1]
        if gathered >= everything / MOST:
            thinned.append((heap[len(heap) // 2][0], gathered))
            heap, gathered = [], 0.0
    if heap:
        thinned.append((heap[len(heap) // 2][0], gathered))
    return thinned


def _without(pool: Pool, cards: Own) -> Pool:
    rest = dict(pool)
    for card in cards:
        rest[card] -= 1
        if not rest[card]:
            del rest[card]
    return rest
