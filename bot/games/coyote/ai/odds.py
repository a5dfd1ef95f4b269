"""The exact odds of the total, from what one seat sees.

All cards that a seat has not seen are alike to it: its own feathers, the centre, the pile. Since a "?" is replaced by
the next card that is no "?", whoever lacks `hidden` cards and knows of `questions` open ones waits for exactly
`hidden + questions` cards of the unseen that are no "?", each set of them equally likely, whichever of the hidden
ones is a "?" itself. Only a pile that may run out needs more care, and gets it in `bot.games.coyote.ai.short_pile`.
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
"""Cards that somebody has not seen: how many of each."""


class Sight(NamedTuple):
    """What one seat knows of the cards that will count."""

    rules: Rules
    seen: tuple[Card, ...]
    """Cards that count and that the seat sees."""
    pool: Pool
    """All cards that it does not see: hidden ones, those under its own front feather, and the pile."""
    hidden: int
    """How many cards of the pool count: its own, the centre, the one beside it."""
    pile: int
    discard: tuple[Card, ...]
    """What is shuffled when the pile is empty."""
    deduced: tuple[Card, ...] = ()
    """Own feathers, among the seen, that can be nothing else."""


class Odds(NamedTuple):
    """P(total ≥ n) for every n."""

    totals: tuple[int, ...]
    """The possible totals, ascending."""
    tails: tuple[float, ...]
    """For each of them, the probability of at least that much; then 0."""

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
    """Return the odds as the viewer, who must be playing, sees them."""
    return odds_of(sight(view))


def sight(view: CoyoteView) -> Sight:
    """Sort what a view shows into what counts, what is out of the question, and what is not seen."""
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
        for card, lies in ((view.centre, True), (view.coyote_card, view.coyote_used)):
            if card is not None:
                counting.append(card)
            else:
                hidden += lies
    looks = Sight(rules, tuple(counting), unseen(rules, (*counting, *spent)), hidden, view.pile, view.discard)
    return _after_renewal(view, looks) if view.returned and hidden and not rules.has_centre else looks


def _after_renewal(view: CoyoteView, looks: Sight) -> Sight:
    """Tell the cards that went back under the pile in this round from those that nobody has seen.

    The pile was empty then. So what the viewer had not seen at that moment was on their own head, and everything
    that was drawn since, and the pile, is of the cards that went back.
    """
    before = dict(looks.pool)
    for card in view.returned:
        before[card] -= 1
    before = {card: copies for card, copies in before.items() if copies}
    if len(view.returned) == view.pile:  # nothing of it is on the viewer's head: as if it were still to be shuffled
        return looks._replace(pool=before, pile=0, discard=view.returned)
    back: Pool = dict(Counter(view.returned))
    deduced: tuple[Card, ...] = ()
    if looks.rules.edition != "feathers":  # there the new feather covers the others
        deduced = tuple(card for card, copies in before.items() for _ in range(copies))
    hidden = looks.hidden - len(deduced)
    return Sight(looks.rules, (*looks.seen, *deduced), back, hidden, view.pile, (), deduced)


def own_feathers(rules: Rules, feathers: int) -> int:
    """Return how many of one's own hidden feathers count: in `feathers` the front one, elsewhere all (R38, R50)."""
    return 1 if rules.edition == "feathers" else feathers


def unseen(rules: Rules, seen: Sequence[Card]) -> Pool:
    """Return what is left of the deck."""
    pool: Pool = dict(rules.census)
    for card in seen:
        pool[card] -= 1
    return {card: copies for card, copies in pool.items() if copies}


def odds_of(sight: Sight) -> Odds:
    """Return the odds of somebody who sees this."""
    return from_weights(weights(sight))


def from_weights(found: Weights) -> Odds:
    """Return the odds of totals that come in so many ways each."""
    totals = sorted(found)
    ways = list(accumulate((found[total] for total in reversed(totals)), initial=0))
    everything = ways[-1]
    return Odds(tuple(totals), tuple([way / everything for way in reversed(ways)]))


def weights(sight: Sight) -> Weights:
    """Return in how many ways every total comes about; the numbers are exact."""
    rules, pool = sight.rules, sight.pool
    questions = sight.seen.count(QUESTION)
    loose = pool.get(QUESTION, 0)
    if (questions or (loose and sight.hidden)) and sight.pile < questions + loose:
        return scarce_weights(rules, sight.seen, pool, hidden=sight.hidden, pile=sight.pile, discard=sight.discard)
    return summed(spread(sight.seen), pool, sight.hidden + questions, rules)
