"""Runs commands on tables: one lock per table, each interaction applied once, one commit, then the publisher."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from itertools import islice
from random import Random, SystemRandom
from typing import Final

from bot.engine.core import Json, Rejected
from bot.host import views
from bot.host.commands import Command, Forget, HostReason, Join, Leave
from bot.host.deadlines import next_due
from bot.host.decide import check_rematch, decide, open_rematch, open_table
from bot.host.former_players import new_former_id
from bot.host.loaded_table import CancelledAfterCommit, LoadedTable, change_of, committed, new_id
from bot.host.model import House, Table, TableId, UserId
from bot.host.ports import (
    Change,
    ChannelTaken,
    Clock,
    Conflict,
    Duplicate,
    Duties,
    EraseConflict,
    Fault,
    Publisher,
    StoreFault,
    TableStore,
)
from bot.host.timers import Timers

log = logging.getLogger(__name__)

MAX_LOADED_TABLES: Final = 1000
"""Cap on tables in memory. The least recently used is dropped first, and loaded again when it is needed."""
MAX_ERASE_ATTEMPTS: Final = 100
"""How many times erasing a user is tried while they keep joining tables."""
MAX_CONFLICTS: Final = 20
"""How many times a command is judged again because another process changed the table in between."""
RECHECK_AFTER_LOSS_MILLIS: Final = 2_000
"""How soon a table is looked at again whose last step may or may not have been written."""
MIN_RECHECK_MILLIS: Final = 100
"""Shortest time before a table at which nothing was due is ticked again."""


class Tables:
    """All tables of the bot. Every command goes through `submit`."""

    def __init__(
        self,
        store: TableStore,
        publisher: Publisher,
        clock: Clock,
        rng: Random | None = None,
        max_loaded: int = MAX_LOADED_TABLES,
        *,
        duties: Duties | None = None,
    ) -> None:
        """With `duties`, other processes change tables as well, and what is in memory may be out of date."""
        self.timers = Timers()
        self._store = store
        self._publisher = publisher
        self._clock = clock
        self._rng = rng or SystemRandom()
        self._max_loaded = max_loaded
        self._duties = duties
        self._loaded: OrderedDict[TableId, LoadedTable] = OrderedDict()
        # Counting a guild's tables and opening one more must not interleave. A few locks serve all guilds.
        self._opening = [asyncio.Lock() for _ in range(64)]
        self._forgetting = asyncio.Lock()

    view = staticmethod(views.view)

    async def open(
        self,
        guild: int,
        channel: int,
        host: Join,
        *,
        game: str,
        options: Mapping[str, Json] | None = None,
        house: House | None = None,
        wishes: Mapping[str, Json] | None = None,
        interaction_id: int | None = None,
    ) -> Table:
        """Open a lobby; reject it if the channel has an open table, or if the guild has as many as it may have."""
        id_ = new_id()
        now = self._clock.now()
        async with self._opening[guild % len(self._opening)]:
            newest = await self._store.at(channel)
            decision = open_table(
                id_,
                guild,
                channel,
                host,
                now,
                game=game,
                options=options,
                house=house,
                wishes=wishes,
                last=None if newest is None else await self.get(newest),
            )
            change = change_of(None, decision, now, interaction_id)
            there = None if newest is None else self._loaded.get(newest)
            if there is not None and there.table is not None and interaction_id in there.interactions:
                return there.table  # a second delivery must not be refused because the first one opened a table
            await self.require_room(guild, decision.table.house)
            try:
                await committed(self._store.commit([change]))
            except CancelledAfterCommit:
                self._publish(change)
                raise asyncio.CancelledError from None
            except ChannelTaken:
                raise Rejected(HostReason.CHANNEL_TAKEN, table=await self._store.at(channel)) from None
            except Duplicate:
                opened = await self.at(channel)
                if opened is None:
                    raise Rejected(HostReason.NO_TABLE) from None
                return opened
        self._find(id_).update(change)
        self._publish(change)
        return decision.table

    async def require_room(self, guild: int, house: House) -> None:
        """Refuse if a guild has as many open tables as it may have.

        Suspended tables do not count, since they may never resume. If one does, the guild has one table too many.
        """
        here = await self._store.open_in(guild)
        if len(here) < house.tables_at_once:
            return
        suspended = [table_id for table_id in here if (await self.get(table_id)).is_suspended]
        if len(here) - len(suspended) >= house.tables_at_once:
            raise Rejected(HostReason.TOO_MANY_TABLES, at_once=house.tables_at_once)

    async def rematch(
        self, table_id: TableId, by: UserId, *, house: House | None = None, interaction_id: int | None = None
    ) -> Table:
        """Open a new lobby for the players of a finished table, or return the one that was already opened.

        The new table keeps the old one's house rules. `house` are the guild's current ones, which limit its tables.
        """
        guild = (await self.get(table_id)).guild
        async with self._opening[guild % len(self._opening)]:
            over = await self.get(table_id)
            if over.rematch is None:
                check_rematch(over, by)
                # Before this table is locked: counting may wait for a table that `forget` has locked, and `forget` may
                # wait for this one.
                await self.require_room(guild, house or over.house)
            loaded = await self._lock(table_id)
            try:
                try:
                    again = await self._rematch(table_id, loaded, by, interaction_id)
                except Conflict:  # `forget` has just changed the finished table
                    again = await self._rematch(table_id, loaded, by, interaction_id)
            finally:
                loaded.unlock()
        return again if isinstance(again, Table) else await self.get(again)

    async def _rematch(
        self, table_id: TableId, loaded: LoadedTable, by: UserId, interaction_id: int | None
    ) -> Table | TableId:
        table = loaded.table or await self._load(table_id, loaded)
        if table.rematch is not None:
            return table.rematch
        settings = {player.user: await self._store.preferences(player.user) for player in table.people}
        now = self._clock.now()
        old, opened = open_rematch(table, new_id(), by, now, settings)
        try:
            await self._commit(loaded, [change_of(table, old, now, None), change_of(None, opened, now, interaction_id)])
        except ChannelTaken:
            raise Rejected(HostReason.CHANNEL_TAKEN, table=await self._store.at(table.channel)) from None
        return opened.table

    async def submit(self, table_id: TableId, command: Command, *, interaction_id: int | None = None) -> Table:
        """Carry out one command; return the table once it is on the disk.

        Raises Rejected if the command is refused, and StoreFault if it could not be written; nothing has changed then.
        An interaction that was applied before changes nothing and returns the current table.
        """
        loaded = await self._lock(table_id)
        try:
            for _ in range(MAX_CONFLICTS):
                with suppress(Conflict):  # another process was faster: its step is loaded, and the command judged again
                    return await self._judge(table_id, loaded, command, interaction_id)
        finally:
            loaded.unlock()
        raise StoreFault(Fault.BUSY, "others change the table faster than it can be loaded")

    async def _judge(
        self, table_id: TableId, loaded: LoadedTable, command: Command, interaction_id: int | None
    ) -> Table:
        """Carry out a command on a table that is locked; raise Conflict if the store holds another step by now."""
        remembered = loaded.table
        table = remembered or await self._load(table_id, loaded)
        if interaction_id is not None and interaction_id in loaded.interactions:
            return table
        now = self._clock.now()
        try:
            decision = decide(table, command, now, self._rng)
        except Rejected as refusal:  # the command itself is not logged: it may reveal a card
            if self._duties is not None and remembered is not None:  # perhaps another process has moved on
                loaded.table = None
                return await self._judge(table_id, loaded, command, interaction_id)
            log.debug("table %s, step %s: refused, %s", table_id, table.seq, refusal.reason)
            raise
        if decision.table is table:
            due = next_due(table)
            self.timers.note(table_id, None if due is None else max(due, now + MIN_RECHECK_MILLIS))
            return table
        try:
            await self._commit(loaded, [change_of(table, decision, now, interaction_id)])
        except Duplicate:
            return table
        return decision.table

    async def forget(self, user: UserId) -> UserId:
        """Erase a user everywhere, on the disk and in memory, after leaving every open table for them.

        Returns the id that replaces theirs. The store wipes what the deleted rows leave behind in the file.
        """
        former_id = new_former_id()
        async with self._forgetting:
            for _ in range(MAX_ERASE_ATTEMPTS):
                for table_id in await self._store.open_of(user):
                    with suppress(Rejected):  # the table ended meanwhile
                        await self.submit(table_id, Leave(user))
                with suppress(EraseConflict, Conflict):  # they joined another table, or one of theirs changed meanwhile
                    await self._forget(user, former_id)
                    return former_id
        raise StoreFault(Fault.BUSY, "a user joins tables faster than they can be erased")

    async def _forget(self, user: UserId, former_id: UserId) -> None:
        visited = await self._store.visited(user)
        held: dict[TableId, LoadedTable] = {}
        cancelled = False
        async with AsyncExitStack() as locks:
            # Nothing else holds the lock of an open table while it waits for another, so this cannot deadlock.
            for table_id in [table_id for table_id, is_open in visited.items() if is_open]:
                held[table_id] = loaded = await self._lock(table_id)
                locks.callback(loaded.unlock)
            changes = [
                each
                for item in held.items()
                if (each := await self._change_to_forget(*item, user, former_id)) is not None
            ]
            try:
                await committed(self._store.erase(user, former_id, changes, held))
            except CancelledAfterCommit:
                cancelled = True
            except Conflict:  # another process has changed one of them
                for loaded in held.values():
                    loaded.table = None
                raise
            for change in changes:
                held[change.table.id].update(change)
                self._publish(change)
        await self._reload(set(visited) - set(held))
        if cancelled:
            raise asyncio.CancelledError

    async def _change_to_forget(
        self, table_id: TableId, loaded: LoadedTable, user: UserId, former_id: UserId
    ) -> Change | None:
        table, now = loaded.table or await self._load(table_id, loaded), self._clock.now()
        if table.is_open and table.seat_of(user) is not None:
            raise EraseConflict
        decision = decide(table, Forget(user, former_id), now, self._rng)
        return None if decision.table is table else change_of(table, decision, now, None)

    async def drop(self, table_ids: Iterable[TableId]) -> None:
        """Drop tables that are no longer on the disk."""
        for table_id in table_ids:
            self.timers.note(table_id, None)
        await self._reload(table_ids)

    def is_behind(self, table_id: TableId, step: int) -> bool:
        """Return whether a table in memory has not come to this step yet, and no task is changing it."""
        loaded = self._loaded.get(table_id)
        return loaded is not None and loaded.table is not None and not loaded.users and loaded.table.seq < step

    def changed_elsewhere(self, table_ids: Iterable[TableId] | None = None) -> None:
        """Load tables again when they are next needed, because another process has changed them; None: all tables."""
        for table_id in list(self._loaded) if table_ids is None else table_ids:
            loaded = self._loaded.get(table_id)
            if loaded is not None:  # a step under way is written only if it was made for the newest state
                loaded.table = None
                loaded.changes_elsewhere += 1

    async def _reload(self, table_ids: Iterable[TableId]) -> None:
        """Have tables loaded again when they are next needed."""
        for table_id in table_ids:
            if table_id in self._loaded:
                loaded = await self._lock(table_id)
                loaded.table = None
                loaded.unlock()

    async def get(self, table_id: TableId) -> Table:
        """Return a table as it is on the disk; raise Rejected if there is none."""
        # Other processes tell of their changes, but only the process that looks after the table can rely on it.
        is_known = self._duties is None or self._duties.holds(table_id)
        loaded = self._loaded.get(table_id)
        if loaded is not None and loaded.table is not None and is_known:
            return loaded.table
        loaded = await self._lock(table_id)
        try:
            return (loaded.table if is_known else None) or await self._load(table_id, loaded)
        finally:
            loaded.unlock()

    async def at(self, channel: int) -> Table | None:
        """Return the channel's open table, else its last one; None if it never had any."""
        table_id = await self._store.at(channel)
        return None if table_id is None else await self.get(table_id)

    async def open_in(self, guild: int) -> tuple[TableId, ...]:
        """Return the open tables of a guild."""
        return await self._store.open_in(guild)

    async def open_of(self, user: UserId) -> tuple[TableId, ...]:
        """Return the open tables at which a user has a seat."""
        return await self._store.open_of(user)

    async def _lock(self, table_id: TableId) -> LoadedTable:
        """Return the table, locked. While it is locked or waited for, it stays in memory."""
        loaded = self._find(table_id)
        loaded.users += 1
        try:
            await loaded.lock.acquire()
        except BaseException:
            loaded.users -= 1
            raise
        return loaded

    def _find(self, table_id: TableId) -> LoadedTable:
        loaded = self._loaded.get(table_id)
        if loaded is None:
            # Make room first: if all others are in use, the new one would be dropped itself, and made a second time.
            if len(self._loaded) >= self._max_loaded:
                self._drop_idle(len(self._loaded) + 1 - self._max_loaded)
            loaded = self._loaded[table_id] = LoadedTable()
        else:
            self._loaded.move_to_end(table_id)
        return loaded

    def _drop_idle(self, count: int) -> None:
        idle = islice((table_id for table_id, loaded in self._loaded.items() if not loaded.users), count)
        for table_id in list(idle):
            del self._loaded[table_id]

    async def _load(self, table_id: TableId, loaded: LoadedTable) -> Table:
        while True:
            known = loaded.changes_elsewhere
            stored = await self._store.load(table_id)
            if known == loaded.changes_elsewhere:
                break  # otherwise it may have been read just before another process changed it
        if stored is None:
            self._loaded.pop(table_id, None)
            raise Rejected(HostReason.NO_TABLE)
        loaded.table = stored.table
        loaded.interactions = OrderedDict.fromkeys(stored.interactions)
        return stored.table

    async def _commit(self, loaded: LoadedTable, changes: Sequence[Change]) -> None:
        """Write the changes, the first of which is to the loaded table, and publish them."""
        change = changes[0]
        cancelled = False
        try:
            await committed(self._store.commit(changes))
        except CancelledAfterCommit:
            cancelled = True  # but it was written, and memory must follow the disk
        except Conflict:
            loaded.table = None
            log.info("table %s, step %s: the store holds another step", change.table.id, change.table.seq)
            raise
        except StoreFault as fault:
            if fault.fault is Fault.AWAY:
                self._check_soon(loaded, changes)
            raise
        loaded.update(change)
        for each in changes:
            self._publish(each)
        if cancelled:
            raise asyncio.CancelledError

    def _check_soon(self, loaded: LoadedTable, changes: Sequence[Change]) -> None:
        """Find out later what became of changes during which the connection to the database broke.

        They may have been written after all. Then the tables are another step ahead, and have something to send.
        """
        loaded.table = None
        for change in changes:
            self.timers.note(change.table.id, self._clock.now() + RECHECK_AFTER_LOSS_MILLIS)
            self._publisher.wake(change.table.id)

    def _publish(self, change: Change) -> None:
        before, table = change.before, change.table
        table_id, stage = table.id, table.stage
        if before is None or before.stage is not stage:
            log.info("table %s, step %s: %s", table_id, table.seq, stage)
        self.timers.note(table_id, change.due)
        if change.outbox:
            self._publisher.wake(table_id)
