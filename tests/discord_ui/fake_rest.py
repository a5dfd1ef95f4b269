"""A fake of `Rest` that keeps messages in memory and fails on demand, and a table that uses it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, RequestRefused
from bot.host.commands import Join, Start
from bot.host.model import House, Table, TableId
from bot.host.ports import Fault, OutboxRow, StoreFault
from bot.host.steady_clock import SteadyClock
from bot.host.tables import Tables
from bot.store.sqlite.store import SqliteStore
from tests.host.world import GUEST, HOST, THIRD

CLOCK_SCALE = 100.0
"""How much faster the clock runs in these tests."""
CHANNEL, ABOVE, DMS = 100, 99, 1000


class FakeRest:
    """Keeps the messages of every channel. Each fault in `faults` runs once, before the next message in its channel."""

    def __init__(self) -> None:
        self.messages: dict[int, dict[int, str]] = {}
        self.unarchived = 0
        self.faults: dict[int, Callable[[], Awaitable[None]]] = {}
        self.refusal_code: Callable[[str], int | None] = lambda written: None
        """Returns the error code for a message, or None to accept it; a deletion passes an empty text."""
        self.refused: list[str] = []
        self._nonces: dict[str, int] = {}
        self._newest = discord.utils.time_snowflake(discord.utils.utcnow())

    def newest(self, channel: int) -> str:
        return list(self.messages.get(channel, {}).values())[-1]

    async def post(self, channel: int, message: Outgoing, nonce: str) -> int:
        await self._run_faults(channel, message)
        if nonce not in self._nonces:
            self._newest += 1
            self._nonces[nonce] = self._newest
            self.messages.setdefault(channel, {})[self._newest] = json.dumps(message.parts)
        return self._nonces[nonce]

    async def edit(self, channel: int, message: int, changed: Outgoing) -> None:
        await self._run_faults(channel, changed)
        self.messages[channel][message] = json.dumps(changed.parts)

    async def delete(self, channel: int, message: int) -> None:
        self._refuse_if_wanted("")
        self.messages[channel].pop(message, None)

    async def open_dm(self, user: int) -> int:
        return DMS + user

    async def parent_of(self, thread: int) -> int:
        return ABOVE

    async def unarchive(self, thread: int) -> None:
        self.unarchived += 1

    async def _run_faults(self, channel: int, message: Outgoing) -> None:
        fault = self.faults.pop(channel, None)
        if fault is not None:
            await fault()
        self._refuse_if_wanted(json.dumps(message.parts))

    def _refuse_if_wanted(self, written: str) -> None:
        code = self.refusal_code(written)
        if code is not None:
            self.refused.append(written)
            raise RequestRefused(code, 400)


class Evening:
    """A table in its lobby, with its publisher and DMs."""

    def __init__(self, store: SqliteStore, rest: FakeRest | None = None) -> None:
        clock = SteadyClock(CLOCK_SCALE)
        self.store, self.rest = store, rest or FakeRest()
        self.publisher = Publisher(store, clock, CLOCK_SCALE)
        self.tables = Tables(store, self.publisher, clock)
        wire: Any = self.rest
        self.dms = DirectMessages(self.tables, store, wire, clock, Pace(1000.0, 100))
        self.publisher.attach(self.tables, wire, self.dms, lambda table: None)
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
        schedule = self.publisher._notes_on(self.id).schedule
        async with asyncio.timeout(20):
            while schedule.is_wanted or schedule.task is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """Cancel all tasks, as a killed process would."""
        scheduled = [notes.schedule.task for notes in self.publisher._notes.values()]
        tasks = [*self.dms._tasks.values(), *[task for task in scheduled if task is not None]]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def lobby(folder: Path, *, dms: bool = False) -> AsyncIterator[Evening]:
    """Open a table on a new database and yield it in its lobby."""
    clock = SteadyClock(CLOCK_SCALE)
    store = await SqliteStore.open(folder / "coyote.sqlite3", clock.now())
    held = Evening(store)
    try:
        held.id = (await held.tables.open(1, CHANNEL, Join(HOST, "Ana"), game="coyote", house=House(dms=dms))).id
        await held.wait_delivered()
        yield held
    finally:
        await held.kill()
        await store.close()


def fails_once(
    held: Evening, patch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[Any]] | None = None, kind: Any = None
) -> asyncio.Event:
    """Make `store.told` fail once, optionally only for rows of one kind; run `meanwhile` just before it fails."""
    real, failed = held.store.told, asyncio.Event()

    async def full(told: Sequence[OutboxRow], **stands: Any) -> None:
        if kind is not None and not any(row.kind is kind for row in told):
            await real(told, **stands)
            return
        patch.setattr(held.store, "told", real)
        if meanwhile is not None:
            await meanwhile()
        failed.set()
        raise StoreFault(Fault.FULL, "no room")

    patch.setattr(held.store, "told", full)
    return failed
