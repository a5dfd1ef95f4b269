"""Tells other processes at once that a table has changed. If the word is lost, they find out when they next look."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from bot.host.model import TableId
from bot.host.ports import StoreFault
from bot.store.postgres.connections import Connection, Connections, Pauses
from bot.store.postgres.elections import close_quietly
from bot.store.postgres.faults import is_lost

log = logging.getLogger(__name__)

CHANNEL: Final = "coyote_tables"
TABLES_PER_NOTE: Final = 400
"""PostgreSQL carries less than 8000 bytes in one notification."""
CHECK_SECONDS: Final = 5.0
"""How often the listening connection is tried, since a broken one may say nothing."""

Told = Callable[[Sequence[TableId]], None]


class Wakeups:
    """Listens from `start` to `stop`, and tells what this process has changed."""

    def __init__(self, connections: Connections, sender: str) -> None:
        self._connections = connections
        self._sender = sender
        self._told: list[Told] = []
        self._again: list[Callable[[], None]] = []
        self._listening: asyncio.Task[None] | None = None
        self._changed: set[TableId] = set()
        self._telling: asyncio.Task[None] | None = None

    def subscribe(self, told: Told, again: Callable[[], None]) -> None:
        """Call `told` with tables that another process has changed, and `again` when some word may have been missed."""
        self._told.append(told)
        self._again.append(again)

    def start(self) -> None:
        """Begin to listen."""
        self._listening = asyncio.create_task(self._listen(), name="wake-ups")

    async def stop(self) -> None:
        """Stop listening."""
        tasks = [task for task in (self._listening, self._telling) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def tell(self, tables: Iterable[TableId]) -> None:
        """Tell the others soon that these tables have changed; what is told at the same time goes together."""
        self._changed.update(tables)
        if self._changed and self._telling is None:
            self._telling = asyncio.create_task(self._tell(), name="telling of changes")

    async def _tell(self) -> None:
        try:
            while self._changed:
                some = [self._changed.pop() for _ in range(min(len(self._changed), TABLES_PER_NOTE))]
                note = " ".join((self._sender, *some))
                try:
                    await self._connections.fetch("SELECT pg_notify($1, $2)", CHANNEL, note)
                except StoreFault as fault:
                    log.info("others find out by themselves what has changed: %s", fault)
        finally:
            self._telling = None

    async def _listen(self) -> None:
        pauses = Pauses()
        while True:
            connection: Connection | None = None
            try:
                connection = await self._connections.connect()
                gone = asyncio.Event()
                connection.add_termination_listener(lambda _, gone=gone: gone.set())
                await connection.add_listener(CHANNEL, self._hear)
                for again in self._again:
                    again()
                pauses = Pauses()
                while not gone.is_set():
                    with suppress(TimeoutError):
                        await asyncio.wait_for(gone.wait(), CHECK_SECONDS)
                    await connection.execute("SELECT 1")
            except Exception as error:
                if not is_lost(error):
                    log.exception("listening for changes failed")
            finally:
                if connection is not None:
                    await close_quietly(connection)
            await pauses.wait()

    def _hear(self, _connection: Any, _process: int, _channel: str, note: str) -> None:
        sender, *tables = note.split(" ")
        if sender != self._sender:
            for told in self._told:
                told([TableId(table) for table in tables])
