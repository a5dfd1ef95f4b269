"""The clock of a running bot. It starts at the time of day and then follows a clock that nobody can set."""

from __future__ import annotations

import asyncio
import time

from bot.host.model import Millis


class SteadyClock:
    """Runs evenly from the moment it was made, `scale` times as fast as real time.

    The time of day is read only once, so setting the machine's clock makes no turn end early or late.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._started_at = time.time_ns() // 1_000_000
        self._origin = time.monotonic_ns()

    def now(self) -> Millis:
        """Return the host's time."""
        return self._started_at + int((time.monotonic_ns() - self._origin) * self._scale) // 1_000_000

    def shown(self, moment: Millis) -> Millis:
        """Convert a moment of this clock to the time of day, for a message."""
        return time.time_ns() // 1_000_000 + int((moment - self.now()) / self._scale)

    async def wait(self, until: Millis | None, woken: asyncio.Event) -> None:
        """Wait until this moment, or until the event is set."""
        seconds = None if until is None else max(0.0, (until - self.now()) / 1000 / self._scale)
        try:
            async with asyncio.timeout(seconds):
                await woken.wait()
        except TimeoutError:
            return
