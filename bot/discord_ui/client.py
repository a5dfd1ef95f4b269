"""Connects the bot to Discord: intents, commands, presses, events, shutdown."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import InteractionType, app_commands
from discord.ext import commands

from bot.ai_players.turns import AiPlayers
from bot.discord_ui.gateway.connection import ShardConnections, login_delay
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.members import Members
from bot.discord_ui.gateway.outages import Outages
from bot.discord_ui.gateway.permissions import missing_at
from bot.discord_ui.handlers.assembly import Handlers, HandlerServices
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context, ContextServices
from bot.discord_ui.interactions.router import Router
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.translator import CatalogueTranslator
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Rest
from bot.host.ports import Clock, Fault, StoreFault
from bot.host.scheduler import Scheduler
from bot.host.tables import Tables
from bot.house_rules.repository import Houses
from bot.store.sqlite.janitor import Janitor
from bot.store.sqlite.store import SqliteStore

log = logging.getLogger(__name__)

REQUESTS_PER_SECOND: Final = 40.0
"""Limit for requests with the bot's token; Discord allows 50 a second, and others may share the IP address."""
REQUEST_BURST: Final = 8
"""How many requests may be made at once before that limit applies."""
DM_BURST: Final = 3
"""How many DMs may be opened at once before their limit applies."""
COMMANDS_KEY: Final = "commands"
"""The key under which the store keeps a hash of the commands that Discord knows."""
STORE_RETRY_SECONDS: Final = 5.0
"""How long to wait before trying again to note an event that the database refused."""


@dataclass(frozen=True, slots=True)
class Services:
    """What the client needs from the rest of the bot; made once, in `bot.run`."""

    store: SqliteStore
    clock: Clock
    publisher: Publisher
    tables: Tables
    scheduler: Scheduler
    ai_players: AiPlayers
    janitor: Janitor
    scale: float
    dm_openings: float
    retention_days: int


class CommandTree(app_commands.CommandTree["TableBot"]):
    """Slash commands behind the error boundary."""

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """Raise a command's error again, inside the error boundary, which answers the user."""
        async with answered(interaction.client.context(interaction)):
            raise error.__cause__ or error


class TableBot(commands.AutoShardedBot):
    """The Discord client. It needs no privileged intent, and pings nobody unless a message asks for it."""

    context_services: ContextServices
    handlers: Handlers
    router: Router

    def __init__(self, extensions: Sequence[str], services: Services, revoked: Callable[[], None]) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True  # to count the messages below a table message, never to read them
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            tree_cls=CommandTree,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            enable_raw_presences=False,
        )
        self._extensions_to_load = extensions
        self._services = services
        self._revoked = revoked
        self.store = services.store
        self.clock = services.clock
        self.tables = services.tables
        self.publisher = services.publisher
        self.house = Houses(services.store, services.clock.now)
        self.outages: Outages | None = None

    async def setup_hook(self) -> None:
        """Load everything; interactions may arrive before `on_ready`."""
        await self._spare_logins()
        scale = self._services.scale
        self.rest = Rest(self.http, Pace(REQUESTS_PER_SECOND * scale, REQUEST_BURST), self._revoked)
        self.members = Members(self.rest, scale)
        openings = Pace(self._services.dm_openings * scale, DM_BURST)
        self.dms = DirectMessages(self.tables, self.store, self.rest, self.clock, openings)
        self.publisher.attach(self.tables, self.rest, self.dms, lambda table: missing_at(self, table))
        self.guild_tables = Guilds(
            self,
            self.tables,
            self.store,
            self.rest,
            self.clock,
            forget_rules=self.house.forget,
            wake=self.publisher.wake,
        )
        self._assemble()
        await self.tree.set_translator(CatalogueTranslator())
        for extension in self._extensions_to_load:
            await self.load_extension(extension)
        await self._sync_commands()
        connections = ShardConnections(self)
        self.outages = Outages(connections, self.tables, self.store, self.publisher, clock=self.clock, scale=scale)
        await self.outages.recall()
        self._services.scheduler.heed(self.outages)
        await self._services.scheduler.start()
        await self.publisher.start()
        self.outages.start()

    def _assemble(self) -> None:
        """Build what answers interactions."""
        self.context_services = ContextServices(self.tables, self.publisher, self.dms, self.clock, self.is_closed)
        services = HandlerServices(
            store=self.store,
            clock=self.clock,
            tables=self.tables,
            publisher=self.publisher,
            dms=self.dms,
            house=self.house,
            guilds=self.guild_tables,
            members=self.members,
            retention_days=self._services.retention_days,
            command_names=self._command_names,
        )
        self.handlers = Handlers(services)
        self.router = Router(self.context_services, self.handlers, self.guild_tables.check_member)

    async def close(self) -> None:
        """Close every connection."""
        if self.outages is not None:
            await self.outages.stop()
        await super().close()

    async def _spare_logins(self) -> None:
        """Wait if few logins are left today. Tables' clocks do not count the wait."""
        shards, _, limit = await self.http.get_bot_gateway()
        wait = login_delay(limit, shards)
        if wait > 0:
            log.warning("few logins are left today (%s): logging in after %.0f s", limit.get("remaining"), wait)
            await asyncio.sleep(wait)
            await self.store.take_up(self.clock.now())

    async def _sync_commands(self) -> None:
        """Send Discord the commands if they differ from those it knows; it accepts only 200 a day."""
        known = await self.store.meta(COMMANDS_KEY)
        translator = CatalogueTranslator()
        written = [await each.get_translated_payload(self.tree, translator) for each in self._sorted_commands()]
        mark = f"{self.application_id}:{hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()}"
        if mark == known:
            return
        await self.tree.sync()
        await self.store.set_meta(COMMANDS_KEY, mark)
        log.info("commands: %s", ", ".join(sorted(command.name for command in self.tree.get_commands())))

    def _sorted_commands(self) -> list[Any]:
        return sorted(self.tree.get_commands(), key=lambda command: command.name)

    def _command_names(self) -> list[str]:
        """Return the names of all slash commands, in the order in which they were defined."""
        return [each.qualified_name for each in self.tree.walk_commands() if isinstance(each, app_commands.Command)]

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log what went wrong with an event: one line if the database refused to write, otherwise a traceback."""
        fault = sys.exc_info()[1]
        if isinstance(fault, StoreFault):
            log.warning("%s: nothing was written, %s", event_method, fault)
        else:
            log.exception("%s failed", event_method)

    # -- interactions

    def context(self, interaction: discord.Interaction[Any]) -> Context:
        """Return the context of an interaction: who asks, where and in which language."""
        return Context(interaction, self.context_services)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out presses and forms; commands go through the tree."""
        if interaction.type in (InteractionType.component, InteractionType.modal_submit):
            await self.router.pressed(interaction)

    # -- guilds and channels

    async def on_message(self, message: discord.Message, /) -> None:
        """Count a message below the table message, without reading it."""
        if self.user is None or message.author.id != self.user.id:
            self.publisher.message_seen(message.channel.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the table of a channel that is gone."""
        await self.guild_tables.channel_deleted(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the table of a thread that is gone."""
        await self.guild_tables.channel_deleted(payload.thread_id)

    async def on_ready(self) -> None:
        """Compare the guilds that Discord lists with those we know, after a start or a lost session."""
        await self._note(self.guild_tables.reconcile, lambda: True)
        self._services.janitor.start()  # only now: it must not delete the data of a guild that has added us again

    async def _note(self, note: Callable[[], Awaitable[None]], is_true: Callable[[], bool]) -> None:
        """Note an event that Discord reports only once; retry while the database refuses and the event still holds."""
        while is_true():
            try:
                await note()
                return
            except StoreFault as fault:
                if fault.fault is Fault.CLOSED:
                    return
                log.warning("guilds: to be noted again, %s", fault)
                await asyncio.sleep(STORE_RETRY_SECONDS)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Expect presses from this shard's guilds, for the first time or again."""
        self._let_in(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Expect presses from this shard's guilds again, including those made during the gap."""
        self._let_in(shard_id)

    def _let_in(self, shard: int) -> None:
        if self.outages is not None:
            self.outages.shard_let_in(shard)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note a guild that has added the bot."""
        await self._note(lambda: self.guild_tables.bot_added(guild.id), lambda: self.get_guild(guild.id) is not None)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of a guild that has removed the bot."""
        await self._note(lambda: self.guild_tables.bot_removed(guild.id), lambda: self.get_guild(guild.id) is None)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Suspend the guild's tables during an outage."""
        await self._note(lambda: self.guild_tables.outage_began(guild.id), lambda: guild.unavailable)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume the guild's tables after an outage, or after the bot has started."""
        await self._note(lambda: self.guild_tables.outage_ended(guild), lambda: not guild.unavailable)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Try suspended tables again: a permission may be back."""
        await self.guild_tables.permissions_changed(after.guild.id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Try suspended tables again: a permission may be back."""
        await self.guild_tables.permissions_changed(after.guild.id)
