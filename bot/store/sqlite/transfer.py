"""A SQLite file from which or to which everything is copied; see `bot.store.transfer`.

A copy grows in a file beside its final name, and gets that name once it is complete and checked.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from bot.private_files import give_to_owner, make_private, make_private_folder, open_private
from bot.store.faults import DatabaseRefused
from bot.store.ports import Progress
from bot.store.scripts import FOLDER, scripts
from bot.store.sqlite.copying import put_in_place, sync
from bot.store.sqlite.owner import Owner
from bot.store.sqlite.schema import APPLICATION_ID, files_of, migrate, migrations
from bot.store.transfer import JSON_COLUMNS, NOTE, SHARED_FACTS, Rows, Shape, sorted_json

T = TypeVar("T")
_FAST: Final = ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -65536", "temp_store = FILE")
"""How a copy is written: killing the process damages nothing, and `finish` waits for the disk."""
_LOOK: Final = ("cache_size = -65536",)


class SqliteSide:
    """A file, or the file that a copy will become."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._unfinished = path.with_name(f"{path.name}.copying")
        self._owner: Owner | None = None
        self._connection: sqlite3.Connection | None = None

    async def open(self, shapes: Sequence[Shape], *, writes: bool) -> None:
        """Lock the file. A copy that was not noted before it was interrupted is deleted."""
        with self._faults():
            if not writes:
                self._open_source()
                return
            if self._path.is_file() and self._path.stat().st_size:
                raise DatabaseRefused(f"{self._path} is not empty: name a file that does not exist yet.")
            make_private_folder(self._path.parent)
            self._owner = Owner(self._path)
            if self._unfinished.exists():
                self._connect(self._unfinished, "rw", _FAST)
                if await self._is_noted():
                    return
            self._make()

    def _open_source(self) -> None:
        if not self._path.is_file():
            raise DatabaseRefused(f"{self._path} does not exist: there is nothing to copy.")
        self._owner = Owner(self._path)
        make_private(files_of(self._path))
        connection = self._connect(self._path, "ro", _LOOK)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise DatabaseRefused(f"{self._path} holds something other than this bot's data.")
        if version != len(migrations()):
            newest = len(migrations())
            advice = "update the bot" if version > newest else "start the bot on it once"
            raise DatabaseRefused(
                f"{self._path} has schema {version}, this version of the bot needs {newest}: {advice}."
            )

    async def _is_noted(self) -> bool:
        """Return whether the unfinished file has a note; a newer bot may find another schema in it."""
        there = "SELECT 1 FROM sqlite_schema WHERE name = 'meta'"
        return await self._run(lambda opened: opened.execute(there).fetchone()) is not None and (
            await self.fact(NOTE) is not None
        )

    def _make(self) -> None:
        """Make a new file for the copy, with the newest schema."""
        self._disconnect()
        for ending in ("", "-wal", "-shm"):
            self._unfinished.with_name(f"{self._unfinished.name}{ending}").unlink(missing_ok=True)
        open(self._unfinished, "xb", opener=open_private).close()  # SQLite would make a public one
        give_to_owner(self._unfinished, self._unfinished.parent)
        migrate(self._connect(self._unfinished, "rw", _FAST), self._unfinished)

    def _connect(self, path: Path, mode: str, settings: Sequence[str]) -> sqlite3.Connection:
        address = f"{path.resolve().as_uri()}?mode={mode}"
        # The connection is used by one thread at a time, but not always by the same.
        self._connection = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=5.0, check_same_thread=False
        )
        for setting in settings:
            self._connection.execute(f"PRAGMA {setting}")
        return self._connection

    async def fact(self, key: str) -> str | None:
        """Return the value of a row of `meta`."""
        sql = "SELECT value FROM meta WHERE key = ?"
        found = await self._run(lambda opened: opened.execute(sql, (key,)).fetchone())
        return None if found is None else found[0]

    async def count(self, shape: Shape) -> int:
        """Return the number of rows."""
        sql = f"SELECT count(*) FROM {_rows_of(shape)}"  # noqa: S608 - made of constants
        return int(await self._run(lambda opened: opened.execute(sql).fetchone()[0]))

    async def read(self, shape: Shape, skip: int, chunk: int) -> AsyncIterator[Rows]:
        """Yield the rows in their order."""
        columns = ", ".join(shape.columns)
        order = ", ".join(shape.order) or "rowid"
        sql = f"SELECT {columns} FROM {_rows_of(shape)} ORDER BY {order} LIMIT -1 OFFSET ?"  # noqa: S608
        cursor = await self._run(lambda opened: opened.execute(sql, (skip,)))
        documents = [place for place, column in enumerate(shape.columns) if column in JSON_COLUMNS]
        while rows := await self._run(lambda _: cursor.fetchmany(chunk)):
            yield [_sorted(row, documents) for row in rows] if documents else rows

    async def prepare(self, note: str) -> None:
        """Drop all indexes but those of the keys."""

        def drop(opened: sqlite3.Connection) -> None:
            found = opened.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").fetchall()
            for (name,) in found:
                opened.execute(f"DROP INDEX {name}")

        await self._in_transaction(drop, note)

    async def write(self, shape: Shape, rows: Rows, note: str) -> None:
        """Insert rows."""
        places = ", ".join("?" * len(shape.columns))
        sql = f"INSERT INTO {shape.name} ({', '.join(shape.columns)}) VALUES ({places})"  # noqa: S608
        await self._in_transaction(lambda opened: opened.executemany(sql, rows), note)

    async def keep(self, note: str) -> None:
        """Write the note alone."""
        await self._in_transaction(lambda _: None, note)

    async def build(self, progress: Progress) -> None:
        """Make the indexes that are missing, and see that every row refers to one that is there."""
        there = "SELECT name FROM sqlite_schema WHERE type = 'index'"
        found = {name for (name,) in await self._run(lambda opened: opened.execute(there).fetchall())}
        wanted = {name: sql for name, sql in _indexes() if name not in found}
        for done, sql in enumerate(wanted.values(), 1):
            await self._run(partial(_execute, sql))
            progress(done, len(wanted))
        broken = await self._run(lambda opened: opened.execute("PRAGMA foreign_key_check").fetchone())
        if broken is not None:
            raise DatabaseRefused(f"{self.name} cannot be completed: a row of {broken[0]} refers to nothing.")

    async def clear(self) -> None:
        """Make the file anew."""
        with self._faults():
            self._make()

    async def finish(self) -> None:
        """Wait until everything is on the disk, then give the file its name."""
        await self._run(lambda opened: opened.execute("DELETE FROM meta WHERE key = ?", (NOTE,)))
        await self._run(lambda opened: opened.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
        with self._faults():
            self._disconnect()
            await asyncio.to_thread(sync, self._unfinished)
            put_in_place(self._unfinished, self._path)

    async def close(self) -> None:
        """Close and unlock the file."""
        self._disconnect()
        if self._owner is not None:
            self._owner.release()
            self._owner = None

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def _in_transaction(self, work: Callable[[sqlite3.Connection], object], note: str) -> None:
        def run(opened: sqlite3.Connection) -> None:
            opened.execute("BEGIN IMMEDIATE")
            work(opened)
            opened.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (NOTE, note))
            opened.execute("COMMIT")

        await self._run(run)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run something in a thread, so that the other side can work meanwhile."""
        if self._connection is None:
            raise DatabaseRefused(f"{self.name} is not open.")
        with self._faults():
            return await asyncio.to_thread(partial(work, self._connection))

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as fault:
            raise DatabaseRefused(f"{self.name} cannot be used: {fault}.") from fault
        except OSError as fault:
            raise DatabaseRefused(f"{self.name} cannot be used ({fault.strerror}).") from fault


def _execute(sql: str, connection: sqlite3.Connection) -> None:
    connection.execute(sql)


def _rows_of(shape: Shape) -> str:
    return f"{shape.name} WHERE {SHARED_FACTS}" if shape.name == "meta" else shape.name


def _sorted(row: tuple[object, ...], places: Sequence[int]) -> tuple[object, ...]:
    changed = [*row]
    for place in places:
        changed[place] = sorted_json(str(row[place]))
    return tuple(changed)


def _indexes() -> list[tuple[str, str]]:
    """Return the name and the SQL of every index that the numbered scripts make."""
    connection = sqlite3.connect(":memory:")
    try:
        for script in scripts(FOLDER):
            connection.executescript(script.sql)
        sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid"
        return connection.execute(sql).fetchall()
    finally:
        connection.close()
