"""Not too fast: so many requests a second, in the order in which they were asked for."""

from __future__ import annotations

import asyncio
from typing import Final

LONG: Final = 60.0
"""Seconds: no queue is as long, so whoever waits longer was told to."""


class Pace:
    """Lets `take` pass at most `per_second` times a second, after a first burst."""

    def __init__(self, per_second: float, burst: int = 1) -> None:
        self._gap = 1.0 / per_second
        self._ahead = self._gap * (burst - 1)
        self._next = 0.0

    async def take(self) -> None:
        """Wait for one's turn."""
        now = asyncio.get_running_loop().time()
        # The turn is taken before waiting, so that whoever comes meanwhile stands behind.
        mine = max(self._next, now - self._ahead)
        self._next = mine + self._gap
        if mine > now:
            await asyncio.sleep(mine - now)

    @property
    def is_held(self) -> bool:
        """Whether nobody passes for more than a moment."""
        return self._next > asyncio.get_running_loop().time() + LONG

    def hold(self, seconds: float) -> None:
        """Let nobody pass for so long."""
        self._next = max(self._next, asyncio.get_running_loop().time() + seconds)
