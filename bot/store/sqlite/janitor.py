"""Once a day: what servers left behind, old copies of the database, and what could not be wiped before."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bot.host.model import Millis, TableId
from bot.host.ports import Clock, StoreFault
from bot.store.sqlite.privacy import Privacy

log = logging.getLogger(__name__)

DAY: Final[Millis] = 24 * 60 * 60 * 1000
BREATH: Final = 0.05
"""Seconds between two transactions, in which everybody else's go."""


class Janitor:
    """Clears up. What is due is a fact in the database, so that nothing is forgotten by a restart."""

    def __init__(
        self, privacy: Privacy, clock: Clock, days: int, gone: Callable[[Sequence[TableId]], Awaitable[None]]
    ) -> None:
        self._privacy = privacy
        self._clock = clock
        self._days = days
        self._gone = gone
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, once it is known which servers the bot is in; asked again, nothing happens."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="janitor")

    async def stop(self) -> None:
        """Stop; what is under way is finished at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        never = asyncio.Event()
        while True:
            try:
                await self.clear_up()
            except (StoreFault, OSError) as fault:
                log.warning("not everything could be cleared up: %s", fault)
            except Exception:
                log.exception("not everything could be cleared up")
            await self._clock.wait(self._clock.now() + DAY, never)

    async def clear_up(self) -> None:
        """Do what is due."""
        await self._privacy.wipe_again()
        for copy in await asyncio.to_thread(self._privacy.prune, self._days):
            log.info("%s was deleted: it was older than %s days", copy, self._days)
        before = self._clock.now() - self._days * DAY
        for server in await self._privacy.departed(before):
            await self._clear(server, before)

    async def _clear(self, server: int, before: Millis) -> None:
        tables = 0
        while gone := await self._privacy.clear(server, before):
            await self._gone(gone)
            tables += len(gone)
            await asyncio.sleep(BREATH)
        log.info("server %s: its data are deleted, %s tables among them", server, tables)
