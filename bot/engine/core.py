"""Defines what every game shares: seats, prompts, refusals, the dealer, and the functions a game consists of.

A game is pure functions over immutable data. Only `apply` changes a match, and only `view_for` shows it to a seat.
Chance is a move: the dealer sits at `DEALER`, and what the dealer does is an action in the log like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from operator import contains
from random import Random
from typing import Any, Final, Generic, NamedTuple, NewType, TypeAlias, TypeVar

Seat = NewType("Seat", int)
DEALER = Seat(-1)
"""The seat that shuffles and deals. The host asks `Game.deal` for the dealer's action and applies it."""

Json = Any
"""Plain data: None, booleans, numbers, strings, lists and string-keyed dicts."""


class Rejected(Exception):
    """A refusal: a code and parameters, no prose. Nothing has changed when it is raised."""

    def __init__(self, reason: StrEnum, **details: object) -> None:
        super().__init__(reason.value, details)
        self.reason = reason
        self.details = details


class Leave(NamedTuple):
    """Leave the match for good. In every game, every seat that is still playing may do so at any time."""

    seat: Seat


class Choice(NamedTuple):
    """One verb that is open to a seat, and the values that each of its fields (other than the seat) may take.

    Fields are independent: every combination of their values is a legal action. A verb whose fields
    depend on each other is split into several choices.
    """

    verb: Callable[..., Any]
    fields: tuple[Collection[Any], ...] = ()

    def allows(self, action: tuple[Any, ...]) -> bool:
        """Return whether `action` is one of this choice's actions, whichever seat it names."""
        return (
            type(action) is self.verb
            and len(action) == 1 + len(self.fields)
            and all(map(contains, self.fields, action[1:]))
        )

    def pick(self, seat: Seat, rng: Random) -> Any:
        """Return one of this choice's actions, each equally likely."""
        draw = rng.random
        picked = [
            (values if isinstance(values, _SEQUENCES) else tuple(values))[int(draw() * len(values))]
            for values in self.fields
        ]
        return self.verb(seat, *picked)

    def actions(self, seat: Seat) -> Iterator[Any]:
        """Yield all of this choice's actions; a range of bids may have two thousand."""
        return (self.verb(seat, *values) for values in product(*self.fields))


_SEQUENCES: Final = (tuple, range)


class Prompt(NamedTuple):
    """A question to one seat: what it may do now, and what happens if it does not answer in time.

    The id changes only when the question changes, so that simultaneous decisions do not invalidate
    each other. The dealer's prompt has no choices: `Game.deal` answers it.
    """

    id: int
    seat: Seat
    choices: tuple[Choice, ...]
    timeout: Any

    def allows(self, action: Any) -> bool:
        """Return whether `action` answers this prompt."""
        return action.seat == self.seat and any(choice.allows(action) for choice in self.choices)

    def pick(self, rng: Random) -> Any:
        """Return a random answer: first a verb, then its fields."""
        return self.choices[int(rng.random() * len(self.choices))].pick(self.seat, rng)


def no_choices(prompt: Prompt) -> tuple[Choice, ...]:
    """Return no choices: only the seat that is asked sees them. For `Game.public_choices`."""
    return ()


def all_choices(prompt: Prompt) -> tuple[Choice, ...]:
    """Return all choices, because none depends on anything hidden. For `Game.public_choices`."""
    return prompt.choices


Questions: TypeAlias = tuple[tuple[Seat, int], ...]
"""The seats that are asked, each with the id of its prompt."""


class Outcome(NamedTuple):
    """How a match ended. `places` has one entry per seat, 1 for the best; ties share a place."""

    winners: tuple[Seat, ...]
    places: tuple[int, ...]


class GuessQuestion(NamedTuple):
    """What people who are not playing may guess at, between a decision and its reveal: which seat is right."""

    id: int
    """Stays the same until the reveal; a press for another one is stale."""
    answers: tuple[Seat, ...]
    is_last: bool
    """Whether nothing but the reveal is left to come, so that it may come as soon as everybody has guessed."""


S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")


class Step(NamedTuple, Generic[S]):
    """The state after an action, and the public facts of what happened on the way."""

    state: S
    events: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Game(Generic[S, A, V]):
    """One game as a record of pure functions; `bot.games.registry` holds all of them."""

    name: str
    setup: Callable[[Mapping[str, Json], int, Seat | None], S]
    """Open a match: options as plain data, number of players, who begins (None leaves it to chance)."""
    apply: Callable[[S, A], Step[S]]
    """Apply one action. Raises Rejected, and changes nothing, if it breaks a rule."""
    view_for: Callable[[S, Seat | None], V]
    """Everything that this seat may know at this moment; None stands for a bystander."""
    prompts: Callable[[S], tuple[Prompt, ...]]
    """The open prompts: one seat's, several at once, the dealer's, or none when the match is over."""
    questions: Callable[[S], Questions]
    """The seats and ids of `prompts`, without the choices: the host asks after every action, so it must be quick."""
    deal: Callable[[S, Random], A]
    """The dealer's answer to the dealer's prompt, drawn with the caller's random generator."""
    seated: Callable[[S], tuple[Seat, ...]]
    """The seats that are still playing, and so may leave."""
    outcome: Callable[[S], Outcome | None]
    """How the match ended, or None while it runs."""
    dump: Callable[[S], Json]
    """The whole state with its hidden cards, for `bot.engine.frozen.encode`; `load` reads it back from plain data."""
    load: Callable[[Json], S]
    dump_action: Callable[[A], Json]
    load_action: Callable[[Json], A]
    rounds_ended: Callable[[S], int] = lambda _state: 0
    """How many rounds have ended with something to show."""
    has_breaks: bool = True
    """Whether the host makes a break after each of these rounds; not if play goes on without a new deal."""
    why_not_asked: Callable[[S, Seat], Rejected | None] = lambda _state, _seat: None
    """Why a seat that has no prompt may not act now; None if the game has no particular reason."""
    why_not_verb: Callable[[S, Seat, str, Mapping[str, Json]], Rejected | None] = lambda *_: None
    """Why a seat may not use a verb now, given the fields that it has already named.

    None if it may, or if the game has no particular reason.
    """
    private_news: Callable[[S, S], tuple[Seat, ...]] = lambda _before, _after: ()
    """The seats whose private view changed between two states, beyond what everybody sees."""
    public_choices: Callable[[Prompt], tuple[Choice, ...]] = no_choices
    """The choices of a prompt that everybody may see. By default there are none: choices may show what a seat holds."""
    standing: Callable[[S, Seat], Any] = lambda _state, _seat: 0
    """How well a seat that is still playing stands, the more the better; by default, all stand equally well. Everybody
    is told the place that follows from it, so it must not depend on anything hidden."""
    upgrade: Callable[[Json], Json] = lambda document: document
    """Convert a document of version 1 to the current version; by default they are the same."""
    concerned: Callable[[S], tuple[Seat, ...] | None] = lambda _state: None
    """The seats that the end of the last round was about; None: all. AI players in other seats explain their moves only
    to those who ask."""
    guess_seconds: Callable[[S], int] = lambda _state: 0
    """How long a reveal waits for people who guess along; 0: nobody can."""
    guess_question: Callable[[S], GuessQuestion | None] = lambda _state: None
    """What bystanders may guess at now. It must not depend on anything hidden."""
    guess_answer: Callable[[S], Seat | None] = lambda _state: None
    """Which seat was right in the last round that ended; None if it ended without an answer, and so at once."""
    open_view: Callable[[S], V] = None  # type: ignore[assignment]  # never None: `__post_init__` sees to it
    """A bystander's view with everything hidden laid open, for replays. By default, the ordinary bystander's view."""

    def __post_init__(self) -> None:
        if self.open_view is None:
            object.__setattr__(self, "open_view", lambda state: self.view_for(state, None))
