"""Connections to one PostgreSQL: a bounded pool for reading, and single ones for those who write or listen.

The server may go away at any time: it is restarted, or another one takes its place. What only reads is tried again for
a moment. After that everybody is told at once, until a connection succeeds.
"""

from __future__ import annotations

import asyncio
import logging
import random
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import asyncpg

from bot.host.ports import Fault, StoreFault
from bot.store.postgres.faults import away, is_lost, translate

log = logging.getLogger(__name__)

T = TypeVar("T")
Connection = Any
"""A connection of asyncpg, which has no types."""

MAX_READERS: Final = 8
"""Cap on the connections that read at the same time."""
MAX_RECONNECTING_SECONDS: Final = 1.8
"""How long a lost connection is tried again before the person who waits is told; Discord waits for three seconds."""
CONNECT_SECONDS: Final = 1.5
"""How long a new connection may take."""
FIRST_PAUSE_SECONDS: Final = 0.02
"""Pause before the second attempt to connect; each further one is twice as long."""
LONGEST_PAUSE_SECONDS: Final = 0.5
"""Cap on the pause between two attempts to connect."""
SEND_BUFFER_BYTES: Final = 2_000_000
"""What a connection that writes asks of the system; many systems give less."""
SETTINGS: Final = {
    "application_name": "coyote-table",
    "synchronous_commit": "on",  # what is acknowledged is on the server's disk
    "statement_timeout": "8s",
    "lock_timeout": "4s",
    "idle_in_transaction_session_timeout": "4s",  # the locks of a process that hangs are free again
    "jit": "off",  # compiling a short statement takes longer than running it
    "plan_cache_mode": "force_generic_plan",
    "timezone": "UTC",
}
"""The settings of every connection."""
KEEPALIVE: Final = (
    "SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2;"
    " SET tcp_user_timeout = 4000"
)
"""For a connection that holds locks: the server notices within a few seconds if its machine has vanished."""


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that can hand a whole batch to the system at once, without waiting for the event loop again."""

    def __init__(self, protocol: Any, transport: asyncio.Transport, *others: Any) -> None:
        super().__init__(protocol, transport, *others)
        used = transport.get_extra_info("socket")
        if used is not None:
            used.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)


class Pauses:
    """The growing pauses between attempts, a little random, so that many processes do not come all at once."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE_SECONDS

    async def wait(self) -> None:
        """Wait for the next pause."""
        pause, self._next = self._next, min(2 * self._next, LONGEST_PAUSE_SECONDS)
        await asyncio.sleep(pause * random.uniform(0.7, 1.3))


class Connections:
    """The way to the server. Made by `open`, ended by `close`."""

    def __init__(self, url: str, pool: Any, *, keeps_trying: bool = True) -> None:
        self.url = url
        self.keeps_trying = keeps_trying
        """Whether the log says so when the server is away; a command that ends on the first fault says it itself."""
        self._pool = pool
        self._closed = False
        self._away = False

    @classmethod
    async def open(cls, url: str, readers: int = MAX_READERS, *, keeps_trying: bool = True) -> Connections:
        """Connect; raise what asyncpg raises if that fails."""
        pool = await asyncpg.create_pool(
            url,
            min_size=0,
            max_size=readers,
            timeout=CONNECT_SECONDS,
            command_timeout=None,
            server_settings=SETTINGS,
            max_inactive_connection_lifetime=300,
        )
        return cls(url, pool, keeps_trying=keeps_trying)

    async def close(self) -> None:
        """Close all connections; later requests get Fault.CLOSED."""
        self._closed = True
        try:
            await asyncio.wait_for(self._pool.close(), CONNECT_SECONDS)
        except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            self._pool.terminate()

    @property
    def is_away(self) -> bool:
        """Whether the last attempt to reach the server has failed."""
        return self._away

    def note(self, *, reached: bool) -> None:
        """Record whether the server could be reached."""
        if self._away and reached:
            log.info("the database is back")
        elif not self._away and not reached and self.keeps_trying:
            log.warning("the database cannot be reached; the bot keeps trying")
        self._away = not reached

    async def connect(self, *, lasting: bool = False) -> Connection:
        """Return a connection of the caller's own; with `lasting`, its statements may take as long as they need."""
        settings = SETTINGS | ({"statement_timeout": "0", "lock_timeout": "0"} if lasting else {})
        if lasting:
            settings["idle_in_transaction_session_timeout"] = "0"
        try:
            connection = await asyncpg.connect(
                self.url,
                timeout=CONNECT_SECONDS,
                server_settings=settings,
                max_cacheable_statement_size=0,
                connection_class=_Connection,
            )
        except Exception as error:
            if is_lost(error):
                self.note(reached=False)
            raise
        self.note(reached=True)
        return connection

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run something that only reads on a connection of the pool; it is run again if the connection breaks."""
        loop, pauses = asyncio.get_running_loop(), Pauses()
        until = loop.time() + (0.0 if self._away else MAX_RECONNECTING_SECONDS)
        while True:
            if self._closed:
                raise StoreFault(Fault.CLOSED, "the bot is stopping")
            try:
                async with self._pool.acquire(timeout=MAX_RECONNECTING_SECONDS) as connection:
                    if self._away:
                        self.note(reached=True)
                    return await work(connection)
            except Exception as error:
                if self._closed:
                    raise StoreFault(Fault.CLOSED, "the bot is stopping") from error
                if not is_lost(error):
                    raise translate(error) from error
                if loop.time() >= until:
                    self.note(reached=False)
                    raise away(error) from error
            await pauses.wait()

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of one statement that only reads."""
        return await self.read(lambda connection: connection.fetch(sql, *values))

    async def look(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run something that only reads in one transaction: everything that it sees is from the same moment."""

        async def at_once(connection: Connection) -> T:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await work(connection)

        return await self.read(at_once)
