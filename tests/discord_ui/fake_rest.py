"""A fake of `Rest` that keeps messages and nonces in memory and fails on demand."""

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

HURRY = 100.0
CHANNEL, ABOVE, DMS = 100, 99, 1000
Mishap = Callable[[], Awaitable[None]]


class FakeRest:
    """The messages in every channel. Each fault in `faults` runs once, before the next message in its channel."""

    def __init__(self) -> None:
        self.stands: dict[int, dict[int, str]] = {}
        self.unarchived = 0
        self.faults: dict[int, Mishap] = {}
        self.refusal_code: Callable[[str], int | None] = lambda written: None
        """Returns the code with which a message is refused, every time; a deletion asks with an empty text."""
        self.refused: list[str] = []
        self._nonces: dict[str, int] = {}
        self._newest = discord.utils.time_snowflake(discord.utils.utcnow())

    def newest(self, channel: int) -> str:
        return list(self.stands.get(channel, {}).values())[-1]

    async def post(self, channel: int, message: Outgoing, nonce: str) -> int:
        await self._meanwhile(channel, message)
        if nonce not in self._nonces:
            self._newest += 1
            self._nonces[nonce] = self._newest
            self.stands.setdefault(channel, {})[self._newest] = json.dumps(message.parts)
        return self._nonces[nonce]

    async def edit(self, channel: int, message: int, changed: Outgoing) -> None:
        await self._meanwhile(channel, changed)
        self.stands[channel][message] = json.dumps(changed.parts)

    async def delete(self, channel: int, message: int) -> None:
        self._taken("")
        self.stands[channel].pop(message, None)

    async def open_dm(self, user: int) -> int:
        return DMS + user

    async def parent_of(self, thread: int) -> int:
        return ABOVE

    async def unarchive(self, thread: int) -> None:
        self.unarchived += 1

    async def _meanwhile(self, channel: int, message: Outgoing) -> None:
        fault = self.faults.pop(channel, None)
        if fault is not None:
            await fault()
        self._taken(json.dumps(message.parts))

    def _taken(self, written: str) -> None:
        code = self.refusal_code(written)
        if code is not None:
            self.refused.append(written)
            raise RequestRefused(code, 400)


class Evening:
    """A table in its lobby, with its publisher and DMs."""

    def __init__(self, store: SqliteStore, paper: FakeRest | None = None) -> None:
        clock, out = SteadyClock(HURRY), paper or FakeRest()
        self.store, self.rest = store, out
        self.publisher = Publisher(store, clock, HURRY)
        self.tables = Tables(store, self.publisher, clock)
        wire: Any = out
        self.dms = DirectMessages(self.tables, store, wire, clock, Pace(1000.0, 100))
        self.publisher.attach(self.tables, wire, self.dms, lambda table: None)
        self.id = TableId("")

    async def begun(self) -> Table:
        """Seat two guests and start the game."""
        for user in (GUEST, THIRD):
            await self.tables.submit(self.id, Join(user, "guest"))
        return await self.tables.submit(self.id, Start(HOST))

    async def told(self) -> None:
        """Wait until nothing is left to tell."""
        async with asyncio.timeout(20):
            while await self.store.unsent() or self.dms._tasks:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def looked(self) -> None:
        """Wait until nobody looks at the table's outbox, and nobody is about to."""
        schedule = self.publisher._notes_on(self.id).schedule
        async with asyncio.timeout(20):
            while schedule.is_wanted or schedule.task is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def killed(self) -> None:
        """Cancel all tasks, as a killed process would."""
        looks = [notes.schedule.task for notes in self.publisher._notes.values()]
        tasks = [*self.dms._tasks.values(), *[task for task in looks if task is not None]]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def lobby(folder: Path, *, dms: bool = False) -> AsyncIterator[Evening]:
    clock = SteadyClock(HURRY)
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
    """Make the store fail once when rows, perhaps of one kind, are noted as told; run `meanwhile` just before."""
    noted, failed = held.store.told, asyncio.Event()

    async def full(told: Sequence[OutboxRow], **stands: Any) -> None:
        if kind is not None and not any(row.kind is kind for row in told):
            await noted(told, **stands)
            return
        patch.setattr(held.store, "told", noted)
        if meanwhile is not None:
            await meanwhile()
        failed.set()
        raise StoreFault(Fault.FULL, "no room")

    patch.setattr(held.store, "told", full)
    return failed
