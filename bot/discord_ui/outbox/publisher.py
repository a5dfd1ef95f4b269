"""Tells people what the outbox holds. At most one request per table is in flight, and the newest state wins.

Each look at a table's outbox can be repeated: edits change nothing the second time, posts carry a nonce that stays the
same. So a failure, a restart and a kill in the middle are all the same thing: look again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import discord

from bot.discord_ui.gateway.guilds import OUTAGE
from bot.discord_ui.outbox.delivery import Teller
from bot.discord_ui.outbox.dms import Postman
from bot.discord_ui.outbox.parent_channel import tell_above
from bot.discord_ui.outbox.table_notes import TABLE, Desk
from bot.discord_ui.wire import rest as wire
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Passing, Refused, Wire
from bot.engine.core import Rejected
from bot.host.commands import Close, Resume, Suspend, Tell
from bot.host.model import Millis, Table, TableId
from bot.host.ports import Clock, OutboxRow, StoreFault
from bot.host.tables import Tables
from bot.store.sqlite.store import SqliteStore
from bot.tuning import tidy

log = logging.getLogger(__name__)

AFTER_THE_ANSWER: Final = 0.015
"""Seconds before a look, so that whoever acted is answered first, and what comes at once is told at once."""
LOOKS_PER_SECOND: Final = 60.0
"""However many tables are busy: drawing must not delay the answers to those who press."""
CROWD: Final = 8
"""So many people who wait for an answer at once are served before anything is drawn,"""
STEP_ASIDE: Final = 0.1
"""in such portions of a second,"""
PORTIONS: Final = 15
"""but so many at most: people want to see what came of it. Meanwhile more happens, and one drawing shows it all."""
LONGEST_BACKOFF: Final = 60.0
SOON: Final = 60 * 60 * 1000
"""Milliseconds: after an absence, tables whose clock runs out within them are drawn again."""
REFRESHED: Final = 200
"""At most so many, the most urgent first: a start must not take longer because there are many tables."""
NOTICED: Final = 10 * 1000
"""Milliseconds: a shorter absence is not worth a word."""
SUSPENDED_RETRY: Final = 60.0
STORE_RETRY: Final = 5.0
KEPT: Final = 2000
"""So many desks are kept; those of quiet tables go first and come back from the store."""


class Publisher:
    """See `bot.host.ports.Publisher`. `attach` before anything is told; `stop` lets what is under way finish."""

    def __init__(self, store: SqliteStore, clock: Clock, scale: float = 1.0) -> None:
        self._store = store
        self._clock = clock
        self._scale = scale
        self._desks: dict[TableId, Desk] = {}
        self._in_channel: dict[int, TableId] = {}
        self._looks = Pace(LOOKS_PER_SECOND * scale, 10)
        self._stopping = False
        self.people_waiting = 0
        """How many people wait for an answer at this moment."""
        self._attached = False

    def attach(self, tables: Tables, out: Wire, postman: Postman, missing: Callable[[Table], str | None]) -> None:
        """Say where the tables are and how Discord is reached; `missing` names the permission that we lack."""
        self._attached = True
        self._tables = tables
        self._wire = out
        self._postman = postman
        self._missing = missing
        self._teller = Teller(self._store, out, self._clock, self._scale)

    async def start(self) -> None:
        """Take up what was not told before the bot went down."""
        for table in await self._store.unsent():
            self.wake(table)
        if self._store.downtime is not None:
            await self.refresh(None, self._store.downtime)

    async def refresh(self, only: Collection[TableId] | None, absent: Millis) -> None:
        """Draw what counts down again, because clocks were put off; after a longer absence, say that we are back."""
        soon = self._clock.now() + SOON
        waiting = [each for each in await self._store.due() if each[1] < soon and (only is None or each[0] in only)]
        for table, _ in sorted(waiting, key=lambda each: each[1])[:REFRESHED]:
            desk = self._desk(table)
            desk.refresh, desk.back_again = True, desk.back_again or absent > NOTICED
            self.wake(table)

    async def stop(self, seconds: float) -> None:
        """Let what is under way finish within so many seconds; the rest is told after the next start."""
        self._stopping = True
        tasks = [desk.task for desk in self._desks.values() if desk.task is not None]
        tasks += self._postman.stopped() if self._attached else []
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # -- what the rest of the bot says

    def wake(self, table: TableId) -> None:
        """Look at a table's outbox soon; return at once."""
        desk = self._desk(table)
        if desk.waits:  # perhaps something has changed, and a closed thread is worth another try
            desk.waits = desk.unarchived = False
        self._wake(desk)

    def _wake(self, desk: Desk) -> None:
        desk.wanted = True
        if desk.task is None and not desk.held and not desk.backing_off and not self._stopping:
            desk.task = asyncio.create_task(self._serve(desk), name=f"desk-{desk.id}")

    @contextmanager
    def held(self, table: TableId) -> Iterator[Desk]:
        """Tell nothing about a table for a moment, because an answer is about to show it."""
        desk = self._desk(table)
        desk.held += 1
        try:
            yield desk
        finally:
            desk.held -= 1
            self.wake(table)

    def lend(self, table: TableId, press: discord.Interaction) -> None:
        """Take note of an answered press, whose token can change the message that it was on."""
        if press.message is not None:
            self._desk(table).lent = (press, press.message.id, time.monotonic())

    def move(self, table: TableId) -> None:
        """Post the table again, down where people are."""
        self._desk(table).move = True
        self.wake(table)

    def heard(self, channel: int) -> None:
        """Count a message of somebody else in a channel."""
        table = self._in_channel.get(channel)
        if table is not None and (desk := self._desks.get(table)) is not None:
            desk.under += 1

    async def message_of(self, table: TableId) -> int | None:
        """Return the message that stands for a table."""
        current = (await self._loaded(self._desk(table))).current()
        return None if current is None else current.message

    async def stands(self, table: Table, message: int) -> None:
        """Take note of a message that stands for the table from now on."""
        await self._teller.stood(await self._loaded(self._desk(table.id)), table, TABLE, message)
        self._in_channel[table.channel] = table.id

    # -- inside

    def _desk(self, table: TableId) -> Desk:
        desk = self._desks.get(table)
        if desk is None:
            if len(self._desks) >= KEPT:
                self._put_away()
            desk = self._desks[table] = Desk(table)
        return desk

    def _put_away(self) -> None:
        quiet = [id_ for id_, desk in self._desks.items() if desk.is_quiet]
        for id_ in quiet[: KEPT // 4]:
            del self._desks[id_]
        self._in_channel = {channel: id_ for channel, id_ in self._in_channel.items() if id_ in self._desks}

    async def _loaded(self, desk: Desk) -> Desk:
        if desk.standing is None:
            found = {(each.kind, each.user): each for each in await self._store.messages(desk.id)}
            if desk.standing is None:  # somebody who asked at the same time may have noted a message since
                desk.standing = found
        return desk

    async def _serve(self, desk: Desk) -> None:
        try:
            await asyncio.sleep(AFTER_THE_ANSWER + desk.pause(self._scale))
            while desk.wanted and not desk.held and not desk.backing_off and not self._stopping:
                await self._make_way()
                await self._looks.take()
                desk.wanted = False
                again = await self._look(desk)
                if again is not None:
                    self._later(desk, again)
                if desk.wanted and not desk.backing_off:
                    await asyncio.sleep(desk.pause(self._scale))
        finally:
            desk.task = None
        if not self.people_waiting:
            tidy()

    async def _make_way(self) -> None:
        """Let those be answered first who have just pressed something, if they are many."""
        # By the clock: the busier the process is, the longer each portion lasts.
        now = asyncio.get_running_loop().time
        enough = now() + PORTIONS * STEP_ASIDE / self._scale
        for _ in range(PORTIONS):
            if self.people_waiting < CROWD or self._stopping or now() >= enough:
                return
            await asyncio.sleep(STEP_ASIDE / self._scale)

    def _later(self, desk: Desk, seconds: float) -> None:
        """Look again after so many seconds, whatever happens until then."""
        if desk.timer is not None:
            desk.timer.cancel()

        def wake() -> None:
            desk.timer = None
            desk.backing_off = False
            self._wake(desk)

        desk.timer = asyncio.get_running_loop().call_later(seconds, wake)

    async def _look(self, desk: Desk) -> float | None:
        """Tell what is to be told; return after how many seconds to look again, None: not by itself."""
        try:
            return await self._told(desk)
        except Passing as fault:
            desk.unsure = desk.backing_off = True
            desk.failures += 1
            log.info("table %s: to be tried again, %s", desk.id, fault)
            return fault.wait or min(LONGEST_BACKOFF, 0.5 * 2.0 ** min(desk.failures, 8)) / self._scale
        except Rejected:
            return None  # the table is gone
        except StoreFault as fault:
            log.warning("table %s: nothing can be told, %s", desk.id, fault)
            desk.unsure = desk.backing_off = True  # it may be posted, and only the note of it not written
            return STORE_RETRY / self._scale
        except Exception:
            log.exception("table %s: could not be told", desk.id)
            desk.unsure = desk.backing_off = True
            return LONGEST_BACKOFF

    async def _told(self, desk: Desk) -> float | None:
        rows = await self._store.outbox(desk.id)
        if not rows and not desk.move and not desk.refresh and not desk.failures:  # after which more is left to do
            return None
        table = await self._tables.get(desk.id)
        # The store may be a step ahead of the table in memory, whose commit has just returned: what belongs to
        # that step is left alone, and the wake that follows it brings it.
        rows = tuple(row for row in rows if row.seq <= table.seq)
        await self._loaded(desk)
        self._in_channel[table.channel] = table.id
        dms = [row for row in rows if row.kind is Tell.DM]
        if table.is_open:  # feathers first; but what leads to the end must know where that is
            self._deliver(dms, desk)
        try:
            again = await self._teller.tell(desk, table, rows)
        except Refused as refused:
            return await self._refused(desk, rows, refused)
        if not table.is_open:
            self._deliver(dms, desk)
        desk.failures, desk.unsure, desk.unarchived, desk.waits = 0, False, False, False
        desk.posted.clear()
        if table.pause is not None and table.pause.why not in (None, OUTAGE):  # whose end Discord tells itself
            await self._tables.submit(desk.id, Resume())
        return again

    def _deliver(self, rows: Sequence[OutboxRow], desk: Desk) -> None:
        for row in rows:
            self._postman.deliver(row, desk)

    async def _refused(self, desk: Desk, rows: tuple[OutboxRow, ...], refused: Refused) -> float | None:
        """Do what Discord's refusal calls for: suspend, close, open the thread again, or give the row up."""
        table = await self._tables.get(desk.id)
        match refused.code:
            case wire.UNKNOWN_CHANNEL:
                log.info("table %s: its channel is gone", desk.id)
                await self._tables.submit(desk.id, Close("channel"))
                rows = await self._store.outbox(desk.id)  # nor can it be told there that it is closed
            case wire.ARCHIVED if not desk.unarchived:
                desk.unarchived = True
                return await self._unarchive(desk, table)
            case wire.NO_ACCESS | wire.NO_PERMISSION | wire.ARCHIVED | wire.LOCKED if table.is_open:
                await self._suspend(desk, table, closed=refused.code in (wire.ARCHIVED, wire.LOCKED))
                desk.waits = True
                return SUSPENDED_RETRY / self._scale
            case _:
                log.warning("table %s, step %s: given up, %s", desk.id, table.seq, refused)
        # Only what was to be told then: what has happened since was never refused.
        await self._store.told([row for row in rows if row.kind is not Tell.DM])
        desk.move = False
        if not table.is_open:  # with its channel gone, the DMs are all that still can say so
            self._deliver([row for row in rows if row.kind is Tell.DM], desk)
        return None

    async def _unarchive(self, desk: Desk, table: Table) -> float | None:
        try:
            await self._wire.unarchive(table.channel)
        except (Refused, Passing) as fault:
            log.info("table %s: its thread stays archived, %s", desk.id, fault)
        return 0.01

    async def _suspend(self, desk: Desk, table: Table, *, closed: bool) -> None:
        """Let the table wait; in a `closed` thread, which perhaps nobody at the table can write in, say so above it."""
        if table.is_suspended:
            return
        missing = self._missing(table) or ("manage_threads" if closed else "send_messages")
        log.info("table %s: suspended, %s is missing", desk.id, missing)
        after = await self._tables.submit(desk.id, Suspend(missing))
        desk.wanted = False  # by ourselves; the timer looks again
        if closed and after.pause is not None:
            await tell_above(self._wire, after, missing)
