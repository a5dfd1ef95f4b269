"""Closes, suspends and resumes tables as their guild or channel changes, disappears or comes back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import discord

from bot.discord_ui.gateway.invite import invite_link
from bot.discord_ui.gateway.permissions import missing_permission_at
from bot.discord_ui.wire.rest import Rest
from bot.engine.core import Rejected
from bot.host.commands import Close, HostReason, Leave, Resume, Suspend
from bot.host.model import Table, TableId, UserId
from bot.host.ports import Clock
from bot.host.tables import Tables
from bot.store.ports import GuildStore

log = logging.getLogger(__name__)

OUTAGE: Final = "outage"
"""The reason given for a suspension while Discord has an outage in the table's guild."""
GUILD_LOCKS: Final = 64
"""How many locks all guilds share."""


class Guilds:
    """Follows what happens to guilds and channels.

    `forget_rules` drops a guild's house rules from memory; `wake` has the publisher sweep a table's outbox; `serves`
    tells whether a guild belongs to the shards of this process.
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
        serves: Callable[[int], bool] = lambda guild: True,
    ) -> None:
        self._serves = serves
        self._client = client
        self._tables = tables
        self._store = store
        self._rest = rest
        self._clock = clock
        self._forget_rules = forget_rules
        self._wake = wake
        # A guild's tables must not be suspended and resumed at the same time.
        self._locks = [asyncio.Lock() for _ in range(GUILD_LOCKS)]

    def is_in(self, guild: int) -> bool:
        """Return whether the bot itself is in a guild; a guild may have allowed its commands alone."""
        return self._client.get_guild(guild) is not None

    async def name_of(self, guild: int) -> str | None:
        """Return what a guild is called; None if the bot is not in it."""
        found = self._client.get_guild(guild)
        if found is not None or self._serves(guild):
            return None if found is None else found.name
        return await self._rest.guild_name(guild)  # another process serves it

    def invite_link(self, guild: int) -> str:
        """Return the address that invites the bot to a guild, with the permissions that it needs."""
        return invite_link(self._client.application_id or 0, guild)

    async def channel_deleted(self, channel: int) -> None:
        """Close the table of a channel or thread that was deleted."""
        table = await self._tables.at(channel)
        if table is not None and table.is_open:
            await self._tables.submit(table.id, Close("channel"))

    async def bot_removed(self, guild: int) -> None:
        """Close the tables of a guild that removed the bot, and note when that was."""
        for table in await self._tables.open_in(guild):
            await self._submit(table, Close("server"))
        await self._store.bot_removed(guild, self._clock.now())
        self._forget_rules(guild)  # or they would reappear if the guild adds the bot after their deletion
        log.info("guild %s: the bot was removed", guild)

    async def bot_added(self, guild: int) -> None:
        """Record that a guild added the bot, perhaps again."""
        await self._store.bot_added([guild])

    async def reconcile(self) -> None:
        """Find guilds that removed the bot while it was not watching. Call this once Discord has listed all guilds."""
        present = {guild.id for guild in self._client.guilds}
        known = frozenset(filter(self._serves, await self._store.servers()))
        await self._store.bot_added(sorted(present - known))
        playing = frozenset(filter(self._serves, await self._store.playing_in()))
        for guild in sorted((known | playing) - present):
            await self.bot_removed(guild)
        for each in self._client.guilds:
            if each.unavailable:
                await self.outage_began(each.id)

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
            if table.is_suspended and missing_permission_at(self._client, table) is None:
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
