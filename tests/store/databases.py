"""Databases for tests, one class for each kind of store; the contract runs on all of them."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final, Protocol

from bot.host.model import Millis
from bot.store.ports import Progress, Store
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.schema import MIGRATIONS as POSTGRES_MIGRATIONS
from bot.store.postgres.store import PostgresStore
from bot.store.sqlite.rebuild import rebuild
from bot.store.sqlite.schema import MIGRATIONS, migrations
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import FakeClock, World
from tests.store.postgres.server import connect, drop_database, new_database
from tests.store.sqlite.leftovers import leftovers


def _nothing(_done: int, _of: int) -> None:
    """Report to nobody."""


class Database(Protocol):
    """A database that is empty at first. One store at a time is open on it."""

    @property
    def address(self) -> str:
        """By which another process finds it, with `database_at`."""

    async def make(self) -> None:
        """Make it, empty."""

    async def open(self, now: Millis = BEGIN, *, later: str | None = None) -> Store:
        """Open it as the bot does; with `later`, as a version of the bot that has this SQL as one more migration."""

    async def rebuild(self, progress: Progress = _nothing) -> int:
        """Rebuild the statistics while no store is open; return the number of games."""

    async def tables(self) -> list[str]:
        """Return the names of all tables."""

    async def rows(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        """Return what another connection sees, in any order; without `columns` all of them, in any order.

        Tables and columns have the names that they have in `bot/store/migrations`.
        """

    async def remains(self, user: int, *names: str) -> list[str]:
        """Return where a person is still found, also in the files if the store promises to wipe those."""

    async def execute(self, sql: str) -> None:
        """Change something behind the bot's back, in SQL that all kinds understand."""

    async def drop(self) -> None:
        """Delete it."""


async def mentions(database: Database, user: int, *names: str) -> list[str]:
    """Return the tables with a row in which a person's id or one of their names is written."""
    wanted = [str(user), *[written[1:-1] for name in names for written in (repr(name), json.dumps(name))]]
    found = {table: str(await database.rows(table)) for table in await database.tables()}
    return [table for table, written in found.items() if any(word in written for word in wanted)]


class SqliteFile:
    """A file in a folder of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def address(self) -> str:
        return str(self.path)

    async def make(self) -> None:
        """Do nothing: the store makes its file."""

    async def open(self, now: Millis = BEGIN, *, later: str | None = None) -> SqliteStore:
        return await SqliteStore.open(self.path, now, migrations=MIGRATIONS if later is None else self._with(later))

    def _with(self, script: str) -> Path:
        folder = self.path.with_name("later migrations")
        if not folder.exists():
            shutil.copytree(MIGRATIONS, folder)
        (folder / f"{len(migrations()) + 1:04}_later.sql").write_text(script)
        return folder

    async def rebuild(self, progress: Progress = _nothing) -> int:
        return await asyncio.to_thread(rebuild, self.path, progress)

    async def tables(self) -> list[str]:
        return [name for (name,) in self._look("SELECT name FROM sqlite_schema WHERE type = 'table'")]

    async def rows(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        return self._look(f"SELECT {', '.join(columns) or '*'} FROM {table}")  # noqa: S608

    async def remains(self, user: int, *names: str) -> list[str]:
        in_files = [f"{file}: {how}" for file, how in leftovers(self.path, user, *names)]
        return [*await mentions(self, user, *names), *in_files]

    def _look(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()

    async def execute(self, sql: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute(sql)

    async def drop(self) -> None:
        """Do nothing: pytest deletes old folders."""


class PostgresBase:
    """A database on the server for tests, with our schema."""

    _NAMES: Final = {"user": "user_id", "right": "correct"}
    """Columns whose names mean something else in PostgreSQL."""
    _OURS: Final = ("commits", "processes", "leases")
    """Tables that only PostgreSQL has, and that say nothing of people or games."""

    def __init__(self, folder: Path, address: str = "") -> None:
        self.address = address
        self._folder = folder

    async def make(self) -> None:
        self.address = await new_database()

    async def open(self, now: Millis = BEGIN, *, later: str | None = None) -> PostgresStore:
        folder = POSTGRES_MIGRATIONS if later is None else self._with(later)
        return await PostgresStore.open(self.address, now, migrations=folder)

    def _with(self, script: str) -> Path:
        folder = self._folder / "later migrations"
        if not folder.exists():
            shutil.copytree(POSTGRES_MIGRATIONS, folder)
        (folder / f"{len(migrations()) + 1:04}_later.sql").write_text(script)
        return folder

    async def rebuild(self, progress: Progress = _nothing) -> int:
        return await asyncio.to_thread(PostgresDatabase(self.address).rebuild, progress)

    async def tables(self) -> list[str]:
        found = await self._look("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return [name for (name,) in found if name not in self._OURS]

    async def rows(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        wanted = ", ".join(self._NAMES.get(column, column) for column in columns)
        return await self._look(f"SELECT {wanted or '*'} FROM {table}")  # noqa: S608

    async def remains(self, user: int, *names: str) -> list[str]:
        return await mentions(self, user, *names)

    async def execute(self, sql: str) -> None:
        await self._look(sql)

    async def _look(self, sql: str) -> list[tuple[Any, ...]]:
        connection = await connect(self.address)
        try:
            return [tuple(row) for row in await connection.fetch(sql)]
        finally:
            await connection.close()

    async def drop(self) -> None:
        await drop_database(self.address)


KINDS: Final[Mapping[str, Callable[[Path], Database]]] = {
    "sqlite": lambda folder: SqliteFile(folder / "coyote.sqlite3"),
    "postgres": PostgresBase,
}
"""By the name of a store: what makes a database of that kind, for which a folder is at hand."""


def database_at(address: str) -> Database:
    """Return the database that another process has made."""
    if address.startswith("postgresql://"):
        return PostgresBase(Path(), address)
    return SqliteFile(Path(address))


@asynccontextmanager
async def host_on(database: Database, now: Millis = BEGIN, *, max_loaded: int = 1000) -> AsyncIterator[World]:
    """Yield the host of one process on a database."""
    store = await database.open(now)
    try:
        yield World(store, FakeClock(now), max_loaded)
    finally:
        await store.close()
