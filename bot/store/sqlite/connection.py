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
    """One thread with one sqlite3 connection. A transaction must lie within one call of `run`, `start` or `call`."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        mode = "ro" if read_only else "rwc"
        address = f"{path.resolve().as_uri()}?mode={mode}"
        super().__init__(
            lambda: sqlite3.connect(address, uri=True, isolation_level=None, timeout=2.0, cached_statements=256), 64
        )

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in the thread; a caller that is cancelled does not interrupt it."""
        return await self.start(work)

    def start(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Queue `work` for the thread at once; the future has its result."""
        # aiosqlite's own methods queue one statement each. A caller that is cancelled between two of them would leave a
        # transaction open, and the next writes would become a part of it.
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((future, partial(work, self._conn)))
        return future

    def call(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Queue `work` for the thread. It reports its result itself, and must not raise."""
        self._tx.put_nowait((None, partial(work, self._conn)))
