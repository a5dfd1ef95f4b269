"""Defines how each temperament plays Plenty Coups: by how many points it overrates some moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from bot.games.plenty_coups.rules.actions import (
    Breed,
    Defend,
    Disdain,
    DoubleDefend,
    DoubleRaid,
    Hunt,
    Propose,
    Prove,
    Raid,
)


class Temperament(NamedTuple):
    """By how many points a temperament overrates each kind of move, and how well it judges."""

    raids: float = 0.0
    safety: float = 0.0
    """Defences, proofs of worth and breeding."""
    boldness: float = 0.0
    """Disdain and proposals."""
    hunts: float = 0.0
    noise: float = 1.0
    """How far a regular player misjudges moves, relative to other regular players."""
    remembers: bool = False
    """Whether even a regular player remembers the cards that others took."""


TEMPERAMENT_SETTINGS: Final[Mapping[str, Temperament]] = {
    "steady": Temperament(),
    "cautious": Temperament(raids=-0.06, safety=0.1, boldness=-0.1),
    "bluffer": Temperament(raids=0.05, boldness=0.2),
    "counter": Temperament(noise=0.5, remembers=True),
    "gambler": Temperament(raids=0.12, safety=-0.05, boldness=0.05, hunts=0.1, noise=1.5),
}

_PARTS: Final[Mapping[type, str]] = {
    Raid: "raids",
    DoubleRaid: "raids",
    Defend: "safety",
    DoubleDefend: "safety",
    Prove: "safety",
    Breed: "safety",
    Disdain: "boldness",
    Propose: "boldness",
    Hunt: "hunts",
}


def overrated_by(temperament: Temperament, action: Any) -> float:
    """Return by how many points a temperament overrates an action."""
    part = _PARTS.get(type(action))
    return 0.0 if part is None else getattr(temperament, part)
