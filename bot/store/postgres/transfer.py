"""A PostgreSQL database from which or to which everything is copied; see `bot.store.transfer`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import asyncpg

from bot.host.ports import StoreFault
from bot.store import keys
from bot.store.faults import DatabaseRefused
from bot.store.ports import Progress
from bot.store.postgres.connections import Connection, Connections
from bot.store.postgres.database import shown
from bot.store.postgres.elections import Elections
from bot.store.postgres.faults import translate
from bot.store.postgres.schema import MIGRATIONS, VERSION, migrate
from bot.store.postgres.store import OWNER, PREVIOUS_OWNER_SECONDS
from bot.store.scripts import scripts
from bot.store.transfer import JSON_COLUMNS, NOTE, SHARED_FACTS, Rows, Shape, sorted_json

LATER: Final = f"{keys.COPYING}later"
"""The row of `meta` with the statements that make indexes and references again, as JSON."""
_NAMES: Final = {"user": "user_id", "right": "correct"}
"""Columns that have another name than in SQLite, where the same word means nothing else."""
_SETTINGS: Final = ("synchronous_commit = off", "work_mem = '64MB'", "maintenance_work_mem = '128MB'")
"""How a copy is written: a crash of the server loses the last rows together with the note that they are there."""


class PostgresSide:
    """The database behind an address."""

    def __init__(self, url: str) -> None:
        self.name = shown(url)
        self._url = url
        self._connections: Connections | None = None
        self._elections: Elections | None = None
        self._connected: Connection | None = None
        self._types: dict[tuple[str, str], str] = {}
        self._shapes: Sequence[Shape] = ()

    async def open(self, shapes: Sequence[Shape], *, writes: bool) -> None:
        """Connect, and win the lock that every bot holds; bring an empty target to the newest schema."""
        self._shapes = shapes
        with self._faults():
            self._connections = await Connections.open(self._url, readers=1, keeps_trying=False)
            self._connected = await self._connections.connect(lasting=True)
            await self._own(self._connections)
            for setting in _SETTINGS:
                await self._connection.execute(f"SET {setting}")
            there = await self._connection.fetchval("SELECT to_regclass('meta')") is not None
            if writes and (not there or await self.fact(NOTE) is None):
                await migrate(self._connection)
                await self._require_empty()
            elif not there:
                raise DatabaseRefused(f"{self.name} holds nothing of this bot: there is nothing to copy.")
            version, newest = int(await self.fact(VERSION) or 0), len(scripts(MIGRATIONS))
            if version != newest:
                raise DatabaseRefused(f"{self.name} has schema {version}, this version of the bot needs {newest}.")
            if not writes and await self.fact(NOTE) is not None:
                raise DatabaseRefused(f"{self.name} holds an unfinished copy: it cannot be copied.")
            columns = await self._connection.fetch(
                "SELECT table_name, column_name, data_type FROM information_schema.columns"
                " WHERE table_schema = current_schema()"
            )
            self._types = {(table, column): type_ for table, column, type_ in columns}

    async def _own(self, connections: Connections) -> None:
        """Keep all bots away; wait a little for a process that has just ended."""
        self._elections = Elections(connections)
        if not await self._elections.win_within(OWNER, PREVIOUS_OWNER_SECONDS):
            raise DatabaseRefused(f"{self.name} is in use by another process: stop the bot first.")

    async def _require_empty(self) -> None:
        for shape in self._shapes:
            if await self._connection.fetchval(f"SELECT 1 FROM {_rows_of(shape)} LIMIT 1"):  # noqa: S608
                raise DatabaseRefused(f"{self.name} is not empty: copy into a new database.")

    @property
    def _connection(self) -> Connection:
        if self._connected is None:
            raise DatabaseRefused(f"{self.name} is not open.")
        return self._connected

    async def fact(self, key: str) -> str | None:
        """Return the value of a row of `meta`."""
        with self._faults():
            found = await self._connection.fetchval("SELECT value FROM meta WHERE key = $1", key)
            return None if found is None else str(found)

    async def count(self, shape: Shape) -> int:
        """Return the number of rows."""
        with self._faults():
            return int(await self._connection.fetchval(f"SELECT count(*) FROM {_rows_of(shape)}"))  # noqa: S608

    async def read(self, shape: Shape, skip: int, chunk: int) -> AsyncIterator[Rows]:
        """Yield the rows in their order, through a cursor of the server."""
        columns = ", ".join(self._column(shape, column) for column in shape.columns)
        order = ", ".join(_named(column) for column in shape.order) or "nth"
        sql = f"SELECT {columns} FROM {_rows_of(shape)} ORDER BY {order} OFFSET $1"  # noqa: S608
        documents = [place for place, column in enumerate(shape.columns) if column in JSON_COLUMNS]
        with self._faults():
            transaction = self._connection.transaction(isolation="repeatable_read", readonly=True)
            await transaction.start()
            try:
                cursor = await self._connection.cursor(sql, skip)
                while found := await cursor.fetch(chunk):
                    yield [_sorted(row, documents) for row in found] if documents else [*map(tuple, found)]
            finally:
                if not self._connection.is_closed():
                    await transaction.rollback()

    def _column(self, shape: Shape, column: str) -> str:
        """Return how a column is read as the type that it has in SQLite."""
        name = _named(column)
        as_ = {"boolean": "::integer", "jsonb": "::text"}.get(self._types[shape.name, name], "")
        return f"{name}{as_}"

    async def prepare(self, note: str) -> None:
        """Drop references, and all indexes but those of the keys; note how they are made again."""
        tables = [shape.name for shape in self._shapes]
        with self._faults():
            async with self._connection.transaction():
                if await self._connection.fetchval("SELECT 1 FROM meta WHERE key = $1", LATER) is None:
                    later = await _dropped(self._connection, tables)
                    await _keep(self._connection, LATER, json.dumps(later))
                await _keep(self._connection, NOTE, note)

    async def write(self, shape: Shape, rows: Rows, note: str) -> None:
        """Write rows with COPY."""
        names = [_named(column) for column in shape.columns]
        flags = [place for place, name in enumerate(names) if self._types[shape.name, name] == "boolean"]
        with self._faults(f", at {shape.name}"):
            async with self._connection.transaction():
                await self._connection.copy_records_to_table(
                    shape.name, columns=names, records=[_flagged(row, flags) for row in rows] if flags else rows
                )
                await _keep(self._connection, NOTE, note)

    async def keep(self, note: str) -> None:
        """Write the note alone."""
        with self._faults():
            await _keep(self._connection, NOTE, note)

    async def build(self, progress: Progress) -> None:
        """Make indexes and references again, let numbers go on after the copied ones, and analyse all tables."""
        with self._faults():
            later = json.loads(await self.fact(LATER) or "[]")
            for done, sql in enumerate(later, 1):
                async with self._connection.transaction():
                    await self._connection.execute(sql)
                    await _keep(self._connection, LATER, json.dumps(later[done:]))
                progress(done, len(later))
            numbered = await self._connection.fetch(
                "SELECT table_name, column_name FROM information_schema.columns"
                " WHERE table_schema = current_schema() AND identity_generation = 'BY DEFAULT'"
            )
            for table, column in numbered:
                await self._connection.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), greatest(max({column}), 1),"  # noqa: S608
                    f" max({column}) IS NOT NULL) FROM {table}"
                )
            for shape in self._shapes:
                await self._connection.execute(f"ANALYZE {shape.name}")

    async def clear(self) -> None:
        """Empty all tables."""
        with self._faults():
            async with self._connection.transaction():
                kept = (VERSION, await self.fact(VERSION)), (LATER, await self.fact(LATER))
                tables = ", ".join(shape.name for shape in self._shapes)
                await self._connection.execute(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
                for key, value in kept:
                    if value is not None:
                        await _keep(self._connection, key, value)
                await self._connection.execute("DELETE FROM meta WHERE key = $1", NOTE)

    async def finish(self) -> None:
        """Delete the notes, and wait until everything is on the server's disk."""
        with self._faults():
            await self._connection.execute("SET synchronous_commit = on")
            await self._connection.execute("DELETE FROM meta WHERE key = ANY($1)", [NOTE, LATER])

    async def close(self) -> None:
        """Close all connections, which gives back the lock."""
        if self._connected is not None:
            await self._connected.close(timeout=1)
        if self._elections is not None:
            await self._elections.close()
        if self._connections is not None:
            await self._connections.close()

    @contextmanager
    def _faults(self, where: str = "") -> Iterator[None]:
        try:
            yield
        except (StoreFault, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as fault:
            said = str(translate(fault)).partition("\n")[0]  # further lines may quote a row
            raise DatabaseRefused(f"{self.name} cannot be used{where}: {said}.") from fault


async def _dropped(connection: Connection, tables: Sequence[str]) -> list[str]:
    """Drop references and indexes of these tables; return the statements that make them again."""
    references = await connection.fetch(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE contype = 'f' AND conrelid = ANY($1::text[]::regclass[]) ORDER BY oid",
        tables,
    )
    indexes = await connection.fetch(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
        " WHERE indrelid = ANY($1::text[]::regclass[])"
        " AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid) ORDER BY indexrelid",
        tables,
    )
    for table, name, _ in references:
        await connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    for name, _ in indexes:
        await connection.execute(f"DROP INDEX {name}")
    again = [f"ALTER TABLE {table} ADD CONSTRAINT {name} {how}" for table, name, how in references]
    return [*[how for _, how in indexes], *again]


async def _keep(connection: Connection, key: str, value: str) -> None:
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        value,
    )


def _named(column: str) -> str:
    """Return a column as it is called here, with its direction if it has one."""
    name, space, direction = column.partition(" ")
    return f"{_NAMES.get(name, name)}{space}{direction}"


def _rows_of(shape: Shape) -> str:
    return f"{shape.name} WHERE {SHARED_FACTS}" if shape.name == "meta" else shape.name


def _sorted(row: Any, places: Sequence[int]) -> tuple[Any, ...]:
    changed = [*row]
    for place in places:
        changed[place] = sorted_json(row[place])
    return tuple(changed)


def _flagged(row: tuple[Any, ...], places: Sequence[int]) -> tuple[Any, ...]:
    changed = [*row]
    for place in places:
        changed[place] = bool(row[place])
    return tuple(changed)
