"""Calls players to their turns, and takes the calls back. Nothing that shows the table waits for it.

A ping is the first thing to be left out: if its turn among the requests does not come soon, nobody needs it any more.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final

from bot import metrics
from bot.discord_ui.drawing import draw_ping, draw_reminder, public_message
from bot.discord_ui.outbox.channel_writer import ChannelWriter
from bot.discord_ui.outbox.table_messages import MessageKind, TableMessages, as_old
from bot.discord_ui.wire.failures import HandedOver, LeftOut, RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace, Urgency
from bot.discord_ui.wire.rest import Outgoing
from bot.engine.core import Rejected
from bot.host.commands import OutboxKind
from bot.host.model import Table, TableId, UserId
from bot.host.ports import Clock, Fault, Message, OutboxRow, StoreFault
from bot.host.questions import asked_users
from bot.host.tables import Tables
from bot.screens.layout import PublicScreen
from bot.store.ports import MessageStore

log = logging.getLogger(__name__)

PINGS: Final = (OutboxKind.PING, OutboxKind.REMIND)
"""What is sent here."""
NONCE_MEMORY_MILLIS: Final = 120_000
"""How long Discord is certain to remember a nonce."""
PING_DELAY_MILLIS: Final = 2500
"""Milliseconds before a ping is sent: players who act sooner need none."""
SHOW_FIRST_SECONDS: Final = 2.0
"""How long pings wait for what shows the table: a new message would contain them."""
MAX_PING_WAIT_SECONDS: Final = 2.0
"""A ping that would have to wait for longer than this is left out."""
MAX_SETTLED: Final = 50
"""How many of a table's newest pings are remembered as sent."""
LONGEST_BACKOFF_SECONDS: Final = 60.0
"""Longest wait before the pings of a table are tried again."""


def is_open(ping: OutboxRow, asked: dict[UserId, int]) -> bool:
    """Tell whether the question that a ping is about still waits for an answer."""
    if ping.user not in asked:
        return False
    # Reminders, and pings that an earlier version wrote, do not name their question.
    return ping.payload is None or asked[ping.user] == ping.payload.get("prompt", asked[ping.user])


class WaitingPings:
    """The pings of one table that are still to be sent, and the task that sends them."""

    def __init__(self) -> None:
        self.rows: dict[str, OutboxRow] = {}
        """By their nonces."""
        self.since: dict[str, float] = {}
        """Since when those wait that the table message may still contain, by the event loop's clock."""
        self.under_way: OutboxRow | None = None
        self._settled: deque[str] = deque(maxlen=MAX_SETTLED)
        self.is_wanted = False
        self.is_refused = False
        """Whether Discord has refused to take any, and nothing suggests that it would now."""
        self.failures = 0
        self.task: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way and nothing is planned."""
        return self.task is None and self.timer is None

    def add(self, rows: Iterable[OutboxRow]) -> None:
        """Take over pings from the outbox, but none that is being sent or was just settled: it was read before that."""
        for row in rows:
            if row.nonce not in self._settled and (self.under_way is None or self.under_way.nonce != row.nonce):
                self.rows[row.nonce] = row
                self.since.setdefault(row.nonce, asyncio.get_running_loop().time())

    def table_shown(self) -> None:
        """Record that the table was shown: what it does not contain is sent by itself."""
        self.since.clear()

    def begin(self, row: OutboxRow) -> None:
        """Record that a ping is being sent."""
        self.under_way = self.rows.pop(row.nonce)

    def end(self) -> None:
        """Record that the ping under way was sent or given up."""
        if self.under_way is not None:
            self._settled.append(self.under_way.nonce)
            self.since.pop(self.under_way.nonce, None)
            self.under_way = None

    def break_off(self) -> None:
        """Record that the ping under way is to be tried again."""
        if self.under_way is not None:
            self.rows[self.under_way.nonce] = self.under_way
            self.under_way = None

    def clear(self) -> None:
        """Forget all of them; the next sweep finds in the outbox what is still to be sent."""
        self.rows.clear()
        self.since.clear()
        self.under_way = None

    def claim(self, row: OutboxRow) -> bool:
        """Leave a ping to a message that shows the table; return False if it was or is being sent by itself."""
        if row.nonce in self._settled or (self.under_way is not None and self.under_way.nonce == row.nonce):
            return False
        self.rows.pop(row.nonce, None)
        self.since.pop(row.nonce, None)
        return True

    def want(self) -> None:
        """Ask for a round, which may already be under way."""
        self.is_wanted = True

    def begin_round(self) -> None:
        """Record that what was asked for up to now is being done."""
        self.is_wanted = False

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Do the rounds in a task of their own, instead of those that were planned."""
        self.cancel_timer()
        self.task = asyncio.create_task(work, name=name)
        return self.task

    def finish(self) -> None:
        """Record that the task has done all rounds that were asked for."""
        self.task = None

    def plan(self, wait: float, again: Callable[[], None]) -> None:
        """Call `again` after some seconds, unless a task is started before."""

        def fire() -> None:
            self.timer = None
            again()

        self.timer = asyncio.get_running_loop().call_later(wait, fire)

    def failed(self) -> int:
        """Record a round that has to be tried again; return how many have failed one after the other."""
        self.failures += 1
        return self.failures

    def refused(self) -> None:
        """Record that Discord has refused to take any."""
        self.clear()
        self.is_refused = True

    def succeeded(self) -> None:
        """Record a round without a failure."""
        self.failures = 0

    def allow(self) -> None:
        """Record that Discord may take them again."""
        self.is_refused = False

    def cancel_timer(self) -> None:
        """Drop the planned call."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


WriterMaker = Callable[[Table, TableMessages], ChannelWriter]
"""Makes a writer for the pings of a table."""


class Pings:
    """Sends the pings and reminders of all tables in the background, and deletes what has become needless.

    `refused` is called when Discord refuses everything in a channel.
    """

    def __init__(
        self,
        tables: Tables,
        store: MessageStore,
        clock: Clock,
        *,
        scale: float,
        drawing: Pace,
        writer: WriterMaker,
        refused: Callable[[TableId, RequestRefused], Awaitable[None]],
    ) -> None:
        self._tables = tables
        self._store = store
        self._clock = clock
        self._scale = scale
        self._drawing = drawing
        self._writer = writer
        self._refused = refused
        self._is_stopping = False
        self._tasks: set[asyncio.Task[None]] = set()

    def attend(self, table: TableId, waiting: WaitingPings, messages: TableMessages, rows: Iterable[OutboxRow]) -> None:
        """Send these pings when they are due, and take back what is over; return at once."""
        waiting.add(row for row in rows if row.kind in PINGS)
        if waiting.rows or messages.pings or messages.old_in_channel:
            self._want(table, waiting, messages)

    async def try_now(
        self, table: Table, waiting: WaitingPings, messages: TableMessages, rows: Iterable[OutboxRow]
    ) -> None:
        """Send these pings and wait for that, at a suspended table: raise RequestRefused if the bot may still not."""
        waiting.add(row for row in rows if row.kind in PINGS)
        if waiting.task is None:
            waiting.table_shown()
            await self._go_through(table, waiting, messages)
            if not waiting.rows:
                messages.ping_posts.completed()

    def stop(self) -> list[asyncio.Task[None]]:
        """Start no more deliveries; return the tasks under way."""
        self._is_stopping = True
        return list(self._tasks)

    def _want(self, table: TableId, waiting: WaitingPings, messages: TableMessages) -> None:
        waiting.want()
        if waiting.task is None and not self._is_stopping:
            task = waiting.start(self._work(table, waiting, messages), f"pings-{table}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, table: TableId, waiting: WaitingPings, messages: TableMessages) -> None:
        wait: float | None = None
        try:
            while waiting.is_wanted and not self._is_stopping:
                waiting.begin_round()
                wait = await self._try(table, waiting, messages)
                if waiting.failures:
                    break
        finally:
            waiting.finish()
        if wait is not None and not self._is_stopping:
            waiting.plan(wait, lambda: self._want(table, waiting, messages))

    async def _try(self, table: TableId, waiting: WaitingPings, messages: TableMessages) -> float | None:
        """Do what is due; return the seconds until more is, or None."""
        try:
            wait = await self._go_through(await self._tables.get(table), waiting, messages)
        except Rejected:
            return None  # the table is gone
        except HandedOver:
            messages.ping_posts.interrupted()
            waiting.clear()
            return None
        except (TemporaryFailure, StoreFault) as fault:
            messages.ping_posts.interrupted()
            waiting.break_off()
            if isinstance(fault, StoreFault) and fault.fault is Fault.CLOSED:
                return None
            failures = waiting.failed()
            log.info("table %s: its pings will be tried again, %s", table, fault)
            return min(LONGEST_BACKOFF_SECONDS, 0.5 * 2.0 ** min(failures, 8)) / self._scale
        except RequestRefused as refused:
            waiting.refused()
            await self._refused(table, refused)
            return None
        except Exception:
            log.exception("table %s: its pings could not be sent", table)
            messages.ping_posts.interrupted()
            waiting.clear()
            return None
        waiting.succeeded()
        if not waiting.rows:  # one that still waits may have been posted by the process before this one
            messages.ping_posts.completed()
        return wait

    async def _go_through(self, table: Table, waiting: WaitingPings, messages: TableMessages) -> float | None:
        writer = self._writer(table, messages)
        await self.take_back(table, messages, writer)
        for message in messages.old_in_channel:
            await writer.delete(message)
        wait: float | None = None
        for row in list(waiting.rows.values()):
            table = await self._tables.get(table.id)
            left = self._wait_for(row, waiting) if is_open(row, asked_users(table)) else 0.0
            if left > 0:
                wait = left if wait is None else min(wait, left)
            elif row.nonce in waiting.rows:  # otherwise a message that shows the table has taken it over meanwhile
                waiting.begin(row)
                await self._send(table, row, waiting, messages)
                waiting.end()
        return wait

    def _wait_for(self, row: OutboxRow, waiting: WaitingPings) -> float:
        """Return the seconds until a ping may be sent."""
        since = waiting.since.get(row.nonce)
        waited = math.inf if since is None else asyncio.get_running_loop().time() - since
        first = SHOW_FIRST_SECONDS / self._scale - waited
        left = row.made_at + PING_DELAY_MILLIS - self._clock.now()
        if row.kind is OutboxKind.PING and 0 < left <= PING_DELAY_MILLIS:
            return max(first, left / 1000 / self._scale)
        return first  # a reminder, or a ping whose delay is over; if more is left, it is from before a restart

    async def _send(self, table: Table, row: OutboxRow, waiting: WaitingPings, messages: TableMessages) -> None:
        """Send one ping or reminder, if its question is still open."""
        user, asked = row.user, asked_users(table)
        writer = self._writer(table, messages)
        body = None if user is None else self._drawn(table, row, user, asked)
        if user is None or body is None:
            if row.kind is OutboxKind.PING and user is not None and messages.ping_posts.is_uncertain:
                async with writer.giving_up():
                    await self._withdraw(table, row, user, writer)
            await self._store.mark_done([row])
            return
        if not await self._drawing.take_within(MAX_PING_WAIT_SECONDS / self._scale, Urgency.SPARE):
            await self._leave_out(row)
            return
        before = messages.ping_of(user)
        async with writer.giving_up(row):
            try:
                posted = await writer.post(
                    public_message(table, body, (user,)), f"p{row.nonce}", MAX_PING_WAIT_SECONDS / self._scale
                )
            except LeftOut:
                await self._leave_out(row)
                return
            placed = [Message(table.id, MessageKind.PING, user, table.channel, posted, self._clock.now(), asked[user])]
            if before is not None and before.message != posted:
                for message in messages.old_in_channel:  # the store remembers only one old message of each kind
                    await writer.delete(message)
                placed.append(as_old(before))
            await self._store.mark_done([row], placed=placed)
            waiting.end()  # whatever happens below, it was sent
            waiting.allow()
            messages.placed(placed)
        for message in messages.old_in_channel:
            await writer.delete(message)
        await self.take_back(await self._tables.get(table.id), messages, writer)

    def _drawn(self, table: Table, row: OutboxRow, user: UserId, asked: dict[UserId, int]) -> PublicScreen | str | None:
        """Draw a ping or a reminder; None if it is no longer wanted."""
        if row.kind is OutboxKind.REMIND:
            deadline = next((each for each in table.deadlines if table.players[each.seat].user == user), None)
            if user not in asked or deadline is None or not table.players[deadline.seat].pinged:
                return None
            return draw_reminder(table, user, self._clock.shown(deadline.due))
        player = next((each for each in table.players if each.user == user), None)
        if player is None or not player.pinged or not is_open(row, asked):
            return None
        return draw_ping(table, user)

    async def _leave_out(self, row: OutboxRow) -> None:
        metrics.PINGS_LEFT_OUT.inc()
        await self._store.mark_done([row])

    async def take_back(self, table: Table, messages: TableMessages, writer: ChannelWriter) -> None:
        """Delete the pings about questions that are no longer open."""
        asked = asked_users(table)
        for message in messages.pings:
            if message.user is None or asked.get(message.user) != message.prompt:
                await writer.delete(message)

    async def _withdraw(self, table: Table, row: OutboxRow, user: UserId, writer: ChannelWriter) -> None:
        """Delete a ping that may have been posted just before the bot went down.

        If it is not found, posting it again with the same nonce returns its id. If it was never posted, a line that
        pings nobody appears for a moment.
        """
        nonce = f"p{row.nonce}"
        posted = await writer.find(nonce)
        if posted is None and self._clock.now() - row.made_at < NONCE_MEMORY_MILLIS * self._scale:
            posted = await writer.post(Outgoing(draw_ping(table, user)), nonce)
        if posted is not None:
            await writer.take_away(table.channel, posted)
