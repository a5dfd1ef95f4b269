"""A fake of `Rest` that keeps messages in memory and fails on demand, and a table that uses it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.private_messages import PrivateMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.text_only import TextOnly
from bot.discord_ui.wire.failures import LeftOut, RequestRefused
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.press_requests import LentPress
from bot.discord_ui.wire.rest import Outgoing, PrivateAnswer, mark_of
from bot.host.commands import Join, Start
from bot.host.model import House, Table, TableId
from bot.host.ports import Duties, Fault, OutboxRow, StoreFault
from bot.host.steady_clock import SteadyClock
from bot.host.tables import Tables
from bot.pictures.picture import Picture
from bot.pictures.studio import Studio
from bot.store.sqlite.store import SqliteStore
from tests.host.world import GUEST, HOST, THIRD

CLOCK_SCALE = 100.0
"""How much faster the clock runs in these tests."""
CHANNEL, ABOVE, DMS = 100, 99, 1000
BAD_REQUEST = 50035
PRIVATE = 1
"""Stands for the channel of private messages; the fault of one is set by its id."""


STUDIO = Studio()
"""Draws for all tables of these tests."""


HOUSE = House()


class FakeRest:
    """Keeps the messages of every channel. Each fault in `faults` runs once, before the next message in its channel."""

    def __init__(self) -> None:
        self.messages: dict[int, dict[int, str]] = {}
        self.is_slow = False
        self.files: dict[int, str] = {}
        """The file of each message that has one."""
        self.history: list[tuple[int, int, str]] = []
        """What every message looked like, in order: its channel, its id and its text."""
        self.uploads: list[tuple[int, int, Picture]] = []
        """The pictures that were sent, with the channels and messages that got them."""
        self.unarchived = 0
        self.faults: dict[int, Callable[[], Awaitable[None]]] = {}
        self.faults_after: dict[int, Callable[[], Awaitable[None]]] = {}
        """Faults that run after the next post through a press."""
        self.refusal_code: Callable[[str], int | None] = lambda written: None
        """Returns the error code for a message, or None to accept it; a deletion passes an empty text."""
        self.refused: list[str] = []
        self.through: list[tuple[str, int]] = []
        """What was done with the token of a press instead of the bot's own, and with which message."""
        self.own: list[tuple[str, int]] = []
        """What was done in the channel with the bot's own token, and with which message."""
        self.left_out = False
        """Whether pings are left out, as if too many requests waited."""
        self._nonces: dict[str, int] = {}
        self._marks: dict[int, int] = {}
        self._newest = discord.utils.time_snowflake(discord.utils.utcnow())

    def newest(self, channel: int) -> str:
        return list(self.messages.get(channel, {}).values())[-1]

    async def post(
        self, channel: int, message: Outgoing, nonce: str, urgency: Any = None, within: float | None = None
    ) -> int:
        if within is not None and self.left_out:
            raise LeftOut
        await self._run_faults(channel, message)
        if nonce not in self._nonces:
            self._nonces[nonce] = self._add(channel, message, nonce)
        self.own.append(("post", self._nonces[nonce]))
        return self._nonces[nonce]

    async def post_through(self, press: LentPress, message: Outgoing, nonce: str) -> int:
        await self._run_faults(press.channel, message)
        posted = self._add(press.channel, message, nonce)
        await self._run_fault(self.faults_after, press.channel)
        self.through.append(("post", posted))
        return posted

    def _add(self, channel: int, message: Outgoing, nonce: str) -> int:
        self._newest += 1
        self._marks[mark_of(nonce)] = self._newest
        self._write(channel, self._newest, message)
        return self._newest

    async def own_posts(self, channel: int, urgency: Any = None) -> dict[int, int]:
        self.own.append(("list", 0))
        return {mark: message for mark, message in self._marks.items() if message in self.messages.get(channel, {})}

    async def edit(self, channel: int, message: int, changed: Outgoing, urgency: Any = None) -> None:
        await self._run_faults(channel, changed)
        if channel == CHANNEL:
            self.own.append(("edit", message))
        self._write(channel, message, changed)

    async def edit_through(self, press: LentPress, message: int, changed: Outgoing) -> None:
        await self._run_faults(press.channel, changed)
        self.through.append(("edit", message))
        self._write(press.channel, message, changed)

    async def delete(self, channel: int, message: int, urgency: Any = None) -> None:
        self._refuse_if_wanted("")
        if channel == CHANNEL:
            self.own.append(("delete", message))
        self.messages[channel].pop(message, None)

    async def delete_through(self, press: LentPress, message: int) -> None:
        self._refuse_if_wanted("")
        self.through.append(("delete", message))
        self.messages[press.channel].pop(message, None)

    async def edit_private(self, answer: PrivateAnswer, changed: Outgoing) -> None:
        await self._run_faults(answer.message, changed)
        self._write(PRIVATE, answer.message, changed)

    async def delete_private(self, answer: PrivateAnswer) -> None:
        self.messages.setdefault(PRIVATE, {})[answer.message] = "deleted"

    def _write(self, channel: int, message: int, out: Outgoing) -> None:
        """Change a message as Discord does: its file stays unless another comes or it is dropped."""
        if out.picture is not None and not out.has_picture:
            self.files[message] = out.picture.name
            self.uploads.append((channel, message, out.picture))
        elif out.picture is not None and self.files.get(message) != out.picture.name:
            raise RequestRefused(BAD_REQUEST, 400)  # it refers to a file that is not there
        elif out.picture is None and out.drops_files:
            self.files.pop(message, None)
        assert out.picture is not None or message not in self.files, "a picture that nobody sees was left behind"
        written = json.dumps(out.parts)
        self.messages.setdefault(channel, {})[message] = written
        self.history.append((channel, message, written))

    async def open_dm(self, user: int) -> int:
        return DMS + user

    async def parent_of(self, thread: int) -> int:
        return ABOVE

    async def unarchive(self, thread: int) -> None:
        self.unarchived += 1

    async def _run_faults(self, channel: int, message: Outgoing) -> None:
        await self._run_fault(self.faults, channel)
        self._refuse_if_wanted(json.dumps(message.parts))

    async def _run_fault(self, faults: dict[int, Callable[[], Awaitable[None]]], channel: int) -> None:
        fault = faults.pop(channel, None)
        if fault is not None:
            await fault()

    def _refuse_if_wanted(self, written: str) -> None:
        code = self.refusal_code(written)
        if code is not None:
            self.refused.append(written)
            raise RequestRefused(code, 400)


class Evening:
    """A table in its lobby, with its publisher and DMs."""

    def __init__(self, store: SqliteStore, rest: FakeRest | None = None, duties: Duties | None = None) -> None:
        clock = SteadyClock(CLOCK_SCALE)
        self.store, self.rest = store, rest or FakeRest()
        self.publisher = Publisher(store, clock, CLOCK_SCALE, duties)
        self.tables = Tables(store, self.publisher, clock)
        wire: Any = self.rest
        self.text_only = TextOnly()
        self.illustrator = Illustrator(STUDIO, self.text_only, lambda table: self.may_attach, store)
        self.may_attach = True
        self.dms = DirectMessages(
            self.tables, store, wire, self.illustrator, clock, openings=Pace(1000.0, 100), holds=self.publisher.holds
        )
        self.private = PrivateMessages(
            self.tables, wire, self.illustrator, clock, self.publisher.message_of, scale=CLOCK_SCALE
        )
        self.reads_history = True
        self.publisher.attach(
            self.tables,
            wire,
            self.dms,
            self.private,
            self.illustrator,
            missing=lambda table: None,
            reads_history=lambda table: self.reads_history,
        )
        self.id = TableId("")

    async def start_game(self) -> Table:
        """Seat two guests and start the game."""
        for user in (GUEST, THIRD):
            await self.tables.submit(self.id, Join(user, "guest"))
        return await self.tables.submit(self.id, Start(HOST))

    async def wait_delivered(self) -> None:
        """Wait until the outbox is empty and all DMs are sent."""
        async with asyncio.timeout(20):
            while await self.store.unsent() or self.dms._tasks:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def wait_publisher_idle(self) -> None:
        """Wait until the publisher has nothing scheduled for the table."""
        notes = self.publisher._notes_on(self.id)
        async with asyncio.timeout(20):
            while notes.schedule.is_wanted or notes.schedule.task is not None or not notes.pings.is_idle:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """Cancel all tasks, as a killed process would."""
        scheduled = [notes.schedule.task for notes in self.publisher._notes.values()]
        tasks = [*self.dms._tasks.values(), *self.private.stop(), *self.publisher._pings.stop()]
        tasks += [task for task in scheduled if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def press_on(message: int | None, channel: int = CHANNEL) -> LentPress:
    """Return a press on a message, or one that was answered in private."""
    session: Any = None
    return LentPress(1, "token", session, channel, message, time.monotonic())


@asynccontextmanager
async def lobby(
    folder: Path,
    *,
    game: str = "coyote",
    dms: bool = False,
    house: House = HOUSE,
    duties: Duties | None = None,
) -> AsyncIterator[Evening]:
    """Open a table on a new database and yield it in its lobby."""
    clock = SteadyClock(CLOCK_SCALE)
    store = await SqliteStore.open(folder / "coyote.sqlite3", clock.now())
    here = Evening(store, duties=duties)
    try:
        here.id = (await here.tables.open(1, CHANNEL, Join(HOST, "Ana"), game=game, house=house._replace(dms=dms))).id
        await here.wait_delivered()
        yield here
    finally:
        await here.kill()
        await store.close()


def fails_once(
    here: Evening, patch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[Any]] | None = None, kind: Any = None
) -> asyncio.Event:
    """Make `mark_done` fail once, optionally only for rows of one kind; run `meanwhile` just before that."""
    real, failed = here.store.mark_done, asyncio.Event()

    async def full(sent: Sequence[OutboxRow], **more: Any) -> None:
        if kind is not None and not any(row.kind is kind for row in sent):
            await real(sent, **more)
            return
        patch.setattr(here.store, "mark_done", real)
        if meanwhile is not None:
            await meanwhile()
        failed.set()
        raise StoreFault(Fault.FULL, "no room")

    patch.setattr(here.store, "mark_done", full)
    return failed
