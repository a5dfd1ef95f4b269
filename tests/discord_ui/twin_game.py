"""What the twin tests need to know about a game: what is hidden, and which presses make which move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from bot.engine.core import Game, Prompt, Seat
from bot.host.model import Remark, UserId
from bot.screens.custom_ids import CustomId
from bot.screens.presses import Press

if TYPE_CHECKING:
    from tests.discord_ui.twins import World

Act = Callable[["World"], Awaitable[object]]
"""Something that somebody does, in either world."""


class Pressed(NamedTuple):
    """A button, select or form that is used, in whichever message."""

    id: CustomId
    picked: str | None = None
    fields: Mapping[str, str] | None = None


Try = Pressed | Press | Act
"""A press, a slash command, or anything else that somebody does."""


class TwinGame(ABC):
    """One game, as the twin tests play it."""

    rules: ClassVar[Game[Any, Any, Any]]
    openings: ClassVar[Sequence[tuple[dict[str, Any], int]]]
    """Options and number of players of every kind of match."""
    sample: ClassVar[Sequence[tuple[dict[str, Any], int]]]
    """Those that every test run plays."""
    situations: ClassVar[Mapping[str, tuple[dict[str, Any], int]]]
    """Situations in which everything is tried, each with options and number of players."""
    steps: ClassVar[int] = 20
    """How many steps of a match a normal test run plays."""
    others_get_as_many: ClassVar[bool] = True
    """Whether players who may tell the worlds apart get as many messages in both.

    They do not if the veil changes their own hand: then they get a DM about it.
    """

    @abstractmethod
    def veil(self, before: Any, after: Any, viewer: Seat | None, rng: Random, *, revealing: bool) -> Any:
        """Return the state after an action, with other values for what the viewer cannot see.

        `revealing` says that the action has shown something, so that both worlds were the same before it.
        """

    @abstractmethod
    def reveals(self, before: Any, after: Any, other: Any, viewer: Seat | None) -> bool:
        """Return whether the viewer learns something hidden that the two worlds may differ in.

        `other` is the state after the same command in the second world; None if it was refused there.
        """

    @abstractmethod
    def is_in(self, situation: str, state: Any) -> bool:
        """Return whether a match is in one of the `situations`."""

    def towards(self, situation: str, prompt: Prompt, rng: Random) -> Any:
        """Return an answer to a prompt that brings a situation about, if there is one."""
        return prompt.pick(rng)

    def answer(self, state: Any, prompt: Prompt, rng: Random) -> Any:
        """Return a random answer to a prompt."""
        return prompt.pick(rng)

    @abstractmethod
    def press(self, table: str, prompt: int, action: Any, rng: Random) -> Pressed | None:
        """Return the press that makes a move; None if the move is to do nothing."""

    @abstractmethod
    def harmless(self, table: str, prompt: int, user: UserId, rng: Random) -> Sequence[Try]:
        """Return what anybody can try without changing the match, even a player who is asked."""

    @abstractmethod
    def refused(self, table: str, prompt: int, rng: Random) -> Sequence[Try]:
        """Return moves that are refused to everybody who is not asked."""

    @abstractmethod
    def remark(self, seat: Seat, seen: int) -> Remark:
        """Return what an AI player says about what it saw, which depends on `seen`."""
