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
from typing import Any, Generic, NamedTuple, NewType, TypeAlias, TypeVar

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
        """Tell whether `action` is one of this choice's actions, whichever seat it names."""
        return (
            type(action) is self.verb
            and len(action) == 1 + len(self.fields)
            and all(map(contains, self.fields, action[1:]))
        )

    def pick(self, seat: Seat, rng: Random) -> Any:
        """Return one of this choice's actions, each equally likely."""
        return self.verb(seat, *[_pick(values, rng) for values in self.fields])

    def actions(self, seat: Seat) -> Iterator[Any]:
        """Yield all of this choice's actions; a range of bids may have two thousand."""
        return (self.verb(seat, *values) for values in product(*self.fields))


def _pick(values: Collection[Any], rng: Random) -> Any:
    sequence = values if isinstance(values, tuple | range) else tuple(values)
    return sequence[int(rng.random() * len(sequence))]


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
        """Tell whether `action` answers this prompt."""
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
    ended: Callable[[S], int] = lambda _state: 0
    """How many rounds have ended with something to show; the host may pause after each."""
    why_not_asked: Callable[[S, Seat], Rejected | None] = lambda _state, _seat: None
    """Why a seat that has no prompt may not act now; None if the game has no particular reason."""
    why_not_verb: Callable[[S, Seat, str, Mapping[str, Json]], Rejected | None] = lambda *_: None
    """Why a seat may not use a verb now, with the fields that are known; those that it has yet to name are left out.
    None if it may, or if the game has no particular reason."""
    private_news: Callable[[S, S], tuple[Seat, ...]] = lambda _before, _after: ()
    """The seats whose private view changed between two states, beyond what everybody sees."""
    public_choices: Callable[[Prompt], tuple[Choice, ...]] = no_choices
    """The choices of a prompt that everybody may see. None by default: choices may show what a seat holds."""
    upgrade: Callable[[Json], Json] = lambda document: document
    """Convert a document of version 1 to the present version; by default they are the same."""
    open_view: Callable[[S], V] = None  # type: ignore[assignment]  # never None: `__post_init__` sees to it
    """A bystander's view with everything hidden laid open, for replays. By default, the ordinary bystander's view."""

    def __post_init__(self) -> None:
        if self.open_view is None:
            object.__setattr__(self, "open_view", lambda state: self.view_for(state, None))
