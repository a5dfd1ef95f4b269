"""The clock of a running bot: begun at the time of day, then carried on by a clock that cannot be set."""

from __future__ import annotations

import asyncio
import time

from bot.host.model import Millis


class SteadyClock:
    """Goes on evenly from the moment it was made, `scale` times as fast as the world.

    The time of day is read once: when somebody sets the machine's clock, no turn ends early or late.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._begun = time.time_ns() // 1_000_000
        self._origin = time.monotonic_ns()

    def now(self) -> Millis:
        """Return the host's time."""
        return self._begun + int((time.monotonic_ns() - self._origin) * self._scale) // 1_000_000

    def shown(self, moment: Millis) -> Millis:
        """Return the time of day at which `moment` will come."""
        return time.time_ns() // 1_000_000 + int((moment - self.now()) / self._scale)

    async def wait(self, until: Millis | None, woken: asyncio.Event) -> None:
        """Return at this moment, or as soon as the event is set."""
        seconds = None if until is None else max(0.0, (until - self.now()) / 1000 / self._scale)
        try:
            async with asyncio.timeout(seconds):
                await woken.wait()
        except TimeoutError:
            return
