"""Delivers to a table's channel what its outbox holds, in the order in which people should see it."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from bot.discord_ui.drawing import (
    draw_closed_reveal,
    draw_latest_reveal,
    draw_notice,
    draw_ping,
    draw_record,
    draw_record_reveal,
    draw_reminder,
    draw_restart_line,
    draw_table,
    is_live,
    is_revealing,
    public_message,
)
from bot.discord_ui.outbox.ports import DeliveryStore
from bot.discord_ui.outbox.table_messages import MessageKind, as_old, is_editable
from bot.discord_ui.outbox.table_notes import TableNotes
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.rest import Outgoing, RequestRefused, Rest, TemporaryFailure
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host import views
from bot.host.commands import OutboxKind
from bot.host.model import Stage, Table, UserId
from bot.host.ports import Clock, Message, OutboxRow
from bot.stats.model import Ending

log = logging.getLogger(__name__)

NONCE_MEMORY_MILLIS: Final = 120_000
"""Milliseconds for which Discord certainly remembers a nonce."""
PING_DELAY_MILLIS: Final = 2500
"""Milliseconds before a ping is sent: players who act sooner need none."""


def asked_users(table: Table) -> tuple[UserId, ...]:
    """Return the users that the table waits for."""
    if table.stage is not Stage.PLAYING or table.next_deal is not None:
        return ()
    prompts = RULES[table.game].prompts(table.match)
    return tuple(table.players[prompt.seat].user for prompt in prompts if prompt.seat >= 0)


class Delivery:
    """One look at the outbox of one table. It notes what it sent, so an interrupted look can be repeated.

    If Discord refuses a single message, that message is given up and the rest is delivered. If it refuses everything in
    the channel, `RequestRefused` is raised; if a request may succeed later, `TemporaryFailure`.
    """

    def __init__(
        self, notes: TableNotes, table: Table, *, store: DeliveryStore, rest: Rest, clock: Clock, scale: float
    ) -> None:
        self._store = store
        self._rest = rest
        self._clock = clock
        self._scale = scale
        self._messages = notes.messages
        self._due = notes.due
        self._table = table
        self._asked = asked_users(table)

    async def deliver(self, rows: Sequence[OutboxRow]) -> float | None:
        """Deliver everything but the DMs; return the seconds until the next ping is due, or None."""
        newest = next((row for row in rows if row.kind is OutboxKind.TABLE), None)
        pings = [row for row in rows if row.kind is OutboxKind.PING and row.user is not None]
        for row in rows:
            if row.kind is OutboxKind.RECORD:
                newest = await self._post_reveal(row, newest)
            elif row.kind is OutboxKind.NOTICE:
                await self._post_notice(row)
        if self._due.wants_restart_line and self._table.stage is Stage.PLAYING:
            async with self._giving_up():
                await self._post_restart_line()
            self._due.restart_line_posted()
        if not self._table.is_open:  # first: if the bot is killed during this look, no later one deletes them
            await self._delete_pings()
        if newest is not None or self._due.wants_move or self._due.wants_redraw:
            try:
                pings = await self._show_table(newest, pings)
            except RequestRefused as refused:
                await self._give_up(refused, newest)
                self._due.moved()  # otherwise every later change would be posted and refused, not edited
            self._due.redrawn()
        await self._delete_old()
        await self._delete_pings()
        for row in rows:
            if row.kind is OutboxKind.REMIND and row.user is not None:
                await self._post_reminder(row, row.user)
        next_ping_seconds = await self._post_pings(pings)
        await self._delete_lost_posts()
        return next_ping_seconds

    # -- sending and noting

    async def _post(self, out: Outgoing, nonce: str) -> int:
        """Post a message, unless it was posted before and only could not be noted; return its id."""
        known = self._messages.posted_with(nonce)
        if known is not None:
            return known
        try:
            posted = await self._rest.post(self._table.channel, out, nonce)
        except TemporaryFailure:
            self._messages.post_lost(nonce, out)
            raise
        except RequestRefused:
            self._messages.lost_post_settled(nonce)
            raise
        self._messages.posted(nonce, posted)
        return posted

    async def _edit(self, message: Message, out: Outgoing) -> bool:
        """Edit a message; return False if it can no longer be edited."""
        press = self._messages.press_for(message.message)
        if press is not None:
            try:
                await self._rest.edit_through(press, out)
                self._messages.drawn(message.message, out)
                return True
            except (RequestRefused, TemporaryFailure):
                self._messages.press_returned()  # the bot's own token is used instead
        try:
            await self._rest.edit(message.channel, message.message, out)
        except RequestRefused as refused:
            if refused.code not in (error_codes.UNKNOWN_MESSAGE, error_codes.TOO_MANY_EDITS):
                raise
            if refused.code == error_codes.UNKNOWN_MESSAGE:
                self._messages.deleted(message)
                await self._store.forget(message)
            return False
        self._messages.drawn(message.message, out)
        return True

    async def _delete(self, message: Message) -> None:
        async with self._giving_up():
            await self._rest.delete(message.channel, message.message)
        self._messages.deleted(message)
        await self._store.forget(message)

    async def _note_placed(
        self,
        kind: MessageKind,
        message: int,
        told: Sequence[OutboxRow],
        *,
        instead_of: Message | None = None,
        user: UserId | None = None,
    ) -> None:
        """Note a message that is in the channel now, the rows it tells and the message it replaces."""
        placed = [Message(self._table.id, kind, user, self._table.channel, message, self._clock.now())]
        if instead_of is not None and instead_of.kind == kind and instead_of.message != message:
            await self._delete_old()  # the store remembers only one old message of each kind
            placed.append(as_old(instead_of))
        await self._store.told(told, stands=placed)
        self._messages.placed(placed)

    async def _note_told(self, rows: Sequence[OutboxRow]) -> None:
        if rows:
            await self._store.told(rows)

    @asynccontextmanager
    async def _giving_up(self, row: OutboxRow | None = None) -> AsyncIterator[None]:
        """Give up a message, and the row that asks for it, if Discord refuses this message alone."""
        try:
            yield
        except RequestRefused as refused:
            await self._give_up(refused, row)

    async def _give_up(self, refused: RequestRefused, row: OutboxRow | None) -> None:
        if refused.code in error_codes.CHANNEL_CLOSED:
            raise refused
        log.warning("table %s: a message was given up, %s", self._table.id, refused)
        await self._note_told([] if row is None else [row])

    # -- lines

    async def _post_notice(self, row: OutboxRow) -> None:
        async with self._giving_up():
            if line := draw_notice(self._table, row.payload):
                await self._post(public_message(self._table, line), row.nonce)
        await self._store.told([row])

    async def _post_restart_line(self) -> None:
        """Say that the table goes on, in a line that replaces the last such line."""
        table, before = self._table, self._messages.restart_line
        nonce = f"b{table.id}.{table.seq if before is None else before.message % 10**9}"
        posted = await self._post(public_message(table, draw_restart_line(table, self._clock)), nonce)
        self._due.restart_line_posted()
        await self._note_placed(MessageKind.RESTART, posted, [], instead_of=before)

    # -- the table message

    async def _post_reveal(self, row: OutboxRow, newest: OutboxRow | None) -> OutboxRow | None:
        """Turn the table message into the record of a round and post the reveal.

        Return the row that the table message still has to show: none if the reveal itself shows it.
        """
        table = self._table
        try:
            record = views.record_of(table, row.payload)
        except (KeyError, TypeError, ValueError, Rejected):  # the error is never logged: it may quote the next deal
            log.error("table %s: the reveal of step %s is damaged and given up", table.id, row.seq)
            await self._store.told([row])
            return newest
        current = self._messages.current
        if current is not None and current.kind == MessageKind.TABLE and is_editable(current.message):
            async with self._giving_up():
                await self._edit(current, public_message(table, draw_record(table, record)))
        live = is_live(table, record)
        reveal = public_message(table, draw_record_reveal(table, record, self._clock, live=live))
        async with self._giving_up(row):
            posted = await self._post(reveal, f"r{row.nonce}")
            if not self._messages.is_uncertain:  # else the nonce may have matched a post that still has buttons
                self._messages.drawn(posted, reveal)
            shown = [row] if newest is None or not live else [row, newest]
            await self._note_placed(MessageKind.REVEAL, posted, shown)
            self._due.posted_last()
            return None if live else newest
        return newest

    async def _show_table(self, row: OutboxRow | None, pings: list[OutboxRow]) -> list[OutboxRow]:
        """Edit the table message, or post a new one; return the pings that are still to be sent."""
        table, current = self._table, self._messages.current
        revealing = current is not None and current.kind == MessageKind.REVEAL and is_revealing(table)
        body = (
            draw_latest_reveal(table, self._clock)
            if revealing
            else draw_table(table, self._clock, await self._ending())
        )
        out = public_message(table, body)
        told = [] if row is None else [row]
        if current is not None and self._stays(current, revealing=revealing):
            if self._messages.shows(current.message, out) or await self._edit(current, out):
                await self._note_told(told)
                return pings
            current = self._messages.current  # None if it was deleted; otherwise it is too old and is replaced
        included_pings = [ping for ping in pings if ping.user in self._asked]
        out.pings = [ping.user for ping in included_pings if ping.user is not None]
        before = self._messages.current
        posted = await self._post(out, f"t{table.id if before is None else before.message}")
        if self._messages.is_uncertain:  # the nonce may have matched a post that shows an older state
            await self._rest.edit(table.channel, posted, out)
        self._messages.drawn(posted, out)
        await self._note_placed(MessageKind.TABLE, posted, [*told, *included_pings], instead_of=current)
        # Only once it is noted: otherwise the next look must post again, to find the message by its nonce.
        self._due.posted_last()
        self._due.moved()
        self._messages.press_returned()
        if before is not None and before.kind == MessageKind.REVEAL:
            async with self._giving_up():
                await self._close_reveal(before)
        return [ping for ping in pings if ping not in included_pings]

    async def _ending(self) -> Ending | None:
        """Return how a finished game changed the ratings, which was committed together with the end of the game."""
        return await self._store.stats.ending(self._table.id) if self._table.stage is Stage.OVER else None

    def _stays(self, current: Message, *, revealing: bool) -> bool:
        """Tell whether to edit the current message rather than post a new one."""
        if current.kind == MessageKind.REVEAL and not revealing:
            return False
        if self._table.rematch is not None:
            return True  # people look at the new lobby; the result stays where the game was won
        return not self._due.wants_move and not self._due.is_buried and is_editable(current.message)

    async def _close_reveal(self, reveal: Message) -> None:
        """Remove the buttons from a reveal once the next round is dealt."""
        if self._messages.is_closed_reveal(reveal.message) or not is_editable(reveal.message):
            return
        body = draw_closed_reveal(self._table, self._clock)
        if body is None:
            return
        self._messages.reveal_closed(reveal.message)
        out = public_message(self._table, body)
        if not self._messages.shows(reveal.message, out):
            await self._edit(reveal, out)

    # -- pings

    async def _post_pings(self, pings: Sequence[OutboxRow]) -> float | None:
        """Ping those who were asked a while ago; return the seconds until the next ping is due, or None."""
        wait: float | None = None
        for row in pings:
            user = row.user
            player = next((each for each in self._table.players if each.user == user), None)
            if user is None or player is None or user not in self._asked or not player.pinged:
                if self._messages.is_uncertain and user is not None:
                    async with self._giving_up():
                        await self._withdraw_ping(row, user)
                await self._store.told([row])
                continue
            left = row.made_at + PING_DELAY_MILLIS - self._clock.now()
            if 0 < left <= PING_DELAY_MILLIS:  # if longer, the row is from before a restart: its delay is over
                wait = left / 1000 / self._scale if wait is None else min(wait, left / 1000 / self._scale)
                continue
            await self._post_ping(row, user, draw_ping(self._table, user))
        return wait

    async def _post_reminder(self, row: OutboxRow, user: UserId) -> None:
        table = self._table
        deadline = next((each for each in table.deadlines if table.players[each.seat].user == user), None)
        if user not in self._asked or deadline is None or not table.players[deadline.seat].pinged:
            await self._store.told([row])
            return
        await self._post_ping(row, user, draw_reminder(table, user, self._clock.shown(deadline.due)))

    async def _post_ping(self, row: OutboxRow, user: UserId, text: str) -> None:
        """Post a line that pings one person, in place of the last such line."""
        before = self._messages.ping_of(user)
        async with self._giving_up(row):
            posted = await self._post(public_message(self._table, text, (user,)), f"p{row.nonce}")
            await self._note_placed(MessageKind.PING, posted, [row], instead_of=before, user=user)
        await self._delete_old()

    async def _withdraw_ping(self, row: OutboxRow, user: UserId) -> None:
        """Delete a ping that may have been posted just before the bot went down.

        Posting it again with the same nonce returns its id. If it was never posted, a line that pings nobody appears
        for a moment.
        """
        if self._clock.now() - row.made_at < NONCE_MEMORY_MILLIS * self._scale:
            posted = await self._post(Outgoing(draw_ping(self._table, user)), f"p{row.nonce}")
            await self._rest.delete(self._table.channel, posted)

    # -- cleaning up

    async def _delete_pings(self) -> None:
        """Delete the pings of those whose turn it no longer is."""
        for message in self._messages.pings:
            if message.user not in self._asked:
                await self._delete(message)

    async def _delete_old(self) -> None:
        """Delete the channel's messages that newer ones replaced, in this look or in one that failed."""
        for message in self._messages.old_in_channel:
            await self._delete(message)

    async def _delete_lost_posts(self) -> None:
        """Delete posts whose answer was lost and that later posts have made obsolete.

        Posting one again with the same nonce returns its id. If it was never posted, it appears for a moment and pings
        nobody.
        """
        for nonce, out, lost_at in self._messages.lost_posts:
            if time.monotonic() - lost_at < NONCE_MEMORY_MILLIS / 1000:
                out.pings = ()
                async with self._giving_up():
                    channel = self._table.channel
                    await self._rest.delete(channel, await self._rest.post(channel, out, nonce))
            self._messages.lost_post_settled(nonce)
