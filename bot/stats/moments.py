"""The steps of a finished match: replays show them, and games search them for highlights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from bot.engine.core import Seat
from bot.host.decision import Actor
from bot.host.model import Millis


class Moment(NamedTuple):
    """The public facts of one step of a replay. What a seat saw is `Replayed.view`."""

    at: Millis
    actor: Actor
    seat: Seat | None
    """Who moved; None: the dealer."""
    round: int
    """The round that the step belongs to, from 1."""
    events: tuple[Any, ...]
    """The public events of the step, in the game's own types."""


class Highlight(NamedTuple):
    """A moment that is worth showing before the others."""

    step: int
    """Where it is in the replay."""
    what: Any
    """What it was, as the game describes it; its screens put it into words."""


class Replayed(Protocol):
    """A finished match that can be stepped through."""

    @property
    def moments(self) -> Sequence[Moment]:
        """Its steps; the first one is the first deal."""

    def view(self, step: int, seat: Seat | None) -> Any:
        """Return what this seat saw after a step; None is a bystander."""
