"""What becomes of tables when their guild or channel changes, disappears or comes back."""

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
"""Why a table is suspended while Discord has an outage in its guild."""
MAX_THREAD_COMMANDS: Final = 256
"""Commands for threads that are remembered; a command that Discord delivers twice comes again within seconds."""
GUILD_LOCKS: Final = 64
"""Locks that all guilds share."""


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
        # Suspending and resuming a guild's tables exclude each other.
        self._locks = [asyncio.Lock() for _ in range(GUILD_LOCKS)]

    def claim_thread(self, interaction: int) -> bool:
        """Note that a command opens a thread; return False if it did already: Discord would open another."""
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
        self._forget_rules(guild)  # or they would be there again if the guild adds the bot after they were deleted
        log.info("guild %s: the bot was removed", guild)

    async def bot_added(self, guild: int) -> None:
        """Note that a guild added the bot, perhaps again."""
        await self._store.entered([guild])

    async def reconcile(self) -> None:
        """Find the guilds that removed the bot unnoticed. Call it once Discord has named all guilds."""
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

        Re-checked under the lock: if the guild is back, nothing would resume them.
        """
        async with self._lock(guild):
            found = self._client.get_guild(guild)
            if found is None or not found.unavailable:
                return
            for table in await self._tables.open_in(guild):
                await self._tables.submit(table, Suspend(OUTAGE))

    async def outage_ended(self, guild: discord.Guild) -> None:
        """Resume a guild's tables, and close those whose channels were deleted unnoticed."""
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
        """Try suspended tables again that lack no permission any more."""
        for id_ in await self._tables.open_in(guild):
            table = await self._tables.get(id_)
            if table.is_suspended and missing_at(self._client, table) is None:
                self._wake(id_)

    async def check_member(self, table: Table, user: UserId) -> None:
        """Refuse a press in a DM of a user who has left the table's guild, and let them leave the table.

        Without a privileged intent no event says so. In the guild itself they cannot press any more.
        """
        if table.is_open and not await self._rest.may_be_member(table.guild, user):
            await self._submit(table.id, Leave(user))
            raise Rejected(HostReason.NOT_SEATED)

    def _lock(self, guild: int) -> asyncio.Lock:
        return self._locks[(guild >> 22) % len(self._locks)]

    async def _close_if_deleted(self, table: Table) -> None:
        # Discord does not list archived threads with a guild, so it has to be asked.
        if not await self._rest.channel_exists(table.channel):
            await self._submit(table.id, Close("channel"))

    async def _submit(self, table: TableId, command: Close | Leave) -> None:
        try:
            await self._tables.submit(table, command)
        except Rejected:
            log.info("table %s: nothing left to do", table)
