"""Clears up once a day: data of departed guilds, old backups, and remains that could not be wiped before.

After a backup was restored, it also erases again the people who had been erased since that backup.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from bot.host.model import Millis, TableId, UserId
from bot.host.ports import Clock, StoreFault
from bot.store.ports import Privacy

log = logging.getLogger(__name__)

DAY_MILLIS: Final[Millis] = 24 * 60 * 60 * 1000
"""One day, in milliseconds."""
ELECTION_MILLIS: Final[Millis] = 10 * 60 * 1000
"""How soon another process asks whether it is to clear up from now on."""
PAUSE_SECONDS: Final = 0.05
"""Pause between two transactions, so that others can write."""


class Janitor:
    """Clears up. The database says what is due, so a restart forgets nothing."""

    def __init__(
        self,
        privacy: Privacy,
        clock: Clock,
        days: int,
        gone: Callable[[Sequence[TableId]], Awaitable[None]],
        *,
        erase: Callable[[UserId], Awaitable[UserId]],
        backups: Path | None = None,
        elected: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """With `elected`, only the process clears up that is told so."""
        self._elected = elected
        self._privacy = privacy
        self._clock = clock
        self._days = days
        self._gone = gone
        self._erase = erase
        self._backups = backups
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start, once it is known which guilds the bot is in; a second call does nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="janitor")

    async def stop(self) -> None:
        """Stop; unfinished work goes on after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        never = asyncio.Event()
        while True:
            try:
                if self._elected is not None and not await self._elected():
                    await self._clock.wait(self._clock.now() + ELECTION_MILLIS, never)
                    continue
                await self.clear_up()
            except (StoreFault, OSError) as fault:
                log.warning("not everything could be cleared up: %s", fault)
            except Exception:
                log.exception("not everything could be cleared up")
            await self._clock.wait(self._clock.now() + DAY_MILLIS, never)

    async def clear_up(self) -> None:
        """Do everything that is due."""
        await self._erase_again()
        await self._privacy.wipe_again()
        for copy in await self._privacy.prune(self._days, self._backups):
            log.info("%s was deleted: it was older than %s days", copy, self._days)
        await self._privacy.forget_erasures(self._days)
        before = self._clock.now() - self._days * DAY_MILLIS
        for guild in await self._privacy.departed(before):
            await self._clear(guild, before)

    async def _erase_again(self) -> None:
        for user in await self._privacy.requested():
            names = await self._privacy.names(user)
            former_id = await self._erase(user)
            await self._privacy.settle(user)
            await self._privacy.wipe(user, former_id, names)
            log.info("somebody's data was deleted again: the backup that was restored still had it")

    async def _clear(self, guild: int, before: Millis) -> None:
        tables = 0
        while gone := await self._privacy.clear(guild, before):
            await self._gone(gone)
            tables += len(gone)
            await asyncio.sleep(PAUSE_SECONDS)
        log.info("guild %s: its data are deleted, %s tables among them", guild, tables)
