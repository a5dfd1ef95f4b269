from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.host.ports import Conflict
from bot.store.connection import Connection
from bot.store.writer import ENOUGH, Statement, Writer

STATEMENTS = (
    Statement("INSERT INTO things (name, size) {rows}", 2),
    Statement("UPDATE things SET size = new.column1 FROM ({rows}) AS new WHERE name = new.column2", 2, guarded=True),
)


@pytest.fixture
async def writer(tmp_path: Path) -> AsyncIterator[Writer]:
    async with Connection(tmp_path / "things.sqlite3") as connection:
        await connection.execute("PRAGMA journal_mode = WAL")
        await connection.execute("CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER NOT NULL) STRICT")
        writer = Writer(connection, STATEMENTS)  # type: ignore[arg-type]  # aiosqlite does not say what it enters
        yield writer
        await writer.close()


async def names(writer: Writer) -> list[str]:
    rows = await writer._connection.execute_fetchall("SELECT name FROM things ORDER BY name")
    return [name for (name,) in rows]


async def test_what_waits_shares_a_commit(writer: Writer) -> None:
    await asyncio.gather(*[writer.write([(0, (f"n{number}", number))]) for number in range(300)])
    assert (writer.counters.units, writer.counters.rows) == (300, 300)
    assert writer.counters.commits <= 2
    assert len(await names(writer)) == 300


async def test_a_transaction_begins_while_others_still_ask(writer: Writer) -> None:
    first = [writer.write([(0, (f"first{number}", 1))]) for number in range(ENOUGH)]
    assert not writer._waiting
    late = [writer.write([(0, (f"late{number}", 1))]) for number in range(3)]
    assert len(writer._waiting) == 3
    await asyncio.gather(*first, *late)
    assert writer.counters.commits == 2


@pytest.mark.parametrize("count", [1, 2, 3, 5, 64, 255, 256, 257, 600])
async def test_every_row_of_a_unit_is_written_and_no_other(writer: Writer, count: int) -> None:
    await writer.write([(0, (f"n{number}", 1)) for number in range(count)])
    await writer.write([(1, (2, f"n{number}")) for number in range(count)])
    rows = await writer._connection.execute_fetchall("SELECT name, size FROM things")
    assert sorted(tuple(row) for row in rows) == sorted((f"n{number}", 2) for number in range(count))
    with pytest.raises(Conflict):
        await writer.write([(1, (3, f"n{number}")) for number in range(count + 1)])


async def test_one_at_a_time_is_one_commit_each(writer: Writer) -> None:
    for number in range(5):
        await writer.write([(0, (f"n{number}", number))])
    assert writer.counters.commits == 5


async def test_a_poisoned_unit_spoils_nobody_elses(writer: Writer) -> None:
    good = [writer.write([(0, (f"good{number}", 1))]) for number in range(5)]
    poisoned = [
        writer.write([(0, ("half", 1)), (0, ("half", 2))]),
        writer.write([(0, ("half", None))]),
        writer.write([(0, ("half", 10**30))]),
        writer.write([(0, ("half", 1)), (1, (1, "nobody"))]),
        writer.write([(0, ("half", object()))]),
    ]
    more = [writer.write([(0, (f"more{number}", 1))]) for number in range(5)]
    answers = await asyncio.gather(*poisoned, return_exceptions=True)
    assert all(isinstance(answer, Exception) for answer in answers)
    assert isinstance(answers[3], Conflict)
    await asyncio.gather(*good, *more)
    assert await names(writer) == sorted([f"good{n}" for n in range(5)] + [f"more{n}" for n in range(5)])
    assert writer.counters.units == 10


async def test_a_guarded_row_must_hit(writer: Writer) -> None:
    with pytest.raises(Conflict):
        await writer.write([(1, (1, "nobody"))])
    await writer.write([(0, ("somebody", 1))])
    await writer.write([(1, (2, "somebody"))])


async def test_a_cancelled_caller_hears_of_it_after_the_write(writer: Writer) -> None:
    async def ask() -> None:
        await writer.write([(0, ("kept", 1))])

    task = asyncio.create_task(ask())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await names(writer) == ["kept"]


async def test_cancelled_callers_leave_no_transaction_open(writer: Writer) -> None:
    async def ask(number: int) -> None:
        await writer.write([(0, (f"n{number:03}", number))])

    tasks = [asyncio.create_task(ask(number)) for number in range(100)]
    for number, task in enumerate(tasks):
        if number % 3 == 0:
            await asyncio.sleep(0)
            task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await writer.write([(0, ("last", 0))])
    assert not writer._connection.in_transaction
    assert len(await names(writer)) == 101
