"""Takes lessons without Discord: every task with every move that its prompt allows."""

from collections.abc import Iterator
from typing import Any

from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host.lessons import END, LEARNER, Progress, answer
from bot.host.model import UserId
from bot.screens.lessons import LESSONS, Lesson

USER = UserId(1_001)
MOST_ACTIONS = 3_000
"""The most moves that are tried of one choice."""


def moves(lesson: Lesson) -> Iterator[tuple[Any, str | None]]:
    """Yield every legal move of the open task and the reply to it; None: it is what is taught."""
    assert lesson.at is not None
    (prompt,) = (each for each in RULES[lesson.game].prompts(lesson.at.state) if each.seat == LEARNER)
    for choice in prompt.choices:
        for number, action in enumerate(choice.actions(LEARNER)):
            if number == MOST_ACTIONS:
                break
            try:
                yield action, answer(lesson.game, lesson.at, action)
            except Rejected as refused:
                raise AssertionError(f"{action} is offered but refused: {refused}") from refused


def after(lesson: Lesson, action: Any) -> Lesson:
    """Return the lesson after a move."""
    written = RULES[lesson.game].dump_action(action)
    return Lesson(lesson.game, USER, lesson.progress._replace(moves=(*lesson.progress.moves, written)))


def walk_through(game: str) -> Iterator[Lesson]:
    """Yield every screen of a lesson in order, taking the first right move of each task."""
    lesson = Lesson(game, USER, None)
    while True:
        yield lesson
        if lesson.at is None:
            return
        if lesson.at.task is None:
            lesson = Lesson(game, USER, lesson.following())
        else:
            lesson = after(lesson, next(action for action, reply in moves(lesson) if reply is None))


def games() -> list[str]:
    """Return the games that have a lesson."""
    return list(LESSONS)


def at_step(game: str, name: str) -> Lesson:
    """Return a lesson at the beginning of a step."""
    assert name == END or name in {step.name for step in LESSONS[game].steps}
    return Lesson(game, USER, Progress(name))
