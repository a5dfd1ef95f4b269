"""What an ordinary turn comes to: how likely the standing bid holds, and which number is best to name."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.ai.odds import Odds, Sight, odds_of, sight
from bot.ai.outlook import Mind, Outlook, Stakes, look_ahead
from bot.ai.people import ANYONE, Kinds, expected, shared, weigh
from bot.ai.reading import Guess, guesses, known
from bot.ai.worth import lives, worth
from bot.games.core import Seat
from bot.games.coyote.view import CoyoteView

NEGLIGIBLE: Final = 0.002
"""What is believed less than this is not thought through."""


class Judgement(NamedTuple):
    """Everything that a seat has worked out before it acts."""

    looks: Sight
    plain: Odds
    """The odds without a thought for what others have said."""
    minds: list[Mind]
    """What I may wear, after reading the bids."""
    outlook: Outlook
    call: float
    """The worth of calling the standing bid."""

    def holds(self, bid: int) -> float:
        """Return how likely the bid holds, after reading the bids."""
        return sum(mind.belief * mind.guess.total.at_least(bid) for mind in self.minds)


def judge(view: CoyoteView, lowest: int) -> Judgement:
    """Read the bids and look ahead; `lowest` is the lowest number that may be named."""
    looks = sight(view)
    plain = odds_of(looks)
    minds = read(view, guesses(known(view, looks, plain)))
    order = following(view)
    left = lives(view)
    me = view.viewer or Seat(0)
    penalty = 2 if view.doubled else 1
    stakes = Stakes(tuple([worth(left, me, seat) for seat in order]), worth(left, me, me))
    first = max(lowest, plain.highest(0.97) - 6 if view.bid is not None else min(1, plain.highest(0.95)))
    last = max(first + 12, plain.highest(0.03) + 3)
    outlook = look_ahead([mind for mind in minds if mind.belief > NEGLIGIBLE], order, stakes, first, last)
    call = 0.0
    if view.bid is not None and view.bidder is not None and view.bidder != me:
        held, missed = worth(left, me, me, penalty), worth(left, me, view.bidder, penalty)
        for mind in minds:
            hold = mind.guess.total.at_least(view.bid)
            call += mind.belief * (hold * held + (1 - hold) * missed)
    return Judgement(looks, plain, minds, outlook, call)


def read(view: CoyoteView, suppositions: tuple[Guess, ...]) -> list[Mind]:
    """Weigh every supposition about my feather by what the others have said."""
    likely = [_likelihoods(view, guess) for guess in suppositions]
    seats = list(suppositions[0].sights)
    minds = _weighed(suppositions, likely, dict.fromkeys(seats, ANYONE))
    seen = {seat: _average(minds, seat) for seat in seats}
    priors = {seat: expected([kinds for other, kinds in seen.items() if other != seat]) for seat in seats}
    return _weighed(suppositions, likely, priors)


def _likelihoods(view: CoyoteView, guess: Guess) -> dict[Seat, Kinds]:
    kinds = dict.fromkeys(guess.sights, Kinds(1.0, 1.0, 1.0, 1.0))
    standing: int | None = None
    for rung in view.ladder:
        sees = guess.sights.get(rung.seat)
        if sees is not None and rung.how != "approve":
            kinds[rung.seat] = weigh(kinds[rung.seat], sees, standing, rung.number)
        standing = rung.number
    return kinds


def _weighed(suppositions: tuple[Guess, ...], likely: list[dict[Seat, Kinds]], priors: dict[Seat, Kinds]) -> list[Mind]:
    minds = []
    for guess, said in zip(suppositions, likely, strict=True):
        belief = guess.prior
        kinds = {}
        for seat, prior in priors.items():
            likelihood, kinds[seat] = shared(prior, said[seat])
            belief *= likelihood
        minds.append(Mind(guess, belief, kinds))
    everything = sum(mind.belief for mind in minds)
    if everything <= 0.0:
        return [mind._replace(belief=1 / len(minds)) for mind in minds]
    return [mind._replace(belief=mind.belief / everything) for mind in minds]


def _average(minds: list[Mind], seat: Seat) -> Kinds:
    """Return what somebody seems to be like, whatever I may wear."""
    return Kinds(*[sum(mind.belief * mind.kinds[seat][kind] for mind in minds) for kind in range(4)])


def following(view: CoyoteView) -> tuple[Seat, ...]:
    """Return who answers me, one after the other, in the present direction."""
    active = [seat.seat for seat in view.seats if seat.living and not seat.withdrawn]
    me = view.viewer or Seat(0)
    place = active.index(me)
    return tuple(active[(place + view.direction * step) % len(active)] for step in range(1, len(active)))
