"""A few kinds of people, and how each of them answers a bid: how others are read, and what is expected of them.

`plain` calls what holds with less than one in five, else says one more. `middle` calls at the same point, else goes
halfway to the highest bid it would believe. `wild` does not look. `human` is everybody else, softer in every respect.
"""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

from bot.games.coyote.ai.odds import Odds

BELIEVED: Final = 0.2
"""Plain people call a bid that holds with less than this."""
_DOUBT: Final = 0.33
_SOFTNESS: Final = 0.08


class Kinds(NamedTuple):
    """How likely somebody is of each kind."""

    plain: float
    middle: float
    wild: float
    human: float


ANYONE: Final = Kinds(0.25, 0.2, 0.2, 0.35)
_ALIKE: Final = 0.65
"""How much the people at one table are alike."""


def middle(standing: int, most: int) -> int:
    """Return the bid halfway from the standing one to the highest that is believed; at least one more."""
    return standing + max(1, (most - standing + 1) // 2)


def doubt(holds: float) -> float:
    """Return how likely a human being calls a bid that holds with this probability for them."""
    return _DOUBTS[int(holds * 500 + 0.5)]


_DOUBTS: Final = tuple(1.0 / (1.0 + exp((step / 500 - _DOUBT) / _SOFTNESS)) for step in range(502))


class Sees(NamedTuple):
    """What somebody else reckons with, worked out once for a round."""

    low: int
    holds: tuple[float, ...]
    """The odds of every bid from `low` on; lower ones are certain, higher ones hopeless."""
    doubts: tuple[float, ...]
    """How likely a human being calls each of them."""
    most: int
    """The highest bid that is believed."""
    even: int
    """The highest bid that holds as often as not."""

    def at_least(self, number: int) -> float:
        """Return the odds of one bid."""
        place = number - self.low
        return 1.0 if place < 0 else self.holds[place] if place < len(self.holds) else 0.0


def sees(chances: Odds, low: int, high: int) -> Sees:
    """Work out what somebody with these odds would do from `low` to `high`."""
    holds: list[float] = []
    for total, tail in zip(chances.totals, chances.tails, strict=False):
        holds += [tail] * (total - low + 1 - len(holds))
        if total >= high:
            break
    holds += [0.0] * (high - low + 1 - len(holds))
    del holds[high - low + 1 :]
    doubts = [_DOUBTS[int(hold * 500 + 0.5)] for hold in holds]
    return Sees(low, tuple(holds), tuple(doubts), chances.highest(BELIEVED), chances.highest(0.5))


def weigh(kinds: Kinds, sees: Sees, standing: int | None, number: int) -> Kinds:
    """Return how likely each kind was to be sitting there and to say `number`, for one who sees these odds."""
    believes = sees.at_least(number)
    most = sees.most
    if standing is None:
        goal = middle(0, most)
        return Kinds(
            kinds.plain * (0.3 if number == 1 else 0.02),
            kinds.middle * (0.6 if number == goal else 0.15 if abs(number - goal) == 1 else 0.005),
            kinds.wild * (0.2 if 1 <= number <= 5 else 0.001),
            kinds.human * 0.05 * (believes + 0.02),
        )
    step = number - standing
    stays = 1.0 if standing <= most else 0.004
    goal = middle(standing, most)
    keep = 1.0 - 1.0 / max(1.35, (sees.even - standing) / 4)
    return Kinds(
        kinds.plain * stays * (1.0 if step == 1 else 0.002),
        kinds.middle * stays * (0.8 if number == goal else 0.1 if abs(number - goal) == 1 else 0.004),
        kinds.wild * (0.15 if step <= 5 else 0.0005),
        kinds.human
        * (1.0 - doubt(sees.at_least(standing)))
        * ((1.0 - keep) * keep ** (step - 1) + 0.003)
        * (0.1 + believes),
    )


def expected(others: list[Kinds]) -> Kinds:
    """Return what to expect of somebody at a table with these: people who sit together are alike."""
    if not others:
        return ANYONE
    return Kinds(
        *[
            (1 - _ALIKE) * usual + _ALIKE * sum(kinds) / len(others)
            for usual, kinds in zip(ANYONE, zip(*others, strict=True), strict=True)
        ]
    )


def shared(prior: Kinds, likely: Kinds) -> tuple[float, Kinds]:
    """Return how likely all of it was, and the kinds as probabilities."""
    kinds = [some * likelihood for some, likelihood in zip(prior, likely, strict=True)]
    everything = sum(kinds)
    if everything <= 1e-300:
        return 1e-300, prior
    return everything, Kinds(*[kind / everything for kind in kinds])
