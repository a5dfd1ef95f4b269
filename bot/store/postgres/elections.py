"""Elects one of many processes for a job: the one that holds an advisory lock of the database.

The server releases the locks of a process as soon as its connection is gone, so a dead process never keeps one.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import asyncpg

from bot.host.ports import Fault, StoreFault
from bot.store.postgres.connections import KEEPALIVE, Connection, Connections
from bot.store.postgres.faults import is_lost, translate

log = logging.getLogger(__name__)

_NAMESPACE: Final = "coyote-table"
_CLOSE_SECONDS: Final = 1.0
"""How long closing the connection may take."""
_GHOST_SECONDS: Final = 1.0
"""How long a connection of ours that was cut off may take to end."""
_GHOST_CHECK_SECONDS: Final = 0.05
"""Pause between two attempts to get its lock meanwhile."""
_HELD: Final = (
    "SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND datname = current_database() AND database = datid AND pid <> pg_backend_pid()"
    " AND classid::bigint << 32 | objid::bigint = $1 AND objsubid = 1"
)
_GHOST: Final = f"SELECT pg_terminate_backend(pid) FROM ({_HELD} AND application_name = $2) AS ghosts"  # noqa: S608
WIN_CHECK_SECONDS: Final = 0.2
"""Pause between two attempts to win from a process that may be ending."""


def key_of(name: str) -> int:
    """Return the number of an advisory lock, which PostgreSQL wants instead of a name."""
    written = f"{_NAMESPACE}:{name}".encode()
    return int.from_bytes(hashlib.blake2b(written, digest_size=8).digest(), "big", signed=True)


async def try_lock(connection: Connection, us: str, name: str, *, shared: bool = False) -> bool | None:
    """Try to get a lock; return None if an earlier connection of this process still has it.

    Where only our end has noticed that a connection broke, the server keeps it for a while, with its locks.
    """
    sql = f"SELECT pg_try_advisory_lock{'_shared' if shared else ''}($1)"
    if await connection.fetchval(sql, key_of(name)):
        return True
    if not await connection.fetch(_GHOST, key_of(name), us):
        return False
    log.info("an earlier connection of this process still has the lock %r; it is cut off", name)
    loop = asyncio.get_running_loop()
    until = loop.time() + _GHOST_SECONDS
    while loop.time() < until:
        if await connection.fetchval(sql, key_of(name)):
            return True
        await asyncio.sleep(_GHOST_CHECK_SECONDS)
    return None


class Elections:
    """Holds the locks of one process, all on one connection."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._connection: Connection | None = None
        self._held: set[str] = set()
        self._lock = asyncio.Lock()

    async def win(self, job: str, *, shared: bool = False) -> bool:
        """Try to be the process that does `job`; the winner keeps it until `resign`, `close` or its end.

        Ask again before every piece of work: an election is lost together with the connection. With `shared`, all who
        ask so can win together, but nobody else.
        """
        async with self._lock:
            try:
                connection = await self._connected()
                if job in self._held:
                    await connection.execute("SELECT 1")  # does the connection still stand?
                elif await try_lock(connection, self._connections.name, job, shared=shared):
                    self._held.add(job)
            except Exception as error:
                if is_lost(error):
                    await self._drop()
                    return False
                raise translate(error) from error
            return job in self._held

    @property
    def is_connected(self) -> bool:
        """Whether the server was in reach when it was last asked."""
        return self._connection is not None and not self._connection.is_closed()

    async def share(self, job: str) -> None:
        """Let others win `job` together with this process, which has won it alone."""
        async with self._lock:
            connection = await self._connected()
            if job in self._held:
                await connection.execute("SELECT pg_advisory_lock_shared($1)", key_of(job))
                await connection.execute("SELECT pg_advisory_unlock($1)", key_of(job))

    async def is_held(self, job: str) -> bool:
        """Return whether anybody has been elected to do `job`."""
        async with self._lock:
            return bool(await (await self._connected()).fetch(_HELD, key_of(job)))

    async def win_within(self, job: str, seconds: float, *, shared: bool = False) -> bool:
        """Win, or wait a little for a process that has just ended; raise StoreFault if the server is away."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not await self.win(job, shared=shared):
            if loop.time() >= until:
                if self._connections.is_away:
                    raise StoreFault(Fault.AWAY, "the server cannot be reached")
                return False
            await asyncio.sleep(WIN_CHECK_SECONDS)
        return True

    async def resign(self, job: str) -> None:
        """Let another process do `job`."""
        async with self._lock:
            if job in self._held and self._connection is not None:
                self._held.discard(job)
                with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    await self._connection.execute("SELECT pg_advisory_unlock($1)", key_of(job))

    @asynccontextmanager
    async def elected(self, job: str) -> AsyncIterator[bool]:
        """Hold an election around a piece of work: `async with elections.elected("seasons") as ours: …`."""
        ours = await self.win(job)
        try:
            yield ours
        finally:
            if ours:
                await self.resign(job)

    async def close(self) -> None:
        """Resign from everything."""
        async with self._lock:
            await self._drop()

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._held.clear()
            connection = await self._connections.connect()
            await connection.execute(KEEPALIVE)
            self._connection = connection
        return self._connection

    async def _drop(self) -> None:
        self._held.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            await close_quietly(connection)


async def close_quietly(connection: Connection) -> None:
    """Close a connection that may be broken."""
    try:
        await connection.close(timeout=_CLOSE_SECONDS)
    except Exception:  # it is thrown away
        connection.terminate()
