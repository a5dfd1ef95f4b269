"""Where tables stand: what we may do there, and what becomes of them when the place goes."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Final

import discord

from bot.engine.core import Rejected
from bot.host.commands import Close, HostReason, Leave, Resume, Suspend
from bot.host.model import Table, TableId

if TYPE_CHECKING:
    from bot.discord_ui.client import CoyoteBot
    from bot.discord_ui.interactions.context import Context

log = logging.getLogger(__name__)

OUTAGE = "outage"
ASKED: Final = 256
"""So many commands that asked for a thread are remembered; one that is delivered twice is so within seconds."""


def spoken_permission(flag: str) -> str:
    """Return Discord's own name of a permission."""
    return flag.replace("_", " ").title().replace(" In ", " in ").replace(" And ", " and ")


def needed(channel: object) -> tuple[str, ...]:
    """Return the permissions without which no table can stand in a channel."""
    sending = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    return ("view_channel", sending)


def missing_in(channel: object, permissions: discord.Permissions, *, thread: bool = False) -> str | None:
    """Return the first permission that we lack; with `thread`, for opening one there and playing in it."""
    flags = needed(channel)
    if thread and not isinstance(channel, discord.Thread):
        flags = (*flags, "create_public_threads", "send_messages_in_threads")
    return next((flag for flag in flags if not getattr(permissions, flag)), None)


def missing_at(bot: CoyoteBot, table: Table) -> str | None:
    """Return the first permission that we lack where a table stands, as far as we know."""
    guild = bot.get_guild(table.guild)
    channel = None if guild is None else guild.get_channel_or_thread(table.channel)
    if guild is None or channel is None or guild.me is None:
        return None
    return missing_in(channel, channel.permissions_for(guild.me))


class Places:
    """Follows what happens to channels and servers."""

    def __init__(self, bot: CoyoteBot) -> None:
        self._bot = bot
        self._threaded: deque[int] = deque(maxlen=ASKED)
        # Who stops a server's tables and who sets them going take turns; few locks serve all servers.
        self._turns = [asyncio.Lock() for _ in range(64)]

    def asks_for_thread(self, interaction: int) -> bool:
        """Note that a command wants a thread; False if it is known: Discord makes one as often as it is asked."""
        if interaction in self._threaded:
            return False
        self._threaded.append(interaction)
        return True

    async def channel_gone(self, channel: int) -> None:
        """Close the table of a channel or thread that was deleted."""
        table = await self._bot.tables.at(channel)
        if table is not None and table.is_open:
            await self._bot.tables.submit(table.id, Close("channel"))

    async def server_gone(self, guild: int) -> None:
        """Close the tables of a server that we were removed from, and note when that was."""
        for table in await self._bot.tables.open_in(guild):
            await self._submit(table, Close("server"))
        await self._bot.store.left(guild, self._bot.clock.now())
        self._bot.house.forget(guild)  # who adds us again later, when they are deleted, has none
        log.info("server %s: left", guild)

    async def server_entered(self, guild: int) -> None:
        """Note that we were added to a server, perhaps again."""
        await self._bot.store.entered([guild])

    async def reconcile(self) -> None:
        """Find the servers that removed us while we did not hear of it: Discord has told us of all that did not."""
        store, present = self._bot.store, {guild.id for guild in self._bot.guilds}
        known = await store.servers()
        await store.entered(sorted(present - known))
        for guild in sorted((known | await store.playing_in()) - present):
            await self.server_gone(guild)
        for server in self._bot.guilds:
            if server.unavailable:
                await self.server_out(server.id)

    async def server_out(self, guild: int) -> None:
        """Stop the clocks of a server that Discord has trouble with, unless that is over: who would set them going?"""
        async with self._turn(guild):
            server = self._bot.get_guild(guild)
            if server is None or not server.unavailable:
                return
            for table in await self._bot.tables.open_in(guild):
                await self._bot.tables.submit(table, Suspend(OUTAGE))

    async def server_there(self, guild: discord.Guild) -> None:
        """Go on after an outage, and close what lost its channel while we did not hear of it."""
        unseen = []
        async with self._turn(guild.id):
            for id_ in await self._bot.tables.open_in(guild.id):
                table = await self._bot.tables.get(id_)
                if table.pause is not None and table.pause.why == OUTAGE:
                    await self._bot.tables.submit(id_, Resume())
                if guild.get_channel_or_thread(table.channel) is None:
                    unseen.append(table)
        for table in unseen:
            await self._look_for(table)

    def _turn(self, guild: int) -> asyncio.Lock:
        return self._turns[(guild >> 22) % len(self._turns)]

    async def rights_changed(self, guild: int) -> None:
        """Try suspended tables again: perhaps the permission is there now."""
        for id_ in await self._bot.tables.open_in(guild):
            table = await self._bot.tables.get(id_)
            if table.is_suspended and missing_at(self._bot, table) is None:
                self._bot.publisher.wake(id_)

    async def still_there(self, context: Context) -> None:
        """Refuse a press in a DM of somebody who has left the table's server, and let them get up.

        No event tells of it without a privileged intent; in the server itself they cannot press any more.
        """
        table = await context.table()
        if table.is_open and not await self._bot.wire.is_member(table.guild, context.user):
            await self._submit(table.id, Leave(context.user))
            raise Rejected(HostReason.NOT_SEATED)

    async def _look_for(self, table: Table) -> None:
        # An archived thread is not in the list that comes with a server: ask before closing anything.
        if not await self._bot.wire.exists(table.channel):
            await self._submit(table.id, Close("channel"))

    async def _submit(self, table: TableId, command: Close | Leave) -> None:
        try:
            await self._bot.tables.submit(table, command)
        except Rejected:
            log.info("table %s: nothing left to do", table)
