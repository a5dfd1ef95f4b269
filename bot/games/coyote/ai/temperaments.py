"""Defines how each temperament plays Coyote. All numbers but `noise` are shares of what a round is worth."""

from __future__ import annotations

from typing import Final, NamedTuple


class Temperament(NamedTuple):
    """How a temperament shifts what calls, bids and special actions seem to be worth."""

    nerve: float
    """How much a call is overrated."""
    bluff: float
    """How much worth is given up to bid higher than the best number; if negative, to bid lower."""
    tricks: float
    """How much special actions are overrated."""
    noise: float = 1.0
    """How far a regular player misjudges what moves are worth, relative to other regular players."""


TEMPERAMENT_SETTINGS: Final[dict[str, Temperament]] = {
    "steady": Temperament(nerve=0.0, bluff=0.0, tricks=0.0),
    "cautious": Temperament(nerve=-0.04, bluff=-0.05, tricks=-0.03),
    "bluffer": Temperament(nerve=-0.02, bluff=0.06, tricks=0.02),
    "counter": Temperament(nerve=0.0, bluff=0.0, tricks=0.0, noise=0.3),
    "gambler": Temperament(nerve=0.04, bluff=0.03, tricks=0.06, noise=1.5),
}
