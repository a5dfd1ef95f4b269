"""Connects the bot to Discord: intents, commands, presses, events, shutdown."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
from discord import InteractionType, app_commands
from discord.ext import commands

from bot.ai_players.turns import AiPlayers
from bot.discord_ui.commands.places import is_offered, only_in_guilds
from bot.discord_ui.commands.registration import register_commands
from bot.discord_ui.emojis import EmojiUploader
from bot.discord_ui.gateway.connection import ShardConnections, login_delay
from bot.discord_ui.gateway.fellow_processes import FellowProcesses
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.invite import invite_link
from bot.discord_ui.gateway.members import Members
from bot.discord_ui.gateway.outages import Outages, guild_shard
from bot.discord_ui.gateway.permissions import may_attach_files, missing_permission_at, reads_history
from bot.discord_ui.gateway.unreadable import EventGuard
from bot.discord_ui.handlers.assembly import Handlers, HandlerServices
from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context, ContextServices
from bot.discord_ui.interactions.deliveries import Deliveries
from bot.discord_ui.interactions.router import Router
from bot.discord_ui.languages import Languages
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.private_messages import PrivateMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.text_only import TextOnly
from bot.discord_ui.translator import CatalogueTranslator, name_options
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Rest
from bot.host.ports import Clock, Fault, StoreFault
from bot.host.scheduler import Scheduler
from bot.host.tables import Tables
from bot.house_rules.repository import HouseRulesRepository
from bot.pictures.studio import Studio
from bot.screens.game_names import link_commands
from bot.store.janitor import Janitor
from bot.store.ports import Store

log = logging.getLogger(__name__)

REQUESTS_PER_SECOND: Final = 40.0
"""Cap on requests with the bot's token. Discord allows 50 a second, but others may share the IP address."""
REQUEST_BURST: Final = 8
"""How many requests may be made at once before that limit applies, by all processes together."""
DM_BURST: Final = 3
"""How many DMs may be opened at once before their limit applies, by all processes together."""
ELECTION_SECONDS: Final = 0.2
"""Pause between two attempts to do something that another process is doing."""
EVENT_RETRY_SECONDS: Final = 5.0
"""How long to wait before trying again to note an event that the database refused."""


@dataclass(frozen=True, slots=True)
class Services:
    """What the client needs from the rest of the bot; made once, in `bot.run`."""

    store: Store
    clock: Clock
    publisher: Publisher
    tables: Tables
    scheduler: Scheduler
    ai_players: AiPlayers
    janitor: Janitor
    scale: float
    dm_openings: float
    retention_days: int
    emojis: bool
    """Whether the bot may upload emojis of its own."""
    shard_count: int | None = None
    """How many shards the bot has, all processes together; None: as many as Discord recommends."""
    shard_ids: Sequence[int] | None = None
    """The shards of this process; None: all of them."""

    @property
    def share(self) -> float:
        """The part of the bot's shards that this process has."""
        if self.shard_ids is None or self.shard_count is None:
            return 1.0
        return len(self.shard_ids) / self.shard_count

    def part_of(self, burst: int) -> int:
        """Return how many of the requests that all processes together may make at once this process may make."""
        return max(1, int(burst * self.share))


class CommandTree(app_commands.CommandTree["TableBot"]):
    """Slash commands behind the error boundary."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let every command through once. Suggestions for an option change nothing, so they are not remembered."""
        return interaction.type is InteractionType.autocomplete or interaction.client.deliveries.is_first(
            interaction.id
        )

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        """Answer malformed commands, too: discord.py catches only its own errors, and would leave the user waiting."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as fault:
            malformed = app_commands.AppCommandError("the command is malformed")
            malformed.__cause__ = fault
            await self.on_error(interaction, malformed)

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """Raise a command's error again, inside the error boundary, which answers the user."""
        if interaction.type is InteractionType.autocomplete:
            log.error("interaction %s: no suggestions", interaction.id, exc_info=error)
            await interaction.response.autocomplete([])
            return
        async with answered(interaction.client.context(interaction)):
            raise error.__cause__ or error


class TableBot(commands.AutoShardedBot):
    """The Discord client. It needs no privileged intent, and pings nobody unless a message asks for it."""

    context_services: ContextServices
    handlers: Handlers
    router: Router

    def __init__(
        self,
        extensions: Sequence[str],
        services: Services,
        revoked: Callable[[], None],
        http_trace: aiohttp.TraceConfig | None = None,
    ) -> None:
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
            http_trace=http_trace,  # type: ignore[arg-type]  # None is its default
            shard_count=services.shard_count,
            shard_ids=None if services.shard_ids is None else list(services.shard_ids),  # type: ignore[arg-type]
            # Many processes wait for each other's logins.
            shard_connect_timeout=180.0 if services.shard_ids is None else None,
        )
        self._login_groups = 1
        self._extensions_to_load = extensions
        self._services = services
        self._revoked = revoked
        self.store = services.store
        self.clock = services.clock
        self.tables = services.tables
        self.publisher = services.publisher
        self.house_rules = HouseRulesRepository(services.store, services.clock.now)
        self.deliveries = Deliveries(services.store)
        self.outages: Outages | None = None
        self.studio = Studio()
        self._emojis: EmojiUploader | None = None
        self._apologies: set[asyncio.Task[None]] = set()
        EventGuard(self._connection.parsers, self.http, self._apologise)

    def _apologise(self, apology: Coroutine[Any, Any, None]) -> None:
        """Send an apology in the background."""
        task = asyncio.create_task(apology, name="apology")
        self._apologies.add(task)
        task.add_done_callback(self._apologies.discard)

    async def setup_hook(self) -> None:
        """Load everything; interactions may arrive before `on_ready`."""
        await self._wait_for_logins()
        await self.deliveries.recall()
        scale = self._services.scale
        pace = Pace(REQUESTS_PER_SECOND * self._services.share * scale, self._services.part_of(REQUEST_BURST))
        me = 0 if self.user is None else self.user.id
        self.rest = Rest(self.http, pace, self._revoked, self.emoji_refused, me)
        await self._recall_emojis()
        self.members = Members(self.rest, scale)
        self.text_only = TextOnly(await self.store.text_only())
        self.illustrator = Illustrator(
            Studio(),
            self.text_only,
            lambda table: may_attach_files(self, table),
            self.store,
        )
        openings = Pace(self._services.dm_openings * self._services.share * scale, self._services.part_of(DM_BURST))
        self.dms = DirectMessages(
            self.tables,
            self.store,
            self.rest,
            self.illustrator,
            self.clock,
            openings=openings,
            holds=self.publisher.holds,
        )
        self.private = PrivateMessages(
            self.tables, self.rest, self.illustrator, self.clock, self.publisher.message_of, scale=scale
        )
        self.publisher.attach(
            self.tables,
            self.rest,
            self.dms,
            self.private,
            self.illustrator,
            missing=lambda table: missing_permission_at(self, table),
            reads_history=lambda table: reads_history(self, table),
        )
        self.guild_tables = Guilds(
            self,
            self.tables,
            self.store,
            self.rest,
            self.clock,
            forget_rules=self.house_rules.forget,
            wake=self.publisher.wake,
            serves=self._serves,
        )
        self.languages = Languages(await self.store.languages())
        self._assemble()
        await self.tree.set_translator(CatalogueTranslator())
        for extension in self._extensions_to_load:
            await self.load_extension(extension)
        name_options(self.tree)
        if self.application is None or self.application.user_integration_config is None:
            only_in_guilds(self.tree)
        async with self._alone("commands"):
            link_commands(await register_commands(self.tree, self.store, self.application_id))
        connections = ShardConnections(self)
        self.outages = Outages(
            connections,
            self.tables,
            self.store,
            self.publisher,
            clock=self.clock,
            scale=scale,
            one_of_many=self.store.membership is not None,
        )
        await self.outages.recall()
        self._services.scheduler.set_outages(self.outages)
        await self._services.scheduler.start()
        await self.publisher.start()
        await self._meet_others()
        self.outages.start()
        if self._emojis is not None:
            self._emojis.start()

    async def _meet_others(self) -> None:
        """Share tables and settings with the other processes, if there are any."""
        membership = self.store.membership
        if membership is not None:
            fellows = FellowProcesses(
                membership,
                self.store,
                self.tables,
                self._services.scheduler,
                publisher=self.publisher,
                clock=self.clock,
                house_rules=self.house_rules,
                languages=self.languages,
                text_only=self.text_only,
                emojis_stored=lambda: None if self._emojis is None else self._emojis.stored_elsewhere(),
            )
            await membership.start(fellows)

    @asynccontextmanager
    async def _alone(self, job: str) -> AsyncIterator[None]:
        """Do something while no other process does it."""
        membership = self.store.membership
        if membership is None:
            yield
            return
        while not await membership.is_elected(job):  # noqa: ASYNC110 - the database does not say when a lock is free
            await asyncio.sleep(ELECTION_SECONDS)
        try:
            yield
        finally:
            await membership.resign(job)

    def _serves(self, guild: int) -> bool:
        """Return whether a guild belongs to the shards of this process."""
        ids, count = self._services.shard_ids, self._services.shard_count
        return ids is None or count is None or guild_shard(guild, count) in ids

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may log in. Many processes share one queue; one process alone logs in slowly enough."""
        membership = self.store.membership
        if membership is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await membership.wait_for_login((shard_id or 0) % self._login_groups)

    async def _recall_emojis(self) -> None:
        """Use the emojis of the last start; whether they are still there is found out in the background."""
        membership = self.store.membership
        if self._services.emojis and self.application_id is not None and self.user is not None:
            self._emojis = EmojiUploader(
                self.rest,
                self.store,
                self.studio,
                application=self.application_id,
                bot_user=self.user.id,
                scale=self._services.scale,
                elected=None if membership is None else lambda: membership.is_elected("emojis"),
            )
            await self._emojis.recall()

    def emoji_refused(self) -> None:
        """Find out which emojis there are, because Discord has refused one."""
        if self._emojis is not None:
            self._emojis.check_again()

    def _assemble(self) -> None:
        """Build what answers interactions."""
        self.context_services = ContextServices(
            self.tables,
            self.publisher,
            self.dms,
            self.private,
            self.clock,
            self.deliveries,
            self.is_closed,
            self.languages,
            self.illustrator,
            self.emoji_refused,
        )
        services = HandlerServices(
            store=self.store,
            clock=self.clock,
            tables=self.tables,
            publisher=self.publisher,
            dms=self.dms,
            private=self.private,
            repository=self.house_rules,
            guilds=self.guild_tables,
            members=self.members,
            retention_days=self._services.retention_days,
            command_names=self._command_names,
            store_is_well=lambda: self._services.scheduler.fault is None,
            latency=lambda: self.latency,
            emojis=lambda: None if self._emojis is None else self._emojis.progress,
            languages=self.languages,
            text_only=self.text_only,
            illustrator=self.illustrator,
            fetch_file=self.http.get_from_cdn,
        )
        self.handlers = Handlers(services)
        self.router = Router(self.context_services, self.handlers, self.guild_tables.check_member)

    async def close(self) -> None:
        """Close every connection."""
        if self._emojis is not None:
            await self._emojis.stop()
        self.studio.close()
        if self.outages is not None:
            await self.outages.stop()
        await super().close()

    async def _wait_for_logins(self) -> None:
        """Wait if few logins are left today. Table clocks do not run during the wait."""
        shards, _, limit = await self.http.get_bot_gateway()
        self._login_groups = max(1, int(limit.get("max_concurrency", 1)))
        if self._services.shard_ids is not None:
            shards = len(self._services.shard_ids)
        wait = login_delay(limit, shards)
        if wait > 0:
            log.warning("few logins are left today (%s): logging in after %.0f s", limit.get("remaining"), wait)
            await asyncio.sleep(wait)
            await self.store.add_downtime(self.clock.now())

    def _command_names(self, interaction: discord.Interaction[Any]) -> list[str]:
        """Return the slash commands that Discord offers to the user of an interaction, in the order of definition."""
        return [
            each.qualified_name
            for each in self.tree.walk_commands()
            if isinstance(each, app_commands.Command) and is_offered(each, interaction)
        ]

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
        is_press = interaction.type in (InteractionType.component, InteractionType.modal_submit)
        if is_press and self.deliveries.is_first(interaction.id):
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
        log.info("online as %s; servers: %d", self.user, len(self.guilds))
        if not self.guilds:
            log.warning("the bot is in no server yet; invite it: %s", invite_link(self.application_id or 0))
        self._services.janitor.start()  # only now: it must not delete the data of a guild that has added us again

    async def _note(self, note: Callable[[], Awaitable[None]], still_holds: Callable[[], bool]) -> None:
        """Record an event that Discord reports only once; while the database fails, retry as long as it still holds."""
        while still_holds():
            try:
                await note()
                return
            except StoreFault as fault:
                if fault.fault is Fault.CLOSED:
                    return
                log.warning("guilds: an event will be recorded later, %s", fault)
                await asyncio.sleep(EVENT_RETRY_SECONDS)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Expect presses from this shard's guilds, for the first time or again."""
        self._shard_connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Expect presses from this shard's guilds again, including those made during the gap."""
        self._shard_connected(shard_id)

    def _shard_connected(self, shard: int) -> None:
        if self.outages is not None:
            self.outages.shard_connected(shard)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record a guild that has added the bot."""
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
