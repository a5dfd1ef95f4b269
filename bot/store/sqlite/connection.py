"""A SQLite connection in aiosqlite's thread that runs whole functions there, in the order in which they are queued."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import weakref
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Self, TypeVar

import aiosqlite

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], None]
_SERVE: Final = "-- run what is queued"
"""The script with which aiosqlite hands its thread over."""


class _Serving(sqlite3.Connection):
    """Runs queued functions in the thread in which aiosqlite runs a script."""

    works: SimpleQueue[Work | None]

    def executescript(self, script: str, /) -> sqlite3.Cursor:
        """Run a script, or if it is `_SERVE`, everything that is queued until None is."""
        if script != _SERVE:
            return super().executescript(script)
        while (work := self.works.get()) is not None:
            try:
                work(self)
            except Exception:  # nobody would run the rest of the queue
                log.exception("something queued for the database failed")
        return self.cursor()


class Connection:
    """One thread with one sqlite3 connection. A transaction must lie within one call of `run`, `start` or `call`.

    aiosqlite's own methods queue one statement each. A caller that is cancelled between two of them would leave a
    transaction open, and the next writes would become a part of it. So the connection has a queue of functions of its
    own, and aiosqlite runs a single script from opening to closing: the one that works on that queue.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._address = f"{path.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        self._works: SimpleQueue[Work | None] = SimpleQueue()
        self._serving: asyncio.Task[None] | None = None
        weakref.finalize(self, self._works.put, None)  # a connection that nobody closed must not keep its thread alive

    async def __aenter__(self) -> Self:
        opened = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(_serve(self._address, self._works, opened), name="database connection")
        await opened
        self._serving = serving
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Run everything that is queued, then close; a second call does nothing."""
        serving, self._serving = self._serving, None
        if serving is not None:
            self._works.put(None)
            await serving

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in the thread; a caller that is cancelled does not interrupt it."""
        return await self.start(work)

    def start(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Queue `work` for the thread at once; the future has its result."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.call(partial(_answer, future, work))
        return future

    def call(self, work: Work) -> None:
        """Queue `work` for the thread. It reports its result itself, and must not raise."""
        if self._serving is None:
            raise ValueError("the connection is not open")
        self._works.put(work)

    def fetch(self, sql: str, values: tuple[Any, ...] = ()) -> Awaitable[list[Any]]:
        """Queue one statement for the thread; the future has its rows."""
        return self.start(lambda connection: connection.execute(sql, values).fetchall())


async def _serve(address: str, works: SimpleQueue[Work | None], opened: asyncio.Future[None]) -> None:
    """Open the connection, let its thread work until None is queued, and close it."""
    try:
        async with aiosqlite.connect(
            address, uri=True, isolation_level=None, timeout=2.0, cached_statements=256, factory=partial(_made, works)
        ) as connection:
            opened.set_result(None)
            try:
                await connection.executescript(_SERVE)
            finally:
                works.put(None)  # if this task is cancelled, the thread must still come to an end
    except BaseException as fault:
        if opened.done():
            raise
        opened.set_exception(fault)


def _made(works: SimpleQueue[Work | None], *arguments: Any, **options: Any) -> _Serving:
    connection = _Serving(*arguments, **options)
    connection.works = works
    return connection


def _answer(future: asyncio.Future[T], work: Callable[[sqlite3.Connection], T], connection: sqlite3.Connection) -> None:
    """Run `work` in the thread, and hand its result to the event loop."""
    set_: Callable[[Any], None] = future.set_result
    outcome: Any
    try:
        outcome = work(connection)
    except BaseException as error:
        set_, outcome = future.set_exception, error
    with contextlib.suppress(RuntimeError):  # the event loop was closed: nobody waits
        future.get_loop().call_soon_threadsafe(_settle, future, set_, outcome)


def _settle(future: asyncio.Future[Any], set_: Callable[[Any], None], outcome: Any) -> None:
    if not future.done():  # a caller that was cancelled waits no longer
        set_(outcome)
