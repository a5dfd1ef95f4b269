"""Marks views with who may see them, so that no private view gets onto a public screen by accident.

`bot.host.views` makes these for tables, `bot.screens.replay` for replays. A game's screens take them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from bot.engine.core import Choice, Prompt, Seat


class View(Protocol):
    """What every game's view says about its viewer."""

    @property
    def viewer(self) -> Seat | None:
        """The seat whose view it is; None stands for a bystander."""

    @property
    def prompt(self) -> Prompt | None:
        """The open question to the viewer."""


V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class Public(Generic[V]):
    """What a bystander knows."""

    view: V


@dataclass(frozen=True, slots=True)
class Private(Generic[V]):
    """What the player in seat `view.viewer` knows."""

    view: V


@dataclass(frozen=True, slots=True)
class Open(Generic[V]):
    """A match with nothing hidden: a finished one in a replay, or one in which no person plays any more."""

    view: V


class PublicQuestion(NamedTuple):
    """An open prompt as everybody may see it. Only `bot.host.views` makes these, with the game's public choices."""

    id: int
    seat: Seat
    choices: tuple[Choice, ...]


def public(view: V) -> Public[V]:
    """Mark a bystander's view as public; raise ValueError for any other, which is a programming error."""
    if view.viewer is not None or view.prompt is not None:
        raise ValueError("this view belongs to a player and is not for everybody")
    return Public(view)


def private(view: V, seat: Seat) -> Private[V]:
    """Mark a view as private to its seat; raise ValueError for another seat's, which is a programming error."""
    if view.viewer != seat:
        raise ValueError("this view is not for that seat")
    return Private(view)


def laid_open(view: V) -> Open[V]:
    """Mark a view as showing everything; raise ValueError for a player's view, which is a programming error."""
    if view.viewer is not None or view.prompt is not None:
        raise ValueError("this view belongs to a player and hides something")
    return Open(view)
