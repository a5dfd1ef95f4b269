"""What one of many processes on a database shares with the others: shards, tables, jobs, logins and news."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

from bot.host.model import TableId
from bot.host.ports import StoreFault
from bot.store import keys
from bot.store.ports import REDRAW_NEWS, Watcher
from bot.store.postgres.claims import Claims
from bot.store.postgres.connections import Connection, Connections
from bot.store.postgres.elections import Elections
from bot.store.postgres.leases import Leases, Shards
from bot.store.postgres.wakeups import Wakeups

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""How often a process looks for free shards, tables that nobody looks after, and shards that it has lost."""
LOOKS_BETWEEN_POLLS: Final = 6
"""Looks between two full reads of the clocks and the outbox, in case a notification was lost."""
LOOKS_BETWEEN_RETURNS: Final = 120
"""Looks between two times that the leases of tables with nothing left to do are given back."""
LOGIN_MILLIS: Final = 5_000
"""How long Discord makes a group of shards wait between two logins."""
LOGIN_CHECK_SECONDS: Final = 0.2
"""How often a process that waits to log in asks whether it is its turn."""
TABLES_AT_ONCE: Final = 500
"""Cap on the tables that one statement takes over or gives back."""
_LOGIN: Final = (
    "INSERT INTO meta (key, value) VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    " WHERE excluded.value::bigint - meta.value::bigint NOT BETWEEN 0 AND $2 RETURNING 1"
)
_FREE: Final = (
    "DELETE FROM leases USING tables WHERE table_id = id AND owner IS DISTINCT FROM $1"
    " AND (guild >> 22) % $2 = ANY($3::bigint[])"
)


class Access(Protocol):
    """What this module needs from the store."""

    @property
    def elections(self) -> Elections:
        """Decides which process does what only one must do."""

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of one statement that only reads."""

    def work(self, work: Callable[[Connection], Awaitable[None]]) -> asyncio.Future[None]:
        """Run a function in a transaction of its own."""

    async def read_shift(self) -> bool:
        """Read by how much clocks were put off; return whether another process has put them off meanwhile."""


class Membership:
    """See `bot.store.ports.Membership`."""

    def __init__(self, store: Access, connections: Connections, leases: Leases, wakeups: Wakeups, name: str) -> None:
        self.name = name
        self.lost = asyncio.Event()
        """Set when another process serves a shard of this one."""
        self._store = store
        self._leases = leases
        self._wakeups = wakeups
        self._claims = Claims(connections)
        self._shards = Shards(1, ())
        self._wanted: set[TableId] = set()
        self._woken = asyncio.Event()
        self._watcher: Watcher | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._is_fresh = True

    # -- shards

    async def claim(self, of: int, ids: Sequence[int], most: int) -> Sequence[int]:
        """Claim some of the shards `ids`, at least one; wait until one is free."""
        # The server does not say when a lock is free.
        while not (claimed := await self._claims.claim(of, ids, most)):  # noqa: ASYNC110
            await asyncio.sleep(LOOK_SECONDS)
        self._shards = Shards(of, claimed)
        return claimed

    async def wait_for_login(self, group: int) -> None:
        """Wait until a shard of this group may log in; a group may do so every five seconds."""
        found = False

        async def work(connection: Connection) -> None:
            nonlocal found
            found = bool(await connection.fetchval(_LOGIN, f"{keys.LOGIN}{group}", LOGIN_MILLIS))

        while True:
            try:
                await self._store.work(work)
                if found:  # and committed
                    return
            except StoreFault as fault:
                log.info("the login has to wait: %s", fault)
            await asyncio.sleep(LOGIN_CHECK_SECONDS)

    # -- jobs

    async def is_elected(self, job: str) -> bool:
        """Return whether this process is the one that does `job`; ask again before every piece of work."""
        return await self._store.elections.win(job)

    async def resign(self, job: str) -> None:
        """Let another process do `job`."""
        await self._store.elections.resign(job)

    # -- tables

    def holds(self, table: TableId) -> bool:
        """Return whether this process looks after a table."""
        return self._leases.holds(table)

    def want(self, table: TableId) -> None:
        """Look after a table soon, if it belongs to the shards of this process and nobody else does."""
        self._wanted.add(table)
        self._woken.set()

    def wrote_late(self, table: TableId) -> None:
        """Tell who looks after a table now that this process may have written over what they have sent."""
        self.tell(f"{REDRAW_NEWS}{table}")

    async def steps(self) -> Mapping[TableId, int]:
        """Return at which step each table is that this process looks after."""
        sql = "SELECT id, seq FROM tables JOIN leases ON table_id = id WHERE owner = $1"
        return {TableId(id_): seq for id_, seq in await self._store.fetch(sql, self._leases.id or 0)}

    # -- news

    def tell(self, news: str) -> None:
        """Tell the other processes something, such as `user:1` if the settings of that person have changed."""
        self._wakeups.tell([TableId(news)])

    async def start(self, watcher: Watcher) -> None:
        """Look after the tables of the claimed shards from now on, in place of the process that did before."""
        self._watcher = watcher
        self._wakeups.subscribe(self._hear, self._missed)
        self._leases.on_lost(self._missed)
        await self._store.work(self._free)
        self._tasks = [
            asyncio.create_task(self._keep(), name="keeping shards"),
            asyncio.create_task(self._run(watcher), name="looking after tables"),
        ]

    async def stop(self) -> None:
        """Let other processes serve the shards; the leases are given back when the store is closed."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._claims.close()

    async def _free(self, connection: Connection) -> None:
        """Take the tables of our shards from their former owners: nobody else serves these shards now."""
        await connection.execute(_FREE, self._leases.id, self._shards.of, list(self._shards.ids))

    def _hear(self, news: Sequence[str]) -> None:
        if self._watcher is not None:
            tables = [TableId(each) for each in news if ":" not in each]
            if tables:
                self._watcher.changed(tables)
            for each in news:
                if ":" in each:
                    self._watcher.told(each)

    def _missed(self) -> None:
        if self._watcher is not None:
            self._watcher.missed()

    async def _run(self, watcher: Watcher) -> None:
        looks, now = 0, asyncio.get_running_loop().time
        next_look = now()
        while True:
            try:
                await self._take_wanted(watcher)
                if now() >= next_look:
                    next_look = now() + LOOK_SECONDS
                    looks += 1
                    await self._look(watcher, looks)
            except StoreFault as fault:
                log.info("looking after tables has to wait: %s", fault)
            except Exception:
                log.exception("looking after tables failed")
            with suppress(TimeoutError):
                async with asyncio.timeout_at(next_look):
                    await self._woken.wait()

    async def _keep(self) -> None:
        """Keep the shards, beside everything that may have to wait for the database."""
        while not self.lost.is_set():
            try:
                if not await self._claims.keep():
                    log.warning("another process serves shards of this one")
                    self.lost.set()
            except Exception:
                log.exception("keeping the shards failed")
            await asyncio.sleep(LOOK_SECONDS)

    async def _take_wanted(self, watcher: Watcher) -> None:
        wanted, self._wanted = self._wanted, set()
        self._woken.clear()
        if wanted and (taken := await self._leases.take(wanted, shards=self._shards)):
            watcher.taken(taken)

    async def _look(self, watcher: Watcher, looks: int) -> None:
        while taken := await self._leases.take(shards=self._shards, most=TABLES_AT_ONCE):
            watcher.taken(taken)
            if len(taken) < TABLES_AT_ONCE:
                break
        was_fresh, self._is_fresh = self._is_fresh, self._leases.is_fresh
        if looks % LOOKS_BETWEEN_POLLS == 1 or (self._is_fresh and not was_fresh):
            if await self._store.read_shift():
                watcher.missed()
            if unknown := await self._leases.follow():
                watcher.taken(unknown)
            await watcher.look_again()
        if looks % LOOKS_BETWEEN_RETURNS == 0:
            await self._leases.give_back()
