"""Computes the exact odds of the total from what one seat sees.

To a seat, all unseen cards are equally likely to be anywhere: on its own head, in the centre, in the pile. A "?" is
replaced by the next card that is not a "?". So if a seat cannot see `hidden` of the cards that count, and sees
`questions` cards that are a "?", then exactly `hidden + questions` unseen cards other than a "?" will count. Every set
of that size is equally likely, no matter which hidden card is a "?" itself. `bot.games.coyote.ai.short_pile` handles a
pile that may run out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from bot.games.coyote.ai.short_pile import scarce_weights
from bot.games.coyote.ai.sums import Weights, spread, summed
from bot.games.coyote.rules.cards import QUESTION, Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.view import CoyoteView

Pool: TypeAlias = dict[Card, int]
"""How many of each card a seat has not seen."""


class Sight(NamedTuple):
    """What one seat knows about the cards that will count."""

    rules: Rules
    seen: tuple[Card, ...]
    """The cards that count and that the seat sees."""
    pool: Pool
    """All cards that it does not see: hidden ones that count, those under its own front feather, and the pile."""
    hidden: int
    """How many cards of the pool count: its own feathers, the centre, the card drawn with the Coyote card."""
    pile: int
    discard: tuple[Card, ...]
    """The cards to be shuffled when the pile is empty."""
    deduced: tuple[Card, ...] = ()
    """The seat's own feathers that it can work out by counting cards; they are part of `seen`."""


class Odds(NamedTuple):
    """The probability that the total is at least n, for every n."""

    totals: tuple[int, ...]
    """The possible totals, ascending."""
    tails: tuple[float, ...]
    """For each total, the probability of at least that much; a 0 at the end, for anything higher."""

    def at_least(self, number: int) -> float:
        """Return the probability that a bid of `number` holds."""
        return self.tails[bisect_left(self.totals, number)]

    def highest(self, chance: float) -> int:
        """Return the highest bid that holds with at least this probability; the lowest total if there is none."""
        best = self.totals[0]
        for total, tail in zip(self.totals, self.tails, strict=False):
            if tail < chance:
                break
            best = total
        return best


def odds(view: CoyoteView) -> Odds:
    """Return the odds for the viewer, who must be playing."""
    return odds_of(see(view))


def see(view: CoyoteView) -> Sight:
    """Sort the cards of a view into those that count, those that do not, and those that are not seen."""
    rules = view.rules
    counting: list[Card] = []
    spent: list[Card] = [*view.discard]
    hidden = 0
    for seat in view.seats:
        counting += seat.opened
        if seat.covered:
            spent += seat.covered
        if seat.worn is not None:
            counting += seat.worn
        elif seat.feathers:
            hidden += own_feathers(rules, seat.feathers)
    if rules.has_centre:
        for card, counts in ((view.centre, True), (view.coyote_card, view.coyote_used)):
            if card is not None:
                counting.append(card)
            else:
                hidden += counts
    sight = Sight(rules, tuple(counting), unseen(rules, (*counting, *spent)), hidden, view.pile, view.discard)
    return _after_renewal(view, sight) if view.returned and hidden and not rules.has_centre else sight


def _after_renewal(view: CoyoteView, sight: Sight) -> Sight:
    """Separate the cards that were shuffled back in this round from those that nobody has seen.

    The pile was empty at that moment. So every card that the viewer had not seen was on their own head, and the pile
    and all cards drawn since come from those that were shuffled back.
    """
    before = dict(sight.pool)
    for card in view.returned:
        before[card] -= 1
    before = {card: copies for card, copies in before.items() if copies}
    if len(view.returned) == view.pile:  # none was drawn since: the same as if they were yet to be shuffled
        return sight._replace(pool=before, pile=0, discard=view.returned)
    back: Pool = dict(Counter(view.returned))
    deduced: tuple[Card, ...] = ()
    if not sight.rules.covers_feathers:
        deduced = tuple(card for card, copies in before.items() for _ in range(copies))
    hidden = sight.hidden - len(deduced)
    return Sight(sight.rules, (*sight.seen, *deduced), back, hidden, view.pile, (), deduced)


def own_feathers(rules: Rules, feathers: int) -> int:
    """Return how many of one's own hidden feathers count: only the front one if it covers the others (R38, R50)."""
    return 1 if rules.covers_feathers else feathers


def unseen(rules: Rules, seen: Sequence[Card]) -> Pool:
    """Return the deck without the seen cards."""
    pool: Pool = dict(rules.census)
    for card in seen:
        pool[card] -= 1
    return {card: copies for card, copies in pool.items() if copies}


def odds_of(sight: Sight) -> Odds:
    """Return the odds for a seat that sees this."""
    return from_weights(weights(sight))


def from_weights(found: Weights) -> Odds:
    """Turn the number of ways that lead to each total into odds."""
    totals = sorted(found)
    ways = list(accumulate((found[total] for total in reversed(totals)), initial=0))
    everything = ways[-1]
    return Odds(tuple(totals), tuple([way / everything for way in reversed(ways)]))


def weights(sight: Sight) -> Weights:
    """Return the exact number of ways that lead to each total."""
    rules, pool = sight.rules, sight.pool
    questions = sight.seen.count(QUESTION)
    loose = pool.get(QUESTION, 0)
    if (questions or (loose and sight.hidden)) and sight.pile < questions + loose:
        return scarce_weights(rules, sight.seen, pool, hidden=sight.hidden, pile=sight.pile, discard=sight.discard)
    return summed(spread(sight.seen), pool, sight.hidden + questions, rules)
