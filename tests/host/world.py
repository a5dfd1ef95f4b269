"""A clock that tests move, a publisher that records, and the host on a real file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from bot.engine.registry import RULES
from bot.host.commands import Join, Play, Start
from bot.host.model import House, Table, TableId, UserId
from bot.host.scheduler import Scheduler
from bot.host.tables import Tables
from bot.store.ports import Store
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN

HOST, GUEST, THIRD = UserId(11), UserId(12), UserId(13)


class FakeClock:
    """Stands still until a test moves it."""

    def __init__(self, now: int = BEGIN) -> None:
        self._now = now
        self._moved = asyncio.Event()

    def now(self) -> int:
        return self._now

    def shown(self, moment: int) -> int:
        return moment

    async def wait(self, until: int | None, woken: asyncio.Event) -> None:
        while not woken.is_set() and (until is None or self._now < until):
            moved = asyncio.create_task(self._moved.wait())
            called = asyncio.create_task(woken.wait())
            _, waiting = await asyncio.wait((moved, called), return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            self._moved.clear()

    def move(self, milliseconds: int) -> None:
        self._now += milliseconds
        self._moved.set()


class RecordingPublisher:
    """Records the tables that it was woken for."""

    def __init__(self) -> None:
        self.woken: list[TableId] = []

    def wake(self, table: TableId) -> None:
        self.woken.append(table)


class World:
    """The host of one process, until it stops or is killed."""

    store: Store

    def __init__(self, store: Store, clock: FakeClock, max_loaded: int = 1000) -> None:
        self.store = store
        self.clock = clock
        self.publisher = RecordingPublisher()
        self.tables = Tables(store, self.publisher, clock, Random(5), max_loaded)
        self.scheduler = Scheduler(self.tables, store, clock)

    async def lobby(self, channel: int = 2, house: House | None = None) -> Table:
        return await self.tables.open(1, channel, Join(HOST, "host"), game="coyote", house=house)

    async def started(self, channel: int = 2, house: House | None = None) -> Table:
        table = await self.lobby(channel, house)
        for user in (GUEST, THIRD):
            await self.tables.submit(table.id, Join(user, "guest"))
        return await self.tables.submit(table.id, Start(HOST))


class FileWorld(World):
    """The same on a SQLite file."""

    store: SqliteStore


@asynccontextmanager
async def world(path: Path, now: int = BEGIN, *, max_loaded: int = 1000) -> AsyncIterator[FileWorld]:
    store = await SqliteStore.open(path, now)
    try:
        yield FileWorld(store, FakeClock(now), max_loaded)
    finally:
        await store.close()


def bid(table: Table, number: int) -> Play:
    """Return a bid by the player whose turn it is."""
    prompt = RULES["coyote"].prompts(table.match)[0]
    return Play(table.players[prompt.seat].user, "bid", {"number": number}, prompt.id)


async def settle() -> None:
    """Let all tasks run until they wait for the clock."""
    for _ in range(40):
        await asyncio.sleep(0.002)
