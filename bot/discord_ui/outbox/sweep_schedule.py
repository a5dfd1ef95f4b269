"""Schedules the sweeps of one table's outbox. A sweep reads the outbox once and delivers what it holds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

TABLE_SWEEP_BURST: Final = 3.0
"""How many sweeps of a table may follow each other without a pause; after that, one sweep a second."""


class SweepSchedule:
    """Keeps track of one table's sweeps: one task at a time makes them, and a timer starts it again after a pause."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_wanted = False
        self._answers_under_way = 0
        self._is_backing_off = False
        self._failures = 0
        self._sweeps_left = TABLE_SWEEP_BURST
        self._counted_at = 0.0

    @property
    def task(self) -> asyncio.Task[None] | None:
        """The task that sweeps the outbox, if any."""
        return self._task

    @property
    def is_wanted(self) -> bool:
        """Whether the outbox may hold something that no sweep has delivered yet."""
        return self._is_wanted

    @property
    def is_due(self) -> bool:
        """Whether a sweep is wanted and may begin now."""
        return self._is_wanted and not self._answers_under_way and not self._is_backing_off

    @property
    def is_backing_off(self) -> bool:
        """Whether the table is left alone until the timer fires."""
        return self._is_backing_off

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way and nothing is planned."""
        return self._task is None and self._timer is None and not self._answers_under_way

    @property
    def failures(self) -> int:
        """How many sweeps in a row ended in a temporary failure."""
        return self._failures

    def want_sweep(self) -> None:
        """Ask for a sweep."""
        self._is_wanted = True

    def clear_wanted_sweep(self) -> None:
        """Forget that a sweep was asked for, because one begins or none is needed."""
        self._is_wanted = False

    def task_started(self, task: asyncio.Task[None]) -> None:
        """Record the task that makes the sweeps from now on."""
        self._task = task

    def task_ended(self) -> None:
        """Record that the task has ended."""
        self._task = None

    def answer_started(self) -> None:
        """Hold back sweeps until an answer that shows the table itself has been sent."""
        self._answers_under_way += 1

    def answer_ended(self) -> None:
        """Record that such an answer has been sent."""
        self._answers_under_way -= 1

    def back_off(self) -> None:
        """Leave the table alone until the timer fires."""
        self._is_backing_off = True

    def failed(self) -> int:
        """Count a temporary failure; return how many there were in a row."""
        self._failures += 1
        return self._failures

    def succeeded(self) -> None:
        """Record that a sweep succeeded, which resets the count of failures."""
        self._failures = 0

    def call_later(self, seconds: float, wake: Callable[[], None]) -> None:
        """Call `wake` after this many seconds, instead of any call planned before."""
        self.cancel_timer()

        def fire() -> None:
            self._timer = None
            self._is_backing_off = False
            wake()

        self._timer = asyncio.get_running_loop().call_later(seconds, fire)

    def cancel_timer(self) -> None:
        """Drop the planned call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def count_sweep(self, scale: float) -> float:
        """Count a sweep and return the seconds to wait before it, on a clock that runs `scale` times as fast."""
        now = time.monotonic()
        self._sweeps_left = min(TABLE_SWEEP_BURST, self._sweeps_left + (now - self._counted_at) * scale)
        self._counted_at = now
        self._sweeps_left -= 1.0
        return 0.0 if self._sweeps_left >= 0 else -self._sweeps_left / scale
