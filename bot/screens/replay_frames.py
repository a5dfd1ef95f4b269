"""One step of a finished match, with everything that is needed to show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from bot.engine.core import Seat
from bot.engine.views import Open, Private, Public, V
from bot.screens.stats.queries import ReplayStep
from bot.stats.model import PastGame


class Chapter(NamedTuple):
    """A round of the match."""

    number: int
    first: int
    """Its first step."""
    ending: tuple[Any, ...] | None
    """The public events of its last step; None if there are none."""


@dataclass(frozen=True, slots=True)
class Frame(Generic[V]):
    """A step of a replay, as one seat saw it or with nothing hidden."""

    game: PastGame
    at: ReplayStep
    steps: int
    """How many steps the match has."""
    round: int
    actor: str
    """Who moved, as the log calls them."""
    mover: Seat | None
    """The seat that moved; None: the dealer."""
    events: tuple[Any, ...]
    """The public events of the step."""
    seen: Private[V] | Open[V]
    """The view after the step, through the chosen eyes."""
    public: Public[V]
    """The view after the step that everybody had."""
    chapters: tuple[Chapter, ...]
