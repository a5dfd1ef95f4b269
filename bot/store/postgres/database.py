"""A PostgreSQL database as its operator knows it; see `bot.store.ports.Database`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from bot.findings import Finding, bad, good, note
from bot.host.model import Millis
from bot.host.ports import StoreFault
from bot.store.faults import DatabaseRefused
from bot.store.ports import Progress
from bot.store.postgres.connections import Connections
from bot.store.postgres.elections import Elections
from bot.store.postgres.faults import translate
from bot.store.postgres.recount import count_all
from bot.store.postgres.schema import MIGRATIONS, OLDEST_VERSION, migrate
from bot.store.postgres.store import OWNER, PREVIOUS_OWNER_SECONDS, PostgresStore
from bot.store.scripts import scripts


class NoBackups:
    """Stands for a schedule: the server's operator makes the backups."""

    problem: str | None = None
    newest: float | None = None
    every: float = 0.0

    def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""


class PostgresDatabase:
    """The database behind an address. `member` is this process's name if several share the database."""

    def __init__(self, url: str, member: str | None = None) -> None:
        self._url = url
        self._member = member

    async def open(self, now: Millis) -> PostgresStore:
        """Connect, bring the schema up to date and put all clocks off by the time that the bot was down."""
        return await PostgresStore.open(self._url, now, member=self._member)

    def backups(self) -> NoBackups:
        """Return a schedule that makes none."""
        return NoBackups()

    def rebuild(self, progress: Progress) -> int:
        """Rebuild the statistics from the log, in one transaction; no bot may use the database."""
        return asyncio.run(self._rebuild(progress))

    async def _rebuild(self, progress: Progress) -> int:
        try:
            connections = await Connections.open(self._url, readers=1, keeps_trying=False)
            elections = Elections(connections)
            try:
                connection = await connections.connect(lasting=True)  # tells at once if the server is away
                if not await elections.win_within(OWNER, PREVIOUS_OWNER_SECONDS):
                    raise DatabaseRefused("The database is in use by another process: stop the bot first.")
                await migrate(connection)
                async with connection.transaction():
                    games = await count_all(connection, progress)
                await connection.close()
                return games
            finally:
                await elections.close()
                await connections.close()
        except (StoreFault, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as fault:
            raise DatabaseRefused(f"The database cannot be used: {translate(fault)}.") from fault

    def examine(self) -> Iterator[Finding]:
        """Check the server, its settings and the schema."""
        with ThreadPoolExecutor(1) as thread:  # the caller may have an event loop of its own
            yield from thread.submit(asyncio.run, self._examine()).result()

    async def _examine(self) -> list[Finding]:
        where = shown(self._url)
        try:
            connections = await Connections.open(self._url, readers=1, keeps_trying=False)
            connection = await connections.connect(lasting=True)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as fault:
            return [
                bad("database", f"{where} cannot be reached: {translate(fault)}", "Check DATABASE_URL and the server.")
            ]
        try:
            return [found async for found in _checks(connection, where)]
        finally:
            await connection.close()
            await connections.close()


async def _checks(connection: Any, where: str) -> Any:
    number = int(await connection.fetchval("SHOW server_version_num"))
    version = await connection.fetchval("SHOW server_version")
    if number < OLDEST_VERSION:
        yield bad("PostgreSQL", version, f"Use PostgreSQL {OLDEST_VERSION // 10_000} or newer.")
        return
    yield good("PostgreSQL", version)
    if await connection.fetchval("SELECT pg_is_in_recovery()"):
        mend = "Name all servers in DATABASE_URL, with target_session_attrs=read-write."
        yield bad("database", f"{where} is a standby, which cannot be written", mend)
        return
    yield await _schema(connection, where)
    for name in ("fsync", "full_page_writes"):
        if await connection.fetchval(f"SHOW {name}") != "on":
            yield bad("durability", f"{name} is off: a power cut can lose or damage games", f"Set {name} = on.")
    yield note("backups", "the bot makes none of this database", "Back it up with the server's own tools (pg_dump).")


async def _schema(connection: Any, where: str) -> Finding:
    newest = len(scripts(MIGRATIONS))
    found = await connection.fetchval("SELECT to_regclass('meta')")
    if found is None:
        return good("database", f"{where} is filled at the first start")
    version = int(await connection.fetchval("SELECT value FROM meta WHERE key = 'schema'") or 0)
    if version > newest:
        return bad("database", f"{where} was written by a newer version (schema {version})", "Update the bot.")
    if not version:
        return bad("database", f"{where} holds something else", "Give the bot a database of its own.")
    games = await connection.fetchval("SELECT count(*) FROM ends")
    size = await connection.fetchval("SELECT pg_database_size(current_database())") / 1e6
    return good("database", f"{where}: schema {version}, {games:,} finished games, {size:,.1f} MB")


def shown(url: str) -> str:
    """Return the address without the password."""
    parts = urlsplit(url)
    return f"{parts.path.lstrip('/') or 'the database'} on {parts.netloc.rpartition('@')[2] or 'this machine'}"
