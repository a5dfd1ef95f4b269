"""Values an ordinary turn: how likely bids are to hold, given the others' bids, and what each answer is worth."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.coyote.ai.coin_value import lives, worth
from bot.games.coyote.ai.hypotheses import Guess, collect_known, guesses, window
from bot.games.coyote.ai.odds import Odds, Sight, odds_of, see
from bot.games.coyote.ai.opponents import ANYONE, Kinds, expected, shared, weigh
from bot.games.coyote.ai.outlook import Belief, Outlook, Stakes, look_ahead
from bot.games.coyote.rules.view import CoyoteView

NEGLIGIBLE: Final = 0.002
"""Guesses with at most this probability are ignored when looking ahead."""
_EVEN: Final = Kinds(1.0, 1.0, 1.0, 1.0, 1.0)
"""Weights that say nothing about an opponent's kind."""
_MAX_PAIRS: Final = 72
"""The most pairs of a guess and an opponent to look ahead with; the likeliest guesses are kept."""


class Judgement(NamedTuple):
    """Everything that an AI player has worked out before it acts."""

    sight: Sight
    plain: Odds
    """The odds of the total, regardless of what others have bid."""
    beliefs: list[Belief]
    """The feathers that I may wear, with their probabilities given the others' bids."""
    order: tuple[Seat, ...]
    """The seats that answer me, in the order of play."""
    stakes: Stakes
    outlook: Outlook
    call: float
    """What it is worth to me to call the standing bid."""

    def holds(self, bid: int) -> float:
        """Return the probability that a bid holds, given the others' bids."""
        return chance_to_hold(self.plain, self.beliefs, bid)

    @property
    def watched(self) -> float:
        """How likely an opponent is to be one who reads bids, averaged over all of them."""
        share = 0.0
        for belief in self.beliefs:
            readers = [kinds.human + kinds.peer for kinds in belief.kinds.values()]
            share += belief.probability * sum(readers) / len(readers)
        return share

    @property
    def neutral(self) -> float:
        """What this round is worth to me on average if another player loses it."""
        return sum(self.stakes.others) / len(self.stakes.others)


def judge(view: CoyoteView, lowest: int, trust: float, anyone: Kinds = ANYONE) -> Judgement:
    """Work out everything an AI player needs for a turn: learn from the others' bids and look ahead.

    `lowest` is the lowest bid to consider, `trust` how much to learn from bids, from 0 to 1, and `anyone` what to
    expect of an opponent about whom nothing is known.
    """
    sight = see(view)
    plain = odds_of(sight)
    beliefs = read_bids(view, guesses(collect_known(view, sight, plain)), trust, anyone)
    order = following(view)
    left = lives(view)
    me = view.viewer or Seat(0)
    stakes = Stakes(tuple([worth(left, me, seat) for seat in order]), worth(left, me, me))
    low, high = window(plain)
    first = max(lowest, low if view.bid is not None or low > 1 else min(1, low + 6))
    last = max(first + 12, high)
    outlook = look_ahead(_likeliest(beliefs, len(order)), order, stakes, first, last)
    return Judgement(sight, plain, beliefs, order, stakes, outlook, _call(view, plain, beliefs, left))


def chance_to_hold(plain: Odds, beliefs: list[Belief], bid: int) -> float:
    """Return the probability that a bid holds: its exact odds, adjusted by what the others' bids revealed."""
    moved = sum([(belief.probability - belief.guess.prior) * belief.guess.chances.at_least(bid) for belief in beliefs])
    return min(1.0, max(0.0, plain.at_least(bid) + moved))


def turned(judged: Judgement) -> Outlook:
    """Return the outlook if the direction of play changed."""
    order = judged.order[::-1]
    stakes = Stakes(judged.stakes.others[::-1], judged.stakes.mine)
    outlook = judged.outlook
    last = outlook.first + len(outlook.bids) - 1
    return look_ahead(_likeliest(judged.beliefs, len(order)), order, stakes, outlook.first, last)


def _likeliest(beliefs: list[Belief], others: int) -> list[Belief]:
    ranked = sorted(beliefs, key=lambda belief: -belief.probability)[: max(5, _MAX_PAIRS // others)]
    kept = [belief for belief in ranked if belief.probability > NEGLIGIBLE]
    everything = sum([belief.probability for belief in kept])
    return [belief._replace(probability=belief.probability / everything) for belief in kept]


def _call(view: CoyoteView, plain: Odds, beliefs: list[Belief], left: dict[Seat, int]) -> float:
    me = view.viewer or Seat(0)
    if view.bid is None or view.bidder is None or view.bidder == me:
        return 0.0
    penalty = 2 if view.doubled else 1
    held, missed = worth(left, me, me, penalty), worth(left, me, view.bidder, penalty)
    hold = chance_to_hold(plain, beliefs, view.bid)
    return hold * held + (1 - hold) * missed


def read_bids(view: CoyoteView, candidates: tuple[Guess, ...], trust: float, anyone: Kinds = ANYONE) -> list[Belief]:
    """Return every guess about my feather, weighted by how likely it makes the others' bids."""
    likely = [_likelihoods(view, guess) for guess in candidates]
    seats = list(candidates[0].sights)
    beliefs = _weighed(candidates, likely, dict.fromkeys(seats, anyone), trust)
    seen = {seat: _average(beliefs, seat) for seat in seats}
    priors = {seat: expected([kinds for other, kinds in seen.items() if other != seat], anyone) for seat in seats}
    return _weighed(candidates, likely, priors, trust)


def _likelihoods(view: CoyoteView, guess: Guess) -> dict[Seat, Kinds]:
    kinds = dict.fromkeys(guess.sights, _EVEN)
    standing: int | None = None
    for rung in view.ladder:
        sees = guess.sights.get(rung.seat)
        if sees is not None and (standing is None or rung.number > standing):
            kinds[rung.seat] = weigh(kinds[rung.seat], sees, standing, rung.number)
        standing = rung.number
    return kinds


def _weighed(
    candidates: tuple[Guess, ...], likely: list[dict[Seat, Kinds]], priors: dict[Seat, Kinds], trust: float
) -> list[Belief]:
    beliefs = []
    for guess, by_seat in zip(candidates, likely, strict=True):
        likelihood = 1.0
        kinds = {}
        for seat, prior in priors.items():
            seat_likelihood, kinds[seat] = shared(prior, by_seat[seat])
            likelihood *= seat_likelihood
        beliefs.append(Belief(guess, guess.prior * likelihood**trust, kinds))
    everything = sum([belief.probability for belief in beliefs])
    if everything <= 0.0:  # no guess explains the bids: ignore them
        return [belief._replace(probability=belief.guess.prior) for belief in beliefs]
    return [belief._replace(probability=belief.probability / everything) for belief in beliefs]


def _average(beliefs: list[Belief], seat: Seat) -> Kinds:
    """Return what kind of player a seat seems to be, averaged over all guesses."""
    return Kinds(
        *[sum([belief.probability * belief.kinds[seat][kind] for belief in beliefs]) for kind in range(len(_EVEN))]
    )


def following(view: CoyoteView) -> tuple[Seat, ...]:
    """Return the seats that answer me, in the current direction of play."""
    active = [seat.seat for seat in view.seats if seat.living and not seat.withdrawn]
    place = active.index(view.viewer or Seat(0))
    return tuple([active[(place + view.direction * step) % len(active)] for step in range(1, len(active))])
