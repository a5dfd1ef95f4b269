"""Closes, suspends and resumes tables as their guild or channel changes, disappears or comes back."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Final, Protocol

import discord

from bot.discord_ui.gateway.permissions import missing_at
from bot.discord_ui.wire.rest import Rest
from bot.engine.core import Rejected
from bot.host.commands import Close, HostReason, Leave, Resume, Suspend
from bot.host.model import Millis, Table, TableId, UserId
from bot.host.ports import Clock
from bot.host.tables import Tables

log = logging.getLogger(__name__)

OUTAGE: Final = "outage"
"""The reason given for a suspension while Discord has an outage in the table's guild."""
MAX_THREAD_COMMANDS: Final = 256
"""How many commands that opened a thread are remembered; if Discord delivers one twice, it does so within seconds."""
GUILD_LOCKS: Final = 64
"""How many locks all guilds share."""


class GuildStore(Protocol):
    """Keeps which guilds the bot is in."""

    async def servers(self) -> Collection[int]:
        """Return the guilds that the bot was in when it last heard of them."""

    async def playing_in(self) -> Collection[int]:
        """Return the guilds that have open tables."""

    async def entered(self, servers: Iterable[int]) -> None:
        """Note that the bot is in these guilds, perhaps again."""

    async def left(self, server: int, at: Millis) -> None:
        """Note that the bot is no longer in a guild, and since when."""


class Guilds:
    """Follows what happens to guilds and channels.

    `forget_rules` drops a guild's house rules from memory; `wake` has the publisher look at a table.
    """

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        store: GuildStore,
        rest: Rest,
        clock: Clock,
        *,
        forget_rules: Callable[[int], None],
        wake: Callable[[TableId], None],
    ) -> None:
        self._client = client
        self._tables = tables
        self._store = store
        self._rest = rest
        self._clock = clock
        self._forget_rules = forget_rules
        self._wake = wake
        self._thread_commands: deque[int] = deque(maxlen=MAX_THREAD_COMMANDS)
        # A guild's tables must not be suspended and resumed at the same time.
        self._locks = [asyncio.Lock() for _ in range(GUILD_LOCKS)]

    def claim_thread(self, interaction: int) -> bool:
        """Note that a command opens a thread; return False if it already did, or Discord would open a second one."""
        if interaction in self._thread_commands:
            return False
        self._thread_commands.append(interaction)
        return True

    async def channel_deleted(self, channel: int) -> None:
        """Close the table of a channel or thread that was deleted."""
        table = await self._tables.at(channel)
        if table is not None and table.is_open:
            await self._tables.submit(table.id, Close("channel"))

    async def bot_removed(self, guild: int) -> None:
        """Close the tables of a guild that removed the bot, and note when that was."""
        for table in await self._tables.open_in(guild):
            await self._submit(table, Close("server"))
        await self._store.left(guild, self._clock.now())
        self._forget_rules(guild)  # or they would reappear if the guild adds the bot after their deletion
        log.info("guild %s: the bot was removed", guild)

    async def bot_added(self, guild: int) -> None:
        """Note that a guild added the bot, perhaps again."""
        await self._store.entered([guild])

    async def reconcile(self) -> None:
        """Find guilds that removed the bot while it was not watching. Call this once Discord has listed all guilds."""
        present = {guild.id for guild in self._client.guilds}
        known = frozenset(await self._store.servers())
        await self._store.entered(sorted(present - known))
        for guild in sorted((known | frozenset(await self._store.playing_in())) - present):
            await self.bot_removed(guild)
        for there in self._client.guilds:
            if there.unavailable:
                await self.outage_began(there.id)

    async def outage_began(self, guild: int) -> None:
        """Suspend a guild's tables during an outage.

        The outage is checked again under the lock: if it is already over, nothing would resume the tables.
        """
        async with self._lock(guild):
            found = self._client.get_guild(guild)
            if found is None or not found.unavailable:
                return
            for table in await self._tables.open_in(guild):
                await self._tables.submit(table, Suspend(OUTAGE))

    async def outage_ended(self, guild: discord.Guild) -> None:
        """Resume a guild's tables, and close those whose channels were deleted during the outage."""
        unseen = []
        async with self._lock(guild.id):
            for id_ in await self._tables.open_in(guild.id):
                table = await self._tables.get(id_)
                if table.pause is not None and table.pause.why == OUTAGE:
                    await self._tables.submit(id_, Resume())
                if guild.get_channel_or_thread(table.channel) is None:
                    unseen.append(table)
        for table in unseen:
            await self._close_if_deleted(table)

    async def permissions_changed(self, guild: int) -> None:
        """Wake the suspended tables that no longer lack a permission."""
        for id_ in await self._tables.open_in(guild):
            table = await self._tables.get(id_)
            if table.is_suspended and missing_at(self._client, table) is None:
                self._wake(id_)

    async def check_member(self, table: Table, user: UserId) -> None:
        """Refuse a press in a DM by a user who has left the table's guild, and take them out of the table.

        Without a privileged intent, no event reports that they left. In the guild itself they can no longer press.
        """
        if table.is_open and not await self._rest.may_be_member(table.guild, user):
            await self._submit(table.id, Leave(user))
            raise Rejected(HostReason.NOT_SEATED)

    def _lock(self, guild: int) -> asyncio.Lock:
        return self._locks[(guild >> 22) % len(self._locks)]

    async def _close_if_deleted(self, table: Table) -> None:
        # Discord does not list a guild's archived threads, so a channel missing there may still exist.
        if not await self._rest.channel_exists(table.channel):
            await self._submit(table.id, Close("channel"))

    async def _submit(self, table: TableId, command: Close | Leave) -> None:
        try:
            await self._tables.submit(table, command)
        except Rejected:
            log.info("table %s: there was nothing left to close or leave", table)
