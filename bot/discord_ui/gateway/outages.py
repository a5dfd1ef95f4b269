"""Where nobody can press because our connection to Discord is gone: the clocks there stand still until it is back."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final, Protocol

from bot.discord_ui.outbox.publisher import Publisher
from bot.engine.core import Rejected
from bot.host.clocks import GRACE, SECOND
from bot.host.commands import PutOff
from bot.host.model import Millis, TableId
from bot.host.ports import Clock, StoreFault
from bot.host.tables import Tables
from bot.store.sqlite.store import SqliteStore

log = logging.getLogger(__name__)

SHORT: Final = 5 * SECOND
"""A loss below this changes nothing but what fell due in it. Discord asks for reconnects all the time, and they take a
second or two, or one failed attempt more; the shortest turn has twenty seconds."""
LOOK_EVERY: Final = 0.5
"""Seconds between two looks at the connections,"""
AT_LEAST: Final = 0.05
"""but never less, however fast the clocks go."""
AT_ONCE: Final = 25
"""So many tables share a commit when time is given back; with more, whoever presses meanwhile would wait for them."""


class Connections(Protocol):
    """See `bot.discord_ui.gateway.connection.Lines`."""

    @property
    def count(self) -> int:
        """How many there should be; 0: that is not known yet."""

    def silence(self, shard: int) -> float | None:
        """Return for how many seconds Discord has been silent for too long: 0 if it is not; None: no connection."""


class Reach:
    """See `bot.host.ports.Reach`. While a connection is gone that alone is written, and once per table when it is back.

    A shard is lost until Discord has let it in, and whenever its connection is closed or silent for too long.
    """

    def __init__(
        self,
        lines: Connections,
        tables: Tables,
        store: SqliteStore,
        publisher: Publisher,
        *,
        clock: Clock,
        scale: float = 1.0,
    ) -> None:
        self._lines = lines
        self._tables = tables
        self._store = store
        self._publisher = publisher
        self._clock = clock
        self._scale = scale
        self._begun = clock.now()
        self._met: set[int] = set()
        """The shards that were well at some time."""
        self._here: set[int] = set()
        """Those whose session still stands, as far as we have looked."""
        self._lost: dict[int, Millis] = {}
        """Since when which shards are lost."""
        self._noted: tuple[int, dict[int, Millis]] = (0, {})
        """What of this the store knows, and of how many shards, for a start in the middle of it."""
        self._before = self._noted
        """What it knew at this start."""
        self._held: dict[TableId, int] = {}
        """The tables that fell due meanwhile, and their servers."""
        self._task: asyncio.Task[None] | None = None

    async def recall(self) -> None:
        """Learn what the process before this one had lost; before anything is looked at."""
        self._before = self._noted = await self._store.lost()

    def start(self) -> None:
        """Begin to look after the connections."""
        self._task = asyncio.create_task(self._watch(), name="reach")

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def let_in(self, shard: int) -> None:
        """Discord has let a shard in, with a new session or the one before."""
        self._here.add(shard)

    def holds(self, table: TableId, guild: int) -> bool:
        """Tell whether a server is out of reach; then the table is looked at again when it no longer is."""
        count = self._lines.count
        if count:
            self._is_well(guild_shard(guild, count))
            if guild_shard(guild, count) not in self._lost:
                return False
        self._held[table] = guild
        return True

    def heard(self) -> Millis:
        """Return the last moment at which anybody anywhere could press."""
        if any(self._is_well(shard) and shard not in self._lost for shard in range(self._lines.count)):
            return self._clock.now()
        return max([self._begun, *self._lost.values()])

    async def look(self) -> None:
        """Note what is lost, and set going what is back."""
        for shard in range(self._lines.count):
            if self._is_well(shard) and shard in self._lost:
                await self._back(shard)
        await self._note()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(max(AT_LEAST, LOOK_EVERY / self._scale))
            try:
                await self.look()
            except StoreFault as fault:
                log.warning("clocks wait: %s", fault)
            except Exception:
                log.exception("clocks wait")

    def _is_well(self, shard: int) -> bool:
        """Look at one connection, and note since when it is lost."""
        silent = self._lines.silence(shard)
        if silent is None:
            self._here.discard(shard)
        if silent == 0 and shard in self._here:
            if shard not in self._met:  # perhaps nobody has looked before it was there
                self._lost.setdefault(shard, self._at_start(shard))
            return True
        if shard not in self._lost:
            since = self._clock.now() - int((silent or 0) * 1000 * self._scale)
            self._lost[shard] = since if shard in self._met else self._at_start(shard)
        return False

    def _at_start(self, shard: int) -> Millis:
        """Return since when a shard that this process has not met is lost: with another number it is another shard."""
        shards, lost = self._before
        return min(self._begun, lost.get(shard, self._begun)) if shards == self._lines.count else self._begun

    async def _note(self) -> None:
        """Have the store know of losses that are worth a word, so that they are given back after a restart, too."""
        now = self._clock.now()
        noted = self._lines.count, {shard: since for shard, since in self._lost.items() if now - since >= SHORT}
        if noted[0] and noted != self._noted:
            await self._store.note_lost(*noted)
            self._noted = noted

    async def _back(self, shard: int) -> None:
        since, first = self._lost[shard], shard not in self._met
        lost = self._clock.now() - since
        put_off: set[TableId] = set()
        if lost >= SHORT:
            put_off = await self._put_off(shard, since)
            log.info("shard %s: was out of reach for %.0f s, %s clocks put off", shard, lost / 1000, len(put_off))
        # From here on the clocks tick: there is no await before they are set going.
        del self._lost[shard]
        self._met.add(shard)
        again = self._clock.now() + (0 if lost >= SHORT else GRACE)
        for table in [table for table, guild in self._held.items() if self._is_of(shard, guild)]:
            del self._held[table]
            self._tables.timers.note(table, again)
        if put_off:
            await self._publisher.refresh(put_off, 0 if first else lost)  # a start says itself that we are back

    async def _put_off(self, shard: int, since: Millis) -> set[TableId]:
        """Give all tables of a shard their time back, some at a time, so that they share their commits."""
        mine = [table for table, guild in await self._store.ticking() if self._is_of(shard, guild)]
        for first in range(0, len(mine), AT_ONCE):
            await asyncio.gather(*[self._put_one_off(table, since) for table in mine[first : first + AT_ONCE]])
        return set(mine)

    async def _put_one_off(self, table: TableId, since: Millis) -> None:
        while True:
            try:
                with contextlib.suppress(Rejected):  # it is gone
                    await self._tables.submit(table, PutOff(since))
                return
            except StoreFault as fault:
                log.warning("table %s: its clock waits, %s", table, fault)
                await asyncio.sleep(1)

    def _is_of(self, shard: int, guild: int) -> bool:
        return guild_shard(guild, self._lines.count) == shard


def guild_shard(guild: int, count: int) -> int:
    """Return which of so many shards hears of a server."""
    return (guild >> 22) % count
