"""Lessons on screen: one private message per learner, which shows one step at a time.

A lesson's buttons carry a table's id that no table can have: it names the lesson and the step, so that an old button
is recognised. `bot.games.registry` fills `LESSONS` from the games' kits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple

from discord import ButtonStyle, ui

from bot.engine.views import Private, Public, V
from bot.host.lessons import END, LessonStep, Position, Progress, lesson_table, position
from bot.host.model import Ai, Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game_names import game_title, new_command
from bot.screens.layout import GOLD, SAGE, Item, PrivateScreen, box, press, row, text
from bot.screens.names import safe_name
from bot.screens.new_form import opening_id
from bot.text.catalogue import Catalogue

NEXT: Final = "next"
OVER: Final = "over"
_NAMED: Final = ("first", "second", "third")
_PLACE: Final = re.compile(r"lesson(?P<step>[0-9]{2})(?P<code>[a-z0-9]{2,12})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class GameLesson(Generic[V]):
    """A game's lesson: its steps, who plays along, and how a position is drawn."""

    steps: tuple[LessonStep[V], ...]
    ais: tuple[Ai, ...]
    """Who sits next to the learner, in this order; the texts call them `first`, `second` and so on."""
    scene: Callable[[Catalogue, Table, Private[V], Public[V], Sequence[Any]], Sequence[Item | None]]
    """Draws a position, with the learner's buttons: from what they see, what is public, and what has just happened."""

    def index(self, progress: Progress | None) -> int:
        """Return the number of the step that somebody has reached; the first if it is no longer there."""
        names = [*(step.name for step in self.steps), END]
        return names.index(progress.step) if progress is not None and progress.step in names else 0

    def name(self, index: int) -> str:
        """Return the name of a step by its number."""
        return self.steps[index].name if index < len(self.steps) else END


LESSONS: Final[dict[str, GameLesson[Any]]] = {}
"""By the game's name."""


class LessonPlace(NamedTuple):
    """A step of a lesson, as a custom_id names it in place of a table."""

    game: str
    step: int

    def __str__(self) -> str:
        return f"lesson{self.step:02}{lesson_code(self.game)}"


def lesson_code(game: str) -> str:
    """Return how custom_ids spell a game: letters and digits alone."""
    return "".join(filter(str.isalnum, game))[:12]


def read_place(table: str) -> LessonPlace | None:
    """Read the table's part of a custom_id; None if it names no lesson. A real table's id is too short to match."""
    found = _PLACE.fullmatch(table)
    game = None if found is None else next((game for game in LESSONS if lesson_code(game) == found["code"]), None)
    return None if found is None or game is None else LessonPlace(game, int(found["step"]))


class Lesson:
    """One learner's lesson as it stands."""

    def __init__(self, game: str, user: UserId, progress: Progress | None) -> None:
        self.game = game
        self.user = user
        self.of_game = LESSONS[game]
        self.index = self.of_game.index(progress)
        self.place = LessonPlace(game, self.index)
        self.progress = Progress(self.of_game.name(self.index), () if progress is None else progress.moves)
        self.at: Position[Any] | None = None
        self.table: Table | None = None
        if self.progress.step != END:
            self._play()

    def _play(self) -> None:
        step, ais = self.of_game.steps[self.index], self.of_game.ais
        try:
            self.at = position(self.game, step, len(ais) + 1, self.progress.moves)
        except Exception:  # the step has changed since the learner began it, so it begins again
            self.progress = Progress(step.name)
            self.at = position(self.game, step, len(ais) + 1, ())
        self.table = lesson_table(
            str(self.place), self.game, self.user, options=step.options, ais=ais, state=self.at.state
        )

    def following(self) -> Progress:
        """Return the beginning of the next step."""
        return Progress(self.of_game.name(self.index + 1))

    @property
    def names(self) -> dict[str, str]:
        """Who plays along, as the texts call them."""
        return {slot: safe_name(ai.name) for slot, ai in zip(_NAMED, self.of_game.ais, strict=False)}

    def key(self, name: str) -> str:
        """Return the key of one of the step's texts."""
        return f"lesson.{self.game.replace('-', '_')}.{self.progress.step}.{name}"


def lesson_screen(
    say: Catalogue, lesson: Lesson, *, note: str | None = None, back: bool = False, in_guild: bool = True
) -> PrivateScreen:
    """Show where a learner stands. `note` answers a wrong move; `back` greets somebody who takes a lesson up again."""
    if lesson.at is None or lesson.table is None:
        return _end_screen(say, lesson, in_guild=in_guild)
    at, names = lesson.at, lesson.names
    scene = lesson.of_game.scene(say, lesson.table, at.seen, at.public, at.events)
    where = say("lesson.over", game=game_title(lesson.game), number=lesson.index + 1, count=len(lesson.of_game.steps))
    title = say(lesson.key("title"))
    over = press(say("lesson.button.over"), _id(lesson, OVER)) if back and lesson.index else None
    if at.task is None:
        go_on = press(say("lesson.button.next"), _id(lesson, NEXT), ButtonStyle.success)
        after = box(SAGE, text(say(lesson.key("done"), **names).strip()), row(go_on, over))
        return PrivateScreen(text(where, title), *scene, after)
    task = say(lesson.key(at.task.name), **names).strip()
    welcome = say("lesson.back") if back and (lesson.index or lesson.progress.moves) else None
    other = _other_lessons(say, lesson) if lesson.index == 0 and not lesson.progress.moves else []
    return PrivateScreen(
        text(where, title, welcome),
        box(SAGE, text(task)),
        text(None if note is None else say("lesson.note", why=note)),
        *scene,
        row(*other, over),
    )


def _end_screen(say: Catalogue, lesson: Lesson, *, in_guild: bool) -> PrivateScreen:
    """Say that the lesson is over, and what comes next."""
    game, title = lesson.game, game_title(lesson.game)
    new = press(say("lesson.button.new"), opening_id(Verb.NEW, game), ButtonStyle.success) if in_guild else None
    how = say("lesson.open_here" if in_guild else "lesson.open_elsewhere", new=new_command(say, game))
    over = press(say("lesson.button.over"), _id(lesson, OVER))
    return PrivateScreen(
        text(say("lesson.finished", game=title)),
        box(GOLD, text(say(f"lesson.{game.replace('-', '_')}.end").strip(), how), row(new, over)),
        row(*_other_lessons(say, lesson)),
    )


def _other_lessons(say: Catalogue, lesson: Lesson) -> list[ui.Button[Any]]:
    """Make a button for the lesson of every other game, which takes the place of this one."""
    return [
        press(say("lesson.button.learn", game=game_title(game)), CustomId(Verb.LESSON, str(LessonPlace(game, 0))))
        for game in LESSONS
        if game != lesson.game
    ]


def _id(lesson: Lesson, argument: str) -> CustomId:
    return CustomId(Verb.LESSON, str(lesson.place), argument=argument)


def lesson_button(say: Catalogue, game: str, *, named: bool = False) -> ui.Button[Any] | None:
    """Make the button that opens a game's lesson in a message of its own; None if the game has none."""
    if game not in LESSONS:
        return None
    label = say("lesson.button.learn", game=game_title(game)) if named else say("lesson.button.open")
    return press(label, CustomId(Verb.LESSON, argument=game), emoji="🎓")


def note_of(screen: PrivateScreen) -> str | None:
    """Return what a screen says; a game's answer to a form that it could not read becomes a note."""
    lines = [item.content for item in screen.walk_children() if isinstance(item, ui.TextDisplay)]
    return "\n".join(lines) or None
