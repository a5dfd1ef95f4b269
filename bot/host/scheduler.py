"""One task that sleeps until the next table is due, and submits the clock's command to it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from bot.engine.core import Rejected
from bot.host.commands import Tick
from bot.host.model import Millis, TableId
from bot.host.ports import AiPlayers, Clock, Reach, Store, StoreFault
from bot.host.tables import Tables

log = logging.getLogger(__name__)

HEARTBEAT: Final = 5_000
"""How often the store hears that the bot is alive: after a crash, clocks gain at most this much more."""
RETRY: Final = 2_000
AT_ONCE: Final = 100
"""So many tables are ticked together; they share their commits."""


class Scheduler:
    """Keeps every deadline of every table. `start` before anything is served, `stop` at the end."""

    def __init__(self, tables: Tables, store: Store, clock: Clock, ai_players: AiPlayers | None = None) -> None:
        self._ai_players = ai_players
        self._reach: Reach | None = None
        self._tables = tables
        self._store = store
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self.beaten = time.monotonic()
        """When the store last took a heartbeat."""
        self.fault: StoreFault | None = None
        """Why it did not take the newest."""

    @property
    def runs(self) -> bool:
        """Whether it has been started."""
        return self._task is not None

    def heed(self, reach: Reach) -> None:
        """Let the clocks of servers that are out of reach stand still from now on."""
        self._reach = reach

    async def start(self) -> None:
        """Learn from the store what is due when, and begin."""
        for table, due in await self._store.due():
            self._tables.timers.note(table, due)
        self.beaten = time.monotonic()
        self._task = asyncio.create_task(self._run(), name="scheduler")

    async def stop(self) -> None:
        """Let what is under way finish, and note the time, so that no clock runs while the bot is down."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._beat()

    async def _run(self) -> None:
        timers, clock = self._tables.timers, self._clock
        beat_at = clock.now()
        while True:
            if clock.now() >= beat_at:
                await self._beat()
                beat_at = clock.now() + HEARTBEAT
            due = timers.take(clock.now())
            for first in range(0, len(due), AT_ONCE):
                await asyncio.gather(*[self._tick(table) for table in due[first : first + AT_ONCE]])
            timers.changed.clear()
            await clock.wait(_earlier(timers.next(), beat_at), timers.changed)

    async def _tick(self, table: TableId) -> None:
        """Tick one table; whatever goes wrong there must not stop the clocks of the others."""
        try:
            if self._reach is not None and self._reach.holds(table, (await self._tables.get(table)).guild):
                return
            ticked = await self._tables.submit(table, Tick())
            if self._ai_players is not None and ticked.deadlines:
                self._ai_players.play_due_turns(ticked)
        except Rejected:
            return  # the table is gone
        except StoreFault as fault:
            log.warning("table %s: the clock could not act, %s", table, fault)
            self._tables.timers.note(table, self._clock.now() + RETRY)
        except Exception:
            log.exception("table %s: the clock could not act", table)
            self._tables.timers.note(table, self._clock.now() + 60 * RETRY)

    async def _beat(self) -> None:
        try:
            # A start counts from here: what passed while nobody could press is given back then, too.
            await self._store.beat(self._clock.now() if self._reach is None else self._reach.heard())
        except StoreFault as fault:
            log.warning("no heartbeat: %s", fault)
            self.fault = fault
        else:
            self.beaten, self.fault = time.monotonic(), None


def _earlier(one: Millis | None, other: Millis) -> Millis:
    return other if one is None else min(one, other)
