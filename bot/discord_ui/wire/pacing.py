"""Limits the rate of requests to a number per second, first come, first served."""

from __future__ import annotations

import asyncio
from typing import Final

LONGEST_QUEUE_SECONDS: Final = 60.0
"""No queue of requests is ever longer than this, so a longer wait means that `hold` was called."""


class Pace:
    """Lets `take` pass at most `per_second` times a second, after a first burst."""

    def __init__(self, per_second: float, burst: int = 1) -> None:
        self._gap = 1.0 / per_second
        self._ahead = self._gap * (burst - 1)
        self._next = 0.0

    async def take(self) -> None:
        """Wait until the caller may make a request."""
        now = asyncio.get_running_loop().time()
        # The turn is taken before waiting, so that later callers queue behind this one.
        mine = max(self._next, now - self._ahead)
        self._next = mine + self._gap
        if mine > now:
            await asyncio.sleep(mine - now)

    @property
    def is_held(self) -> bool:
        """Whether `hold` keeps everybody waiting."""
        return self._next > asyncio.get_running_loop().time() + LONGEST_QUEUE_SECONDS

    def hold(self, seconds: float) -> None:
        """Let nobody pass for this many seconds."""
        self._next = max(self._next, asyncio.get_running_loop().time() + seconds)
