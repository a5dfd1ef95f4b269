"""Clocks of the sandbox: the machine's own, and one that only tests move."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

Cancel = Callable[[], None]


class Clock(Protocol):
    """The sandbox's source of time and timers, in epoch seconds."""

    def now(self) -> float:
        """Return the time in seconds since 1970."""

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Cancel:
        """Call `callback` after `seconds` of this clock; the returned function cancels the call."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return time.time()

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Cancel:
        """Call `callback` after `seconds`."""
        return asyncio.get_running_loop().call_later(seconds, callback).cancel


class ManualClock:
    """A clock that moves only when a test advances it; callbacks run in order of their deadlines."""

    def __init__(self, start: float = 1_800_000_000.0) -> None:
        self._now = start
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._cancelled: set[int] = set()
        self._order = itertools.count()

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return self._now

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Cancel:
        """Call `callback` once `advance` has moved the clock that far."""
        number = next(self._order)
        heapq.heappush(self._waiting, (self._now + seconds, number, callback))
        return lambda: self._cancelled.add(number)

    async def advance(self, seconds: float) -> None:
        """Advance the clock, running every callback that falls due on the way."""
        until = self._now + seconds
        while self._waiting and self._waiting[0][0] <= until:
            self._now, number, callback = heapq.heappop(self._waiting)
            if number in self._cancelled:
                self._cancelled.discard(number)
                continue
            callback()
            for _ in range(3):  # lets the woken task run, then the task awaiting it, then a task it schedules
                await asyncio.sleep(0)
        self._now = until


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait for a number of seconds of the given clock."""
    woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    cancel = clock.call_later(seconds, lambda: None if woken.done() else woken.set_result(None))
    try:
        await woken
    finally:
        cancel()


def timestamp(seconds: float) -> str:
    """Format a time as Discord does: ISO 8601 in UTC, with microseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
