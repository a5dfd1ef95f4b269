"""Tells people what the outbox holds. One request after another shows a table, and the newest state wins.

Pings and DMs are sent beside that, so that no request waits for one of another kind.

Each sweep of a table's outbox can be repeated: edits change nothing the second time, and posts carry a nonce that stays
the same. So a failure, a restart and a kill in the middle all have the same remedy: sweep again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from bot.discord_ui.drawing import is_revealing
from bot.discord_ui.gateway.guilds import OUTAGE
from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.outbox.channel_writer import ChannelWriter
from bot.discord_ui.outbox.delivery import Delivery
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.parent_channel import tell_parent_channel
from bot.discord_ui.outbox.pings import PINGS, Pings
from bot.discord_ui.outbox.private_messages import PrivateMessages
from bot.discord_ui.outbox.table_messages import MessageKind, TableMessages
from bot.discord_ui.outbox.table_notes import TableNotes
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import HandedOver, RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace, Urgency
from bot.discord_ui.wire.press_requests import LentPress
from bot.discord_ui.wire.rest import Outgoing, Rest
from bot.engine.core import Rejected
from bot.host.commands import Close, OutboxKind, Resume, Suspend
from bot.host.duties import EveryTable
from bot.host.model import Millis, Table, TableId
from bot.host.ports import Clock, Duties, Fault, Message, OutboxRow, Posting, StoreFault
from bot.host.tables import Tables
from bot.screens.layout import Screen
from bot.store.ports import OutboxStore
from bot.tuning import collect_garbage

log = logging.getLogger(__name__)

ANSWER_FIRST_SECONDS: Final = 0.015
"""Wait before a sweep, so that the person who acted is answered first and simultaneous changes share one sweep."""
MAX_SWEEPS_PER_SECOND: Final = 200.0
"""Cap on sweeps of all tables together, so that drawing never delays the answers to presses."""
TOTAL_SWEEP_BURST: Final = 10
"""How many sweeps of all tables together may follow each other without a pause."""
CROWD_OF_PEOPLE: Final = 8
"""Drawing waits while at least this many people are waiting for an answer."""
CROWD_CHECK_SECONDS: Final = 0.1
"""Pause between two checks of whether these people have been answered."""
MAX_CROWD_CHECKS: Final = 15
"""After this many pauses drawing goes on: people want to see what came of their presses."""
LONGEST_BACKOFF_SECONDS: Final = 60.0
"""Longest wait before a table is tried again."""
REDRAW_WITHIN_MILLIS: Final = 60 * 60 * 1000
"""After an absence, tables whose clock runs out within this many milliseconds are drawn again."""
MAX_REDRAWN_TABLES: Final = 200
"""Cap on the tables drawn again, the most urgent first, so that many tables do not slow down a start."""
NOTICEABLE_ABSENCE_MILLIS: Final = 10 * 1000
"""A longer absence is mentioned at the tables."""
SUSPENDED_RETRY_SECONDS: Final = 60.0
"""Wait before a suspended table is tried again."""
FAILED_STORE_RETRY_SECONDS: Final = 5.0
"""Wait before a table is tried again after the database failed."""
AWAY_RETRY_SECONDS: Final = 0.5
"""Wait before a table is tried again while the database cannot be reached, which costs next to nothing."""
REOPENED_RETRY_SECONDS: Final = 0.01
"""Wait before a table whose thread was reopened is tried again."""
MAX_NOTES: Final = 2000
"""Cap on tables whose notes are kept; those of idle tables are dropped and read from the store again when needed."""


class Publisher:
    """See `bot.host.ports.Publisher`. Call `attach` before anything is sent; `stop` lets tasks under way finish.

    It owns the notes on all tables. `Delivery` and `DirectMessages` work for it and note what they have sent; everybody
    else tells the publisher what happened.
    """

    def __init__(self, store: OutboxStore, clock: Clock, scale: float = 1.0, duties: Duties | None = None) -> None:
        self._duties = duties or EveryTable()
        self._is_alone = duties is None
        self._left_over: frozenset[TableId] = frozenset()
        """Tables to which something was still to be sent when this process started."""
        self._store = store
        self._clock = clock
        self._scale = scale
        self._notes: dict[TableId, TableNotes] = {}
        self._table_in: dict[int, TableId] = {}
        self._sweeps = Pace(MAX_SWEEPS_PER_SECOND * scale, TOTAL_SWEEP_BURST)
        self._wrote_late: set[TableId] = set()
        """Tables that this process lost during a sweep; who looks after them now may not have heard of it yet."""
        self._is_stopping = False
        self._is_attached = False
        self._people_waiting = 0
        """How many people wait for an answer at this moment."""

    @contextmanager
    def somebody_waits(self) -> Iterator[None]:
        """Count one more person as waiting for an answer while the `with` block runs."""
        self._people_waiting += 1
        try:
            yield
        finally:
            self._people_waiting -= 1

    def attach(
        self,
        tables: Tables,
        rest: Rest,
        dms: DirectMessages,
        private: PrivateMessages,
        illustrator: Illustrator,
        *,
        missing: Callable[[Table], str | None],
        reads_history: Callable[[Table], bool],
    ) -> None:
        """Give the publisher the tables and its way to Discord.

        `missing` names the permission that the bot lacks at a table; `reads_history` tells whether it can find its own
        messages there.
        """
        self._is_attached = True
        self._tables = tables
        self._rest = rest
        self._dms = dms
        self._private = private
        self._illustrator = illustrator
        self._missing = missing
        self._reads_history = reads_history
        self._pings = Pings(
            tables,
            self._store,
            self._clock,
            scale=self._scale,
            drawing=self._sweeps,
            writer=lambda table, messages: self._writer(table, messages, Urgency.SPARE),
            refused=self._pings_refused,
        )

    async def start(self) -> None:
        """Deliver what was left in the outbox when the bot went down."""
        self._left_over = frozenset(await self._store.unsent())
        await self.read_outbox()
        if self._store.downtime is not None:
            await self.refresh(None, self._store.downtime)

    async def read_outbox(self) -> None:
        """Deliver what the outbox holds for the tables that this process looks after."""
        for table in await self._store.unsent():
            self.wake(table)
        while self._wrote_late:  # the database is in reach, so the word arrives
            self._duties.wrote_late(self._wrote_late.pop())

    def holds(self, table: TableId) -> bool:
        """Return whether this process sends the messages of a table."""
        return self._duties.holds(table)

    def draw_again(self, table: TableId) -> None:
        """Draw a table again, whatever its messages seem to show: another process may have written over them."""
        notes = self._notes_on(table)
        notes.messages.outdated()
        notes.due.want_redraw(restart_line=False)
        self.wake(table)

    def taken(self, table: TableId) -> None:
        """Begin to deliver to a table; another process may have done so before, and may have been killed."""
        notes = self._notes.get(table)
        if notes is not None:
            notes.messages.outdated()
            if notes.schedule.is_wanted:
                self._want_sweep(notes)

    async def stop(self, seconds: float) -> None:
        """Let tasks under way finish within this many seconds; the rest is sent after the next start."""
        self._is_stopping = True
        tasks = [task for notes in self._notes.values() if (task := notes.schedule.task) is not None]
        if self._is_attached:
            tasks += [*self._pings.stop(), *self._dms.stop(), *self._private.stop(), *self._illustrator.stop()]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # -- calls from the rest of the bot

    def wake(self, table: TableId) -> None:
        """Sweep a table's outbox soon; return at once."""
        notes = self._notes_on(table)
        notes.woken()
        self._want_sweep(notes)

    async def refresh(self, only: Collection[TableId] | None, absent: Millis) -> None:
        """Draw countdowns again, because deadlines were put off; after a longer absence, say that the bot is back."""
        soon = self._clock.now() + REDRAW_WITHIN_MILLIS
        waiting = [each for each in await self._store.due() if each[1] < soon and (only is None or each[0] in only)]
        for table, _ in sorted(waiting, key=lambda each: each[1])[:MAX_REDRAWN_TABLES]:
            self._notes_on(table).due.want_redraw(restart_line=absent > NOTICEABLE_ABSENCE_MILLIS)
            self.wake(table)

    @contextmanager
    def answering(self, table: TableId) -> Iterator[None]:
        """Hold back sweeps of a table until the answer that shows it has been sent."""
        schedule = self._notes_on(table).schedule
        schedule.answer_started()
        try:
            yield
        finally:
            schedule.answer_ended()
            self.wake(table)

    async def expect_answer(self, table: Table, webhook: str) -> None:
        """Record that the answer to a command is to become the table message, and by which webhook it can be found."""
        messages = self._notes_on(table.id).messages
        await self._load(table.id, messages)
        posting = Posting("", webhook, self._clock.now())
        try:
            await self._store.note_posting(table.id, posting)
        except StoreFault as fault:
            log.info("table %s: opened without a note on its answer, %s", table.id, fault)
        messages.posting_noted(posting)

    async def adopt(self, table: Table, message: int, screen: Screen, answer_to: LentPress | None = None) -> None:
        """Make a message that shows this screen the table message; `answer_to` is the command that it answers."""
        messages = self._notes_on(table.id).messages
        messages.drawn(message, Outgoing(screen))
        await self._load(table.id, messages)
        placed = [Message(table.id, MessageKind.TABLE, None, table.channel, message, self._clock.now())]
        await self._store.mark_done([], placed=placed, settles=table.id)
        messages.placed(placed)
        messages.posting_noted(None)
        self._table_in[table.channel] = table.id
        if answer_to is not None:
            messages.presses.lend(answer_to)

    def lend(self, table: TableId, press: LentPress) -> None:
        """Lend the publisher a press that was answered, to show everybody what has happened at the table."""
        self._notes_on(table).messages.presses.lend(press)

    def move(self, table: TableId) -> None:
        """Post the table message again, at the end of the channel."""
        self._notes_on(table).due.want_move()
        self.wake(table)

    def message_seen(self, channel: int) -> None:
        """Count somebody else's message in a channel."""
        table = self._table_in.get(channel)
        if table is not None and (notes := self._notes.get(table)) is not None:
            notes.due.message_seen_below()

    async def message_of(self, table: TableId) -> int | None:
        """Return the message that shows a table."""
        messages = self._notes_on(table).messages
        await self._load(table, messages)
        current = messages.current
        return None if current is None else current.message

    # -- notes

    def _notes_on(self, table: TableId) -> TableNotes:
        notes = self._notes.get(table)
        if notes is None:
            if len(self._notes) >= MAX_NOTES:
                self._drop_idle_notes()
            notes = self._notes[table] = TableNotes(table)
        return notes

    def _drop_idle_notes(self) -> None:
        idle = [table for table, notes in self._notes.items() if notes.is_idle]
        for table in idle[: MAX_NOTES // 4]:
            del self._notes[table]
        self._table_in = {channel: table for channel, table in self._table_in.items() if table in self._notes}

    async def _load(self, table: TableId, messages: TableMessages) -> None:
        if not messages.is_loaded:
            messages.load(*await self._read(table))

    async def _read(self, table: TableId) -> tuple[Sequence[Message], Posting | None, float]:
        """Return a table's messages as the store knows them, and one that may have been posted, with its age."""
        found, posting = await self._store.messages(table), await self._store.posting(table)
        age = 0.0 if posting is None else (self._clock.now() - posting.at) / 1000 / self._scale
        return found, posting, max(0.0, age)

    # -- sweeping

    def _want_sweep(self, notes: TableNotes) -> None:
        schedule = notes.schedule
        schedule.want_sweep()
        if not self._duties.holds(notes.table):
            self._duties.want(notes.table)  # `taken` follows, unless another process looks after it
            return
        if schedule.task is None and schedule.is_due and not self._is_stopping:
            schedule.task_started(asyncio.create_task(self._work(notes), name=f"table-{notes.table}"))

    async def _work(self, notes: TableNotes) -> None:
        """Sweep a table's outbox until nothing more is due."""
        schedule = notes.schedule
        try:
            await asyncio.sleep(ANSWER_FIRST_SECONDS + schedule.count_sweep(self._scale))
            while schedule.is_due and not self._is_stopping and self._duties.holds(notes.table):
                await self._let_crowd_pass()
                await self._sweeps.take(Urgency.SHOWS)
                schedule.clear_wanted_sweep()
                next_sweep_seconds = await self._sweep(notes)
                if not self._duties.holds(notes.table):
                    self._duties.wrote_late(notes.table)
                    self._wrote_late.add(notes.table)
                if next_sweep_seconds is not None:
                    schedule.call_later(next_sweep_seconds, lambda: self._want_sweep(notes))
                if schedule.is_wanted and not schedule.is_backing_off:
                    await asyncio.sleep(schedule.count_sweep(self._scale))
        finally:
            schedule.task_ended()
        if not self._people_waiting:
            collect_garbage()

    async def _let_crowd_pass(self) -> None:
        """Wait, if many people have just pressed something, until they are answered."""
        # Bounded by the clock, too: in a busy process each pause takes longer.
        now = asyncio.get_running_loop().time
        latest = now() + MAX_CROWD_CHECKS * CROWD_CHECK_SECONDS / self._scale
        for _ in range(MAX_CROWD_CHECKS):
            if self._people_waiting < CROWD_OF_PEOPLE or self._is_stopping or now() >= latest:
                return
            await asyncio.sleep(CROWD_CHECK_SECONDS / self._scale)

    async def _sweep(self, notes: TableNotes) -> float | None:
        """Deliver what is due; return the seconds until the next sweep, or None to wait until woken."""
        try:
            return await self._deliver(notes)
        except TemporaryFailure as fault:
            self._back_off(notes)
            failures = notes.schedule.failed()
            log.info("table %s: will be tried again, %s", notes.table, fault)
            return fault.wait or min(LONGEST_BACKOFF_SECONDS, 0.5 * 2.0 ** min(failures, 8)) / self._scale
        except Rejected:
            return None  # the table is gone
        except HandedOver:
            log.info("table %s: another process sends its messages now", notes.table)
            notes.messages.posts.interrupted()
            notes.messages.outdated()
            notes.schedule.want_sweep()  # if this process gets it back, nothing is left out
            return None
        except StoreFault as fault:
            log.warning("table %s: cannot be delivered to, %s", notes.table, fault)
            self._back_off(notes)  # a message may have been posted without being noted
            return (AWAY_RETRY_SECONDS if fault.fault is Fault.AWAY else FAILED_STORE_RETRY_SECONDS) / self._scale
        except Exception:
            log.exception("table %s: delivery failed", notes.table)
            self._back_off(notes)
            return LONGEST_BACKOFF_SECONDS

    def _back_off(self, notes: TableNotes) -> None:
        notes.messages.posts.interrupted()
        notes.schedule.back_off()

    async def _deliver(self, notes: TableNotes) -> float | None:
        rows = await self._store.outbox(notes.table)
        due = notes.due
        await self._load(notes.table, notes.messages)
        if notes.messages.is_outdated:
            notes.messages.reload(*await self._read(notes.table))
        may_be_older = notes.table in self._left_over and any(row.kind in PINGS for row in rows)
        if self._is_alone and not may_be_older:
            notes.messages.ping_posts.begin_certain()  # none was being sent when an earlier process ended
        if self._is_alone and notes.table not in self._left_over and not due.wants_restart_line:
            notes.messages.posts.begin_certain()  # nothing was being posted then
        # After a failure or a kill there may be more to do than the outbox says.
        is_settled = not notes.schedule.failures and notes.messages.posting is None
        if not rows and not due.wants_move and not due.wants_redraw and due.staged_reveal is None and is_settled:
            return None
        table = await self._tables.get(notes.table)
        # The store may be a step ahead of the table in memory, whose commit has just returned. Rows of that step are
        # left for the wake that follows it.
        rows = tuple(row for row in rows if row.seq <= table.seq)
        self._table_in[table.channel] = table.id
        if not table.is_suspended:
            self._pings.attend(table.id, notes.pings, notes.messages, rows)
        dms = [row for row in rows if row.kind is OutboxKind.DM]
        # The private cards come first. But a DM about the end links to the message that shows it, and one that tells
        # somebody that they are out must not be quicker than the reveal.
        cards_first = table.is_open and not is_revealing(table)
        if cards_first:
            self._deliver_dms(dms, notes)
        delivery = Delivery(
            notes,
            table,
            store=self._store,
            rest=self._rest,
            writer=self._writer(table, notes.messages, Urgency.SHOWS),
            pings=self._pings,
            illustrator=self._illustrator,
            clock=self._clock,
            scale=self._scale,
            redraw=lambda: self._redraw(notes),
        )
        try:
            next_sweep_seconds = await delivery.deliver(rows)
            if table.is_suspended:  # it goes on only if everything can be sent
                await self._pings.try_now(table, notes.pings, notes.messages, rows)
        except RequestRefused as refused:
            return await self._handle_refusal(notes, rows, refused)
        if due.staged_reveal is None:
            if not cards_first:
                self._deliver_dms(dms, notes)
            self._private.follow(table.id, table.seq)
        notes.sweep_completed()
        notes.pings.table_shown()
        self._pings.attend(table.id, notes.pings, notes.messages, ())  # there may be more to take away now
        if table.pause is not None and table.pause.why not in (None, OUTAGE):  # the gateway reports an outage's end
            await self._tables.submit(notes.table, Resume())
        return next_sweep_seconds

    def _redraw(self, notes: TableNotes) -> None:
        """Draw a table's message again, because its picture was late."""
        notes.due.want_redraw(restart_line=False)
        self._want_sweep(notes)

    def _writer(self, table: Table, messages: TableMessages, urgency: Urgency) -> ChannelWriter:
        return ChannelWriter(
            table,
            messages,
            messages.ping_posts if urgency is Urgency.SPARE else messages.posts,
            store=self._store,
            rest=self._rest,
            illustrator=self._illustrator,
            reads_history=self._reads_history(table),
            urgency=urgency,
            holds=self._duties.holds,
        )

    def _deliver_dms(self, rows: Sequence[OutboxRow], notes: TableNotes) -> None:
        for row in rows:
            self._dms.deliver(row, notes.messages)

    # -- refusals

    async def _handle_refusal(
        self, notes: TableNotes, rows: tuple[OutboxRow, ...], refused: RequestRefused
    ) -> float | None:
        """Close or suspend the table, open its thread, or give the rows up, as Discord's refusal requires."""
        table = await self._tables.get(notes.table)
        match refused.code:
            case error_codes.UNKNOWN_CHANNEL:
                log.info("table %s: its channel is gone", notes.table)
                await self._tables.submit(notes.table, Close("channel"))
                rows = await self._store.outbox(notes.table)  # the news of its closing cannot be posted there either
            case error_codes.ARCHIVED if not notes.tried_to_reopen:
                notes.reopening_tried()
                await self._reopen_thread(table)
                return REOPENED_RETRY_SECONDS
            case error_codes.NO_ACCESS | error_codes.NO_PERMISSION | error_codes.ARCHIVED | error_codes.LOCKED if (
                table.is_open
            ):
                closed = refused.code in (error_codes.ARCHIVED, error_codes.LOCKED)
                await self._suspend(notes, table, thread_closed=closed)
                notes.suspended()
                return SUSPENDED_RETRY_SECONDS / self._scale
            case _:
                log.warning("table %s, step %s: given up, %s", notes.table, table.seq, refused)
        # Only the rows of this sweep: nothing that happened since was refused.
        await self._store.mark_done([row for row in rows if row.kind is not OutboxKind.DM])
        notes.due.moved()
        if not table.is_open:  # with the channel gone, only the DMs can still say so
            self._deliver_dms([row for row in rows if row.kind is OutboxKind.DM], notes)
        return None

    async def _pings_refused(self, table: TableId, refused: RequestRefused) -> None:
        """Act on a refusal that a ping met."""
        notes = self._notes_on(table)
        rows = await self._store.outbox(table)
        rows = tuple(row for row in rows if row.kind in PINGS)
        seconds = await self._handle_refusal(notes, rows, refused)
        if seconds is not None and not self._is_stopping:
            notes.schedule.call_later(seconds, lambda: self._want_sweep(notes))

    async def _reopen_thread(self, table: Table) -> None:
        try:
            await self._rest.unarchive(table.channel)
        except (RequestRefused, TemporaryFailure) as fault:
            log.info("table %s: its thread stays archived, %s", table.id, fault)

    async def _suspend(self, notes: TableNotes, table: Table, *, thread_closed: bool) -> None:
        """Suspend the table; if its thread is closed, perhaps to the players too, tell the parent channel."""
        if table.is_suspended:
            return
        missing = self._missing(table) or ("manage_threads" if thread_closed else "send_messages")
        log.info("table %s: suspended, %s is missing", notes.table, missing)
        after = await self._tables.submit(notes.table, Suspend(missing))
        notes.schedule.clear_wanted_sweep()  # only the submit asked for it; the timer asks again
        if thread_closed and after.pause is not None:
            await tell_parent_channel(self._rest, after, missing)
