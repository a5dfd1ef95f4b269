"""Keeps one DM per player and table: opened at a slow pace, edited while recent, and no game waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Final

from bot.discord_ui.drawing import draw_look, spoken_at
from bot.discord_ui.outbox.ports import MessageStore
from bot.discord_ui.outbox.table_messages import MessageKind, TableMessages, as_old, is_editable
from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, RequestRefused, Rest, TemporaryFailure
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host.commands import DmTried, Leave
from bot.host.model import Dm, Stage, Table, TableId, UserId
from bot.host.ports import Clock, Fault, Message, OutboxRow, StoreFault
from bot.host.tables import Tables

log = logging.getLogger(__name__)

TOO_FAST_SECONDS: Final = 30 * 60.0
"""How long no DM is opened after Discord complained that the bot opens them too fast."""
CLOSED_SECONDS: Final = 12 * 3600.0
"""How long the bot remembers, for all tables, that a user accepts no DMs."""
LONGEST_BACKOFF_SECONDS: Final = 60.0
"""The longest wait before a DM is tried again."""

Key = tuple[TableId, UserId]
"""The table and the player that a DM belongs to."""


class DirectMessages:
    """Sends the DMs of all tables, in the background."""

    def __init__(self, tables: Tables, store: MessageStore, rest: Rest, clock: Clock, openings: Pace) -> None:
        self._tables = tables
        self._store = store
        self._rest = rest
        self._clock = clock
        self._openings = openings
        self._newest: dict[Key, OutboxRow] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._uncertain: set[Key] = set()
        """DMs that may have been posted without being noted, because the bot was killed or an answer was lost."""
        self._posted: dict[Key, tuple[str, int]] = {}
        """The nonce and id of each DM that is posted but not noted yet; Discord forgets nonces after some minutes."""
        self._closed_until: dict[UserId, float] = {}
        self._no_openings_until = 0.0
        self._unreached: set[UserId] = set()
        """Users who have not been told yet that no DM could be sent to them."""

    def state_of(self, user: UserId) -> Dm:
        """Return what is known from other tables about a user's DMs."""
        return Dm.SHUT if self._closed_until.get(user, 0.0) > time.monotonic() else Dm.UNTRIED

    def forget(self, user: UserId) -> None:
        """Forget what is known about a user."""
        self._closed_until.pop(user, None)
        self._unreached.discard(user)

    def take_unreached(self, user: UserId) -> bool:
        """Return whether a user has yet to be told that no DM reaches them; from now on they count as told."""
        if user not in self._unreached:
            return False
        self._unreached.discard(user)
        return True

    def deliver(self, row: OutboxRow, messages: TableMessages) -> None:
        """Bring a player's DM up to date in the background; only the newest of several rows counts."""
        if row.user is None:
            return
        key = (row.table, row.user)
        if messages.is_delivered_dm(row.user, row):
            return  # it was read from the outbox just before it was removed
        self._newest[key] = row
        if messages.is_uncertain:
            self._uncertain.add(key)
        if key not in self._tasks:
            messages.dm_started()
            self._tasks[key] = asyncio.create_task(self._work(key, messages), name=f"dm-{row.table}")

    def stop(self) -> list[asyncio.Task[None]]:
        """Start no more deliveries; return the tasks under way."""
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
                if self._newest.get(key) == row:  # equal, not identical: it may have been read from the outbox again
                    del self._newest[key]
        except Rejected:  # the table is gone
            self._newest.pop(key, None)
            self._posted.pop(key, None)
            self._uncertain.discard(key)
        except StoreFault as fault:
            self._newest.pop(key, None)
            log.info("table %s: a DM waits for the next start, %s", key[0], fault)
        except Exception:
            self._newest.pop(key, None)
            log.exception("table %s: a DM could not be delivered", key[0])
        finally:
            del self._tasks[key]
            messages.dm_ended()

    async def _deliver(self, row: OutboxRow, messages: TableMessages) -> None:
        user = row.user
        table = await self._tables.get(row.table)
        standing = None if user is None else messages.dm_of(user)
        if user is None or not _gets_dm(table, user, standing):
            await self._store.told([row])
            return
        current = messages.current
        screen = draw_look(
            spoken_at(table),
            table,
            user,
            self._clock,
            message=None if current is None else current.message,
            moves=False,
        )
        out = Outgoing(screen)
        try:
            if standing is not None and is_editable(standing.message) and await self._edit(standing, out):
                await self._store.told([row])
                return
            if table.is_open and table.seat_of(user) is None:
                await self._store.told([row])  # players who left get no new DM
                return
            await self._post(row, messages, user, out)
        except RequestRefused as refused:
            await self._handle_refusal(row, table, user, refused)

    async def _edit(self, standing: Message, out: Outgoing) -> bool:
        """Edit a DM; return False if it can no longer be edited."""
        try:
            await self._rest.edit(standing.channel, standing.message, out)
        except RequestRefused as refused:
            if refused.code in (error_codes.UNKNOWN_MESSAGE, error_codes.TOO_MANY_EDITS):
                return False
            raise
        return True

    async def _post(self, row: OutboxRow, messages: TableMessages, user: UserId, out: Outgoing) -> None:
        """Post a new DM, replacing the one that the player has."""
        standing = messages.dm_of(user)
        if standing is None:
            if time.monotonic() < self._no_openings_until:
                await self._store.told([row])  # players can still look in the channel
                return
            await self._openings.take()
            channel = await self._rest.open_dm(user)
        else:
            channel = standing.channel
        # The nonce does not use the row's id: that is reused for somebody else's DM once the row is gone.
        nonce = f"{row.table}{user:x}" if standing is None else f"d{standing.message}"
        key = (row.table, user)
        known, posted = self._posted.get(key, ("", 0))
        if known != nonce:
            posted = await self._rest.post(channel, out, nonce)
            self._posted[key] = (nonce, posted)
        if key in self._uncertain:  # the nonce may have led to an older post with older content
            await self._rest.edit(channel, posted, out)
        # This comes before `told`: if the bot were killed in between, nothing would ever note that DMs reach this user.
        await self._tables.submit(row.table, DmTried(user, Dm.OPEN))
        placed = [Message(row.table, MessageKind.DM, user, channel, posted, self._clock.now())]
        if standing is not None:
            await self._delete_old(messages, user)  # only one old DM can be remembered
            placed.append(as_old(standing))
        await self._store.told([row], stands=placed)
        del self._posted[key]
        messages.placed(placed)

    async def _delete_old(self, messages: TableMessages, user: UserId) -> None:
        """Delete a DM that was replaced, just now or before a failure."""
        old = messages.old_dm_of(user)
        if old is not None:
            with suppress(RequestRefused):
                await self._rest.delete(old.channel, old.message)
            messages.deleted(old)
            await self._store.forget(old)

    async def _handle_refusal(self, row: OutboxRow, table: Table, user: UserId, refused: RequestRefused) -> None:
        self._posted.pop((row.table, user), None)
        if refused.code in error_codes.DMS_CLOSED:
            now = time.monotonic()
            self._closed_until = {each: until for each, until in self._closed_until.items() if until > now}
            self._closed_until[user] = now + CLOSED_SECONDS
            self._unreached = {each for each in self._unreached if each in self._closed_until} | {user}
            await self._tables.submit(table.id, DmTried(user, Dm.SHUT))
            may_have_left = refused.code == error_codes.NO_SHARED_GUILD and table.is_open
            if may_have_left and not await self._rest.may_be_member(table.guild, user):
                await self._tables.submit(table.id, Leave(user))  # without a privileged intent, no event reports it
        elif refused.code == error_codes.DMS_TOO_FAST:
            log.warning("Discord says that DMs are opened too fast: none is opened for half an hour")
            self._no_openings_until = time.monotonic() + TOO_FAST_SECONDS
        else:
            log.warning("table %s: a DM was given up, %s", table.id, refused)
        await self._store.told([row])


def _gets_dm(table: Table, user: UserId, standing: Message | None) -> bool:
    """Tell whether a user gets a DM: they sit at the table, are still playing, and accept DMs.

    When the table is over, or the user has left it, an existing DM is updated to say so.
    """
    seat = table.seat_of(user)
    if seat is None or not table.is_open:
        return standing is not None
    if table.players[seat].dm not in (Dm.UNTRIED, Dm.OPEN):
        return False
    return table.stage is Stage.LOBBY or seat in RULES[table.game].seated(table.match)
