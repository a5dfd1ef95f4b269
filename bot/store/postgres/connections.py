"""Connections to one PostgreSQL: a bounded pool for reading, and single ones for those who write or listen.

The server may go away at any time: it is restarted, or another one takes its place. What only reads is tried again for
a moment. After that everybody is told at once, until a connection succeeds.

It may also vanish without a word, with its machine or the network. So every statement has to be answered in time;
otherwise its connection is cut off, and those who wait see it break.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import socket
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import asyncpg

from bot.host.ports import Fault, StoreFault
from bot.store.postgres.faults import away, is_lost, translate
from bot.store.postgres.hosts import hosts_of

log = logging.getLogger(__name__)

T = TypeVar("T")
Connection = Any
"""A connection of asyncpg, which has no types."""

APPLICATION: Final = "coyote-table"
"""With what the names of all our connections begin."""
MAX_READERS: Final = 8
"""Cap on the connections that read at the same time."""
MAX_RECONNECTING_SECONDS: Final = 1.8
"""How long a lost connection is tried again before the person who waits is told; Discord waits for three seconds."""
CONNECT_SECONDS: Final = 1.5
"""How long a new connection to one server may take."""
MAX_ANSWER_SECONDS: Final = 2.0
"""How long the server may take to answer a short statement before its connection is cut off."""
MAX_LONG_ANSWER_SECONDS: Final = 9.0
"""The same for a statement that may take as long as `statement_timeout` lets it."""
FIRST_PAUSE_SECONDS: Final = 0.02
"""Pause before the second attempt to connect; each further one is twice as long."""
LONGEST_PAUSE_SECONDS: Final = 0.5
"""Cap on the pause between two attempts to connect."""
SEND_BUFFER_BYTES: Final = 2_000_000
"""What a connection that writes asks of the system; many systems give less."""
SETTINGS: Final = {
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
_OUR_KEEPALIVE: Final = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 4_000}
"""The other way round: the system notices as soon if the server's machine has vanished, whatever is asked of it."""


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that is cut off if the server does not answer in time.

    It can also hand a whole batch to the system at once, without waiting for the event loop again.
    """

    def __init__(self, protocol: Any, transport: asyncio.Transport, *others: Any) -> None:
        super().__init__(protocol, transport, *others)
        self._seconds: float | None = MAX_ANSWER_SECONDS
        self._until: float | None = None
        """When the connection is cut off, by the event loop's clock; None: it is asked nothing."""
        self._timer: asyncio.TimerHandle | None = None
        used = transport.get_extra_info("socket")
        if used is not None:
            used.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            watch(used)

    def allow(self, seconds: float | None) -> None:
        """Set how long each statement may wait for its answer from now on; None: for ever."""
        self._seconds = seconds

    async def execute(self, *asked: Any, **how: Any) -> Any:
        return await self._answered(super().execute(*asked, **how))

    async def executemany(self, *asked: Any, **how: Any) -> Any:
        return await self._answered(super().executemany(*asked, **how))

    async def fetch(self, *asked: Any, **how: Any) -> Any:
        return await self._answered(super().fetch(*asked, **how))

    async def fetchrow(self, *asked: Any, **how: Any) -> Any:
        return await self._answered(super().fetchrow(*asked, **how))

    async def fetchval(self, *asked: Any, **how: Any) -> Any:
        return await self._answered(super().fetchval(*asked, **how))

    async def _answered(self, asking: Awaitable[Any]) -> Any:
        """Wait for an answer. A timeout inside a transaction would wait for its end, which is not answered either."""
        if self._seconds is None:
            return await asking
        self._until = self._loop.time() + self._seconds
        if self._timer is not None and self._timer.when() > self._until:  # the previous one had more time
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self._loop.call_at(self._until, self._check)
        try:
            return await asking
        finally:
            self._until = None

    def _check(self) -> None:
        """Cut the connection off if it is late. One timer serves many statements: few of them take long."""
        self._timer = None
        if self._until is None or self.is_closed():
            return
        if self._loop.time() < self._until:
            self._timer = self._loop.call_at(self._until, self._check)
            return
        log.warning("the database has not answered in time; the connection is cut off")
        self.terminate()


def watch(used: Any) -> None:
    """Let the system notice soon if the machine at the other end of a socket has vanished."""
    if used.family in (socket.AF_INET, socket.AF_INET6):
        used.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OUR_KEEPALIVE.items():
            if hasattr(socket, name):  # not every system has them
                used.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


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

    def __init__(self, url: str, readers: int, name: str, *, keeps_trying: bool = True) -> None:
        self.url = url
        self.name = name
        """How the server calls all connections of this process. No other process has the same name, not even one that
        is started in place of this one."""
        self.keeps_trying = keeps_trying
        """Whether the log says so when the server is away; a command that ends on the first fault says it itself."""
        self._settings = SETTINGS | {"application_name": name}
        self._hosts = deque(hosts_of(url))
        """The servers that the address names, the one that answered last first."""
        self._pool: Any = None
        self._free_readers = asyncio.Semaphore(readers)
        self._closed = False
        self._away = False

    @classmethod
    async def open(
        cls, url: str, readers: int = MAX_READERS, *, member: str = "", keeps_trying: bool = True
    ) -> Connections:
        """Make the pool, whose connections are opened when they are needed; raise what asyncpg raises."""
        written = f" {member.encode('ascii', 'replace').decode()}" if member else ""
        made = cls(url, readers, f"{APPLICATION}{written}/{secrets.token_hex(4)}", keeps_trying=keeps_trying)
        made._pool = await asyncpg.create_pool(
            url,
            connect=made._connect_reader,
            connection_class=_Connection,
            min_size=0,
            max_size=readers,
            max_inactive_connection_lifetime=300,
        )
        return made

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

    async def connect(self, *, slow: bool = False, lasting: bool = False) -> Connection:
        """Return a connection of the caller's own, whose statements must be answered soon.

        With `slow`, they may take as long as `statement_timeout` lets them; with `lasting`, as long as they need.
        """
        settings = self._settings
        if lasting:
            settings |= {"statement_timeout": "0", "lock_timeout": "0", "idle_in_transaction_session_timeout": "0"}
        try:
            connection = await self._reach(settings, max_cacheable_statement_size=0)
        except Exception as error:
            if is_lost(error):
                self.note(reached=False)
            raise
        if slow or lasting:
            connection.allow(None if lasting else MAX_LONG_ANSWER_SECONDS)
        self.note(reached=True)
        return connection

    async def _connect_reader(self, *_: Any, **__: Any) -> Connection:
        """Make a connection for the pool."""
        return await self._reach(self._settings)

    async def _reach(self, settings: dict[str, str], **how: Any) -> Connection:
        """Connect to the first server that answers in time and can be written."""
        failure: Exception = StoreFault(Fault.AWAY, "the address names no server")
        for host in tuple(self._hosts):
            try:
                return await asyncpg.connect(
                    self.url,
                    **host,
                    **how,
                    timeout=CONNECT_SECONDS,
                    server_settings=settings,
                    connection_class=_Connection,
                )
            except Exception as error:
                if not is_lost(error):
                    raise
                failure = error
                if self._hosts[0] is host:  # otherwise somebody else has found another one meanwhile
                    self._hosts.rotate(-1)
        if isinstance(failure, asyncpg.InternalClientError):
            raise ConnectionError("no server that the address names is of the kind that it asks for") from failure
        raise failure

    async def read(self, work: Callable[[Connection], Awaitable[T]], *, slow: bool = False) -> T:
        """Run something that only reads on a connection of the pool; it is run again if the connection breaks.

        With `slow`, its statements may take as long as `statement_timeout` lets them.
        """
        await self._wait_to_read()
        try:
            return await self._read(work, slow=slow)
        finally:
            self._free_readers.release()

    async def _wait_to_read(self) -> None:
        """Wait until fewer read than may at the same time; Fault.BUSY if that takes too long."""
        if not self._free_readers.locked():
            await self._free_readers.acquire()
            return
        try:
            await asyncio.wait_for(self._free_readers.acquire(), MAX_RECONNECTING_SECONDS)
        except TimeoutError:
            raise StoreFault(Fault.BUSY, "all connections that read are in use") from None

    async def _read(self, work: Callable[[Connection], Awaitable[T]], *, slow: bool) -> T:
        loop, pauses = asyncio.get_running_loop(), Pauses()
        until = loop.time() + (0.0 if self._away else MAX_RECONNECTING_SECONDS)
        while True:
            if self._closed:
                raise StoreFault(Fault.CLOSED, "the bot is stopping")
            try:
                async with self._pool.acquire() as connection:
                    connection.allow(MAX_LONG_ANSWER_SECONDS if slow else MAX_ANSWER_SECONDS)
                    found = await work(connection)
            except Exception as error:
                if self._closed:
                    raise StoreFault(Fault.CLOSED, "the bot is stopping") from error
                if not is_lost(error):
                    raise translate(error) from error
                await self._pool.expire_connections()  # the others may lead to the same server
                if loop.time() >= until:
                    self.note(reached=False)
                    raise away(error) from error
            else:
                if self._away:
                    self.note(reached=True)
                return found
            await pauses.wait()

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of one statement that only reads."""
        return await self.read(lambda connection: connection.fetch(sql, *values))

    async def scan(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of a statement for which nobody waits, and which may read much."""
        return await self.read(lambda connection: connection.fetch(sql, *values), slow=True)

    async def look(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run something that only reads in one transaction: everything that it sees is from the same moment."""

        async def at_once(connection: Connection) -> T:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await work(connection)

        return await self.read(at_once, slow=True)
