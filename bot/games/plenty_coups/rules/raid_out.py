"""A raid that is out: both views and events show it."""

from __future__ import annotations

from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules.cards import Cards, Tribe


class RaidOut(Frozen, frozen=True):
    """A raid that is out, at another tribe's camp (section 2)."""

    raider: Tribe
    target: Tribe
    warriors: Cards
    """In the order in which they were played."""
    value: int
    """The attack value, fixed when the raid sets out (R30)."""
    prestige_side: bool
    """Whether the raider's marker lies with its prestige side up."""
