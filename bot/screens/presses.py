"""How a game answers its own buttons, selects and forms: pure functions from a press to a move, a form or a screen.

A game lists one function for each of its verbs. Shared code calls it and then submits the move, opens the form or shows
the screen. `bot.games.registry` fills `PRESSES` from the games' kits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.engine.core import Prompt, Rejected, Seat
from bot.host import views
from bot.host.commands import HostReason, Play
from bot.host.guessing import why_not_guess
from bot.host.model import Stage, Table, UserId
from bot.host.questions import open_prompt, why_no_move, why_not_verb
from bot.screens.custom_ids import CustomId
from bot.screens.layout import Form, PrivateScreen
from bot.text.catalogue import Catalogue

V = TypeVar("V")


class Press(NamedTuple):
    """What was pressed, picked or filled in; or a slash command that does the same."""

    id: CustomId
    picked: str | None = None
    """The first value of a select, or the argument of a button."""
    fields: Mapping[str, str] = {}
    """What was filled into a form, or typed as options of a command."""
    values: tuple[str, ...] | None = None
    """Everything that was picked in a select, perhaps nothing; None: it was not a select."""
    typed: bool = False
    """Whether it was typed as a slash command."""

    @property
    def prompt(self) -> int | None:
        """The prompt that is answered; a slash command means the open one."""
        return None if self.typed else self.id.prompt


def typed(verb: str, *, picked: str | None = None, argument: str | None = None, **fields: str | None) -> Press:
    """Return the press that a slash command stands for; options that were left out do not become fields."""
    given = {name: value for name, value in fields.items() if value is not None}
    return Press(CustomId(verb, argument=argument), picked, given, typed=True)


@dataclass(frozen=True, slots=True)
class Move:
    """A move as the host takes it, and how shared code answers the player who made it."""

    do: str
    fields: Mapping[str, Any]
    """As the game's codec knows them, without the seat."""
    confirmed: bool = False
    """Whether the player has already confirmed that they mean it."""
    shows_look: bool = False
    """Whether the answer is the player's private look, because only they see what the move does."""
    announced: str | None = None
    """The argument of the form that a refusal offers again."""
    slots: Mapping[str, object] = field(default_factory=dict)
    """What the sentence of a refusal may name besides the refusal's own details."""
    line: str | None = None
    """What the player says with the move, for everybody to read."""

    def command(self, by: UserId, prompt: int | None) -> Play:
        """Return the command to the host."""
        return Play(by, self.do, dict(self.fields), prompt, self.line)


@dataclass(frozen=True, slots=True)
class BystanderGuess:
    """A secret guess by somebody who does not play, at which seat is right."""

    on: int


Answer = Move | BystanderGuess | Form | PrivateScreen
"""What a press leads to: a move or a guess to submit, a form to open, or a screen to show."""


@dataclass(frozen=True)
class Situation(Generic[V]):
    """Who pressed what, and where the game stands. The view and the prompt are found when they are first needed."""

    say: Catalogue
    table: Table
    user: UserId
    press: Press
    teaches: Callable[[Move], bool] | None = None
    """In a lesson: whether a move is what the step asks for."""

    @property
    def seat(self) -> Seat | None:
        """The seat of the user who presses; None: a bystander."""
        return self.table.seat_of(self.user)

    @property
    def guesses_along(self) -> bool:
        """Whether the user does not play, and the table lets such people guess."""
        return self.table.stage is Stage.PLAYING and why_not_guess(self.table, self.user) is None

    @cached_property
    def view(self) -> V:
        """What the user sees of the match; None before it begins."""
        found: V = views.view(self.table, self.user)
        return found

    @cached_property
    def open_prompt(self) -> Prompt | None:
        """The prompt that waits for the user's answer."""
        return open_prompt(self.table, self.user)

    def needs_prompt(self) -> Prompt:
        """Return the prompt that the press answers; raise Rejected, as the host would, if it is not open."""
        prompt = self.open_prompt
        if prompt is None or self.press.prompt not in (None, prompt.id):
            raise why_no_move(self.table, self.user, self.press.prompt) or Rejected(HostReason.STALE)
        return prompt

    def why_not_verb(self, do: str, **known: Any) -> Rejected | None:
        """Return why the user cannot use a verb now, given the fields that are known; None if they can."""
        return why_not_verb(self.table, self.user, self.press.prompt, do, known)


def never_asks(situation: Situation[Any], move: Move) -> PrivateScreen | None:
    """Ask nothing: every move is submitted as it is."""
    return None


@dataclass(frozen=True, kw_only=True)
class GamePresses(Generic[V]):
    """A game's verbs, each with the function that answers it."""

    verbs: Mapping[str, Callable[[Situation[V]], Answer]]
    confirm: Callable[[Situation[V], Move], PrivateScreen | None] = never_asks
    """Asks whether the player really means an unlikely move; None: submit it."""
    naming: Collection[str] = ()
    """The verbs whose buttons may have a player's name in their label."""


PRESSES: Final[dict[str, GamePresses[Any]]] = {}
"""By the game's name."""
