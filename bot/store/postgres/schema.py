"""Brings a PostgreSQL database to the schema of this version: numbered scripts, one transaction each."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import asyncpg

from bot.store.faults import DatabaseRefused
from bot.store.postgres.connections import Connection
from bot.store.postgres.elections import key_of
from bot.store.scripts import FOLDER, Script, scripts
from bot.store.transfer import NOTE

log = logging.getLogger(__name__)

MIGRATIONS: Final = FOLDER / "postgres"
"""The same numbers and names as SQLite's."""
MIGRATING: Final = "migrations"
"""The lock that is held while a script runs."""
OLDEST_VERSION: Final = 140_000
"""The oldest PostgreSQL that is supported, as `server_version_num` writes it."""
VERSION: Final = "schema"
"""The row of `meta` with the number of the last script that was run."""


async def is_older(connection: Connection, folder: Path = MIGRATIONS) -> bool:
    """Return whether the database has to be brought up to date; DatabaseRefused if it is not ours or too new."""
    number = int(await connection.fetchval("SHOW server_version_num"))
    if number < OLDEST_VERSION:
        raise DatabaseRefused(f"PostgreSQL {OLDEST_VERSION // 10_000} or newer is needed; this is {number // 10_000}.")
    known = scripts(folder)
    version = await _version(connection)
    if version > len(known):
        raise DatabaseRefused(
            f"The database has schema {version}, this version of the bot knows {len(known)}: update the bot."
        )
    return version < len(known)


async def migrate(connection: Connection, folder: Path = MIGRATIONS) -> None:
    """Bring the database up to date; DatabaseRefused, as by `is_older`, if that cannot be done.

    The caller sees to it that nobody else uses it. Of several that do this together one does it, and the others wait.
    """
    if not await is_older(connection, folder):
        return
    for script in scripts(folder)[await _version(connection) :]:
        try:
            await _run(connection, script)
        except asyncpg.PostgresError as fault:
            raise DatabaseRefused(f"The database could not be brought to schema {script.number}: {fault}.") from fault


async def _run(connection: Connection, script: Script) -> None:
    """Run one script, unless another process was faster."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", key_of(MIGRATING))
        if await _version(connection) >= script.number:
            return
        await connection.execute(script.sql)
        await connection.execute(
            "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            VERSION,
            str(script.number),
        )
    log.info("database: schema %s", script.name)


async def _version(connection: Connection) -> int:
    """Return the database's schema, 0 if it is empty; raise DatabaseRefused if it holds something else."""
    tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    names = {name for (name,) in tables}
    if not names:
        return 0
    version = await connection.fetchval("SELECT value FROM meta WHERE key = $1", VERSION) if "meta" in names else None
    if version is not None and await connection.fetchval("SELECT 1 FROM meta WHERE key = $1", NOTE):
        raise DatabaseRefused("The database holds an unfinished copy: first finish it with python -m bot store copy.")
    if version is None:
        raise DatabaseRefused("The database holds something other than this bot's data: give the bot one of its own.")
    return int(version)
