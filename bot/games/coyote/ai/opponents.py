"""Models five kinds of opponents and how each answers a bid, to explain past bids and predict the next ones.

`plain` calls bids that hold with a probability below 0.2, and otherwise raises by one. `middle` calls the same bids,
and otherwise raises halfway to the highest bid that it believes. `wild` ignores the cards. `peer` plays like this
brain: it opens with the highest bid that is nearly certain to hold, mostly raises by one, and calls late. `human` is
everybody else. The last two have gradual doubts instead of a fixed limit.
"""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

from bot.games.coyote.ai.odds import Odds

BELIEVED: Final = 0.2
"""`plain` and `middle` opponents call a bid that holds with a lower probability than this."""
_DOUBT: Final = 0.33
"""`human` opponents call half of the bids that hold with this probability."""
_SOFTNESS: Final = 0.08
"""How gradually a `human` opponent's doubts grow around that probability."""
SAFE: Final = 0.97
"""Bids that hold with this probability are nearly certain: `peer` opponents open with the highest of them."""
_PEER_DOUBT: Final = 0.13
"""`peer` opponents call half of the bids that hold with this probability."""
_PEER_SOFTNESS: Final = 0.09
"""How gradually a `peer` opponent's doubts grow around that probability."""
PEER_RAISES: Final = (0.63, 0.13, 0.09, 0.07, 0.08)
"""How likely a `peer` opponent who raises does so by one, two, three, four, or five."""


class Kinds(NamedTuple):
    """The probability that an opponent is of each kind."""

    plain: float
    middle: float
    wild: float
    human: float
    peer: float


ANYONE: Final = Kinds(0.2, 0.13, 0.15, 0.22, 0.3)
"""What to expect of an opponent about whom nothing is known."""
ANYONE_BUT_PEERS: Final = Kinds(0.25, 0.2, 0.2, 0.35, 0.0)
"""The same for a player who does not know how other AI players think."""
_ALIKE: Final = 0.65
"""How alike the opponents at one table are assumed to be, from 0 to 1."""


def middle(standing: int, most: int) -> int:
    """Return the bid halfway from the standing one to `most`, the highest that is believed; at least one higher."""
    return standing + max(1, (most - standing + 1) // 2)


def doubt(holds: float) -> float:
    """Return the probability that a `human` calls a bid, given the probability that it holds."""
    return _DOUBTS[int(holds * 500 + 0.5)]


_DOUBTS: Final = tuple(1.0 / (1.0 + exp((step / 500 - _DOUBT) / _SOFTNESS)) for step in range(502))
"""`doubt` in steps of 1/500, computed once."""
_PEER_DOUBTS: Final = tuple(1.0 / (1.0 + exp((step / 500 - _PEER_DOUBT) / _PEER_SOFTNESS)) for step in range(502))
"""The same for a `peer`."""


class OpponentOdds(NamedTuple):
    """The odds as an opponent sees them, worked out once."""

    low: int
    holds: tuple[float, ...]
    """The odds of every bid from `low` on. Bids below are certain to hold, those above the last never do."""
    doubts: tuple[float, ...]
    """The probability that a `human` calls each of them."""
    peer_doubts: tuple[float, ...]
    """The probability that a `peer` calls each of them."""
    most: int
    """The highest bid that the opponent believes."""
    even: int
    """The highest bid that holds with a probability of at least one half."""
    safe: int
    """The highest bid that is nearly certain to hold."""

    def at_least(self, number: int) -> float:
        """Return the odds of one bid."""
        place = number - self.low
        return 1.0 if place < 0 else self.holds[place] if place < len(self.holds) else 0.0


def opponent_odds(chances: Odds, low: int, high: int) -> OpponentOdds:
    """Work out what an opponent with these odds thinks of the bids from `low` to `high`."""
    holds: list[float] = []
    for total, tail in zip(chances.totals, chances.tails, strict=False):
        holds += [tail] * (total - low + 1 - len(holds))
        if total >= high:
            break
    holds += [0.0] * (high - low + 1 - len(holds))
    del holds[high - low + 1 :]
    steps = [int(hold * 500 + 0.5) for hold in holds]
    doubts, peer_doubts = [_DOUBTS[step] for step in steps], [_PEER_DOUBTS[step] for step in steps]
    most, even, safe = chances.highest(BELIEVED), chances.highest(0.5), chances.highest(SAFE)
    return OpponentOdds(low, tuple(holds), tuple(doubts), tuple(peer_doubts), most, even, safe)


def weigh(kinds: Kinds, seen: OpponentOdds, standing: int | None, number: int) -> Kinds:
    """Return the weight of each kind after a bid of `number` by an opponent with these odds."""
    believes = seen.at_least(number)
    most = seen.most
    if standing is None:
        goal = middle(0, most)
        return Kinds(
            kinds.plain * (0.3 if number == 1 else 0.02),
            kinds.middle * (0.6 if number == goal else 0.15 if abs(number - goal) == 1 else 0.005),
            kinds.wild * (0.2 if 1 <= number <= 5 else 0.001),
            kinds.human * 0.05 * (believes + 0.02),
            kinds.peer * (0.6 if number == seen.safe else 0.02 * (believes**4 + 0.05)),
        )
    step = number - standing
    stays = 1.0 if standing <= most else 0.004
    goal = middle(standing, most)
    keep = 1.0 - 1.0 / max(1.35, (seen.even - standing) / 4)
    return Kinds(
        kinds.plain * stays * (1.0 if step == 1 else 0.002),
        kinds.middle * stays * (0.8 if number == goal else 0.1 if abs(number - goal) == 1 else 0.004),
        kinds.wild * (0.15 if step <= 5 else 0.0005),
        kinds.human
        * (1.0 - doubt(seen.at_least(standing)))
        * ((1.0 - keep) * keep ** (step - 1) + 0.003)
        * (0.1 + believes),
        kinds.peer
        * (1.0 - _PEER_DOUBTS[int(seen.at_least(standing) * 500 + 0.5)])
        * (PEER_RAISES[step - 1] if step < len(PEER_RAISES) else 0.3 / step**2),
    )


def expected(others: list[Kinds], anyone: Kinds) -> Kinds:
    """Return what to expect of an opponent at a table with these others, assuming that they are somewhat alike."""
    if not others:
        return anyone
    return Kinds(
        *[
            (1 - _ALIKE) * usual + _ALIKE * sum(kinds) / len(others)
            for usual, kinds in zip(anyone, zip(*others, strict=True), strict=True)
        ]
    )


def shared(prior: Kinds, likely: Kinds) -> tuple[float, Kinds]:
    """Return the likelihood of an opponent's bids, and the probability of each kind given them."""
    kinds = [some * likelihood for some, likelihood in zip(prior, likely, strict=True)]
    everything = sum(kinds)
    if everything <= 1e-300:
        return 1e-300, prior
    return everything, Kinds(*[kind / everything for kind in kinds])
