"""One task that sleeps until the next table is due, and then submits a `Tick` to it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from bot.engine.core import Rejected
from bot.host.commands import Tick
from bot.host.duties import EveryTable
from bot.host.model import Millis, TableId
from bot.host.ports import AiPlayers, Clock, Duties, Outages, StoreFault, TableStore
from bot.host.tables import Tables

log = logging.getLogger(__name__)

HEARTBEAT_MILLIS: Final = 5_000
"""How often a heartbeat is written. After a crash, clocks gain at most this much."""
RETRY_MILLIS: Final = 2_000
"""How soon a table is ticked again if the store failed."""
RETRY_AFTER_BUG_MILLIS: Final = 120_000
"""How soon a table is ticked again if the tick failed for another reason."""
MAX_TICKS_AT_ONCE: Final = 100
"""How many tables are ticked together, so that they share commits."""


class Scheduler:
    """Ticks every table when it is due. `start` it before the first press, `stop` it at the end."""

    def __init__(
        self,
        tables: Tables,
        store: TableStore,
        clock: Clock,
        ai_players: AiPlayers | None = None,
        duties: Duties | None = None,
    ) -> None:
        self._duties = duties or EveryTable()
        self._ai_players = ai_players
        self._outages: Outages | None = None
        self._tables = tables
        self._store = store
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self.last_heartbeat = time.monotonic()
        """When the last heartbeat was written, on the monotonic clock in seconds."""
        self.fault: StoreFault | None = None
        """Why the newest heartbeat was not written; None if it was."""

    @property
    def runs(self) -> bool:
        """Whether it has been started."""
        return self._task is not None

    def set_outages(self, outages: Outages) -> None:
        """From now on, do not tick tables of guilds that are out of reach."""
        self._outages = outages

    async def start(self) -> None:
        """Read all due moments from the store, and begin."""
        await self.read_clocks()
        self.last_heartbeat = time.monotonic()
        self._task = asyncio.create_task(self._run(), name="scheduler")

    async def read_clocks(self) -> None:
        """Read from the store when each table is due that this process looks after."""
        for table, due in await self._store.due():
            self._tables.timers.note(table, due)

    async def stop(self) -> None:
        """Stop ticking, and write a last heartbeat, so that no clock runs while the bot is down."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._write_heartbeat()

    async def _run(self) -> None:
        timers, clock = self._tables.timers, self._clock
        beat_at = clock.now()
        while True:
            if clock.now() >= beat_at:
                await self._write_heartbeat()
                beat_at = clock.now() + HEARTBEAT_MILLIS
            due = timers.take(clock.now())
            for first in range(0, len(due), MAX_TICKS_AT_ONCE):
                await asyncio.gather(*[self._tick(table) for table in due[first : first + MAX_TICKS_AT_ONCE]])
            timers.changed.clear()
            await clock.wait(_earlier(timers.next(), beat_at), timers.changed)

    async def _tick(self, table: TableId) -> None:
        """Tick one table. A fault there must not stop the other tables' clocks."""
        if not self._duties.holds(table):
            self._duties.want(table)  # once this process looks after it, its clock is read again
            return
        try:
            if self._outages is not None and self._outages.holds(table, (await self._tables.get(table)).guild):
                return
            ticked = await self._tables.submit(table, Tick())
            if self._ai_players is not None and ticked.deadlines:
                self._ai_players.play_due_turns(ticked)
        except Rejected:
            return  # the table no longer exists
        except StoreFault as fault:
            log.warning("table %s: the clock could not act, %s", table, fault)
            self._tables.timers.note(table, self._clock.now() + RETRY_MILLIS)
        except Exception:
            log.exception("table %s: the clock could not act", table)
            self._tables.timers.note(table, self._clock.now() + RETRY_AFTER_BUG_MILLIS)

    async def _write_heartbeat(self) -> None:
        try:
            # The next start gives back all time since this moment, so time in which nobody could press is included.
            await self._store.write_heartbeat(
                self._clock.now() if self._outages is None else self._outages.last_reachable()
            )
        except StoreFault as fault:
            log.warning("no heartbeat: %s", fault)
            self.fault = fault
        else:
            self.last_heartbeat, self.fault = time.monotonic(), None


def _earlier(one: Millis | None, other: Millis) -> Millis:
    return other if one is None else min(one, other)
