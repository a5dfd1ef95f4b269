"""One DM per player and game: opened slowly, changed while it is young, and nobody's game waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Final

from bot.discord_ui.drawing import draw_look, spoken_at
from bot.discord_ui.outbox.table_notes import DM, OLD, Desk, is_editable, replaced
from bot.discord_ui.wire import rest as wire
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, Passing, Refused, Wire
from bot.engine.core import Rejected
from bot.host import views
from bot.host.commands import DmTried, Leave
from bot.host.model import Dm, Stage, Table, TableId, UserId
from bot.host.ports import Clock, Fault, Message, OutboxRow, StoreFault
from bot.host.tables import Tables
from bot.store.sqlite.store import SqliteStore

log = logging.getLogger(__name__)

TOO_FAST_SECONDS: Final = 30 * 60.0
"""How long no DM is opened after Discord said that we open them too fast."""
SHUT_SECONDS: Final = 12 * 3600.0
"""How long we remember that somebody cannot be written to, at whatever table they sit down."""
PATIENCE: Final = 60.0

Key = tuple[TableId, UserId]


class Postman:
    """Carries the DMs of all tables. `deliver` returns at once."""

    def __init__(self, tables: Tables, store: SqliteStore, out: Wire, clock: Clock, openings: Pace) -> None:
        self._tables = tables
        self._store = store
        self._wire = out
        self._clock = clock
        self._openings = openings
        self._newest: dict[Key, OutboxRow] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._unsure: set[Key] = set()
        """Whose DM may have been posted although nothing says so: the bot was killed, or the answer lost."""
        self._posted: dict[Key, tuple[str, int]] = {}
        """What was posted and is not noted yet, and its nonce, which Discord forgets after some minutes."""
        self._shut: dict[UserId, float] = {}
        self._rests_until = 0.0
        self.unreached: set[UserId] = set()
        """Who is still to hear that no DM could be sent."""

    def knows_of(self, user: UserId) -> Dm:
        """Return what is known of somebody's DMs from other tables."""
        return Dm.SHUT if self._shut.get(user, 0.0) > time.monotonic() else Dm.UNTRIED

    def forget(self, user: UserId) -> None:
        """Forget what is known of somebody."""
        self._shut.pop(user, None)
        self.unreached.discard(user)

    def deliver(self, row: OutboxRow, desk: Desk) -> None:
        """Have a player's DM brought up to date; of several the newest."""
        if row.user is None:
            return
        key = (row.table, row.user)
        if desk.brought.get(row.user) == row:
            return  # it was read from the outbox just before it was struck off there
        self._newest[key] = row
        if desk.unsure:
            self._unsure.add(key)
        if key not in self._tasks:
            desk.carried += 1
            self._tasks[key] = asyncio.create_task(self._carry(key, desk), name=f"dm-{row.table}")

    def stopped(self) -> list[asyncio.Task[None]]:
        """Take nothing more; return what is under way."""
        self._newest.clear()
        return list(self._tasks.values())

    async def _carry(self, key: Key, desk: Desk) -> None:
        failures = 0
        try:
            while (row := self._newest.get(key)) is not None:
                try:
                    await self._bring(row, desk)
                    await self._sweep(desk, key[1])
                    self._unsure.discard(key)
                    failures = 0
                except (Passing, StoreFault) as fault:
                    if isinstance(fault, StoreFault) and fault.fault is Fault.CLOSED:
                        raise  # it is told after the next start
                    failures += 1
                    self._unsure.add(key)
                    log.info("table %s: a DM is to be tried again, %s", row.table, fault)
                    await asyncio.sleep(min(PATIENCE, 0.5 * 2.0 ** min(failures, 8)))
                    continue
                desk.brought[key[1]] = row
                if self._newest.get(key) == row:  # perhaps found once more in the outbox, while it was on its way
                    del self._newest[key]
        except Rejected:  # the table is gone
            self._newest.pop(key, None)
            self._posted.pop(key, None)
            self._unsure.discard(key)
        except StoreFault as fault:
            self._newest.pop(key, None)
            log.info("table %s: a DM waits, %s", key[0], fault)
        except Exception:
            self._newest.pop(key, None)
            log.exception("table %s: a DM could not be brought", key[0])
        finally:
            del self._tasks[key]
            desk.carried -= 1

    async def _bring(self, row: OutboxRow, desk: Desk) -> None:
        user = row.user
        table = await self._tables.get(row.table)
        standing = None if user is None else (desk.standing or {}).get((DM, user))
        if user is None or not _wants_one(table, user, standing):
            await self._store.told([row])
            return
        current = desk.current()
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
            if standing is not None and is_editable(standing.message) and await self._changed(standing, out):
                await self._store.told([row])
                return
            if table.is_open and table.seat_of(user) is None:
                await self._store.told([row])  # whoever has got up is not written to again
                return
            await self._send(row, desk, user, out)
        except Refused as refused:
            await self._failed(row, table, user, refused)

    async def _changed(self, standing: Message, out: Outgoing) -> bool:
        try:
            await self._wire.edit(standing.channel, standing.message, out)
        except Refused as refused:
            if refused.code in (wire.UNKNOWN_MESSAGE, wire.TOO_MANY_EDITS):
                return False
            raise
        return True

    async def _send(self, row: OutboxRow, desk: Desk, user: UserId, out: Outgoing) -> None:
        standing = (desk.standing or {}).get((DM, user))
        if standing is None:
            if time.monotonic() < self._rests_until:
                await self._store.told([row])  # private looks serve meanwhile
                return
            await self._openings.take()
            channel = await self._wire.open_dm(user)
        else:
            channel = standing.channel
        # Never the row's number: it is given again, to somebody else's DM, as soon as the row is gone.
        nonce = f"{row.table}{user:x}" if standing is None else f"d{standing.message}"
        key = (row.table, user)
        known, posted = self._posted.get(key, ("", 0))
        if known != nonce:
            posted = await self._wire.post(channel, out, nonce)
            self._posted[key] = (nonce, posted)
        if key in self._unsure:  # the nonce may have brought back an older one
            await self._wire.edit(channel, posted, out)
        # Before it is told: otherwise, should that be all that is written, nobody would ever say that it has arrived.
        await self._tables.submit(row.table, DmTried(user, Dm.OPEN))
        stands = [Message(row.table, DM, user, channel, posted, self._clock.now())]
        if standing is not None:
            await self._sweep(desk, user)  # one such is remembered
            stands.append(replaced(standing))
        await self._store.told([row], stands=stands)
        del self._posted[key]
        for each in stands:
            desk.stands(each)

    async def _sweep(self, desk: Desk, user: UserId) -> None:
        """Delete the DM whose place another has taken, now or before a fault."""
        old = (desk.standing or {}).get((OLD[DM], user))
        if old is not None:
            with suppress(Refused):
                await self._wire.delete(old.channel, old.message)
            desk.gone(old)
            await self._store.forget(old)

    async def _failed(self, row: OutboxRow, table: Table, user: UserId, refused: Refused) -> None:
        self._posted.pop((row.table, user), None)
        if refused.code in wire.DMS_SHUT:
            now = time.monotonic()
            self._shut = {each: until for each, until in self._shut.items() if until > now}
            self._shut[user] = now + SHUT_SECONDS
            self.unreached = {each for each in self.unreached if each in self._shut} | {user}
            await self._tables.submit(table.id, DmTried(user, Dm.SHUT))
            gone = refused.code == wire.NO_SERVER_SHARED and table.is_open
            if gone and not await self._wire.is_member(table.guild, user):
                await self._tables.submit(table.id, Leave(user))  # no event says so without a privileged intent
        elif refused.code == wire.DMS_TOO_FAST:
            log.warning("DMs rest for half an hour: Discord says that they are opened too fast")
            self._rests_until = time.monotonic() + TOO_FAST_SECONDS
        else:
            log.warning("table %s: a DM was given up, %s", table.id, refused)
        await self._store.told([row])


def _wants_one(table: Table, user: UserId, standing: Message | None) -> bool:
    """Tell whether somebody is to be written to: seated, still playing, and not known to be out of reach.

    Once the table is done, or somebody has got up, whoever has a DM of it is told so there.
    """
    seat = table.seat_of(user)
    if seat is None or not table.is_open:
        return standing is not None
    if table.players[seat].dm not in (Dm.UNTRIED, Dm.OPEN):
        return False
    return table.stage is Stage.LOBBY or bool(views.view(table, None).seats[seat].living)
