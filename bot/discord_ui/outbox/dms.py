"""Keeps one DM per player and table. DMs are opened slowly and edited while recent; no game waits for them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bot import metrics
from bot.discord_ui.drawing import draw_dm
from bot.discord_ui.illustrator import Illustrator, Wanted
from bot.discord_ui.outbox.table_messages import MessageKind, TableMessages, as_old, is_editable
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import HandedOver, RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace, Urgency
from bot.discord_ui.wire.rest import Outgoing, Rest
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host import views
from bot.host.commands import DmTried, Leave
from bot.host.model import Dm, Stage, Table, TableId, UserId
from bot.host.ports import Clock, Fault, Message, OutboxRow, StoreFault
from bot.host.tables import Tables
from bot.store.ports import MessageStore
from bot.text.catalogue import Catalogue, catalogue

log = logging.getLogger(__name__)

OPENING_PAUSE_SECONDS: Final = 30 * 60.0
"""How long the bot opens no DMs after Discord has said that it opens them too fast."""
CLOSED_SECONDS: Final = 12 * 3600.0
"""How long the bot remembers, for all tables, that a user accepts no DMs."""
MAX_CHANNELS: Final = 10_000
"""Cap on the users whose DM channels are remembered, so that a rematch opens none."""
LONGEST_BACKOFF_SECONDS: Final = 60.0
"""The longest wait before a DM is tried again."""

Key = tuple[TableId, UserId]
"""The table and the player that a DM belongs to."""


class DirectMessages:
    """Sends the DMs of all tables, in the background."""

    def __init__(
        self,
        tables: Tables,
        store: MessageStore,
        rest: Rest,
        illustrator: Illustrator,
        clock: Clock,
        *,
        openings: Pace,
        holds: Callable[[TableId], bool] = lambda _: True,
    ) -> None:
        self._tables = tables
        self._store = store
        self._rest = rest
        self._illustrator = illustrator
        self._clock = clock
        self._openings = openings
        self._holds = holds
        """Whether this process, and no other, sends the DMs of a table."""
        self._newest: dict[Key, OutboxRow] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._uncertain: set[Key] = set()
        """DMs that may have been posted without being noted, because the bot was killed or an answer was lost."""
        self._posted: dict[Key, tuple[str, int]] = {}
        """The nonce and id of each DM that is posted but not noted yet; Discord forgets nonces after a few minutes."""
        self._sent_again: set[Key] = set()
        """DMs that are being sent a second time, because their picture was late."""
        self._is_stopping = False
        self._closed_until: dict[UserId, float] = {}
        self._no_openings_until = 0.0
        self._channels: dict[UserId, int] = {}
        """The channels of the users' DMs, those used last at the end."""
        self._to_warn: set[UserId] = set()
        """Users who are still to be told that DMs do not reach them."""

    def state_of(self, user: UserId) -> Dm:
        """Return what is known from other tables about a user's DMs."""
        return Dm.SHUT if self._closed_until.get(user, 0.0) > time.monotonic() else Dm.UNTRIED

    def forget(self, user: UserId) -> None:
        """Forget what is known about a user."""
        self._closed_until.pop(user, None)
        self._channels.pop(user, None)
        self._to_warn.discard(user)

    def take_dm_warning(self, user: UserId) -> bool:
        """Return whether to tell a user that DMs do not reach them; True only once for each failure."""
        if user not in self._to_warn:
            return False
        self._to_warn.discard(user)
        return True

    def deliver(self, row: OutboxRow, messages: TableMessages) -> None:
        """Bring a player's DM up to date in the background; only the newest of several rows counts."""
        if row.user is None:
            return
        key = (row.table, row.user)
        if messages.is_delivered_dm(row.user, row):
            return  # the row was read from the outbox just before it was removed
        self._newest[key] = row
        if messages.posts.is_uncertain:
            self._uncertain.add(key)
        self._start(key, messages)

    def _start(self, key: Key, messages: TableMessages) -> None:
        if key not in self._tasks:
            messages.dm_started()
            self._tasks[key] = asyncio.create_task(self._work(key, messages), name=f"dm-{key[0]}")

    def _send_again(self, key: Key, row: OutboxRow, messages: TableMessages) -> None:
        """Send a DM once more, with the picture that was late; a newer one has it anyway."""
        if self._newest.get(key, row) == row and not self._is_stopping:
            self._sent_again.add(key)
            self._newest[key] = row
            self._start(key, messages)

    def stop(self) -> list[asyncio.Task[None]]:
        """Start no more deliveries; return the tasks under way."""
        self._is_stopping = True
        self._newest.clear()
        return list(self._tasks.values())

    async def _work(self, key: Key, messages: TableMessages) -> None:
        failures = 0
        try:
            while (row := self._newest.get(key)) is not None:
                try:
                    await self._deliver(row, messages)
                    await self._delete_old(messages, key[1])
                    self._uncertain.discard(key)
                    failures = 0
                except (TemporaryFailure, StoreFault) as fault:
                    if isinstance(fault, StoreFault) and fault.fault is Fault.CLOSED:
                        raise  # the DM is delivered after the next start
                    failures += 1
                    self._uncertain.add(key)
                    log.info("table %s: a DM will be tried again, %s", row.table, fault)
                    await asyncio.sleep(min(LONGEST_BACKOFF_SECONDS, 0.5 * 2.0 ** min(failures, 8)))
                    continue
                messages.dm_delivered(key[1], row)
                if key in self._sent_again:  # its picture came while it was sent without it
                    continue
                if self._newest.get(key) == row:  # equal, not identical: it may have been read from the outbox again
                    del self._newest[key]
        except Rejected:  # the table is gone
            self._newest.pop(key, None)
            self._posted.pop(key, None)
            self._uncertain.discard(key)
        except HandedOver:
            self._newest.pop(key, None)
            log.info("table %s: another process sends its DMs now", key[0])
        except StoreFault as fault:
            self._newest.pop(key, None)
            log.info("table %s: a DM waits for the next start, %s", key[0], fault)
        except Exception:
            self._newest.pop(key, None)
            log.exception("table %s: a DM could not be delivered", key[0])
        finally:
            del self._tasks[key]
            self._sent_again.discard(key)
            messages.dm_ended()

    async def _deliver(self, row: OutboxRow, messages: TableMessages) -> None:
        user = row.user
        if user is None:
            return
        key = (row.table, user)
        again = key in self._sent_again
        self._sent_again.discard(key)
        table = await self._tables.get(row.table)
        existing = messages.dm_of(user)
        may_exist = existing is not None or (key in self._uncertain and _is_reachable(table, user))
        if not _gets_dm(table, user, may_exist=may_exist):
            await self._store.mark_done([row])
            return
        current = messages.current
        shown_by = None if current is None else current.message
        say = self._illustrator.words(_texts_for(table, user), table.house, user)
        late = None if again else lambda: self._send_again(key, row, messages)  # only once, or it might never end
        picture = await self._illustrator.drawn(self._picture_of(say, table, user), late=late)
        out = Outgoing(draw_dm(say, table, user, self._clock, message=shown_by), picture=picture)
        self._check_duty(row.table)
        try:
            if existing is not None and is_editable(existing.message) and await self._edit(existing, out, messages):
                await self._store.mark_done([row])
                return
            if existing is not None and table.is_open and table.seat_of(user) is None:  # no new DM after leaving
                await self._delete(existing, messages)
                await self._store.mark_done([row])
                return
            await self._post(row, messages, user, out)
        except RequestRefused as refused:
            await self._handle_refusal(row, table, user, refused)

    def _check_duty(self, table: TableId) -> None:
        if not self._holds(table):
            raise HandedOver

    def _picture_of(self, say: Catalogue, table: Table, user: UserId) -> Wanted | None:
        """Return the picture for a player's DM, which stays true for the whole deal."""
        if table.stage is not Stage.PLAYING or table.seat_of(user) not in views.living_seats(table):
            return None
        pictures = self._illustrator.look(say, table, user)
        return None if pictures is None else pictures.lasting

    async def _edit(self, existing: Message, out: Outgoing, messages: TableMessages) -> bool:
        """Edit a DM; return False if it can no longer be edited."""
        messages.prepare_edit(existing.message, out)
        try:
            await self._rest.edit(existing.channel, existing.message, out, Urgency.USUAL)
        except RequestRefused as refused:
            if refused.code in (error_codes.UNKNOWN_MESSAGE, error_codes.TOO_MANY_EDITS):
                return False
            raise
        messages.drawn(existing.message, out)
        return True

    async def _post(self, row: OutboxRow, messages: TableMessages, user: UserId, out: Outgoing) -> None:
        """Post a new DM, replacing the one that the player has."""
        existing = messages.dm_of(user)
        if existing is None:
            if user not in self._channels and time.monotonic() < self._no_openings_until:
                await self._store.mark_done([row])  # players can still look in the channel
                return
            channel = await self._open(user)
            self._check_duty(row.table)
        else:
            channel = existing.channel
        # The nonce does not use the row's id: that is reused for somebody else's DM once the row is gone.
        nonce = f"{row.table}{user:x}" if existing is None else f"d{existing.message}"
        key = (row.table, user)
        known, posted = self._posted.get(key, ("", 0))
        if known != nonce:
            posted = await self._rest.post(channel, out, nonce, Urgency.USUAL)
            self._posted[key] = (nonce, posted)
        if key in self._uncertain:  # the nonce may have led to an older post with older content
            await self._rest.edit(channel, posted, out, Urgency.USUAL)
        messages.drawn(posted, out)
        # This comes before the row is removed: if the bot is killed in between, the row makes it try again.
        await self._tables.submit(row.table, DmTried(user, Dm.OPEN))
        placed = [Message(row.table, MessageKind.DM, user, channel, posted, self._clock.now())]
        if existing is not None:
            await self._delete_old(messages, user)  # only one old DM can be remembered
            placed.append(as_old(existing))
        await self._store.mark_done([row], placed=placed)
        del self._posted[key]
        messages.placed(placed)

    async def _open(self, user: UserId) -> int:
        """Return the channel of the DMs with a user, which stays the same for ever; open it if it is not known."""
        channel = self._channels.pop(user, None)
        if channel is None:
            await self._openings.take()
            channel = await self._rest.open_dm(user)
        while len(self._channels) >= MAX_CHANNELS:
            del self._channels[next(iter(self._channels))]
        self._channels[user] = channel
        return channel

    async def _delete_old(self, messages: TableMessages, user: UserId) -> None:
        """Delete a DM that was replaced, just now or before a failure."""
        old = messages.old_dm_of(user)
        if old is not None:
            await self._delete(old, messages)

    async def _delete(self, message: Message, messages: TableMessages) -> None:
        with suppress(RequestRefused):
            await self._rest.delete(message.channel, message.message)
        messages.deleted(message)
        await self._store.forget(message)

    async def _handle_refusal(self, row: OutboxRow, table: Table, user: UserId, refused: RequestRefused) -> None:
        self._posted.pop((row.table, user), None)
        self._channels.pop(user, None)
        if refused.code in error_codes.DMS_CLOSED:
            now = time.monotonic()
            self._closed_until = {each: until for each, until in self._closed_until.items() if until > now}
            self._closed_until[user] = now + CLOSED_SECONDS
            metrics.DM_REFUSALS.labels("closed").inc()
            self._to_warn = {each for each in self._to_warn if each in self._closed_until} | {user}
            await self._tables.submit(table.id, DmTried(user, Dm.SHUT))
            may_have_left = refused.code == error_codes.NO_SHARED_GUILD and table.is_open
            if may_have_left and not await self._rest.may_be_member(table.guild, user):
                # They have left the guild, which no event reports to a bot without a privileged intent.
                await self._tables.submit(table.id, Leave(user))
        elif refused.code == error_codes.DMS_TOO_FAST:
            metrics.DM_REFUSALS.labels("too fast").inc()
            log.warning("Discord says that DMs are opened too fast: none is opened for half an hour")
            self._no_openings_until = time.monotonic() + OPENING_PAUSE_SECONDS
        else:
            metrics.DM_REFUSALS.labels("other").inc()
            log.warning("table %s: a DM was given up, %s", table.id, refused)
        await self._store.mark_done([row])


def _texts_for(table: Table, user: UserId) -> Catalogue:
    """Return the texts in the language in which a player was last spoken to."""
    language = next((player.language for player in table.players if player.user == user), "")
    return catalogue(language or table.house.language).for_table(table.game, table.house.language)


def _gets_dm(table: Table, user: UserId, *, may_exist: bool) -> bool:
    """Return whether a user gets a DM: they sit at the table, are still playing, and accept DMs.

    When the table is over, or the user is out or has left, a DM that may exist is updated to say so.
    """
    seat = table.seat_of(user)
    is_playing = table.stage is Stage.LOBBY or (
        table.stage is Stage.PLAYING and seat in RULES[table.game].seated(table.match)
    )
    if seat is None or not is_playing:
        return may_exist
    return table.players[seat].dm in (Dm.UNTRIED, Dm.OPEN)


def _is_reachable(table: Table, user: UserId) -> bool:
    """Return whether DMs may reach a player of the match, even one who has left."""
    return table.match is not None and any(
        player.user == user and player.dm in (Dm.UNTRIED, Dm.OPEN) for player in table.players
    )
