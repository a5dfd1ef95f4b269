"""Delivers a table's outbox to its channel, in the order in which people should see it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.discord_ui.drawing import (
    draw_closed_reveal,
    draw_latest_reveal,
    draw_notice,
    draw_previous_reveal,
    draw_record,
    draw_record_reveal,
    draw_restart_line,
    draw_table,
    draw_teaser,
    is_live,
    is_revealing,
    public_message,
    table_texts,
)
from bot.discord_ui.illustrator import Illustrator, Wanted
from bot.discord_ui.outbox.channel_writer import ChannelWriter
from bot.discord_ui.outbox.pings import NONCE_MEMORY_MILLIS, Pings, is_open
from bot.discord_ui.outbox.table_messages import MessageKind, as_old, is_editable, shows_table
from bot.discord_ui.outbox.table_notes import TableNotes
from bot.discord_ui.wire.failures import RequestRefused
from bot.discord_ui.wire.rest import Outgoing, Rest
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.engine.views import Public
from bot.host import views
from bot.host.commands import OutboxKind
from bot.host.model import Stage, Table
from bot.host.ports import Clock, Message, OutboxRow, Posting
from bot.host.questions import asked_users
from bot.host.reveal_beats import beats_of
from bot.screens.layout import PublicScreen
from bot.stats.model import Ending
from bot.store.ports import DeliveryStore

log = logging.getLogger(__name__)

MAX_BEATS_WITHOUT_PRESS: Final = 2
"""Cap on the beats of a reveal if each of them costs a request with the bot's own token."""


class Delivery:
    """One sweep of the outbox of one table. It notes what it sent, so an interrupted sweep can be repeated.

    If Discord refuses a single message, that message is given up and the rest is delivered. If it refuses everything in
    the channel, `RequestRefused` is raised; if a request may succeed later, `TemporaryFailure`.
    """

    def __init__(
        self,
        notes: TableNotes,
        table: Table,
        *,
        store: DeliveryStore,
        rest: Rest,
        writer: ChannelWriter,
        pings: Pings,
        illustrator: Illustrator,
        clock: Clock,
        scale: float,
        redraw: Callable[[], None],
    ) -> None:
        """Use `redraw` to ask for another sweep that draws the table message again."""
        self._store = store
        self._rest = rest
        self._writer = writer
        self._pings = pings
        self._illustrator = illustrator
        self._clock = clock
        self._scale = scale
        self._redraw = redraw
        self._messages = notes.messages
        self._posts = notes.messages.posts
        self._waiting_pings = notes.pings
        self._due = notes.due
        self._table = table

    async def deliver(self, rows: Sequence[OutboxRow]) -> float | None:
        """Deliver everything but pings and DMs; return the seconds until the next beat of a reveal, or None."""
        await self._find_answer()
        newest = next((row for row in rows if row.kind is OutboxKind.TABLE), None)
        pings = [row for row in rows if row.kind is OutboxKind.PING and row.user is not None]
        for row in rows:
            if row.kind is OutboxKind.RECORD:
                newest = await self._post_reveal(row, newest)
            elif row.kind is OutboxKind.NOTICE:
                await self._post_notice(row)
        if self._due.wants_restart_line and self._table.stage is Stage.PLAYING:
            async with self._writer.giving_up():
                await self._post_restart_line()
            self._due.restart_line_posted()
        if not self._table.is_open:  # first: if the bot is killed during this sweep, no later one deletes them
            await self._pings.take_back(self._table, self._messages, self._writer)
        was_staged = self._due.staged_reveal is not None
        next_beat_seconds = await self._show_next_beat()
        wants_table = newest is not None or self._due.wants_move or self._due.wants_redraw or was_staged
        if wants_table and next_beat_seconds is None:
            try:
                await self._show_table(newest, pings)
            except RequestRefused as refused:
                await self._writer.give_up(refused, newest)
                self._due.moved()  # otherwise every later change would be posted and refused, not edited
            self._due.redrawn()
        await self._delete_lost_posts()
        return next_beat_seconds

    # -- sending and noting

    async def _illustrated(
        self, body: PublicScreen, wanted: Wanted | None, late: Callable[[], None] | None = None
    ) -> Outgoing:
        """Make a public message with its picture, or without one if drawing takes too long."""
        return public_message(self._table, body, picture=await self._illustrator.drawn(wanted, late=late))

    def _picture_of_reveal(self, seen: Public[Any], beat: int | None = None) -> Wanted | None:
        return self._illustrator.reveal(table_texts(self._table), self._table, seen, beat)

    async def _note_placed(
        self,
        kind: MessageKind,
        message: int,
        done: Sequence[OutboxRow],
        *,
        instead_of: Message | None = None,
    ) -> None:
        """Record a message that is in the channel now, the rows it shows and the message it replaces."""
        settles = self._table.id if kind is MessageKind.TABLE else None
        placed = [Message(self._table.id, kind, None, self._table.channel, message, self._clock.now())]
        if instead_of is not None and instead_of.kind == kind and instead_of.message != message:
            await self._delete_old()  # the store remembers only one old message of each kind
            placed.append(as_old(instead_of))
        await self._store.mark_done(done, placed=placed, settles=settles)
        self._messages.placed(placed)
        if settles is not None:
            self._messages.posting_noted(None)

    async def _mark_done(self, rows: Sequence[OutboxRow]) -> None:
        if rows:
            await self._store.mark_done(rows)

    # -- lines

    async def _post_notice(self, row: OutboxRow) -> None:
        async with self._writer.giving_up():
            if line := draw_notice(self._table, row.payload):
                pings = (row.payload["user"],) if row.payload.get("pings") else ()
                await self._writer.post(public_message(self._table, line, pings), row.nonce)
        await self._store.mark_done([row])

    async def _post_restart_line(self) -> None:
        """Say that the table goes on, in a line that replaces the previous one."""
        table, before = self._table, self._messages.restart_line
        nonce = f"b{table.id}.{table.seq if before is None else before.message % 10**9}"
        posted = await self._writer.post(public_message(table, draw_restart_line(table, self._clock)), nonce)
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
            log.error("table %s: the reveal of step %s is damaged and was given up", table.id, row.seq)
            await self._store.mark_done([row])
            return newest
        current = self._messages.current
        if current is not None and current.kind == MessageKind.TABLE and is_editable(current.message):
            async with self._writer.giving_up():
                await self._writer.edit(current, public_message(table, draw_record(table, record)))
        elif current is not None and current.kind == MessageKind.REVEAL:  # the table message in between never came
            await self._close_reveal(current, draw_previous_reveal(table, record, self._clock), record.before)
        live = is_live(table, record)
        teaser = await self._teaser(record.after, 1) if self._is_staged(record, live=live) else None
        screen = draw_record_reveal(table, record, self._clock, live=live)
        reveal = teaser or await self._illustrated(screen, self._picture_of_reveal(record.after))
        async with self._writer.giving_up(row):
            posted = await self._writer.post(reveal, f"r{row.nonce}")
            # After a failure or a kill, the nonce may have matched a post that still has buttons or is a teaser.
            is_certain = not self._posts.is_uncertain
            if is_certain:
                self._messages.drawn(posted, reveal)
            is_complete = live and is_certain and teaser is None
            await self._note_placed(
                MessageKind.REVEAL, posted, [row] if newest is None or not is_complete else [row, newest]
            )
            self._due.posted_last()
            if teaser is not None:
                is_free = self._messages.presses.for_message(posted) is not None
                self._due.staged_reveal_began(posted, beats_of(table) if is_free else MAX_BEATS_WITHOUT_PRESS)
            return None if is_complete else newest
        return newest

    # -- a staged reveal
    #
    # The row of the table message stays in the outbox until the last beat is shown. So whatever interrupts the reveal,
    # the next sweep shows all of it.

    def _is_staged(self, record: views.Record, *, live: bool) -> bool:
        """Return whether to show a reveal beat by beat: if somebody watches, nothing waits, and Discord is quick."""
        table = self._table
        ends_match = table.stage is Stage.OVER and RULES[table.game].rounds_ended(table.match) == record.rounds
        is_quick = not self._posts.is_uncertain and not self._rest.is_slow
        return (live or ends_match) and is_quick and beats_of(table) > 1

    async def _teaser(self, seen: Public[Any], beat: int) -> Outgoing | None:
        """Make the message for a beat before the last; None if there is none, or its picture is not ready in time."""
        screen = draw_teaser(self._table, seen, beat)
        if screen is None:
            return None
        picture = await self._illustrator.drawn(self._picture_of_reveal(seen, beat))
        return None if picture is None else public_message(self._table, screen, picture=picture)

    async def _show_next_beat(self) -> float | None:
        """Show the beat of a reveal that is due; return the seconds until the next, or None after the last."""
        staged, table, current = self._due.staged_reveal, self._table, self._messages.current
        if staged is None:
            return None
        beat, seconds = staged.now(self._scale)
        is_open = current is not None and current.message == staged.message
        is_open = is_open and (is_revealing(table) or table.stage is Stage.OVER)
        if current is not None and is_open and beat < staged.beats and not self._rest.is_slow:
            out = await self._teaser(views.public_view(table), beat)
            shown = out is None or self._messages.shows(current.message, out) or await self._writer.edit(current, out)
            if out is not None and shown:
                return seconds
        self._due.staged_reveal_ended()
        if current is not None and is_open and table.stage is Stage.OVER:  # before the winner is announced below
            await self._close_reveal(current, draw_closed_reveal(table, self._clock), views.public_view(table))
        return None

    async def _show_table(self, row: OutboxRow | None, pings: Sequence[OutboxRow]) -> None:
        """Edit the table message, or post a new one, which contains the pings that are due."""
        table, current = self._table, self._messages.current
        revealing = current is not None and current.kind == MessageKind.REVEAL and is_revealing(table)
        if revealing:
            seen = views.public_view(table)
            out = await self._illustrated(draw_latest_reveal(table, self._clock), self._picture_of_reveal(seen))
        else:
            ending = await self._ending()
            events = () if ending is None else ending.events
            final = self._illustrator.final(table_texts(table), table, events) if table.stage is Stage.OVER else None
            # After the end no move edits the message, which would bring a late picture along.
            out = await self._illustrated(draw_table(table, self._clock, ending), final, self._redraw)
        shown = [] if row is None else [row]
        if current is not None and self._stays(current, revealing=revealing):
            if self._messages.shows(current.message, out) or await self._writer.edit(current, out):
                await self._mark_done(shown)
                return
            current = self._messages.current  # None if it was deleted; otherwise it is too old and is replaced
        asked = asked_users(table)
        # While it is uncertain which pings were posted, each is sent by itself, which finds out.
        claims = () if self._messages.ping_posts.is_uncertain else pings
        included_pings = [ping for ping in claims if is_open(ping, asked) and self._waiting_pings.claim(ping)]
        out.pings = [ping.user for ping in included_pings if ping.user is not None]
        before = self._messages.current
        try:
            posted = await self._post_table(out, f"t{table.id if before is None else before.message}")
            if self._posts.is_uncertain:  # the nonce may have matched a post that shows an older state
                await self._rest.edit(table.channel, posted, out)
            self._messages.drawn(posted, out)
            await self._note_placed(MessageKind.TABLE, posted, [*shown, *included_pings], instead_of=current)
        except Exception:
            self._waiting_pings.add(included_pings)  # they are sent by themselves
            raise
        # Only once it is noted: otherwise the next sweep must post again, to find the message by its nonce.
        self._due.posted_last()
        self._due.moved()
        if before is not None and before.kind == MessageKind.REVEAL:
            await self._close_reveal(before, draw_closed_reveal(table, self._clock), views.public_view(table))

    async def _post_table(self, out: Outgoing, nonce: str) -> int:
        """Post a table message, after noting that it will be: if the bot is killed meanwhile, it must find it again."""
        posting = self._messages.posting
        if posting is not None and posting.nonce != nonce:
            await self._delete_lost_posts()  # the store has room for one note
        if posting is None or posting.nonce != nonce:
            await self._note_posting(Posting(nonce, "", self._clock.now()))
        try:
            return await self._writer.post(out, nonce)
        except RequestRefused:
            await self._note_posting(None)
            raise

    async def _note_posting(self, posting: Posting | None) -> None:
        await self._store.note_posting(self._table.id, posting)
        self._messages.posting_noted(posting)

    async def _find_answer(self) -> None:
        """Find the answer to the command that opened the table, if it was sent but not noted."""
        posting = self._messages.posting
        if posting is None or not posting.webhook:
            return
        found = None if self._messages.current is not None else await self._rest.original(posting.webhook)
        if found is not None and shows_table(found, self._table.id):
            await self._note_placed(MessageKind.TABLE, int(found["id"]), [])
        else:
            await self._note_posting(None)

    async def _ending(self) -> Ending | None:
        """Return what statistics say about a finished game: they were committed together with its end."""
        if self._table.stage is not Stage.OVER:
            return None
        return await self._store.stats.ending_with_highlights(self._table.id)

    def _stays(self, current: Message, *, revealing: bool) -> bool:
        """Return whether to edit the current message rather than post a new one."""
        if current.kind == MessageKind.REVEAL and not revealing:
            return False
        if self._table.rematch is not None:
            return True  # people look at the new lobby; the result stays where the game was won
        return not self._due.wants_move and not self._due.is_buried and is_editable(current.message)

    async def _close_reveal(self, reveal: Message, body: PublicScreen | None, seen: Public[Any]) -> None:
        """Remove the buttons from a reveal once the next round is dealt; `body` is what is left of it."""
        if body is None or self._messages.is_closed_reveal(reveal.message) or not is_editable(reveal.message):
            return
        self._messages.reveal_closed(reveal.message)
        out = await self._illustrated(body, self._picture_of_reveal(seen))
        if not self._messages.shows(reveal.message, out):
            async with self._writer.giving_up():
                await self._writer.edit(reveal, out)

    # -- cleaning up

    async def _delete_old(self) -> None:
        """Delete the channel's messages that newer ones replaced; usually the pings do that, in the background."""
        for message in self._messages.old_in_channel:
            await self._writer.delete(message)

    async def _delete_lost_posts(self) -> None:
        """Delete posts whose answer was lost and that later posts have made obsolete.

        If one is not found, posting it again with the same nonce returns its id. If it was never posted, it appears for
        a moment and pings nobody.
        """
        channel = self._table.channel
        for nonce, lost, lost_at in self._posts.lost_posts:
            async with self._writer.giving_up():
                posted = await self._writer.find(nonce)
                if posted is None and time.monotonic() - lost_at < NONCE_MEMORY_MILLIS / 1000:
                    out = lost or public_message(self._table, draw_restart_line(self._table, self._clock))
                    out.pings = ()
                    posted = await self._rest.post(channel, out, nonce)
                if posted is not None:
                    await self._writer.take_away(channel, posted)
            self._posts.lost_post_settled(nonce)
        if self._messages.posting is not None:
            await self._note_posting(None)
