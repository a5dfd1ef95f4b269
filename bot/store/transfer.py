"""Copies everything from one store to one of another kind, checks the copy, and goes on after an interruption.

Rows are read in a fixed order, some thousands at a time. Each of these chunks is written in one transaction with a note
on how far the copy has come, so a process that is killed loses at most one chunk. At the end the copy is read again:
the number of rows and the checksum of each table must be those of what was read from the source.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from bot.store import keys
from bot.store.faults import DatabaseRefused
from bot.store.ports import Progress
from bot.store.scripts import FOLDER, scripts

T = TypeVar("T")
Rows = Sequence[tuple[Any, ...]]
"""Rows as both sides know them: whole numbers instead of booleans, and figures as JSON with sorted keys."""

ROWS_PER_CHUNK: Final = 4_000
"""Rows that are held in memory together, and written in one transaction. Checksums depend on it."""
NOTE: Final = f"{keys.COPYING}note"
"""The row of the target's `meta` that says how far a copy has come; while it is there, no bot may use the database."""
JSON_COLUMNS: Final = ("figures",)
"""Columns that hold JSON as PostgreSQL's own type."""
SHARED_FACTS: Final = (
    f"key <> 'schema' AND NOT (key >= '{keys.WIPE}' AND key < '{keys.after(keys.WIPE)}')"
    f" AND NOT (key >= '{keys.COPYING}' AND key < '{keys.after(keys.COPYING)}')"
)
"""The rows of `meta` that are copied: not those on the database itself, such as what is to be wiped from its file."""


class Shape(NamedTuple):
    """A table that all kinds of stores have; the names are SQLite's."""

    name: str
    columns: tuple[str, ...]
    order: tuple[str, ...]
    """The order in which rows are copied, in SQL; empty: the order in which they were written."""


class Side(Protocol):
    """A database from which or to which everything is copied. A failure raises `DatabaseRefused`."""

    @property
    def name(self) -> str:
        """What the operator calls it, without a password."""

    async def open(self, shapes: Sequence[Shape], *, writes: bool) -> None:
        """Keep all bots away. A source must have the newest schema; a target must be empty, or an unfinished copy."""

    async def fact(self, key: str) -> str | None:
        """Return the value of a row of `meta`."""

    async def count(self, shape: Shape) -> int:
        """Return the number of rows."""

    def read(self, shape: Shape, skip: int, chunk: int) -> AsyncIterator[Rows]:
        """Yield the rows in their order, `chunk` at a time, without the first `skip`."""

    async def prepare(self, note: str) -> None:
        """Make writing fast, by removing indexes and the like until `build`, and write the first note."""

    async def write(self, shape: Shape, rows: Rows, note: str) -> None:
        """Write rows and the note, together or not at all."""

    async def keep(self, note: str) -> None:
        """Write the note alone."""

    async def build(self, progress: Progress) -> None:
        """Put back what `prepare` has removed."""

    async def clear(self) -> None:
        """Delete an unfinished copy."""

    async def finish(self) -> None:
        """Delete the note: from now on this is a database like any other."""

    async def close(self) -> None:
        """Let go of the database."""


@dataclass
class Note:
    """How far a copy has come."""

    source: str
    """What the source looked like when the copy began."""
    schema: int
    chunk: int
    copied: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By table: how many rows were copied, and the checksum over all of them."""
    checked: list[str] = field(default_factory=list)
    """The tables that were read back from the target and match."""

    def write(self) -> str:
        """Return it as text."""
        return json.dumps(asdict(self))


class Copied(NamedTuple):
    """A table that was copied and checked."""

    table: str
    rows: int
    checksum: str


def shapes() -> list[Shape]:
    """Return all tables, as the numbered scripts make them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for script in scripts(FOLDER):
            connection.executescript(script.sql)
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
        return [_shape(connection, name) for (name,) in names.fetchall()]


def _shape(connection: sqlite3.Connection, table: str) -> Shape:
    columns = connection.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (table,)).fetchall()
    keyed = connection.execute(
        "SELECT x.name || iif(x.desc, ' DESC', '') FROM pragma_index_list(?) AS i, pragma_index_xinfo(i.name) AS x"
        " WHERE i.origin = 'pk' AND x.key ORDER BY x.seqno",
        (table,),
    ).fetchall()
    order = [name for (name,) in keyed] or [name for name, key in columns if key]
    return Shape(table, tuple([name for name, _ in columns]), () if table == "tables" else tuple(order))


async def transfer(
    source: Side,
    target: Side,
    progress: Callable[[str], Progress],
    *,
    start_over: bool = False,
    chunk: int = ROWS_PER_CHUNK,
) -> list[Copied]:
    """Copy everything and check it, or go on with such a copy; `progress` starts a new bar for some kind of work.

    With `start_over`, an unfinished copy in the target is deleted first.
    """
    tables = shapes()
    schema = len(scripts(FOLDER))
    await source.open(tables, writes=False)
    await target.open(tables, writes=True)
    counts = {shape.name: await source.count(shape) for shape in tables}
    fresh = Note(_looks(await source.fact(keys.HEARTBEAT), counts), schema, chunk)
    note = await _begin(target, fresh, start_over=start_over)
    left = sum(counts.values()) - sum(rows for rows, _ in note.copied.values())
    bar, done = progress("rows copied"), 0
    for shape in tables:
        if note.copied.setdefault(shape.name, (0, ""))[0] < counts[shape.name]:
            async for rows in _copy(source, target, shape, note):
                bar(done := done + rows, left)
    await target.build(progress("indexes built"))
    bar, done = progress("rows checked"), 0
    left = sum(rows for table, (rows, _) in note.copied.items() if table not in note.checked)
    for shape in tables:
        if shape.name not in note.checked:
            async for rows in _check(target, shape, note):
                bar(done := done + rows, left)
    await target.finish()
    return [Copied(table, rows, checksum) for table, (rows, checksum) in note.copied.items()]


async def _begin(target: Side, fresh: Note, *, start_over: bool) -> Note:
    """Return the note of the copy that is to go on, or a fresh one."""
    if (written := await target.fact(NOTE)) is not None:
        found = Note(**json.loads(written))
        if not start_over:
            if (found.source, found.schema, found.chunk) != (fresh.source, fresh.schema, fresh.chunk):
                raise DatabaseRefused(
                    f"{target.name} holds an unfinished copy of a database that has changed since. To delete that copy"
                    " and begin again, add: --start-over"
                )
            return Note(**json.loads(written))
        await target.clear()
    await target.prepare(fresh.write())
    return fresh


async def _copy(source: Side, target: Side, shape: Shape, note: Note) -> AsyncIterator[int]:
    """Copy a table, or the rest of it; yield the number of rows in each chunk that was written."""
    done, checksum = note.copied[shape.name]
    async for rows, checksum in ahead(_summed(source.read(shape, done, note.chunk), checksum)):  # noqa: B020 - it goes on
        done += len(rows)
        note.copied[shape.name] = (done, checksum)
        await target.write(shape, rows, note.write())
        yield len(rows)


async def _check(target: Side, shape: Shape, note: Note) -> AsyncIterator[int]:
    """Read a table of the copy; raise DatabaseRefused if it differs from what was read from the source."""
    done, checksum = 0, ""
    async for rows, checksum in ahead(_summed(target.read(shape, 0, note.chunk), "")):  # noqa: B007
        done += len(rows)
        yield len(rows)
    wanted, expected = note.copied[shape.name]
    if (done, checksum) != (wanted, expected):
        how = f"{done:,} rows instead of {wanted:,}" if done != wanted else "other rows"
        raise DatabaseRefused(
            f"{target.name} is no faithful copy: {shape.name} has {how}. Begin again with --start-over."
        )
    note.checked.append(shape.name)
    await target.keep(note.write())


async def _summed(chunks: AsyncIterator[Rows], checksum: str) -> AsyncIterator[tuple[Rows, str]]:
    """Add to each chunk the checksum of everything up to its end."""
    async for rows in chunks:
        checksum = await asyncio.to_thread(_sum, checksum, rows)
        yield rows, checksum


def _sum(before: str, rows: Rows) -> str:
    written = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(f"{before}{written}".encode(), digest_size=16).hexdigest()


async def ahead(items: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield the items; while one is used, the next one is already made."""

    async def following() -> T | None:
        return await anext(items, None)

    coming = asyncio.create_task(following())
    try:
        while (item := await coming) is not None:
            coming = asyncio.create_task(following())
            yield item
    finally:
        coming.cancel()
        await asyncio.wait((coming,))


def sorted_json(written: str) -> str:
    """Return JSON with sorted keys, in which form both sides agree on it."""
    return json.dumps(json.loads(written), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _looks(heartbeat: str | None, counts: Mapping[str, int]) -> str:
    """Return what changes if a bot has used the source in the meantime."""
    return hashlib.blake2b(json.dumps([heartbeat, counts]).encode(), digest_size=16).hexdigest()
