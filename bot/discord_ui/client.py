"""The bot as Discord knows it: intents, commands, presses, shutdown."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any, Final

import discord
from discord import InteractionType, app_commands
from discord.ext import commands

from bot.ai_players.turns import AiPlayers
from bot.discord_ui.drawing import draw_look
from bot.discord_ui.gateway.connection import ShardConnections, login_delay
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.members import Members
from bot.discord_ui.gateway.outages import Outages
from bot.discord_ui.gateway.permissions import missing_at
from bot.discord_ui.handlers.autocomplete import AutocompleteHandlers
from bot.discord_ui.handlers.house_files import HouseFileHandlers
from bot.discord_ui.handlers.house_rules import HouseRulesHandlers
from bot.discord_ui.handlers.replays import Films
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.interactions.router import pressed
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.translator import CatalogueTranslator
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Rest
from bot.engine.registry import RULES
from bot.host.model import Table, UserId
from bot.host.ports import Clock, Fault, StoreFault
from bot.host.scheduler import Scheduler
from bot.host.tables import Tables
from bot.house_rules.repository import Houses
from bot.screens.layout import PrivateScreen
from bot.store.sqlite.janitor import Janitor
from bot.store.sqlite.store import SqliteStore

log = logging.getLogger(__name__)

PER_SECOND: Final = 40.0
"""Requests with the bot's token; Discord allows 50 a second, and others may share the address."""
BURST: Final = 8
COMMANDS_KEY: Final = "commands"
STORE_RETRY: Final = 5.0
"""Seconds before the database is asked again for what happens once."""


@dataclass(frozen=True, slots=True)
class Backstage:
    """What the bot is built on: made once, in `bot.run`."""

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


class Handlers:
    """One object for each family of presses and commands."""

    def __init__(self, houses: Houses) -> None:
        self.house_rules: HouseRulesHandlers = HouseRulesHandlers(houses)
        self.house_files: HouseFileHandlers = HouseFileHandlers(houses, self.house_rules)
        self.autocomplete = AutocompleteHandlers(houses)


class CommandTree(app_commands.CommandTree["CoyoteBot"]):
    """Slash commands behind the error boundary."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        """Hand what a command raised to the one place that answers for it."""
        async with answered(Context(interaction)):  # type: ignore[arg-type]  # the tree is of no other bot
            raise error.__cause__ or error


class CoyoteBot(commands.AutoShardedBot):
    """One process of the bot. It needs no privileged intent and never pings unless a message says so."""

    handlers: Handlers
    surely_reachable: Final = 20
    """Bids below this are within reach of every published deck, so nothing needs to be counted for them."""

    def __init__(self, extensions: Sequence[str], backstage: Backstage, revoked: Callable[[], None]) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True  # who buried the table message; never what they wrote
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
        self._backstage = backstage
        self._revoked = revoked
        self.store = backstage.store
        self.clock = backstage.clock
        self.tables = backstage.tables
        self.publisher = backstage.publisher
        self.house = Houses(backstage.store, backstage.clock.now)
        self.handlers = Handlers(self.house)
        self.rng: Random = SystemRandom()
        self.retention_days = backstage.retention_days
        self.films = Films()
        self.outages: Outages | None = None
        self.settling = [asyncio.Lock() for _ in range(64)]
        """Held while somebody's own settings are read and written; few locks serve all people."""

    async def setup_hook(self) -> None:
        """Load everything; interactions may arrive before `on_ready`."""
        await self._spare_logins()
        scale = self._backstage.scale
        self.wire = Rest(self.http, Pace(PER_SECOND * scale, BURST), self._revoked)
        self.members = Members(self.wire, scale)
        openings = Pace(self._backstage.dm_openings * scale, 3)
        self.postman = DirectMessages(self.tables, self.store, self.wire, self.clock, openings)
        self.publisher.attach(self.tables, self.wire, self.postman, lambda table: missing_at(self, table))
        self.places = Guilds(
            self,
            self.tables,
            self.store,
            self.wire,
            self.clock,
            forget_rules=self.house.forget,
            wake=self.publisher.wake,
        )
        await self.tree.set_translator(CatalogueTranslator())
        for extension in self._extensions_to_load:
            await self.load_extension(extension)
        await self._tell_commands()
        connections = ShardConnections(self)
        self.outages = Outages(connections, self.tables, self.store, self.publisher, clock=self.clock, scale=scale)
        await self.outages.recall()
        self._backstage.scheduler.heed(self.outages)
        await self._backstage.scheduler.start()
        await self.publisher.start()
        self.outages.start()

    async def close(self) -> None:
        """Hang up."""
        if self.outages is not None:
            await self.outages.stop()
        await super().close()

    async def _spare_logins(self) -> None:
        """Wait if few logins are left today. No clock runs meanwhile."""
        shards, _, limit = await self.http.get_bot_gateway()
        wait = login_delay(limit, shards)
        if wait > 0:
            log.warning("few logins are left today (%s): the next in %.0f s", limit.get("remaining"), wait)
            await asyncio.sleep(wait)
            await self.store.take_up(self.clock.now())

    async def _tell_commands(self) -> None:
        """Tell Discord of the commands if they are not those that it knows: it takes 200 a day and no more."""
        known = await self.store.meta(COMMANDS_KEY)
        written = [await command.get_translated_payload(self.tree, CatalogueTranslator()) for command in self._all()]
        mark = f"{self.application_id}:{hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()}"
        if mark == known:
            return
        await self.tree.sync()
        await self.store.set_meta(COMMANDS_KEY, mark)
        log.info("commands: %s", ", ".join(sorted(command.name for command in self.tree.get_commands())))

    def _all(self) -> list[Any]:
        return sorted(self.tree.get_commands(), key=lambda command: command.name)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Note what went wrong with an event; of a database that takes nothing, a line is enough."""
        fault = sys.exc_info()[1]
        if isinstance(fault, StoreFault):
            log.warning("%s: nothing was written, %s", event_method, fault)
        else:
            log.exception("%s failed", event_method)

    # -- presses

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out presses and forms; commands go through the tree."""
        if interaction.type in (InteractionType.component, InteractionType.modal_submit):
            await pressed(interaction)

    async def look(self, context: Context, table: Table) -> PrivateScreen:
        """Draw what the person who asks may see of a table."""
        message = await self.publisher.message_of(table.id)
        return draw_look(context.say, table, context.user, self.clock, message=message, moves=True)

    def question_of(self, table: Table, user: UserId) -> int | None:
        """Return the number of the open question to somebody."""
        seat = table.seat_of(user)
        if seat is None or table.match is None:
            return None
        return next((each.id for each in RULES[table.game].prompts(table.match) if each.seat == seat), None)

    # -- places

    async def on_message(self, message: discord.Message, /) -> None:
        """Count what buries the table message; nothing is read."""
        if self.user is None or message.author.id != self.user.id:
            self.publisher.message_seen(message.channel.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the table of a channel that is gone."""
        await self.places.channel_deleted(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the table of a thread that is gone."""
        await self.places.channel_deleted(payload.thread_id)

    async def on_ready(self) -> None:
        """Every shard has told us of its servers, at a start or after a lost session."""
        await self._surely(self.places.reconcile, lambda: True)
        self._backstage.janitor.start()  # not before: a server that added us again meanwhile keeps what it had

    async def _surely(self, note: Callable[[], Awaitable[None]], is_so: Callable[[], bool]) -> None:
        """Note what Discord tells us once, as soon as the database takes it, unless it is no longer so."""
        while is_so():
            try:
                await note()
                return
            except StoreFault as fault:
                if fault.fault is Fault.CLOSED:
                    return
                log.warning("servers: to be noted again, %s", fault)
                await asyncio.sleep(STORE_RETRY)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Presses come from this shard's servers again, or for the first time."""
        self._let_in(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Presses come from this shard's servers again, also those that were made meanwhile."""
        self._let_in(shard_id)

    def _let_in(self, shard: int) -> None:
        if self.outages is not None:
            self.outages.shard_let_in(shard)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note a server that has added us."""
        await self._surely(lambda: self.places.bot_added(guild.id), lambda: self.get_guild(guild.id) is not None)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of a server that we were removed from."""
        await self._surely(lambda: self.places.bot_removed(guild.id), lambda: self.get_guild(guild.id) is None)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the clocks during an outage."""
        await self._surely(lambda: self.places.outage_began(guild.id), lambda: guild.unavailable)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Go on after an outage or a start."""
        await self._surely(lambda: self.places.outage_ended(guild), lambda: not guild.unavailable)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Perhaps a permission is there again."""
        await self.places.permissions_changed(after.guild.id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Perhaps a permission is there again."""
        await self.places.permissions_changed(after.guild.id)
