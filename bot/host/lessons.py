"""Lessons: fixed positions of a game, what the learner should do in each, and how the others go on.

A lesson is data. Its positions come from the game's own rules: a move is legal in a lesson if it is legal at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple

from bot.engine.core import Json, Rejected, Seat
from bot.engine.registry import RULES
from bot.engine.views import Private, Public, V, private, public
from bot.host.commands import HostReason
from bot.host.model import Ai, House, Player, Stage, Table, TableId, UserId

LEARNER: Final = Seat(0)
"""The learner's seat in every lesson."""
END: Final = "end"
"""Stands for the step after the last."""


def _nothing(_action: Any) -> Sequence[Any]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Task(Generic[V]):
    """One move that the learner is asked for. Its text is `lesson.<game>.<step>.<task>`."""

    name: str
    reply: Callable[[V, Any], str | None]
    """Returns None if a legal move is what is taught, or else the last part of the key of a kind reply.

    The reply's text is `lesson.<game>.<step>.<task>_<reply>`.
    """
    then: Callable[[Any], Sequence[Any]] = _nothing
    """Returns what the others and the dealer do after the learner's move."""


@dataclass(frozen=True, kw_only=True)
class LessonStep(Generic[V]):
    """A position and the tasks in it. The texts are `lesson.<game>.<step>`: `title`, one per task, and `done`."""

    name: str
    options: Mapping[str, Json] = field(default_factory=dict)
    starter: Seat = LEARNER
    before: tuple[Any, ...] = ()
    """The actions that lead to the position, the dealer's among them."""
    tasks: tuple[Task[V], ...]


class Progress(NamedTuple):
    """How far somebody has come in a lesson."""

    step: str
    moves: tuple[Json, ...] = ()
    """The learner's moves in this step, as the game's codec writes them."""


@dataclass(frozen=True)
class Position(Generic[V]):
    """Where a step stands."""

    state: Any
    """The match. Screens get the two views instead."""
    seen: Private[V]
    public: Public[V]
    task: Task[V] | None
    """What the learner is asked for; None once the step is done."""
    events: tuple[Any, ...] = ()
    """What happened since the learner's last task was given."""


def position(game: str, step: LessonStep[Any], players: int, moves: Sequence[Json]) -> Position[Any]:
    """Play a step up to now; raise Rejected or ValueError if the moves do not fit it."""
    rules = RULES[game]
    state = rules.setup(step.options, players, step.starter)
    for action in step.before:
        state = rules.apply(state, action).state
    events: list[Any] = []
    if len(moves) > len(step.tasks):
        raise ValueError("more moves than tasks")
    for task, written in zip(step.tasks, moves, strict=False):
        events.clear()
        move = rules.load_action(written)
        for action in (move, *task.then(move)):
            state, happened = rules.apply(state, action)
            events += happened
    task_left = step.tasks[len(moves)] if len(moves) < len(step.tasks) else None
    seen = private(rules.view_for(state, LEARNER), LEARNER)
    return Position(state, seen, public(rules.view_for(state, None)), task_left, tuple(events))


def read_move(game: str, do: str, fields: Mapping[str, Json]) -> Any:
    """Return the action that the learner means; raise Rejected if there is no such action."""
    try:
        return RULES[game].load_action({**fields, "do": do, "seat": LEARNER})
    except (ValueError, TypeError):
        raise Rejected(HostReason.NO_SUCH_ACTION, do=do) from None


def answer(game: str, at: Position[Any], action: Any) -> str | None:
    """Judge a move: None if it is what is taught, or else the name of a reply; raise Rejected if it breaks a rule."""
    if at.task is None:
        raise Rejected(HostReason.STALE)
    RULES[game].apply(at.state, action)
    return at.task.reply(at.seen.view, action)


def lesson_table(
    id_: str, game: str, user: UserId, *, options: Mapping[str, Json], ais: Sequence[Ai], state: Any
) -> Table:
    """Return a table that is drawn like any other, but that nobody else sits at and no channel has."""
    others = [Player(UserId(-1 - number), ai.name, ai=ai) for number, ai in enumerate(ais)]
    return Table(
        id=TableId(id_),
        guild=0,
        channel=0,
        stage=Stage.PLAYING,
        game=game,
        options=dict(options),
        house=House(turn_seconds=None),
        host=user,
        players=(Player(user, ""), *others),
        opened=0,
        match=state,
    )
