"""The shell around `decide`: one lock per table, each interaction once, one commit, then the publisher is woken."""

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
from bot.host.clocks import next_due
from bot.host.commands import Command, Forget, HostReason, Join, Leave
from bot.host.decide import decide, may_rematch, open_rematch, open_table
from bot.host.former_players import new_ghost
from bot.host.loaded_table import Entry, Interrupted, carried_out, change_of, new_id
from bot.host.model import House, Table, TableId, UserId
from bot.host.ports import (
    Change,
    ChannelTaken,
    Clock,
    Conflict,
    Duplicate,
    Fault,
    Publisher,
    Store,
    StoreFault,
    Unforgettable,
)
from bot.host.timers import Timers

log = logging.getLogger(__name__)

KEPT: Final = 1000
"""So many tables stay in memory; the longest unused go first, and come back when somebody asks for them."""
PERSISTENT: Final = 100
"""So often it is tried to forget somebody who sits down again meanwhile."""
LOOK_AGAIN: Final = 100
"""Milliseconds before the clock looks again at a table that it found with nothing due."""


class Tables:
    """Every table of the bot. All that changes a table goes through `submit`."""

    def __init__(
        self, store: Store, publisher: Publisher, clock: Clock, rng: Random | None = None, kept: int = KEPT
    ) -> None:
        self.timers = Timers()
        self._store = store
        self._publisher = publisher
        self._clock = clock
        self._rng = rng or SystemRandom()
        self._kept = kept
        self._entries: OrderedDict[TableId, Entry] = OrderedDict()
        # Counting a server's tables and opening one more must not be done twice at once; few locks serve all servers.
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
        interaction_id: int | None = None,
    ) -> Table:
        """Open a lobby. Refused where the channel has a table or the server as many as it may have."""
        id_ = new_id()
        now = self._clock.now()
        decision = open_table(id_, guild, channel, host, now, game=game, options=options, house=house)
        change = change_of(None, decision, now, interaction_id)
        async with self._opening[guild % len(self._opening)]:
            newest = await self._store.at(channel)
            there = None if newest is None else self._entries.get(newest)
            if there is not None and there.table is not None and interaction_id in there.interactions:
                return there.table  # delivered twice: it would hear that the channel is taken, by what it opened itself
            await self.has_room(guild, decision.table.house)
            try:
                await carried_out(self._store.commit([change]))
            except Interrupted:
                self._published(change)
                raise asyncio.CancelledError from None
            except ChannelTaken:
                raise Rejected(HostReason.CHANNEL_TAKEN, table=await self._store.at(channel)) from None
            except Duplicate:
                opened = await self.at(channel)
                if opened is None:
                    raise Rejected(HostReason.NO_TABLE) from None
                return opened
        self._entry(id_).keep(change)
        self._published(change)
        return decision.table

    async def has_room(self, guild: int, house: House) -> None:
        """Refuse where a server has as many tables as it may have.

        One that cannot be reached, perhaps never again, keeps nobody from playing. Should it go on, there is one more.
        """
        here = await self._store.open_in(guild)
        if len(here) < house.tables_at_once:
            return
        waiting = [table_id for table_id in here if (await self.get(table_id)).is_suspended]
        if len(here) - len(waiting) >= house.tables_at_once:
            raise Rejected(HostReason.TOO_MANY_TABLES, at_once=house.tables_at_once)

    async def rematch(
        self, table_id: TableId, by: UserId, *, house: House | None = None, interaction_id: int | None = None
    ) -> Table:
        """Open a new lobby for the people of a finished table; asked again, return the one that was opened.

        It is hosted as the old one was; `house` is what the server wants now, and says how many tables it has room for.
        """
        guild = (await self.get(table_id)).guild
        async with self._opening[guild % len(self._opening)]:
            over = await self.get(table_id)
            if over.rematch is None:
                may_rematch(over, by)
                # Before the table is held: looking at the others may wait for one that `forget` holds, which may wait
                # for this one.
                await self.has_room(guild, house or over.house)
            entry = await self._lock(table_id)
            try:
                try:
                    again = await self._rematch(table_id, entry, by, interaction_id)
                except Conflict:  # a deletion has just counted the finished table one step further
                    again = await self._rematch(table_id, entry, by, interaction_id)
            finally:
                entry.unlock()
        return again if isinstance(again, Table) else await self.get(again)

    async def _rematch(
        self, table_id: TableId, entry: Entry, by: UserId, interaction_id: int | None
    ) -> Table | TableId:
        table = entry.table or await self._load(table_id, entry)
        if table.rematch is not None:
            return table.rematch
        settings = {player.user: await self._store.preferences(player.user) for player in table.people}
        now = self._clock.now()
        old, opened = open_rematch(table, new_id(), by, now, settings)
        try:
            await self._commit(entry, [change_of(table, old, now, None), change_of(None, opened, now, interaction_id)])
        except ChannelTaken:
            raise Rejected(HostReason.CHANNEL_TAKEN, table=await self._store.at(table.channel)) from None
        return opened.table

    async def submit(self, table_id: TableId, command: Command, *, interaction_id: int | None = None) -> Table:
        """Carry out one command; return the table once it is on the disk.

        Raises Rejected if it may not be, and StoreFault if it could not be written: then nothing has
        happened. An interaction that was applied before changes nothing and returns the present table.
        """
        entry = await self._lock(table_id)
        try:
            table = entry.table or await self._load(table_id, entry)
            if interaction_id is not None and interaction_id in entry.interactions:
                return table
            now = self._clock.now()
            try:
                decision = decide(table, command, now, self._rng)
            except Rejected as refusal:  # never what was asked: it may say what somebody sees
                log.debug("table %s, step %s: refused, %s", table_id, table.seq, refusal.reason)
                raise
            if decision.table is table:
                due = next_due(table)
                self.timers.note(table_id, None if due is None else max(due, now + LOOK_AGAIN))
                return table
            try:
                await self._commit(entry, [change_of(table, decision, now, interaction_id)])
            except Duplicate:
                return table
            return decision.table
        finally:
            entry.unlock()

    async def forget(self, user: UserId) -> UserId:
        """Erase a person everywhere, on the disk and in memory; wherever they are seated, they get up first.

        Returns the former player that they are from now on. What their rows leave behind is for the store to wipe.
        """
        ghost = new_ghost()
        async with self._forgetting:
            for _ in range(PERSISTENT):
                for table_id in await self._store.open_of(user):
                    with suppress(Rejected):  # the table came to its end meanwhile
                        await self.submit(table_id, Leave(user))
                with suppress(Unforgettable):  # they sat down somewhere else meanwhile
                    await self._forget(user, ghost)
                    return ghost
        raise StoreFault(Fault.BUSY, "somebody sits down faster than they can be forgotten")

    async def _forget(self, user: UserId, ghost: UserId) -> None:
        visited = await self._store.visited(user)
        held: dict[TableId, Entry] = {}
        interrupted = False
        async with AsyncExitStack() as locks:
            # Nobody else holds an open table while waiting for another, so holding several cannot end in a knot.
            for table_id in [table_id for table_id, is_open in visited.items() if is_open]:
                held[table_id] = entry = await self._lock(table_id)
                locks.callback(entry.unlock)
            changes = [each for item in held.items() if (each := await self._without(*item, user, ghost)) is not None]
            try:
                await carried_out(self._store.erase(user, ghost, changes, held))
            except Interrupted:
                interrupted = True
            for change in changes:
                held[change.table.id].keep(change)
                self._published(change)
        await self._reload(set(visited) - set(held))
        if interrupted:
            raise asyncio.CancelledError

    async def _without(self, table_id: TableId, entry: Entry, user: UserId, ghost: UserId) -> Change | None:
        table, now = entry.table or await self._load(table_id, entry), self._clock.now()
        if table.is_open and table.seat_of(user) is not None:
            raise Unforgettable
        decision = decide(table, Forget(user, ghost), now, self._rng)
        return None if decision.table is table else change_of(table, decision, now, None)

    async def drop(self, table_ids: Iterable[TableId]) -> None:
        """Forget tables that are no longer on the disk."""
        for table_id in table_ids:
            self.timers.note(table_id, None)
        await self._reload(table_ids)

    async def _reload(self, table_ids: Iterable[TableId]) -> None:
        """Have tables read anew when somebody asks for them next."""
        for table_id in table_ids:
            if table_id in self._entries:
                entry = await self._lock(table_id)
                entry.table = None
                entry.unlock()

    async def get(self, table_id: TableId) -> Table:
        """Return a table as it is on the disk; refuse if there is none."""
        entry = self._entries.get(table_id)
        if entry is not None and entry.table is not None:
            return entry.table
        entry = await self._lock(table_id)
        try:
            return entry.table or await self._load(table_id, entry)
        finally:
            entry.unlock()

    async def at(self, channel: int) -> Table | None:
        """Return the channel's table: the open one, else the last one; None if there never was any."""
        table_id = await self._store.at(channel)
        return None if table_id is None else await self.get(table_id)

    async def open_in(self, guild: int) -> tuple[TableId, ...]:
        """Return the open tables of a server."""
        return await self._store.open_in(guild)

    async def open_of(self, user: UserId) -> tuple[TableId, ...]:
        """Return the open tables at which somebody sits."""
        return await self._store.open_of(user)

    async def _lock(self, table_id: TableId) -> Entry:
        """Return the table's entry, locked. What is locked, or waited for, stays in memory."""
        entry = self._entry(table_id)
        entry.users += 1
        try:
            await entry.lock.acquire()
        except BaseException:
            entry.users -= 1
            raise
        return entry

    def _entry(self, table_id: TableId) -> Entry:
        entry = self._entries.get(table_id)
        if entry is None:
            # Before it is there: where all others are in use it would be put away itself, and then made a second time.
            if len(self._entries) >= self._kept:
                self._put_away(len(self._entries) + 1 - self._kept)
            entry = self._entries[table_id] = Entry()
        else:
            self._entries.move_to_end(table_id)
        return entry

    def _put_away(self, count: int) -> None:
        idle = islice((table_id for table_id, entry in self._entries.items() if not entry.users), count)
        for table_id in list(idle):
            del self._entries[table_id]

    async def _load(self, table_id: TableId, entry: Entry) -> Table:
        loaded = await self._store.load(table_id)
        if loaded is None:
            self._entries.pop(table_id, None)
            raise Rejected(HostReason.NO_TABLE)
        entry.table = loaded.table
        entry.interactions = OrderedDict.fromkeys(loaded.interactions)
        return loaded.table

    async def _commit(self, entry: Entry, changes: Sequence[Change]) -> None:
        """Have the changes written, the first of which is to the entry's table, and let the world know."""
        change = changes[0]
        interrupted = False
        try:
            await carried_out(self._store.commit(changes))
        except Interrupted:
            interrupted = True  # but written: the table in memory must not lag behind the disk
        except Conflict:
            entry.table = None
            log.warning("table %s, step %s: the store holds another step", change.table.id, change.table.seq)
            raise
        entry.keep(change)
        for each in changes:
            self._published(each)
        if interrupted:
            raise asyncio.CancelledError

    def _published(self, change: Change) -> None:
        before, table = change.before, change.table
        table_id, stage = table.id, table.stage
        if before is None or before.stage is not stage:
            log.info("table %s, step %s: %s", table_id, table.seq, stage)
        self.timers.note(table_id, change.due)
        if change.tell:
            self._publisher.wake(table_id)
