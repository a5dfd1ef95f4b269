"""What an ordinary turn comes to: how likely bids hold after reading the others, and what each answer is worth."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.coyote.ai.coin_value import lives, worth
from bot.games.coyote.ai.hypotheses import Guess, guesses, known, window
from bot.games.coyote.ai.odds import Odds, Sight, odds_of, sight
from bot.games.coyote.ai.opponents import ANYONE, Kinds, expected, shared, weigh
from bot.games.coyote.ai.outlook import Mind, Outlook, Stakes, look_ahead
from bot.games.coyote.rules.view import CoyoteView

NEGLIGIBLE: Final = 0.002
"""What is believed less than this is not thought through."""
_THOUGHT: Final = 72
"""So many pairs of a supposition and a person are thought through at most, the likeliest first."""


class Judgement(NamedTuple):
    """Everything that a seat has worked out before it acts."""

    looks: Sight
    plain: Odds
    """The odds without a thought for what others have said."""
    minds: list[Mind]
    """What I may wear, after reading the bids."""
    order: tuple[Seat, ...]
    """Who answers me, one after the other."""
    stakes: Stakes
    outlook: Outlook
    call: float
    """The worth of calling the standing bid."""

    def holds(self, bid: int) -> float:
        """Return how likely the bid holds, after reading the bids."""
        return believed(self.plain, self.minds, bid)

    @property
    def neutral(self) -> float:
        """What it is worth if somebody else pays for this round, whoever that is."""
        return sum(self.stakes.others) / len(self.stakes.others)


def judge(view: CoyoteView, lowest: int, trust: float) -> Judgement:
    """Read the bids and look ahead. `lowest` is the lowest number to think about; `trust`, how much bids are read."""
    looks = sight(view)
    plain = odds_of(looks)
    minds = read(view, guesses(known(view, looks, plain)), trust)
    order = following(view)
    left = lives(view)
    me = view.viewer or Seat(0)
    stakes = Stakes(tuple([worth(left, me, seat) for seat in order]), worth(left, me, me))
    low, high = window(plain)
    first = max(lowest, low if view.bid is not None or low > 1 else min(1, low + 6))
    last = max(first + 12, high)
    outlook = look_ahead(_likeliest(minds, len(order)), order, stakes, first, last)
    return Judgement(looks, plain, minds, order, stakes, outlook, _call(view, plain, minds, left))


def believed(plain: Odds, minds: list[Mind], bid: int) -> float:
    """Return the exact odds of a bid, moved by what was read: by nothing if nobody has said anything."""
    moved = sum([(mind.belief - mind.guess.prior) * mind.guess.chances.at_least(bid) for mind in minds])
    return min(1.0, max(0.0, plain.at_least(bid) + moved))


def turned(judged: Judgement) -> Outlook:
    """Look ahead once more, as if the direction had changed."""
    order = judged.order[::-1]
    stakes = Stakes(judged.stakes.others[::-1], judged.stakes.mine)
    outlook = judged.outlook
    last = outlook.first + len(outlook.bids) - 1
    return look_ahead(_likeliest(judged.minds, len(order)), order, stakes, outlook.first, last)


def _likeliest(minds: list[Mind], others: int) -> list[Mind]:
    ranked = sorted(minds, key=lambda mind: -mind.belief)[: max(5, _THOUGHT // others)]
    kept = [mind for mind in ranked if mind.belief > NEGLIGIBLE]
    everything = sum([mind.belief for mind in kept])
    return [mind._replace(belief=mind.belief / everything) for mind in kept]


def _call(view: CoyoteView, plain: Odds, minds: list[Mind], left: dict[Seat, int]) -> float:
    me = view.viewer or Seat(0)
    if view.bid is None or view.bidder is None or view.bidder == me:
        return 0.0
    penalty = 2 if view.doubled else 1
    held, missed = worth(left, me, me, penalty), worth(left, me, view.bidder, penalty)
    hold = believed(plain, minds, view.bid)
    return hold * held + (1 - hold) * missed


def read(view: CoyoteView, suppositions: tuple[Guess, ...], trust: float) -> list[Mind]:
    """Weigh every supposition about my feather by what the others have said."""
    likely = [_likelihoods(view, guess) for guess in suppositions]
    seats = list(suppositions[0].sights)
    minds = _weighed(suppositions, likely, dict.fromkeys(seats, ANYONE), trust)
    seen = {seat: _average(minds, seat) for seat in seats}
    priors = {seat: expected([kinds for other, kinds in seen.items() if other != seat]) for seat in seats}
    return _weighed(suppositions, likely, priors, trust)


def _likelihoods(view: CoyoteView, guess: Guess) -> dict[Seat, Kinds]:
    kinds = dict.fromkeys(guess.sights, Kinds(1.0, 1.0, 1.0, 1.0))
    standing: int | None = None
    for rung in view.ladder:
        sees = guess.sights.get(rung.seat)
        if sees is not None and (standing is None or rung.number > standing):
            kinds[rung.seat] = weigh(kinds[rung.seat], sees, standing, rung.number)
        standing = rung.number
    return kinds


def _weighed(
    suppositions: tuple[Guess, ...], likely: list[dict[Seat, Kinds]], priors: dict[Seat, Kinds], trust: float
) -> list[Mind]:
    minds = []
    for guess, said in zip(suppositions, likely, strict=True):
        belief = 1.0
        kinds = {}
        for seat, prior in priors.items():
            likelihood, kinds[seat] = shared(prior, said[seat])
            belief *= likelihood
        minds.append(Mind(guess, guess.prior * belief**trust, kinds))
    everything = sum([mind.belief for mind in minds])
    if everything <= 0.0:  # nothing explains what was said: let it be
        return [mind._replace(belief=mind.guess.prior) for mind in minds]
    return [mind._replace(belief=mind.belief / everything) for mind in minds]


def _average(minds: list[Mind], seat: Seat) -> Kinds:
    """Return what somebody seems to be like, whatever I may wear."""
    return Kinds(*[sum([mind.belief * mind.kinds[seat][kind] for mind in minds]) for kind in range(4)])


def following(view: CoyoteView) -> tuple[Seat, ...]:
    """Return who answers me, one after the other, in the present direction."""
    active = [seat.seat for seat in view.seats if seat.living and not seat.withdrawn]
    place = active.index(view.viewer or Seat(0))
    return tuple([active[(place + view.direction * step) % len(active)] for step in range(1, len(active))])
