"""The connection runs whole functions in aiosqlite's thread. Also run with the oldest aiosqlite that it supports."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
from pathlib import Path

import pytest

from bot.store.sqlite.connection import Connection


def one(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT 1").fetchone()[0])


def insert(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO things VALUES (1)")


def fail(_: sqlite3.Connection) -> None:
    raise LookupError


async def test_a_function_runs_in_a_thread_of_its_own_and_returns_its_result(tmp_path: Path) -> None:
    async with Connection(tmp_path / "db") as connection:
        assert await connection.run(one) == 1
        assert await connection.run(lambda _: threading.get_ident()) != threading.get_ident()
        assert await connection.fetch("SELECT ?, 2", (1,)) == [(1, 2)]


async def test_an_error_reaches_the_caller_and_the_thread_goes_on(tmp_path: Path) -> None:
    async with Connection(tmp_path / "db") as connection:
        with pytest.raises(sqlite3.OperationalError):
            await connection.fetch("SELECT nonsense")
        assert await connection.run(one) == 1


async def test_an_error_that_nobody_waits_for_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with Connection(tmp_path / "db") as connection:
        connection.call(fail)
        assert await connection.run(one) == 1
    assert "something queued for the database failed" in caplog.text


async def test_functions_run_in_the_order_in_which_they_are_queued(tmp_path: Path) -> None:
    order: list[int] = []
    async with Connection(tmp_path / "db") as connection:
        for number in range(5):
            connection.call(lambda _, number=number: order.append(number))  # type: ignore[misc]
        await connection.run(one)
    assert order == [0, 1, 2, 3, 4]


async def test_closing_waits_for_everything_that_is_queued(tmp_path: Path) -> None:
    async with Connection(tmp_path / "db") as connection:
        await connection.fetch("CREATE TABLE things (name)")
        for _ in range(100):
            connection.call(insert)
    with sqlite3.connect(tmp_path / "db") as raw:
        assert raw.execute("SELECT count(*) FROM things").fetchone() == (100,)


async def test_a_cancelled_caller_does_not_interrupt_the_function(tmp_path: Path) -> None:
    go_on, done = threading.Event(), threading.Event()

    def work(_: sqlite3.Connection) -> None:
        go_on.wait(10)
        done.set()

    async with Connection(tmp_path / "db") as connection:
        caller = asyncio.create_task(connection.run(work))
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        go_on.set()
        assert await connection.run(one) == 1
    assert done.is_set()


async def test_a_file_that_cannot_be_opened_is_reported_and_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with pytest.raises(sqlite3.OperationalError):
        async with Connection(tmp_path / "missing" / "db"):
            pass
    await ended(before)


async def test_a_reader_cannot_write(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "db").close()
    async with Connection(tmp_path / "db", read_only=True) as connection:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await connection.fetch("CREATE TABLE things (name)")


async def test_a_closed_connection_takes_no_work(tmp_path: Path) -> None:
    connection = Connection(tmp_path / "db")
    with pytest.raises(ValueError, match="not open"):
        connection.start(one)
    async with connection:
        pass
    await connection.close()
    with pytest.raises(ValueError, match="not open"):
        connection.start(one)


async def test_a_connection_that_nobody_closed_gives_its_thread_back(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    connection = await Connection(tmp_path / "db").__aenter__()
    assert set(threading.enumerate()) - before
    del connection
    gc.collect()
    await ended(before)


def test_an_event_loop_that_stops_ends_the_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    held: list[Connection] = []

    async def leave() -> None:
        held.append(await Connection(tmp_path / "db").__aenter__())

    asyncio.run(leave())
    asyncio.run(ended(before))


async def ended(before: set[threading.Thread]) -> None:
    async with asyncio.timeout(5):
        while set(threading.enumerate()) - before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
