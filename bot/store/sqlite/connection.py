"""An aiosqlite connection that can run a whole function in its thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite

T = TypeVar("T")


class Connection(aiosqlite.Connection):
    """One thread, one sqlite3 connection. `run` is the only boundary that a transaction may rely on."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        mode = "ro" if read_only else "rwc"
        address = f"{path.resolve().as_uri()}?mode={mode}"
        super().__init__(
            lambda: sqlite3.connect(address, uri=True, isolation_level=None, timeout=2.0, cached_statements=256), 64
        )

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in the thread, to its end: a caller that is cancelled does not interrupt it."""
        return await self.start(work)

    def start(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Have `work` run in the thread, from this moment on."""
        # One hop for a whole transaction. aiosqlite's own methods are a hop each, and a caller that is cancelled
        # between two of them leaves a transaction open, into which everybody else's writes would then go.
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((future, partial(work, self._conn)))
        return future

    def call(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Have `work` run in the thread. It tells of its end itself, and must not fail."""
        self._tx.put_nowait((None, partial(work, self._conn)))
