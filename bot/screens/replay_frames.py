"""One step of a finished match, with everything that is needed to show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from bot.engine.core import Seat
from bot.engine.views import Open, Private, Public, V
from bot.screens.stats.queries import ReplayStep
from bot.stats.model import PastGame
from bot.stats.moments import Highlight


class Chapter(NamedTuple):
    """A round of the match."""

    number: int
    first: int
    """Its first step."""
    events: tuple[Any, ...]
    """All its public events."""


class HighlightWords(NamedTuple):
    """A memorable moment in words."""

    name: str
    """What kind of moment it is, short enough for a button."""
    sentence: str
    """What happened."""


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
    """The view after the step, as the chosen viewer had it."""
    public: Public[V]
    """The view after the step, as everybody had it."""
    chapters: tuple[Chapter, ...]
    highlights: tuple[Highlight, ...] = ()
    """The best moments of the match."""
