"""One look at what is to be told about a table, in the order in which people should see it."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from bot.discord_ui.drawing import draw_reveal, draw_table, is_revealing, sayable, seen_by_all, spoken_at
from bot.discord_ui.outbox.table_notes import BACK, BURIED, DM, OLD, PING, REVEAL, TABLE, Desk, is_editable, replaced
from bot.discord_ui.wall_clock import on_the_wall
from bot.discord_ui.wire import rest as wire
from bot.discord_ui.wire.rest import Outgoing, Passing, Refused, Wire
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.games.coyote.ui.record import record_screen
from bot.host import views
from bot.host.commands import Tell
from bot.host.model import Stage, Table, UserId
from bot.host.ports import Clock, Message, OutboxRow
from bot.screens.notices import notice_text, ping_text, remind_text, restart_text
from bot.screens.views import public
from bot.stats.model import Ending
from bot.store.sqlite.store import SqliteStore

log = logging.getLogger(__name__)

REMEMBERED: Final = 120_000
"""Milliseconds for which Discord surely remembers a nonce."""
GRACE: Final = 2500
"""Milliseconds: whoever acts sooner needs no ping."""


def asked(table: Table) -> tuple[UserId, ...]:
    """Return whom the table waits for."""
    if table.stage is not Stage.PLAYING or table.next_deal is not None:
        return ()
    prompts = RULES[table.game].prompts(table.match)
    return tuple(table.players[prompt.seat].user for prompt in prompts if prompt.seat >= 0)


class Teller:
    """Sends what a table's outbox holds. Raises Passing or Refused where it stopped; what was sent is noted.

    A message that is refused for its own sake does not stop it: that is given up, and the rest is told.
    """

    def __init__(self, store: SqliteStore, out: Wire, clock: Clock, scale: float) -> None:
        self._store = store
        self._wire = out
        self._clock = clock
        self._scale = scale

    async def tell(self, desk: Desk, table: Table, rows: Sequence[OutboxRow]) -> float | None:
        """Tell everything but the DMs; return after how many seconds there is more, such as a ping that waits."""
        newest = next((row for row in rows if row.kind is Tell.TABLE), None)
        pings = [row for row in rows if row.kind is Tell.PING and row.user is not None]
        for row in rows:
            if row.kind is Tell.RECORD:
                newest = await self._record(desk, table, row, newest)
            elif row.kind is Tell.NOTICE:
                async with self._or_given_up(desk):
                    if line := notice_text(spoken_at(table), table, row.payload, views.view(table, None)):
                        await self._post(desk, table, sayable(table, line), row.nonce)
                await self._store.told([row])
        if desk.back_again and table.stage is Stage.PLAYING:
            async with self._or_given_up(desk):
                await self._back_again(desk, table)
            desk.back_again = False
        waiting = asked(table)
        if not table.is_open:  # nothing comes later that would take them away, should the bot be killed in between
            await self._withdraw(desk, waiting)
        if newest is not None or desk.move or desk.refresh:
            try:
                pings = await self._show(desk, table, newest, pings)
            except Refused as refused:
                await self._give_up(desk, refused, newest)
                desk.move = False  # else it would be posted, and refused, instead of changed
            desk.refresh = False
        await self._sweep(desk)
        await self._withdraw(desk, waiting)
        for row in rows:
            if row.kind is Tell.REMIND and row.user is not None:
                await self._remind(desk, table, row, row.user, waiting)
        again = await self._ping(desk, table, pings, waiting)
        await self._make_sure(desk, table)
        return again

    async def _make_sure(self, desk: Desk, table: Table) -> None:
        """Delete what may have been posted and, before its answer came, was overtaken: its nonce brings its id back.

        If it never was, it appears and goes, and pings nobody.
        """
        for nonce, (out, at) in list(desk.doubtful.items()):
            if time.monotonic() - at < REMEMBERED / 1000:
                out.pings = ()
                async with self._or_given_up(desk):
                    await self._wire.delete(table.channel, await self._wire.post(table.channel, out, nonce))
            del desk.doubtful[nonce]

    @asynccontextmanager
    async def _or_given_up(self, desk: Desk, row: OutboxRow | None = None) -> AsyncIterator[None]:
        """Give something up, and the row that asks for it, if Discord refuses just that."""
        try:
            yield
        except Refused as refused:
            await self._give_up(desk, refused, row)

    async def _post(self, desk: Desk, table: Table, out: Outgoing, nonce: str) -> int:
        """Post a message, unless that was done and only could not be noted; return its id."""
        if nonce not in desk.posted:
            try:
                desk.posted[nonce] = await self._wire.post(table.channel, out, nonce)
            except Passing:
                desk.doubtful[nonce] = out, time.monotonic()
                raise
            except Refused:
                desk.doubtful.pop(nonce, None)
                raise
        desk.doubtful.pop(nonce, None)
        return desk.posted[nonce]

    async def _give_up(self, desk: Desk, refused: Refused, row: OutboxRow | None) -> None:
        if refused.code in wire.OF_THE_PLACE:
            raise refused
        log.warning("table %s: a message was given up, %s", desk.id, refused)
        await self._told([] if row is None else [row])

    async def _back_again(self, desk: Desk, table: Table) -> None:
        """Say that the table goes on, in place of the line that said so before."""
        line = restart_text(spoken_at(table), on_the_wall(table, self._clock), seen_by_all(table))
        before = (desk.standing or {}).get((BACK, None))
        nonce = f"b{table.id}.{table.seq if before is None else before.message % 10**9}"
        posted = await self._post(desk, table, sayable(table, line), nonce)
        desk.back_again = False
        await self._stood(desk, table, BACK, posted, [], instead_of=before)

    # -- the table message

    async def _record(self, desk: Desk, table: Table, row: OutboxRow, newest: OutboxRow | None) -> OutboxRow | None:
        """Make the table message the record of a round, and post the reveal; return what is still to be shown."""
        try:
            record = views.record_of(table, row.payload)
        except (KeyError, TypeError, ValueError, Rejected):  # never quoted: it may hold the next deal
            log.error("table %s: the reveal of step %s is damaged and given up", table.id, row.seq)
            await self._store.told([row])
            return newest
        before, after = public(record.before), public(record.after)
        current = desk.current()
        if current is not None and current.kind == TABLE and is_editable(current.message):
            say = spoken_at(table)
            async with self._or_given_up(desk):
                await self._edit_if_there(desk, current, sayable(table, record_screen(say, table, before, after.last)))
        live = is_revealing(table) and seen_by_all(table).last == after.last
        reveal = sayable(table, draw_reveal(table, after, self._clock, live=live, remarks=record.remarks))
        async with self._or_given_up(desk, row):
            posted = await self._post(desk, table, reveal, f"r{row.nonce}")
            if not desk.unsure:  # else its nonce may have brought back one that still has its buttons
                desk.marks[posted] = reveal.mark
            shown = [row] if newest is None or not live else [row, newest]
            await self._stood(desk, table, REVEAL, posted, shown)
            desk.under = 0
            return None if live else newest
        return newest

    async def _show(self, desk: Desk, table: Table, row: OutboxRow | None, pings: list[OutboxRow]) -> list[OutboxRow]:
        """Bring the table message up to date, or post a new one; return the pings that are still to be sent."""
        current = desk.current()
        revealing = current is not None and current.kind == REVEAL and is_revealing(table)
        body = (
            draw_reveal(table, seen_by_all(table), self._clock, live=True)
            if revealing
            else draw_table(table, self._clock, await self._ending(table))
        )
        out = sayable(table, body)
        told = [] if row is None else [row]
        if current is not None and self._stays(desk, table, current, revealing=revealing):
            if desk.marks.get(current.message) == out.mark or await self._edit_if_there(desk, current, out):
                await self._told(told)
                return pings
            current = desk.current()  # None if it is gone; else too old, and replaced
        now_asked = asked(table)
        with_it = [ping for ping in pings if ping.user in now_asked]
        out.pings = [ping.user for ping in with_it if ping.user is not None]
        before = desk.current()
        posted = await self._post(desk, table, out, f"t{table.id if before is None else before.message}")
        if desk.unsure:  # the nonce may have brought back a message that shows an older state
            await self._wire.edit(table.channel, posted, out)
        desk.marks[posted] = out.mark
        await self._stood(desk, table, TABLE, posted, [*told, *with_it], instead_of=current)
        desk.under, desk.move, desk.lent = 0, False, None  # not before: if it is not noted, it is found by its nonce
        if before is not None and before.kind == REVEAL:
            async with self._or_given_up(desk):
                await self._strip(desk, table, before)
        return [ping for ping in pings if ping not in with_it]

    async def _ending(self, table: Table) -> Ending | None:
        """Return what the game did to ratings: written with its end, so it is there before anybody is told."""
        return await self._store.stats.ending(table.id) if table.stage is Stage.OVER else None

    def _stays(self, desk: Desk, table: Table, current: Message, *, revealing: bool) -> bool:
        if current.kind == REVEAL and not revealing:
            return False
        if table.rematch is not None:
            return True  # the new lobby is where people look; what was won stays where it was won
        return not desk.move and desk.under < BURIED and is_editable(current.message)

    async def _edit_if_there(self, desk: Desk, message: Message, out: Outgoing) -> bool:
        """Change a message; False if it cannot be changed any more."""
        press = desk.borrowed(message.message)
        if press is not None:
            try:
                await self._wire.edit_through(press, out)
                desk.marks[message.message] = out.mark
                return True
            except (Refused, Passing):
                desk.lent = None  # the bot's own token will do
        try:
            await self._wire.edit(message.channel, message.message, out)
        except Refused as refused:
            if refused.code not in (wire.UNKNOWN_MESSAGE, wire.TOO_MANY_EDITS):
                raise
            if refused.code == wire.UNKNOWN_MESSAGE:
                desk.gone(message)
                await self._store.forget(message)
            return False
        desk.marks[message.message] = out.mark
        return True

    async def _strip(self, desk: Desk, table: Table, reveal: Message) -> None:
        """Take the buttons from a reveal once the next round is dealt."""
        view = seen_by_all(table)
        if desk.stripped == reveal.message or view.last is None or not is_editable(reveal.message):
            return
        desk.stripped = reveal.message
        out = sayable(table, draw_reveal(table, view, self._clock, live=False))
        if desk.marks.get(reveal.message) != out.mark:
            await self._edit_if_there(desk, reveal, out)

    async def stood(self, desk: Desk, table: Table, kind: str, message: int) -> None:
        """Note a message that stands for the table now."""
        await self._stood(desk, table, kind, message, [])

    async def _stood(
        self,
        desk: Desk,
        table: Table,
        kind: str,
        message: int,
        told: Sequence[OutboxRow],
        *,
        instead_of: Message | None = None,
        user: UserId | None = None,
    ) -> None:
        stands = [Message(table.id, kind, user, table.channel, message, self._clock.now())]
        if instead_of is not None and instead_of.kind == kind and instead_of.message != message:
            await self._sweep(desk)  # of each kind one is remembered
            stands.append(replaced(instead_of))
        await self._store.told(told, stands=stands)
        for each in stands:
            desk.stands(each)

    async def _told(self, rows: Sequence[OutboxRow]) -> None:
        if rows:
            await self._store.told(rows)

    # -- pings

    async def _withdraw(self, desk: Desk, waiting: tuple[UserId, ...]) -> None:
        """Delete the pings of those whose turn it no longer is."""
        for (kind, user), message in list((desk.standing or {}).items()):
            if kind == PING and user not in waiting:
                await self._delete(desk, message)

    async def _sweep(self, desk: Desk) -> None:
        """Delete the messages whose place others have taken, now or before a fault; those in DMs are the postman's."""
        for (kind, _), message in list((desk.standing or {}).items()):
            if kind in OLD.values() and kind != OLD[DM]:
                await self._delete(desk, message)

    async def _delete(self, desk: Desk, message: Message) -> None:
        async with self._or_given_up(desk):
            await self._wire.delete(message.channel, message.message)
        desk.gone(message)
        await self._store.forget(message)

    async def _ping(
        self, desk: Desk, table: Table, pings: Sequence[OutboxRow], waiting: tuple[UserId, ...]
    ) -> float | None:
        """Ping whoever has been asked for a while; return when to look again for those who just were."""
        wait: float | None = None
        for row in pings:
            user = row.user
            player = next((each for each in table.players if each.user == user), None)
            if user is None or player is None or user not in waiting or not player.pinged:
                if desk.unsure and user is not None:
                    async with self._or_given_up(desk):
                        await self._take_back(desk, table, row, user)
                await self._store.told([row])
                continue
            left = row.made_at + GRACE - self._clock.now()
            if 0 < left <= GRACE:  # more than that was noted by a clock before a restart, and has been waited for
                wait = left / 1000 / self._scale if wait is None else min(wait, left / 1000 / self._scale)
                continue
            text = ping_text(spoken_at(table), user, seen_by_all(table))
            await self._call(desk, table, row, user, text)
        return wait

    async def _take_back(self, desk: Desk, table: Table, row: OutboxRow, user: UserId) -> None:
        """Delete a ping that may have been posted just before the bot went down: its nonce brings its id back.

        If it never was, a line that pings nobody appears and goes.
        """
        if self._clock.now() - row.made_at < REMEMBERED * self._scale:
            text = ping_text(spoken_at(table), user, seen_by_all(table))
            posted = await self._post(desk, table, Outgoing(text), f"p{row.nonce}")
            await self._wire.delete(table.channel, posted)

    async def _remind(
        self, desk: Desk, table: Table, row: OutboxRow, user: UserId, waiting: tuple[UserId, ...]
    ) -> None:
        deadline = next((each for each in table.deadlines if table.players[each.seat].user == user), None)
        if user not in waiting or deadline is None or not table.players[deadline.seat].pinged:
            await self._store.told([row])
            return
        await self._call(desk, table, row, user, remind_text(spoken_at(table), user, self._clock.shown(deadline.due)))

    async def _call(self, desk: Desk, table: Table, row: OutboxRow, user: UserId, text: str) -> None:
        """Post a line that pings one person, in place of the last such line."""
        standing = (desk.standing or {}).get((PING, user))
        async with self._or_given_up(desk, row):
            posted = await self._post(desk, table, sayable(table, text, (user,)), f"p{row.nonce}")
            await self._stood(desk, table, PING, posted, [row], instead_of=standing, user=user)
        await self._sweep(desk)
