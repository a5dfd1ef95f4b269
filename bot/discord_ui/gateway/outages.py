"""Stops the clocks where nobody can press because the bot's connection to Discord is lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Sequence
from typing import Final, Protocol

from bot.engine.core import Rejected
from bot.host.commands import PutOff
from bot.host.deadlines import GRACE_MILLIS, SECOND
from bot.host.model import Millis, TableId
from bot.host.ports import Clock, StoreFault
from bot.host.tables import Tables
from bot.store.ports import OutageStore

log = logging.getLogger(__name__)

SHORT_LOSS_MILLIS: Final = 5 * SECOND
"""A shorter loss puts off only the deadlines that passed during it. Discord often asks for a reconnect, which takes a
second or two, or longer if an attempt fails; the shortest turn lasts twenty seconds."""
CHECK_SECONDS: Final = 0.5
"""Pause between two checks of the connections."""
MIN_CHECK_SECONDS: Final = 0.05
"""Shortest such pause, however fast the clocks run."""
NOTE_MILLIS: Final = SECOND
"""How often one of many processes notes that its shards are in reach."""
TABLES_PER_COMMIT: Final = 25
"""Tables that share a commit when their time is given back; a larger commit would delay presses."""
TIME_BACK_RETRY_SECONDS: Final = 1.0
"""Pause before another attempt to give a table its time back, after the database failed."""


class Connections(Protocol):
    """See `bot.discord_ui.gateway.connection.ShardConnections`."""

    @property
    def count(self) -> int:
        """How many connections there should be; 0 while that is not known."""

    @property
    def ids(self) -> Sequence[int]:
        """Which of them this process has."""

    def silence(self, shard: int) -> float | None:
        """Return for how many seconds a shard has been silent: 0 if it is healthy, None if it is not connected."""


class Redraws(Protocol):
    """See `bot.discord_ui.outbox.publisher.Publisher`."""

    async def refresh(self, only: Collection[TableId] | None, absent: Millis) -> None:
        """Draw countdowns again, because deadlines were put off; after a longer absence, say that the bot is back."""


class Outages:
    """See `bot.host.ports.Outages`. Stops the clocks of lost shards and gives their tables the lost time back.

    A shard is lost until Discord accepts it, and whenever its connection is closed or silent for too long. During a
    loss only the loss itself is written to the store; each table is written once, when the shard is back.
    """

    def __init__(
        self,
        connections: Connections,
        tables: Tables,
        store: OutageStore,
        redraws: Redraws,
        *,
        clock: Clock,
        scale: float = 1.0,
        one_of_many: bool = False,
    ) -> None:
        """With `one_of_many`, it is also noted when each shard was last in reach, for a process that takes it over."""
        self._notes_every_shard = one_of_many
        self._noted_at = clock.now() - NOTE_MILLIS
        self._connections = connections
        self._tables = tables
        self._store = store
        self._redraws = redraws
        self._clock = clock
        self._scale = scale
        self._started_at = clock.now()
        self._ever_healthy: set[int] = set()
        """The shards that have been healthy at least once in this process."""
        self._connected: set[int] = set()
        """The shards that Discord has accepted and that were still connected at the last check."""
        self._lost: dict[int, Millis] = {}
        """When each lost shard was lost."""
        self._noted: tuple[int, dict[int, Millis]] = (0, {})
        """The number of shards and their losses, as the store knows them."""
        self._noted_before = self._noted
        """The same, as the previous process left it."""
        self._held: dict[TableId, int] = {}
        """The tables that fell due during a loss, and their guilds."""
        self._task: asyncio.Task[None] | None = None

    async def recall(self) -> None:
        """Read which shards the previous process had lost. Call it before the first check."""
        self._noted_before = self._noted = await self._store.lost()

    def start(self) -> None:
        """Begin to check the connections."""
        self._task = asyncio.create_task(self._watch(), name="outages")

    async def stop(self) -> None:
        """Stop checking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def shard_connected(self, shard: int) -> None:
        """Record that Discord accepted a shard, with a new session or a resumed one."""
        self._connected.add(shard)

    def holds(self, table: TableId, guild: int) -> bool:
        """Return whether a guild is out of reach; if so, the table's clock is checked again when the guild is back."""
        count = self._connections.count
        if count:
            self._is_healthy(guild_shard(guild, count))
            if guild_shard(guild, count) not in self._lost:
                return False
        self._held[table] = guild
        return True

    def last_reachable(self) -> Millis:
        """Return the last moment at which anybody anywhere could press."""
        if any(self._is_healthy(shard) and shard not in self._lost for shard in self._connections.ids):
            return self._clock.now()
        return max([self._started_at, *self._lost.values()])

    async def check(self) -> None:
        """Note which shards are lost, and restart the clocks of those that are back."""
        for shard in self._connections.ids:
            if self._is_healthy(shard) and shard in self._lost:
                await self._end_loss(shard)
        await self._note_losses()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(max(MIN_CHECK_SECONDS, CHECK_SECONDS / self._scale))
            try:
                await self.check()
            except StoreFault as fault:
                log.warning("checking the connections failed, will be tried again: %s", fault)
            except Exception:
                log.exception("checking the connections failed, will be tried again")

    def _is_healthy(self, shard: int) -> bool:
        """Return whether a shard is healthy; if it is not, note when it was lost."""
        silent = self._connections.silence(shard)
        if silent is None:
            self._connected.discard(shard)
        if silent == 0 and shard in self._connected:
            if shard not in self._ever_healthy:  # it may have connected before the first check
                self._lost.setdefault(shard, self._lost_at_start(shard))
            return True
        if shard not in self._lost:
            since = self._clock.now() - int((silent or 0) * 1000 * self._scale)
            self._lost[shard] = since if shard in self._ever_healthy else self._lost_at_start(shard)
        return False

    def _lost_at_start(self, shard: int) -> Millis:
        """Return when a shard was lost, if it has never been healthy in this process.

        The previous process's note counts only if it had as many shards: otherwise the shard has other guilds.
        """
        shards, lost = self._noted_before
        same = shards == self._connections.count
        return min(self._started_at, lost.get(shard, self._started_at)) if same else self._started_at

    async def _note_losses(self) -> None:
        """Store every longer loss, so that its time is given back even after a restart."""
        now, count = self._clock.now(), self._connections.count
        noted = count, {shard: since for shard, since in self._lost.items() if now - since >= SHORT_LOSS_MILLIS}
        if self._notes_every_shard:
            # Another process takes over if this one dies, and must know since when nobody could press.
            if now < self._noted_at + NOTE_MILLIS:
                return
            self._noted_at = now
            noted = count, {shard: self._lost.get(shard, now) for shard in self._connections.ids}
        if count and noted != self._noted:
            await self._store.note_lost(*noted)
            self._noted = noted

    async def _end_loss(self, shard: int) -> None:
        since, first = self._lost[shard], shard not in self._ever_healthy
        lost = self._clock.now() - since
        put_off: set[TableId] = set()
        if lost >= SHORT_LOSS_MILLIS:
            put_off = await self._put_off_tables(shard, since)
            log.info("shard %s: was out of reach for %.0f s, %s clocks put off", shard, lost / 1000, len(put_off))
        # The clocks run from here on: there is no await before their timers are set.
        del self._lost[shard]
        self._ever_healthy.add(shard)
        again = self._clock.now() + (0 if lost >= SHORT_LOSS_MILLIS else GRACE_MILLIS)
        for table in [table for table, guild in self._held.items() if self._serves(shard, guild)]:
            del self._held[table]
            self._tables.timers.note(table, again)
        if put_off:
            await self._redraws.refresh(
                put_off, 0 if first else lost
            )  # after a start, the publisher says that the bot is back

    async def _put_off_tables(self, shard: int, since: Millis) -> set[TableId]:
        """Give all tables of a shard their time back, in batches that share a commit."""
        mine = [table for table, guild in await self._store.ticking() if self._serves(shard, guild)]
        for first in range(0, len(mine), TABLES_PER_COMMIT):
            await asyncio.gather(*[self._put_off(table, since) for table in mine[first : first + TABLES_PER_COMMIT]])
        return set(mine)

    async def _put_off(self, table: TableId, since: Millis) -> None:
        while True:
            try:
                with contextlib.suppress(Rejected):  # the table is gone
                    await self._tables.submit(table, PutOff(since))
                return
            except StoreFault as fault:
                log.warning("table %s: its time could not be given back yet, %s", table, fault)
                await asyncio.sleep(TIME_BACK_RETRY_SECONDS)

    def _serves(self, shard: int, guild: int) -> bool:
        return guild_shard(guild, self._connections.count) == shard


def guild_shard(guild: int, count: int) -> int:
    """Return which of `count` shards serves a guild."""
    return (guild >> 22) % count
