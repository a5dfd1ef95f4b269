"""When the publisher looks at one table's outbox."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

BURST_OF_LOOKS: Final = 3.0
"""Looks at a table that may follow each other at once; after them it is one a second."""


class LookSchedule:
    """When a table's outbox is looked at. One task at a time does it; a timer wakes it after a pause."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_wanted = False
        self._answers_under_way = 0
        self._is_backing_off = False
        self._failures = 0
        self._looks_left = BURST_OF_LOOKS
        self._counted_at = 0.0

    @property
    def task(self) -> asyncio.Task[None] | None:
        """The task that looks at the outbox now."""
        return self._task

    @property
    def is_wanted(self) -> bool:
        """Whether something may have come that no look has seen."""
        return self._is_wanted

    @property
    def is_due(self) -> bool:
        """Whether a look is wanted and nothing speaks against it."""
        return self._is_wanted and not self._answers_under_way and not self._is_backing_off

    @property
    def is_backing_off(self) -> bool:
        """Whether nothing is tried until the timer fires."""
        return self._is_backing_off

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way and nothing is planned."""
        return self._task is None and self._timer is None and not self._answers_under_way

    @property
    def failures(self) -> int:
        """How many looks in a row met a temporary failure."""
        return self._failures

    def want_look(self) -> None:
        """Ask for a look."""
        self._is_wanted = True

    def look_taken(self) -> None:
        """Note that everything asked for so far is seen by the look that begins now."""
        self._is_wanted = False

    def task_started(self, task: asyncio.Task[None]) -> None:
        """Note the task that looks from now on."""
        self._task = task

    def task_ended(self) -> None:
        """Note that no task looks any more."""
        self._task = None

    def answer_started(self) -> None:
        """Begin no look until the answer that is about to show the table is there."""
        self._answers_under_way += 1

    def answer_ended(self) -> None:
        """Note that such an answer is there."""
        self._answers_under_way -= 1

    def back_off(self) -> None:
        """Try nothing until the timer fires."""
        self._is_backing_off = True

    def failed(self) -> int:
        """Count a temporary failure; return how many there were in a row."""
        self._failures += 1
        return self._failures

    def succeeded(self) -> None:
        """Note that a look ran to its end."""
        self._failures = 0

    def call_later(self, seconds: float, wake: Callable[[], None]) -> None:
        """Call `wake` after a time, in place of the call that was planned before."""
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

    def take_pause(self, scale: float) -> float:
        """Count a look; return how many seconds it has to wait: three at once, then one a second."""
        now = time.monotonic()
        self._looks_left = min(BURST_OF_LOOKS, self._looks_left + (now - self._counted_at) * scale)
        self._counted_at = now
        self._looks_left -= 1.0
        return 0.0 if self._looks_left >= 0 else -self._looks_left / scale
