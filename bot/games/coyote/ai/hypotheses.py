"""Makes guesses about my own feathers, and works out what everybody else would see if they were true.

Others see my feather and bid accordingly. So a guess about my feather tells what they see, and how likely that made
their bids (`bot.games.coyote.ai.opponents`). Bayes' rule does the rest (`bot.games.coyote.ai.bidding`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from bot.engine.core import Seat
from bot.games.coyote.ai.odds import Odds, Pool, Sight, odds_of, own_feathers
from bot.games.coyote.ai.opponents import OpponentOdds, opponent_odds
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, TIMES_TWO, Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.view import CoyoteView

Own: TypeAlias = tuple[Card, ...]

_ROUGH_WORTH: Final[dict[Card, int]] = {MAX_MINUS: -20, MAX_ZERO: -12, NIGHT: 0, QUESTION: 5, TIMES_TWO: 17}
"""Roughly how much each special card changes the total, to sort it among the numbers."""
_MAX_BIDS: Final = 60
"""About how many bids to consider; a wider range is narrowed."""


class Other(NamedTuple):
    """Another player, as far as the odds are concerned."""

    seat: Seat
    worn: tuple[Card, ...]
    beneath: tuple[Card, ...]
    unknown: tuple[Card, ...]
    """Cards that count, which I can see and this player cannot."""


class Known(NamedTuple):
    """Everything that the odds of a round depend on. It stays the same until a card moves."""

    rules: Rules
    mine: Own | None
    """My feathers, if I can see them."""
    own: int
    """How many hidden feathers of mine count."""
    others: tuple[Other, ...]
    lying: tuple[Card, ...]
    """Cards on the table that count and that I can see."""
    dark: int
    """How many cards on the table count and are hidden from me."""
    pool: tuple[tuple[Card, int], ...]
    pile: int
    discard: tuple[Card, ...]
    window: tuple[int, int]
    """The lowest and highest bids worth considering."""


class Guess(NamedTuple):
    """One guess about my own feathers, and what everybody would see if it were true."""

    own: Own
    prior: float
    chances: Odds
    """The odds of the total, if the guess is true."""
    total: OpponentOdds
    """The same odds, for every bid in the window."""
    sights: dict[Seat, OpponentOdds]
    """The odds as each other player would work them out."""


def collect_known(view: CoyoteView, sight: Sight, plain: Odds) -> Known:
    """Collect from a view what the odds depend on."""
    mine = view.seats[view.viewer or 0]
    others = tuple(
        Other(seat.seat, seat.worn, seat.covered or (), _unknown_to(seat.seat, view))
        for seat in view.seats
        if seat.living and seat.worn is not None and seat.seat != view.viewer
    )
    own = 0 if mine.worn is not None else own_feathers(view.rules, mine.feathers) - len(sight.deduced)
    lying = [*sight.deduced, *(card for seat in view.seats for card in seat.opened)]
    lying += [card for card in (view.centre, view.coyote_card) if card is not None]
    return Known(
        rules=view.rules,
        mine=mine.worn,
        own=own,
        others=others,
        lying=tuple(lying),
        dark=sight.hidden - own,
        pool=tuple(sight.pool.items()),
        pile=sight.pile,
        discard=sight.discard,
        window=window(plain),
    )


def window(plain: Odds) -> tuple[int, int]:
    """Return the lowest and highest bids worth considering: lower ones nearly always hold, higher ones hardly ever."""
    low, high = plain.highest(0.97) - 6, plain.highest(0.03) + 3
    if high - low > _MAX_BIDS:  # a rare feather may change everything: ignore that case
        low = max(low, min(high - _MAX_BIDS, plain.highest(0.8) - 6))
    return low, max(low, min(high, low + 2 * _MAX_BIDS))


def _unknown_to(seat: Seat, view: CoyoteView) -> tuple[Card, ...]:
    """Return the cards that I know and a seat does not: a centre that only I peeked at, and my Coyote card's draw."""
    centre = () if view.centre is None or seat in view.peeked else (view.centre,)
    return centre if view.coyote_card is None else (*centre, view.coyote_card)


@lru_cache(maxsize=128)
def guesses(facts: Known) -> tuple[Guess, ...]:
    """Return all guesses about my feathers, each with the odds as I and the others would see them."""
    pool = dict(facts.pool)
    hands = [(facts.mine, 1.0)] if facts.mine is not None else _thinned(_hands(pool, facts.own), _max_guesses(facts))
    found = []
    low, high = facts.window
    worn = [card for other in facts.others for card in other.worn]
    for own, weight in hands:
        rest = _without(pool, own) if facts.mine is None else pool
        seen = (*own, *worn, *facts.lying)
        total = odds_of(Sight(facts.rules, seen, rest, facts.dark, facts.pile, facts.discard))
        shared: dict[tuple[Own, Own, Own], OpponentOdds] = {}
        sights = {}
        for other in facts.others:
            key = other[1:]
            if key not in shared:
                shared[key] = opponent_odds(odds_of(_their_sight(facts, other, own, rest)), low, high)
            sights[other.seat] = shared[key]
        found.append(Guess(own, weight, total, opponent_odds(total, low, high), sights))
    return tuple(found)


def _their_sight(facts: Known, other: Other, own: Own, rest: Pool) -> Sight:
    """Return what another player sees if I wear `own`, leaving out what only they know."""
    seen = [*own, *facts.lying]
    for card in other.unknown:
        seen.remove(card)
    for each in facts.others:
        if each is not other:
            seen += each.worn
    pool = dict(rest)
    for card in (*other.worn, *other.beneath, *other.unknown):
        pool[card] = pool.get(card, 0) + 1
    hidden = len(other.worn) + len(other.unknown) + facts.dark
    return Sight(facts.rules, tuple(seen), pool, hidden, facts.pile, facts.discard)


def _max_guesses(facts: Known) -> int:
    """Return how many guesses to consider: the more work each one takes, the fewer."""
    cards = 1 + facts.dark + any(QUESTION in other.worn for other in facts.others) + (QUESTION in facts.lying)
    return max(6, min(20, (100, 66, 50, 30)[min(cards, 4) - 1] // max(1, len(facts.others))))


def _hands(pool: Pool, own: int) -> list[tuple[Own, float]]:
    """Return every hand that I may wear, with the number of ways to draw it."""
    if own == 0:
        return [((), 1.0)]
    if own == 1:
        return [((card,), float(copies)) for card, copies in pool.items()]
    cards = list(pool.items())
    pairs: list[tuple[Own, float]] = []
    for place, (card, copies) in enumerate(cards):
        if copies > 1:
            pairs.append(((card, card), copies * (copies - 1) / 2))
        pairs += [((card, other), float(copies * others)) for other, others in cards[place + 1 :]]
    return pairs


def _thinned(hands: list[tuple[Own, float]], most: int) -> list[tuple[Own, float]]:
    """Reduce the hands to about `most`, with probabilities: one hand for each group of similar worth."""
    everything = sum(weight for _, weight in hands)
    if len(hands) <= most:
        return [(own, weight / everything) for own, weight in hands]
    hands.sort(key=lambda hand: sum(card if isinstance(card, int) else _ROUGH_WORTH[card] for card in hand[0]))
    thinned: list[tuple[Own, float]] = []
    group: list[Own] = []
    gathered = 0.0
    for own, weight in hands:
        group.append(own)
        gathered += weight / everything
        if gathered >= 1 / most:
            thinned.append((group[len(group) // 2], gathered))
            group, gathered = [], 0.0
    if group:
        thinned.append((group[len(group) // 2], gathered))
    return thinned


def _without(pool: Pool, cards: Own) -> Pool:
    rest = dict(pool)
    for card in cards:
        rest[card] -= 1
        if not rest[card]:
            del rest[card]
    return rest
