"""Keeps one private message per person and table, and lets a look follow its table while Discord allows it.

A private message can be changed only with the token of the interaction that it answers, which lives for a quarter of an
hour (docs/adr/0019-private-messages.md). The tokens are kept in memory alone: after a restart, older private messages
stay as they are.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Any, Final, NamedTuple

from bot.discord_ui.drawing import draw_dated_look, draw_last_look
from bot.discord_ui.illustrator import Illustrator, Wanted
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, PrivateAnswer, Rest
from bot.engine.core import Rejected
from bot.host.model import Table, TableId, UserId
from bot.host.ports import Clock, StoreFault
from bot.host.tables import Tables
from bot.pictures.picture import Picture
from bot.screens.look import with_lines_above
from bot.text.catalogue import Catalogue, catalogue

log = logging.getLogger(__name__)

CHANGEABLE_SECONDS: Final = 14 * 60.0
"""How long a private message is changed after the press that it answers; Discord accepts that for 15 minutes."""
READ_SECONDS: Final = 10 * 60.0
"""How long somebody who presses nothing at the table may still be reading their look."""
GAP_SECONDS: Final = 1.0
"""Pause between two changes of the same look."""
MAX_CHANGES_PER_SECOND: Final = 30.0
"""Cap on changes to private messages at all tables together, so that drawing them never delays an answer."""
CHANGE_BURST: Final = 10
"""How many of them may follow each other without a pause."""
MAX_TRIES: Final = 3
"""How often a change is tried; after that, the look waits for the next change of its table."""
MAX_KEPT: Final = 5000
"""Cap on the private messages that are remembered; the oldest are left as they are."""

Key = tuple[TableId, UserId]
"""The table and the person that a private message belongs to."""


class ShownPicture(NamedTuple):
    """A picture that a message has: an edit refers to it by its name."""

    key: Hashable
    name: str
    description: str


class ShownLook(NamedTuple):
    """A look as it was shown in answer to a press."""

    step: int
    """The table's step that it shows."""
    above: str | None = None
    """The lines above it, such as the reason why a move was refused. They stay until the table shows a change."""
    picture: ShownPicture | None = None
    wants_picture: bool = False
    """Whether it is to get a picture that it does not have yet."""


class PrivateMessage:
    """A private message that a person has at a table."""

    __slots__ = (
        *("above", "answer", "ends", "is_changing", "is_due", "is_last", "is_uncertain", "language", "missed"),
        *("picture", "read_until", "step", "task", "timer"),
    )

    def __init__(self, answer: PrivateAnswer, language: str, look: ShownLook | None, now: float) -> None:
        self.answer = answer
        self.language = language
        self.step = None if look is None else look.step
        """The table's step that this look shows; None if it is not a look, or no longer follows the table."""
        self.above = None if look is None else look.above
        self.picture = None if look is None else look.picture
        """The picture that it has."""
        self.missed: tuple[Hashable, int] = (None, 0)
        """The key of a picture that was late, and how often."""
        self.ends = now + CHANGEABLE_SECONDS
        self.read_until = now + READ_SECONDS
        self.is_due = False
        """Whether the look is to be drawn again."""
        self.is_changing = False
        """Whether a change is being sent."""
        self.is_uncertain = False
        """Whether the message may show something else, because an older change may have arrived later."""
        self.is_last = False
        """Whether it is to be drawn for the last time."""
        self.task: asyncio.Task[None] | None = None
        """The task that draws it again."""
        self.timer: asyncio.TimerHandle | None = None


class PrivateMessages:
    """Remembers which private message each person has at each table. Changes to it are made in the background."""

    def __init__(
        self,
        tables: Tables,
        rest: Rest,
        illustrator: Illustrator,
        clock: Clock,
        message_of: Callable[[TableId], Awaitable[int | None]],
        *,
        scale: float = 1.0,
    ) -> None:
        self._tables = tables
        self._rest = rest
        self._illustrator = illustrator
        self._clock = clock
        self._message_of = message_of
        self._scale = scale
        self._pace = Pace(MAX_CHANGES_PER_SECOND * scale, CHANGE_BURST)
        self._kept: OrderedDict[Key, PrivateMessage] = OrderedDict()
        self._users_at: dict[TableId, set[UserId]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    # -- calls from the rest of the bot

    def picture_on(self, key: Key, message: int) -> ShownPicture | None:
        """Return the picture that a private message has."""
        kept = self._kept.get(key)
        return kept.picture if kept is not None and kept.answer.message == message else None

    def is_looking(self, table: TableId, user: UserId) -> bool:
        """Return whether a person's private message at a table is a look that follows it."""
        kept = self._kept.get((table, user))
        return kept is not None and kept.step is not None

    def note_shown(self, key: Key, answer: PrivateAnswer, language: str, look: ShownLook | None) -> None:
        """Record a person's private message at a table, and delete the one they had; a look gets its picture soon."""
        new = PrivateMessage(answer, language, look, asyncio.get_running_loop().time())
        old = self._drop(key)
        self._keep(key, new)
        if old is not None and old.answer.message != answer.message:
            self._start(self._delete(old))
        elif look is not None and old is not None and old.is_changing:
            # The change may arrive after this answer, and show an older step or another picture.
            new.is_uncertain, new.picture = True, None
            self._change_later(key, new, after=old.task)
        if look is not None and look.wants_picture:
            self._change_later(key, new)

    def note_deleted(self, key: Key, message: int) -> None:
        """Record that a private message was deleted."""
        kept = self._kept.get(key)
        if kept is not None and kept.answer.message == message:
            self._drop(key)

    def note_press(self, table: TableId, user: UserId) -> None:
        """Record that a person has pressed something at a table, so they may be reading their look, too."""
        kept = self._kept.get((table, user))
        if kept is not None:
            kept.read_until = asyncio.get_running_loop().time() + READ_SECONDS

    def follow(self, table: TableId, step: int) -> None:
        """Bring the looks at a table that has reached this step up to date, soon; return at once."""
        for user in self._users_at.get(table, ()):
            kept = self._kept[table, user]
            if kept.step is not None and kept.step < step:
                kept.above = None
                self._change_later((table, user), kept)

    def forget(self, user: UserId) -> None:
        """Forget a person's private messages."""
        for key in [key for key in self._kept if key[1] == user]:
            self._drop(key)

    def stop(self) -> list[asyncio.Task[None]]:
        """Start no more changes; return the tasks under way."""
        self._is_stopping = True
        for key in list(self._kept):
            self._drop(key)
        return list(self._tasks)

    # -- what is kept

    def _keep(self, key: Key, new: PrivateMessage) -> None:
        if self._is_stopping:
            return
        while len(self._kept) >= MAX_KEPT:
            self._drop(next(iter(self._kept)))
        self._kept[key] = new
        self._users_at.setdefault(key[0], set()).add(key[1])
        self._set_timer(key, new)

    def _drop(self, key: Key) -> PrivateMessage | None:
        kept = self._kept.pop(key, None)
        if kept is None:
            return None
        if kept.timer is not None:
            kept.timer.cancel()
        table, user = key
        self._users_at[table].discard(user)
        if not self._users_at[table]:
            del self._users_at[table]
        return kept

    def _set_timer(self, key: Key, kept: PrivateMessage) -> None:
        if kept.timer is not None:
            kept.timer.cancel()
        next_check = kept.ends if kept.step is None else min(kept.ends, kept.read_until)
        kept.timer = asyncio.get_running_loop().call_at(next_check, self._check, key, kept)

    def _check(self, key: Key, kept: PrivateMessage) -> None:
        """Stop following the table if nobody may be reading the look, or if its token is about to expire."""
        now = asyncio.get_running_loop().time()
        if kept.step is not None and now >= min(kept.ends, kept.read_until):
            kept.is_last = True
            self._change_later(key, kept)
        elif now >= kept.ends:
            self._drop(key)
        else:
            self._set_timer(key, kept)

    def _stop_following(self, key: Key, kept: PrivateMessage) -> None:
        """Remember a look only so that it can be deleted when another private message takes its place."""
        kept.step = None
        if self._kept.get(key) is kept:
            self._check(key, kept)

    # -- changes

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a private message could not be changed", exc_info=task.exception())

    def _change_later(self, key: Key, kept: PrivateMessage, *, after: asyncio.Task[None] | None = None) -> None:
        kept.is_due = True
        if kept.task is None and not self._is_stopping:
            kept.task = self._start(self._change(key, kept, after))

    async def _change(self, key: Key, kept: PrivateMessage, after: asyncio.Task[None] | None) -> None:
        """Draw a look again until it is up to date and its table has stopped changing."""
        try:
            if after is not None:
                await asyncio.wait((after,))
            tries = 0
            while kept.is_due and kept.step is not None and self._kept.get(key) is kept:
                kept.is_due = False
                try:
                    await self._redraw(key, kept)
                    tries = 0
                except (TemporaryFailure, StoreFault) as fault:
                    log.info("table %s: a look does not follow yet, %s", key[0], fault)
                    tries += 1
                    kept.is_due = kept.is_due or tries < MAX_TRIES
                except (RequestRefused, Rejected) as fault:  # the message or the table is gone
                    log.info("table %s: a look no longer follows, %s", key[0], fault)
                    self._stop_following(key, kept)
                await asyncio.sleep(GAP_SECONDS / self._scale)
            if kept.is_last:
                self._stop_following(key, kept)
        finally:
            kept.task = None

    async def _redraw(self, key: Key, kept: PrivateMessage) -> None:
        """Draw a look again if its table has changed or it lacks its picture, or for the last time."""
        table_id, user = key
        table = await self._tables.get(table_id)
        wanted = self._missing_picture(table, user, kept)
        picture = await self._illustrator.drawn(wanted)
        # While lines stand above it, only `follow` knows of a change that people see.
        is_current = table.seq == kept.step or kept.above is not None
        if is_current and not kept.is_last and not kept.is_uncertain and picture is None:
            self._count_missed(kept, wanted)
            return
        await self._pace.take()
        message = await self._message_of(table_id)
        table, is_last = await self._tables.get(table_id), kept.is_last  # as they are after the waiting
        say = self._texts(table, user, kept)
        draw = draw_last_look if is_last else draw_dated_look
        screen = draw(say, table, user, self._clock, message=message)
        out = Outgoing(with_lines_above(screen, kept.above))
        pictures = self._illustrator.look(say, table, user)
        shown = kept.picture
        if picture is not None and wanted is not None and pictures is not None and pictures.has_key(wanted.key):
            shown = ShownPicture(wanted.key, picture.name, picture.description)
            out.show(picture)
        elif shown is not None and pictures is not None and pictures.has_key(shown.key):
            out.show(Picture(shown.name, b"", shown.description, 0, 0))
            out.has_picture = True
        else:
            shown = None
            out.drops_files = True
        kept.is_changing = True
        try:
            await self._rest.edit_private(kept.answer, out)
        finally:
            kept.is_changing = False
        kept.picture, kept.step, kept.is_uncertain = shown, table.seq, False
        self._count_missed(kept, self._missing_picture(table, user, kept))
        if not table.is_open:
            self._stop_following(key, kept)

    def _texts(self, table: Table, user: UserId, kept: PrivateMessage) -> Catalogue:
        say = catalogue(kept.language).for_table(table.game, table.house.language)
        return self._illustrator.words(say, table.house, user)

    def _missing_picture(self, table: Table, user: UserId, kept: PrivateMessage) -> Wanted | None:
        """Return the picture that a look lacks: the answer to a press has another than a look that follows."""
        if kept.step is None:
            return None
        pictures = self._illustrator.look(self._texts(table, user, kept), table, user)
        if pictures is None or (kept.picture is not None and pictures.has_key(kept.picture.key)):
            return None
        wanted = pictures.for_answer if kept.step == table.seq else pictures.lasting
        key, times = kept.missed
        return None if key == wanted.key and times >= MAX_TRIES else wanted

    def _count_missed(self, kept: PrivateMessage, wanted: Wanted | None) -> None:
        """Try again soon to get a picture that was late, but not for ever."""
        if wanted is not None:
            key, times = kept.missed
            kept.missed = (wanted.key, times + 1 if key == wanted.key else 1)
            kept.is_due = True

    async def _delete(self, old: PrivateMessage) -> None:
        await self._pace.take()
        try:
            await self._rest.delete_private(old.answer)
        except (TemporaryFailure, RequestRefused) as fault:
            log.info("a private message that was replaced stays, %s", fault)
