"""Says which process looks after which table, when many processes share one database.

A table is looked after by the process that holds its lease: it runs the clocks and sends what the outbox holds. Anybody
may carry out a press, because a step is written only if nobody else wrote one in between. So a lease saves work and
keeps messages in order, but no result depends on it: if two processes believe to hold one, the table is still right.

A process holds all of its leases for as long as its own row is fresh. It renews that row every second; when it dies,
any other process deletes the row, and with it the leases, which are then free to be taken.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, NamedTuple

import asyncpg

from bot.host.model import TableId
from bot.host.ports import StoreFault
from bot.store.postgres.connections import Connection, Connections
from bot.store.postgres.writer import Writer
from bot.store.rows import WORK

log = logging.getLogger(__name__)

LEASE_SECONDS: Final = 3.0
"""A process that has not renewed its row for this long is dead."""
RENEWAL_SECONDS: Final = 0.8
"""Pause between two renewals, each of which also looks for dead processes. Together with `LEASE_SECONDS` this is how
long a dead process's tables wait for another one: less than five seconds."""
_TAKE: Final = (
    "INSERT INTO leases (table_id, owner) SELECT id, $1 FROM tables WHERE id = ANY({wanted})"
    " AND NOT EXISTS (SELECT 1 FROM leases WHERE table_id = tables.id) AND (guild >> 22) % $2 = ANY($3::bigint[])"
    # Whom another process is taking at this moment is left to it.
    " ORDER BY next_due LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED ON CONFLICT DO NOTHING RETURNING table_id"
)
_TAKE_THESE: Final = _TAKE.format(wanted="$5::text[]")
_IS_FREE: Final = "NOT EXISTS (SELECT 1 FROM leases WHERE leases.table_id = {})"
_TAKE_NEEDED: Final = _TAKE.format(
    # Through the index of open tables, and the outbox: most tables were finished long ago, and are never looked at.
    # `next_due` must stay out of all indexes, because with each step it changes.
    wanted="ARRAY(SELECT id FROM ("  # noqa: S608 - made of constants
    "SELECT id, next_due FROM tables WHERE stage IN ('lobby', 'playing') AND next_due IS NOT NULL"
    f" AND (guild >> 22) % $2 = ANY($3::bigint[]) AND {_IS_FREE.format('id')}"
    " UNION SELECT id, next_due FROM tables"
    f" WHERE id = ANY(ARRAY(SELECT DISTINCT table_id FROM outbox WHERE {_IS_FREE.format('outbox.table_id')}))"
    " AND (guild >> 22) % $2 = ANY($3::bigint[])"
    ") AS needed ORDER BY next_due LIMIT $4)"
)
"""Takes the tables that somebody must look after: their clocks run, or something is still to be sent."""
_GIVE_BACK: Final = (
    "DELETE FROM leases USING tables WHERE table_id = id AND owner = $1"
    " AND NOT (stage IN ('lobby', 'playing') AND next_due IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.table_id = tables.id) RETURNING table_id"
)
_DEAD: Final = (
    "DELETE FROM processes WHERE id IN"
    " (SELECT id FROM processes WHERE until < clock_timestamp() FOR UPDATE SKIP LOCKED) RETURNING name"
)
_CUT_OFF: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = ANY($1::text[])"
)


class Shards(NamedTuple):
    """The shards of one process: Discord assigns guilds to them by their ids."""

    of: int
    ids: Collection[int]


class Leases:
    """The leases of one process. `start` it after the store is open, `stop` it before it is closed."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._writer = Writer(connections)
        self._renewals = Writer(connections)  # of its own: nothing that takes long may delay a renewal
        self._id: int | None = None
        self._held: set[TableId] = set()
        """What the database said when it was last asked, and what was taken and given back since."""
        self._lock = asyncio.Lock()
        """Held while leases are changed, so that the database is not asked in between."""
        self._fresh_until = float("-inf")
        """Until when the process's row is certainly fresh, on the monotonic clock."""
        self._judges_from = float("-inf")
        """When others may be taken for dead, on the same clock."""
        self._task: asyncio.Task[None] | None = None
        self._lost: list[Callable[[], None]] = []

    @property
    def id(self) -> int | None:
        """The number of this process; None as long as it has none."""
        return self._id

    def on_lost(self, told: Callable[[], None]) -> None:
        """Call a function when all leases were lost: others may have changed every table since."""
        self._lost.append(told)

    async def start(self) -> None:
        """Enter this process, and renew its row from now on."""
        await self._enter()
        self._task = asyncio.create_task(self._run(), name="leases")

    async def stop(self) -> None:
        """Give back everything at once, so that others need not wait."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        id_, self._id = self._id, None
        self._held.clear()
        if id_ is not None:
            try:
                await _write(
                    self._renewals, lambda connection: connection.execute("DELETE FROM processes WHERE id = $1", id_)
                )
            except StoreFault as fault:
                log.info("the leases run out by themselves: %s", fault)
        await self._writer.close()
        await self._renewals.close()

    @property
    def is_fresh(self) -> bool:
        """Whether others certainly know that this process is alive."""
        return time.monotonic() < self._fresh_until

    def holds(self, table: TableId) -> bool:
        """Return whether this process looks after a table, as far as it knows."""
        return table in self._held and time.monotonic() < self._fresh_until

    async def others(self) -> int:
        """Return how many other processes are alive."""
        sql = "SELECT count(*) FROM processes WHERE until > clock_timestamp() AND id <> $1"
        ((count,),) = await self._connections.fetch(sql, self._id or 0)
        return int(count)

    async def take(
        self, tables: Iterable[TableId] | None = None, *, shards: Shards | None = None, most: int = 500
    ) -> list[TableId]:
        """Take the free leases of tables that need one, the most urgent first; return those that were taken.

        With `tables`, those of these alone, whether they need it or not; with `shards`, only of guilds that belong to
        them.
        """
        count, ids = (1, [0]) if shards is None else (shards.of, list(shards.ids))
        asked: list[Any] = [self._id, count, ids, most]
        sql = _TAKE_NEEDED
        if tables is not None:
            sql = _TAKE_THESE
            asked.append(list(tables))
        taken: list[TableId] = []

        async def work(connection: Connection) -> None:
            taken[:] = [TableId(id_) for (id_,) in await connection.fetch(sql, *asked)]

        if self._id is not None:
            async with self._lock:
                try:
                    await _write(self._writer, work)
                except asyncpg.ForeignKeyViolationError:
                    return []  # this process was taken for dead, and learns so when it next renews
                self._held.update(taken)
        return taken

    async def give_back(self) -> list[TableId]:
        """Let go of the tables that need nobody any more; return them."""
        gone: list[TableId] = []

        async def work(connection: Connection) -> None:
            gone[:] = [TableId(id_) for (id_,) in await connection.fetch(_GIVE_BACK, self._id)]

        async with self._lock:
            await _write(self._writer, work)
            self._held.difference_update(gone)
        return gone

    async def follow(self) -> list[TableId]:
        """Ask the database what this process looks after; return the tables of which it did not know.

        If the answer to a commit was lost, nobody here knows what came of it.
        """
        async with self._lock:
            id_ = self._id
            rows = await self._connections.fetch("SELECT table_id FROM leases WHERE owner = $1", id_ or 0)
            if id_ != self._id:
                return []
            found = {TableId(table) for (table,) in rows}
            unknown = sorted(found - self._held)
            self._held = found
            return unknown

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            try:
                await self._renew()
            except StoreFault as fault:
                log.warning("the leases were not renewed: %s", fault)
            except Exception:
                log.exception("the leases were not renewed")

    async def _renew(self) -> None:
        began = time.monotonic()
        if began > self._fresh_until:
            # The database was away, or this process was. The others must have the time to renew their rows, too.
            self._judges_from = began + LEASE_SECONDS
        kept = False

        async def work(connection: Connection) -> None:
            nonlocal kept
            # One after the other: a row that is being renewed is skipped by those who look for dead processes.
            kept = bool(
                await connection.fetchval(
                    "UPDATE processes SET until = clock_timestamp() + make_interval(secs => $2)"
                    " WHERE id = $1 RETURNING 1",
                    self._id,
                    LEASE_SECONDS,
                )
            )
            if kept and began >= self._judges_from:
                await _bury(connection)

        await _write(self._renewals, work)
        if kept:
            self._fresh_until = began + LEASE_SECONDS
            return
        log.warning("this process was taken for dead; it enters again")
        self._held.clear()
        await self._enter()
        for told in self._lost:
            told()

    async def _enter(self) -> None:
        began = time.monotonic()

        async def work(connection: Connection) -> None:
            self._id = await connection.fetchval(
                "INSERT INTO processes (name, until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))"
                " RETURNING id",
                self._connections.name,
                LEASE_SECONDS,
            )

        await _write(self._renewals, work)
        self._fresh_until = self._judges_from = began + LEASE_SECONDS


async def _write(writer: Writer, work: Callable[[Connection], object]) -> None:
    await writer.write([(WORK, (work,))])


async def _bury(connection: Connection) -> None:
    """Delete dead processes, and cut off what is left of them.

    A process that only hangs still holds its connections, and with them the locks of its shards and jobs.
    """
    dead = [name for (name,) in await connection.fetch(_DEAD)]
    if dead:
        log.warning("gone, so that others look after their tables: %s", ", ".join(dead))
        await connection.execute(_CUT_OFF, dead)
