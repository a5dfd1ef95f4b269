"""The shell around `decide`: one lock per table, each interaction once, one commit, then the publisher is woken."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Final

from bot.games.core import Json, Rejected
from bot.host import views
from bot.host.clocks import next_due
from bot.host.commands import Command, HostReason, Join
from bot.host.decide import decide, open_rematch, open_table
from bot.host.decision import Decision
from bot.host.model import House, Millis, Table, TableId, UserId
from bot.host.ports import Change, ChannelTaken, Clock, Conflict, Duplicate, Publisher, Store
from bot.host.timers import Timers

log = logging.getLogger(__name__)

KEPT: Final = 1000
"""So many tables stay in memory; the longest unused go first, and come back when somebody asks for them."""
REMEMBERED: Final = 64
"""So many interactions a loaded table remembers by itself; older ones are recognised by the store."""
LOOK_AGAIN: Final = 100
"""Milliseconds before the clock looks again at a table that it found with nothing due."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


class _Entry:
    """A table in memory. `table` and `interactions` are what the store holds, or None if that must be asked."""

    __slots__ = ("interactions", "lock", "table", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.interactions: OrderedDict[int, None] = OrderedDict()
        self.users = 0
        """How many hold or wait for the lock; such a table is not put away."""


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
        self._entries: OrderedDict[TableId, _Entry] = OrderedDict()
        self._opening = asyncio.Lock()

    view = staticmethod(views.view)

    async def open(
        self,
        guild: int,
        channel: int,
        host: Join,
        *,
        game: str = "coyote",
        options: Mapping[str, Json] | None = None,
        house: House | None = None,
        interaction_id: int | None = None,
    ) -> Table:
        """Open a lobby. Refused where the channel has a table or the server as many as it may have."""
        id_ = _new_id()
        now = self._clock.now()
        decision = open_table(id_, guild, channel, host, now, game=game, options=options, house=house)
        async with self._opening:
            at_once = decision.table.house.tables_at_once
            if len(await self._store.open_in(guild)) >= at_once:
                raise Rejected(HostReason.TOO_MANY_TABLES, at_once=at_once)
            try:
                await _carried_out(self._store.commit([_change(None, decision, now, interaction_id)]))
            except _Interrupted:
                self._published(decision)
                raise asyncio.CancelledError from None
            except ChannelTaken:
                raise Rejected(HostReason.CHANNEL_TAKEN, table=await self._store.at(channel)) from None
            except Duplicate:
                opened = await self.at(channel)
                if opened is None:
                    raise Rejected(HostReason.NO_TABLE) from None
                return opened
        self._published(decision)
        return decision.table

    async def rematch(self, table_id: TableId, by: UserId, *, interaction_id: int | None = None) -> Table:
        """Open a new lobby for the people of a finished table; asked again, return the one that was opened."""
        async with _Held(self, table_id) as entry:
            table = await self._loaded(table_id, entry)
            if table.rematch is not None:
                new = table.rematch
            else:
                now = self._clock.now()
                old, opened = open_rematch(table, _new_id(), by, now)
                changes = [_change(table, old, now, None), _change(None, opened, now, interaction_id)]
                try:
                    await self._commit(entry, old, changes)
                except ChannelTaken:
                    raise Rejected(HostReason.CHANNEL_TAKEN, table=await self._store.at(table.channel)) from None
                self._published(old)
                self._published(opened)
                return opened.table
        return await self.get(new)

    async def submit(self, table_id: TableId, command: Command, *, interaction_id: int | None = None) -> Table:
        """Carry out one command; return the table once it is on the disk.

        Raises Rejected if it may not be, and StoreFault if it could not be written: then nothing has
        happened. An interaction that was applied before changes nothing and returns the present table.
        """
        async with _Held(self, table_id) as entry:
            table = await self._loaded(table_id, entry)
            if interaction_id is not None and interaction_id in entry.interactions:
                return table
            now = self._clock.now()
            decision = decide(table, command, now, self._rng)
            if decision.table is table:
                due = next_due(table)
                self.timers.note(table_id, None if due is None else max(due, now + LOOK_AGAIN))
                return table
            try:
                await self._commit(entry, decision, [_change(table, decision, now, interaction_id)], interaction_id)
            except Duplicate:
                return table
        self._published(decision)
        return decision.table

    async def get(self, table_id: TableId) -> Table:
        """Return a table as it is on the disk; refuse if there is none."""
        entry = self._entries.get(table_id)
        if entry is not None and entry.table is not None:
            return entry.table
        async with _Held(self, table_id) as entry:
            return await self._loaded(table_id, entry)

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

    def hold(self, table_id: TableId) -> _Entry:
        """Return the entry of a table and keep it in memory until `release`; for this module's own use."""
        entry = self._entries.get(table_id)
        if entry is None:
            entry = self._entries[table_id] = _Entry()
            if len(self._entries) > self._kept:
                self._put_away(len(self._entries) - self._kept)
        else:
            self._entries.move_to_end(table_id)
        entry.users += 1
        return entry

    def _put_away(self, count: int) -> None:
        idle = [table_id for table_id, entry in self._entries.items() if not entry.users]
        for table_id in idle[:count]:
            del self._entries[table_id]

    async def _loaded(self, table_id: TableId, entry: _Entry) -> Table:
        if entry.table is None:
            loaded = await self._store.load(table_id)
            if loaded is None:
                self._entries.pop(table_id, None)
                raise Rejected(HostReason.NO_TABLE)
            entry.table = loaded.table
            entry.interactions = OrderedDict.fromkeys(loaded.interactions)
        return entry.table

    async def _commit(
        self, entry: _Entry, decision: Decision, changes: Sequence[Change], interaction_id: int | None = None
    ) -> None:
        try:
            await _carried_out(self._store.commit(changes))
        except _Interrupted:
            # Written, but whoever asked has gone: the table in memory must not lag behind the disk.
            _remember(entry, decision.table, interaction_id)
            for change in changes:
                self._published(Decision(change.table, change.log, change.tell))
            raise asyncio.CancelledError from None
        except Conflict:
            entry.table = None
            log.exception("table %s, step %s: the store holds another step", decision.table.id, decision.table.seq)
            raise
        _remember(entry, decision.table, interaction_id)

    def _published(self, decision: Decision) -> None:
        self.timers.note(decision.table.id, next_due(decision.table))
        if decision.tell:
            self._publisher.wake(decision.table.id)


class _Held:
    """The lock of one table, held by whoever is inside."""

    __slots__ = ("_entry",)

    def __init__(self, tables: Tables, table_id: TableId) -> None:
        self._entry = tables.hold(table_id)

    async def __aenter__(self) -> _Entry:
        try:
            await self._entry.lock.acquire()
        except BaseException:
            self._entry.users -= 1
            raise
        return self._entry

    async def __aexit__(self, *_: object) -> None:
        self._entry.users -= 1
        self._entry.lock.release()


class _Interrupted(Exception):
    """The change was written, but whoever waited for it was cancelled meanwhile."""


async def _carried_out(commit: asyncio.Future[None]) -> None:
    """Wait until the store has answered, even if the caller is cancelled: a write that is under way is not undone."""
    try:
        await asyncio.shield(commit)
    except asyncio.CancelledError:
        while not commit.done():
            try:
                await asyncio.wait([commit])
            except asyncio.CancelledError:
                continue
        if commit.cancelled() or commit.exception() is not None:
            raise
        raise _Interrupted from None


def _remember(entry: _Entry, table: Table, interaction_id: int | None) -> None:
    entry.table = table
    if interaction_id is not None:
        entry.interactions[interaction_id] = None
        if len(entry.interactions) > REMEMBERED:
            entry.interactions.popitem(last=False)


def _change(before: Table | None, decision: Decision, now: Millis, interaction_id: int | None) -> Change:
    return Change(before, decision.table, decision.log, decision.tell, now, interaction_id)


def _new_id() -> TableId:
    """Return a name that nobody has, short enough for every custom_id."""
    return TableId("".join(secrets.choice(_LETTERS) for _ in range(9)))
