"""Follows what the bot's other processes do, if there are any: which tables, settings and house rules they change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from bot.discord_ui.emojis import EMOJIS_KEY
from bot.discord_ui.languages import Languages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.text_only import TextOnly
from bot.host.model import TableId, UserId
from bot.host.ports import Clock, StoreFault
from bot.host.scheduler import Scheduler
from bot.host.tables import Tables
from bot.house_rules.repository import HouseRulesRepository
from bot.store.ports import ALL_NEWS, FACT_NEWS, HOUSE_NEWS, REDRAW_NEWS, USER_NEWS, Membership, Store

log = logging.getLogger(__name__)


class FellowProcesses:
    """See `bot.store.ports.Watcher`."""

    def __init__(
        self,
        membership: Membership,
        store: Store,
        tables: Tables,
        scheduler: Scheduler,
        *,
        publisher: Publisher,
        clock: Clock,
        house_rules: HouseRulesRepository,
        languages: Languages,
        text_only: TextOnly,
        emojis_stored: Callable[[], None],
    ) -> None:
        self._membership = membership
        self._store = store
        self._tables = tables
        self._scheduler = scheduler
        self._publisher = publisher
        self._clock = clock
        self._house_rules = house_rules
        self._languages = languages
        self._text_only = text_only
        self._emojis_stored = emojis_stored
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_read = False
        self._reading: asyncio.Task[None] | None = None

    def taken(self, tables: Sequence[TableId]) -> None:
        """Look after tables that nobody, or another process, looked after before."""
        self._tables.changed_elsewhere(tables)
        for table in tables:
            self._publisher.taken(table)
        if self._reading is None or self._reading.done():
            self._reading = self._later(self._read())

    def changed(self, tables: Sequence[TableId]) -> None:
        """Go on with tables that another process has changed."""
        self._tables.changed_elsewhere(tables)
        for table in tables:
            if self._membership.holds(table):
                self._tables.timers.note(table, self._clock.now())
                self._publisher.wake(table)

    def told(self, news: str) -> None:
        """Forget or read again what another process has changed."""
        if news.startswith(HOUSE_NEWS):
            self._house_rules.forget(int(news.removeprefix(HOUSE_NEWS)))
        elif news.startswith(USER_NEWS):
            self._later(self._read_preferences(UserId(int(news.removeprefix(USER_NEWS)))))
        elif news == f"{FACT_NEWS}{EMOJIS_KEY}":
            self._emojis_stored()
        elif news.startswith(REDRAW_NEWS):
            table = TableId(news.removeprefix(REDRAW_NEWS))
            if self._membership.holds(table):
                self._publisher.draw_again(table)
        elif news == ALL_NEWS:
            self.missed()

    def missed(self) -> None:
        """Forget everything that other processes may have changed."""
        self._tables.changed_elsewhere()
        self._house_rules.forget_all()
        self._later(self._read_all_preferences())
        if self._reading is None or self._reading.done():
            self._reading = self._later(self._read())

    async def look_again(self) -> None:
        """Find changes of which no word has come."""
        steps = await self._membership.steps()
        self._tables.changed_elsewhere([table for table, step in steps.items() if self._tables.is_behind(table, step)])
        await self._read()

    async def _read(self) -> None:
        await asyncio.sleep(0)  # what is taken at the same time is read together
        await self._scheduler.read_clocks()
        await self._publisher.read_outbox()
        if not self._has_read:
            self._has_read = True
            if self._store.downtime:  # otherwise another process was alive, and no clock was put off
                await self._publisher.refresh(None, self._store.downtime)

    async def _read_preferences(self, user: UserId) -> None:
        preferences = await self._store.preferences(user)
        self._languages.choose(user, preferences.language)
        self._text_only.choose(user, preferences.text_only)

    async def _read_all_preferences(self) -> None:
        self._languages.replace(await self._store.languages())
        self._text_only.replace(await self._store.text_only())

    def _later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        async def run() -> None:
            try:
                await work
            except StoreFault as fault:
                log.info("what other processes changed is read later: %s", fault)

        task = asyncio.create_task(run(), name="news of other processes")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
