"""Handles lessons: a private message in which one person learns a game, at their own pace."""

from __future__ import annotations

from typing import Any

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.engine.registry import RULES, main_game
from bot.host.commands import HostReason
from bot.host.lessons import Progress, answer, read_move
from bot.host.questions import open_prompt
from bot.screens.custom_ids import Verb
from bot.screens.layout import Form
from bot.screens.lessons import LESSONS, NEXT, OVER, Lesson, LessonPlace, lesson_screen, note_of
from bot.screens.presses import PRESSES, Answer, BystanderGuess, Move, Press, Situation
from bot.screens.refusals import refusal_text
from bot.store.ports import LessonStore


class LessonHandlers:
    """Opens lessons and takes the learners' moves."""

    def __init__(self, store: LessonStore) -> None:
        self._store = store

    async def open(self, context: Context, press: Press) -> None:
        """Show a game's lesson where the user left it, in a message of its own."""
        game = press.id.argument or main_game()
        if game not in LESSONS:
            raise Rejected(HostReason.NO_SUCH_ACTION)
        lesson, _ = await self._find(context, game)
        await context.tell(lesson_screen(context.say, lesson, back=True, in_guild=_in_guild(context)))

    async def press(self, context: Context, place: LessonPlace, press: Press) -> None:
        """Go on in a lesson. A press that belongs to an earlier step shows where the user stands."""
        lesson, kept = await self._find(context, place.game)
        if press.id.verb == Verb.LESSON:
            after = _progress_by_button(lesson, place, press.id.argument)
            note: str | None = None
        else:
            found = self._played(context, lesson, place, press)
            if isinstance(found, Form):
                await context.ask(found)
                return
            after, note = (found, None) if isinstance(found, Progress) else (None, found)
        if after is not None:
            await self._store.keep_lesson(context.user, place.game, kept, after, context.id)
            lesson, _ = await self._find(context, place.game)
        back = press.id.verb == Verb.LESSON and press.id.argument is None
        await context.change(lesson_screen(context.say, lesson, note=note, back=back, in_guild=_in_guild(context)))

    async def _find(self, context: Context, game: str) -> tuple[Lesson, Progress | None]:
        """Return the user's lesson, and what is stored about it."""
        context.game = game
        kept = await self._store.lesson(context.user, game)
        return Lesson(game, context.user, kept), kept

    def _played(
        self, context: Context, lesson: Lesson, place: LessonPlace, press: Press
    ) -> Progress | Form | str | None:
        """Return the progress that a move makes, the form that it needs, or why it is not the right one.

        None: the press is old, and means nothing any more.
        """
        presses = PRESSES.get(lesson.game)
        if presses is None or press.id.verb not in presses.verbs:
            raise Rejected(HostReason.STALE)
        if lesson.at is None or lesson.at.task is None or lesson.table is None or place != lesson.place:
            return None
        prompt = open_prompt(lesson.table, context.user)
        if prompt is None or press.prompt != prompt.id:
            return None
        slots: dict[str, object] = {}
        try:
            asked: Situation[Any] = Situation(
                context.say, lesson.table, context.user, press, lambda move: _teaches(lesson, move)
            )
            meant: Answer = presses.verbs[press.id.verb](asked)
            if isinstance(meant, Form):
                return meant
            if isinstance(meant, BystanderGuess):
                return None  # nobody watches a lesson
            if not isinstance(meant, Move):
                return note_of(meant)
            slots = dict(meant.slots)
            action = read_move(lesson.game, meant.do, meant.fields)
            reply = answer(lesson.game, lesson.at, action)
        except Rejected as refused:
            return refusal_text(context.say, refused, lesson.table, user=context.user, **slots)
        if reply is not None:
            return context.say(lesson.key(f"{lesson.at.task.name}_{reply}"), **lesson.names)
        written = RULES[lesson.game].dump_action(action)
        return lesson.progress._replace(moves=(*lesson.progress.moves, written))


def _teaches(lesson: Lesson, move: Move) -> bool:
    """Return whether a move is what the lesson asks for now."""
    try:
        return (
            lesson.at is not None
            and answer(lesson.game, lesson.at, read_move(lesson.game, move.do, move.fields)) is None
        )
    except Rejected:
        return False


def _progress_by_button(lesson: Lesson, place: LessonPlace, argument: str | None) -> Progress | None:
    """Return where a button below a lesson leads; None if it is old, or only asks where the learner stands."""
    if argument == OVER:
        return Progress(lesson.of_game.name(0))
    is_done = lesson.at is not None and lesson.at.task is None
    return lesson.following() if argument == NEXT and is_done and place == lesson.place else None


def _in_guild(context: Context) -> bool:
    return context.interaction.guild_id is not None
