"""Limits the rate of requests to a number per second: what is urgent first, then first come, first served."""

from __future__ import annotations

import asyncio
from enum import IntEnum
from heapq import heappop, heappush


class Urgency(IntEnum):
    """How urgent a request is; those of a lower number go first."""

    SHOWS = 0
    """Requests that show a move or its result."""
    USUAL = 1
    SPARE = 2
    """Requests that may come late or never: pings, and deleting messages."""


class Pace:
    """Lets `take` pass at most `per_second` times a second, after a first burst."""

    def __init__(self, per_second: float, burst: int = 1) -> None:
        self._gap = 1.0 / per_second
        self._ahead = self._gap * (burst - 1)
        self._next = 0.0
        self._held_until = 0.0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrived = 0
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, urgency: Urgency = Urgency.USUAL) -> None:
        """Wait until the caller may make a request."""
        if not self._waiting and self._pass():
            return
        turn = asyncio.get_running_loop().create_future()
        self._arrived += 1
        heappush(self._waiting, (urgency, self._arrived, turn))
        if self._timer is None:
            self._call_next()
        await turn

    async def take_within(self, seconds: float, urgency: Urgency) -> bool:
        """Wait for this long at most; return whether the caller may make a request."""
        try:
            async with asyncio.timeout(seconds):
                await self.take(urgency)
        except TimeoutError:
            return False
        return True

    @property
    def is_held(self) -> bool:
        """Whether `hold` keeps everybody waiting."""
        return self._held_until > asyncio.get_running_loop().time()

    def hold(self, seconds: float) -> None:
        """Let nobody pass for this many seconds."""
        self._held_until = max(self._held_until, asyncio.get_running_loop().time() + seconds)

    def _pass(self) -> bool:
        """Count one request if it may be made now."""
        now = asyncio.get_running_loop().time()
        if max(self._next, self._held_until) > now:
            return False
        self._next = max(self._next, now - self._ahead) + self._gap
        return True

    def _call_next(self) -> None:
        when = max(self._next, self._held_until)
        self._timer = asyncio.get_running_loop().call_at(when, self._let_pass)

    def _let_pass(self) -> None:
        self._timer = None
        while self._waiting:
            turn = self._waiting[0][2]
            if not turn.done():  # otherwise its caller has stopped waiting
                if not self._pass():
                    break
                turn.set_result(None)
            heappop(self._waiting)
        if self._waiting:
            self._call_next()
