"""Draws pictures in a thread of its own, so that the event loop never waits for one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

T = TypeVar("T")

MAX_WAITING: Final = 64
"""Cap on the pictures that wait to be drawn; beyond it, messages go out without a picture."""


class StudioBusy(Exception):
    """Too many pictures are waiting to be drawn."""


class Studio:
    """A thread that draws one picture at a time. Other threads run while it copies and compresses."""

    def __init__(self, most_waiting: int = MAX_WAITING) -> None:
        self._most_waiting = most_waiting
        self._waiting = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")

    async def draw(self, make: Callable[[], T]) -> T:
        """Return what `make` draws; raise StudioBusy at once if too many pictures are waiting."""
        if self._waiting >= self._most_waiting:
            raise StudioBusy
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, make)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Cancel the pictures that are waiting; the one being drawn is still finished."""
        self._thread.shutdown(wait=False, cancel_futures=True)
