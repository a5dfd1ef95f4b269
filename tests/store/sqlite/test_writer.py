from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from bot.host.ports import Conflict, StoreFault
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.statements import Statement
from bot.store.sqlite.writer import CHANGES_WORTH_A_CHECKPOINT, MAX_UNITS_PER_COMMIT, UNITS_WORTH_A_COMMIT, Writer
from bot.store.units import Unit, UnitSource

STATEMENTS = (
    Statement("INSERT INTO things (name, size) {rows}", 2, often=True),
    Statement("UPDATE things SET size = row.column1 FROM ({rows}) AS row WHERE name = row.column2", 2, guarded=True),
    Statement("", 1),
    Statement("INSERT INTO notes (name, text) {rows}", 2, text=True),
    Statement("UPDATE notes SET text = row.column2 FROM ({rows}) AS row WHERE name = row.column1", 2, True, text=True),
)


@pytest.fixture
async def writer(tmp_path: Path) -> AsyncIterator[Writer]:
    async with Connection(tmp_path / "things.sqlite3") as connection:
        await connection.fetch("PRAGMA journal_mode = WAL")
        await connection.fetch("CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER NOT NULL) STRICT")
        await connection.fetch("CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT) STRICT")
        writer = Writer(connection, STATEMENTS)
        yield writer
        await writer.close()


async def names(writer: Writer) -> list[str]:
    rows = await writer._connection.fetch("SELECT name FROM things ORDER BY name")
    return [name for (name,) in rows]


async def sizes(writer: Writer) -> set[tuple[str, int]]:
    return {tuple(row) for row in await writer._connection.fetch("SELECT name, size FROM things")}


async def notes(writer: Writer) -> dict[str, str | None]:
    return dict(await writer._connection.fetch("SELECT name, text FROM notes"))


async def test_waiting_units_share_a_commit(writer: Writer) -> None:
    go_on = threading.Event()
    busy = writer._connection.start(lambda _: go_on.wait(10))
    waiting = [writer.write([(0, (f"n{number}", number))]) for number in range(MAX_UNITS_PER_COMMIT)]
    await asyncio.sleep(0)  # let the writer see all of them
    go_on.set()
    await asyncio.gather(busy, *waiting)
    assert (writer.counters.units, writer.counters.rows) == (MAX_UNITS_PER_COMMIT, MAX_UNITS_PER_COMMIT)
    assert writer.counters.commits == 1
    assert len(await names(writer)) == MAX_UNITS_PER_COMMIT


async def test_a_transaction_begins_while_the_event_loop_is_busy(writer: Writer) -> None:
    first = [writer.write([(0, (f"first{number}", 1))]) for number in range(UNITS_WORTH_A_COMMIT)]
    _without_the_loop(lambda: writer.counters.units == UNITS_WORTH_A_COMMIT)
    late = [writer.write([(0, (f"late{number}", 1))]) for number in range(3)]
    await asyncio.gather(*first, *late)
    assert writer.counters.commits == 2


async def test_the_thread_writes_units_that_gathered_while_it_was_busy(writer: Writer) -> None:
    go_on = threading.Event()
    busy = writer._connection.start(lambda _: go_on.wait(10))
    waiting = [writer.write([(0, (f"n{number}", 1))]) for number in range(2 * UNITS_WORTH_A_COMMIT)]
    go_on.set()
    _without_the_loop(lambda: writer.counters.units == 2 * UNITS_WORTH_A_COMMIT)
    assert writer.counters.commits == 1
    await asyncio.gather(busy, *waiting)


def _without_the_loop(done: Callable[[], bool]) -> None:
    """Block the event loop until the thread has done its work."""
    for _ in range(1000):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("the thread waits for the event loop")


async def test_a_unit_that_cannot_be_built_fails_alone(writer: Writer) -> None:
    good = [writer.write(partial(_thing, f"n{number}")) for number in range(3)]
    with pytest.raises(ZeroDivisionError):
        await writer.write(lambda: [(0, ("never", 1 // 0))])
    await asyncio.gather(*good)
    assert await names(writer) == ["n0", "n1", "n2"]


def _empty(_connection: object = None) -> Unit:
    return next(iter(()))


@pytest.mark.parametrize("poison", [_empty, [(2, (_empty,))]])
async def test_even_a_unit_that_raises_stop_iteration_fails_alone(writer: Writer, poison: UnitSource) -> None:
    waiting = [writer.write([(0, ("before", 1))]), writer.write(poison), writer.write([(0, ("after", 1))])]
    async with asyncio.timeout(10):
        answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert answers[0] is answers[2] is None
    assert isinstance(answers[1], StoreFault)
    assert await names(writer) == ["after", "before"]


@pytest.mark.parametrize("after", [1, 3])
async def test_a_transaction_left_open_by_a_failure_is_not_committed_with_the_next(
    writer: Writer, tmp_path: Path, after: int
) -> None:
    def leave_open(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES ('half', 1)")
        raise SystemExit

    with pytest.raises(StoreFault):
        await writer.write([(2, (leave_open,))])
    await asyncio.gather(*[writer.write([(0, (f"n{number}", 1))]) for number in range(after)])
    with contextlib.closing(sqlite3.connect(tmp_path / "things.sqlite3")) as other:
        assert {name for (name,) in other.execute("SELECT name FROM things")} == {f"n{n}" for n in range(after)}


def _thing(name: str) -> Unit:
    return [(0, (name, 1))]


async def test_the_log_is_checkpointed_when_nothing_is_written(writer: Writer, tmp_path: Path) -> None:
    await writer._connection.fetch("PRAGMA wal_autocheckpoint = 0")
    file = tmp_path / "things.sqlite3"
    before = file.stat().st_size
    await asyncio.gather(*[writer.write([(0, (f"n{number}", 1))]) for number in range(2 * CHANGES_WORTH_A_CHECKPOINT)])
    assert file.stat().st_size == before
    async with asyncio.timeout(10):
        while file.stat().st_size == before:  # noqa: ASYNC110 - SQLite has no event for it
            await asyncio.sleep(0.01)


async def test_the_log_is_checkpointed_after_many_changes_without_a_break(
    writer: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.sqlite.writer.MAX_CHANGES_BEFORE_CHECKPOINT", 20)
    monkeypatch.setattr("bot.store.sqlite.writer.IDLE_SECONDS", 1000.0)
    await writer._connection.fetch("PRAGMA wal_autocheckpoint = 0")
    file = tmp_path / "things.sqlite3"
    before = file.stat().st_size
    for number in range(21):
        assert file.stat().st_size == before
        await writer.write([(0, (f"n{number}" * 1000, 1))])
    assert file.stat().st_size > before


async def test_units_submitted_before_closing_are_written(writer: Writer) -> None:
    waiting = [writer.write([(0, (f"n{number}", 1))]) for number in range(MAX_UNITS_PER_COMMIT + 5)]
    await writer.close()
    assert all(future.done() for future in waiting)
    assert len(await names(writer)) == MAX_UNITS_PER_COMMIT + 5
    with pytest.raises(StoreFault):
        await writer.write([(0, ("late", 1))])


@pytest.mark.parametrize("together", [1, 2, MAX_UNITS_PER_COMMIT, MAX_UNITS_PER_COMMIT + 1])
async def test_every_unit_writes_its_own_rows_and_no_others(writer: Writer, together: int) -> None:
    await asyncio.gather(*[writer.write([(0, (f"n{n}", 1)), (0, (f"m{n}", 1))]) for n in range(together)])
    await asyncio.gather(*[writer.write([(1, (2, f"n{n}")), (1, (3, f"m{n}"))]) for n in range(together)])
    found = {(f"n{n}", 2) for n in range(together)} | {(f"m{n}", 3) for n in range(together)}
    assert await sizes(writer) == found
    late = [writer.write([(1, (4, f"n{n}"))]) for n in range(together)]
    gone = writer.write([(1, (4, "nobody"))])
    with pytest.raises(Conflict):
        await gone
    await asyncio.gather(*late)
    assert {size for name, size in await sizes(writer) if name.startswith("n")} == {4}


ODD = [
    "",
    " ",
    "Zoë",
    "🪶",
    '"[quoted]"',
    "back\\slash",
    "new\nline",
    "'; DROP TABLE things",
    "null",
    "{}",
    "7",
    "a\x00b",
]


@pytest.mark.parametrize("alone", [True, False])
async def test_values_are_stored_unchanged(writer: Writer, alone: bool) -> None:
    numbers = [0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63), True, False]
    rows = [(name, size) for size, name in enumerate(ODD)] + [(f"n{each!r}", each) for each in numbers]
    writes = [writer.write([(0, row)]) for row in rows] if not alone else []
    for row in rows if alone else ():
        await writer.write([(0, row)])
    await asyncio.gather(*writes)
    assert await sizes(writer) == {(name, int(size)) for name, size in rows}


@pytest.fixture
def only_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the fallback that writes the units of a failed batch one by one."""
    monkeypatch.setattr("bot.store.sqlite.writer.Writer._write_one_by_one", None)


LONG = [*ODD, None, "é", "🪶" * 1000, None, "\x00", "ab" * 1000 + "\u20ac", "end", None]


@pytest.mark.usefixtures("only_together")
async def test_long_texts_are_stored_unchanged(writer: Writer) -> None:
    there = {f"n{number}": text for number, text in enumerate(LONG)}
    await asyncio.gather(*[writer.write([(3, (name, text))]) for name, text in there.items()])
    assert await notes(writer) == there
    changed = dict(zip(there, reversed(LONG), strict=True))
    await asyncio.gather(
        *[writer.write([(4, (name, text)), (3, (f"{name}+", text))]) for name, text in changed.items()],
        writer.write([(0, ("besides", 1))]),
    )
    assert await notes(writer) == changed | {f"{name}+": text for name, text in changed.items()}


@pytest.mark.usefixtures("only_together")
@pytest.mark.parametrize("text", ["", None])
async def test_a_missing_text_differs_from_an_empty_one(writer: Writer, text: str | None) -> None:
    await asyncio.gather(*[writer.write([(3, (f"n{number}", text))]) for number in range(3)])
    assert await notes(writer) == {"n0": text, "n1": text, "n2": text}


@pytest.mark.parametrize("poison", ["lone \ud800", 10**30, object()])
async def test_a_value_that_is_not_a_valid_text_fails_alone(writer: Writer, poison: object) -> None:
    good = [writer.write([(3, (f"n{number}", f"é{number}"))]) for number in range(3)]
    bad = writer.write([(3, ("half", "é")), (3, ("bad", poison))])
    missed = writer.write([(3, ("half", "é")), (4, ("nobody", "é"))])
    more = writer.write([(4, ("n1", "ü"))])
    answers = await asyncio.gather(bad, missed, return_exceptions=True)
    assert isinstance(answers[0], Exception)
    assert isinstance(answers[1], Conflict)
    await asyncio.gather(*good, more)
    assert await notes(writer) == {"n0": "é0", "n1": "ü", "n2": "é2"}


async def test_work_sees_rows_of_its_own_transaction_and_fails_alone(writer: Writer) -> None:
    found: list[int] = []

    def count(connection: sqlite3.Connection) -> None:
        found.append(connection.execute("SELECT count(*) FROM things").fetchone()[0])

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM things")
        raise ZeroDivisionError

    failing = writer.write([(2, (fail,)), (0, ("half", 1))])
    others = [writer.write([(0, (f"n{number}", 1)), (2, (count,))]) for number in range(3)]
    with pytest.raises(ZeroDivisionError):
        await failing
    await asyncio.gather(*others)
    assert await names(writer) == ["n0", "n1", "n2"]
    assert found[-3:] == [1, 2, 3]


async def test_units_written_one_at_a_time_get_a_commit_each(writer: Writer) -> None:
    for number in range(5):
        await writer.write([(0, (f"n{number}", number))])
    assert writer.counters.commits == 5


async def test_invalid_units_fail_alone(writer: Writer) -> None:
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


async def test_a_guarded_update_must_match_a_row(writer: Writer) -> None:
    with pytest.raises(Conflict):
        await writer.write([(1, (1, "nobody"))])
    await writer.write([(0, ("somebody", 1))])
    await writer.write([(1, (2, "somebody"))])


async def test_a_caller_is_cancelled_only_after_the_write(writer: Writer) -> None:
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
    assert not await writer._connection.run(lambda connection: connection.in_transaction)
    assert len(await names(writer)) == 101


@pytest.mark.parametrize("values", [("short",), ("long", "text", "extra")])
async def test_a_row_with_the_wrong_number_of_values_fails_alone(writer: Writer, values: tuple[str, ...]) -> None:
    good = [writer.write([(3, (f"n{number}", "text"))]) for number in range(2)]
    with pytest.raises(sqlite3.ProgrammingError):
        await writer.write([(3, values)])
    await asyncio.gather(*good)
    assert await notes(writer) == {"n0": "text", "n1": "text"}
