"""Opens tables: reads what was asked for, checks the house rules, and answers with the lobby itself."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import discord

from bot.discord_ui.drawing import draw_table, table_texts
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.permissions import missing_permission
from bot.discord_ui.handlers.guild_checks import existing_ids, find_missing_channels_and_roles, is_manager
from bot.discord_ui.handlers.lobby import LobbyHandlers
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.outbox.publisher import Publisher
from bot.engine.core import Rejected
from bot.engine.registry import main_game
from bot.host.commands import HostReason, Join
from bot.host.model import House
from bot.host.ports import Clock
from bot.host.tables import Tables
from bot.house_rules.reasons import HouseReason
from bot.house_rules.repository import HouseRulesRepository
from bot.house_rules.server_rules import ServerRules, with_table_language
from bot.house_rules.wishes import Typed, read_pairs, table_terms
from bot.screens import new_form
from bot.screens.answers import Done, done_screen, not_here_screen, permission_text
from bot.screens.game import SCREENS
from bot.screens.house.overview import Missing, missing_lines
from bot.screens.house.words import read_named_values
from bot.screens.layout import cut
from bot.screens.lobby import announcement_screen
from bot.screens.presses import Press
from bot.screens.refusals import SERVER_LIMITS, refusal_text
from bot.text.catalogue import catalogue


class TableRequest(NamedTuple):
    """What a user asked for when opening a table."""

    game: str
    settings: Mapping[str, Any] = {}
    """Values by setting; None keeps what the house rules say."""
    rules: str | None = None
    """Further settings as typed: "key=value, key=value"."""

    @property
    def wanted(self) -> dict[str, Any]:
        """The settings that were named; raises Rejected if the typed ones cannot be read."""
        named = {key: value for key, value in self.settings.items() if value is not None}
        return read_pairs(self.rules or "") | named


def typed_time(typed: str | None) -> Typed | None:
    """Mark a time as typed by the user, so that it is parsed later; None stays None."""
    return None if typed is None else Typed(typed)


class TableTerms(NamedTuple):
    """What a table is opened with."""

    game: str
    options: dict[str, Any]
    house: House
    wishes: Mapping[str, Any] = {}


class OpeningHandlers:
    """Opens tables and rematches."""

    def __init__(
        self,
        *,
        tables: Tables,
        repository: HouseRulesRepository,
        publisher: Publisher,
        guilds: Guilds,
        clock: Clock,
        lobby: LobbyHandlers,
    ) -> None:
        self._tables = tables
        self._repository = repository
        self._publisher = publisher
        self._guilds = guilds
        self._clock = clock
        self._lobby = lobby

    async def new(self, context: Context, press: Press) -> None:
        """Open a table with the house rules."""
        await self.open_table(context, TableRequest(_game(press)))

    async def choose(self, context: Context, press: Press) -> None:
        """Open a form that asks how the table should differ from the house rules."""
        context.game = _game(press)
        await context.ask(new_form.new_form(context.say, context.game))

    async def chosen(self, context: Context, press: Press) -> None:
        """Open the table that was asked for in the form."""
        game = _game(press)
        settings, rules = new_form.read_form(game, press.fields)
        try:
            await self.open_table(context, TableRequest(game, settings, rules))
        except Rejected as refused:
            if isinstance(refused.reason, HostReason) or refused.reason in SERVER_LIMITS:
                raise  # no other settings would help
            await context.tell(new_form.retry_screen(context.say, refusal_text(context.say, refused), game))

    async def open_table(self, context: Context, request: TableRequest) -> None:
        """Open a lobby; the answer is the table message, or an announcement of the table's own thread."""
        context.game, interaction = request.game, context.interaction
        guild, channel = context.guild, interaction.channel_id
        if channel is None:  # a kind of channel that discord.py does not know
            raise Rejected(HostReason.IN_A_DM)
        if not self._guilds.is_in(guild):
            await context.tell(not_here_screen(context.say, self._guilds.invite_link(guild)))
            return
        server = await self._repository.rules_for(guild)
        wanted = read_named_values(context.say, request.wanted, request.game)
        terms = TableTerms(request.game, *table_terms(server, request.game, wanted, manager=is_manager(context)))
        terms = terms._replace(house=with_table_language(terms.house, context.guild_language))
        _check_place(context, server)
        missing = find_missing_channels_and_roles(context, server)
        permission = missing_permission(interaction.channel, interaction.app_permissions, thread=terms.house.thread)
        if permission is not None:
            await context.tell(permission_text(context.say, channel, permission, playing=False))
            return
        host = await self._lobby.join_command(context, terms.game)
        if terms.house.thread and isinstance(interaction.channel, discord.TextChannel):
            await self._open_in_thread(context, interaction.channel, host, terms)
        else:
            await self._open_here(context, channel, host, terms)
        await _tell_missing(context, missing)

    async def _open_in_thread(
        self, context: Context, channel: discord.TextChannel, host: Join, terms: TableTerms
    ) -> None:
        await self._tables.require_room(context.guild, terms.house)  # first, so that no thread is created for nothing
        say = catalogue(terms.house.language).for_game(terms.game)
        name = say("lobby.thread.name", name=SCREENS[terms.game].name(say, terms.options), host=host.name)
        thread = await channel.create_thread(name=cut(name, 100), type=discord.ChannelType.public_thread)
        try:
            table = await self._tables.open(
                context.guild,
                thread.id,
                host,
                game=terms.game,
                options=terms.options,
                house=terms.house,
                wishes=terms.wishes,
                interaction_id=context.id,
            )
        except Exception:
            await _remove(thread)
            raise
        if await context.show(announcement_screen(table_texts(table), table)) is None:
            await context.tell(context.say("lobby.thread.opened", where=thread.mention))

    async def _open_here(self, context: Context, channel: int, host: Join, terms: TableTerms) -> None:
        table = await self._tables.open(
            context.guild,
            channel,
            host,
            game=terms.game,
            options=terms.options,
            house=terms.house,
            wishes=terms.wishes,
            interaction_id=context.id,
        )
        # The publisher has been woken but cannot have run yet: nothing was awaited in between.
        with self._publisher.answering(table.id):
            screen = draw_table(table, self._clock)
            await self._publisher.expect_answer(table, context.webhook)
            message = await context.show(screen)
            if message is None:
                await context.tell(done_screen(context.say, Done.POSTED))  # the publisher posts it
            else:
                await self._publisher.adopt(table, message, screen, context.lent_answer(message))

    async def rematch(self, context: Context, press: Press) -> None:
        """Open a new lobby for the same people, once, if the house rules still let this user open one here."""
        table = await context.table()
        server = await self._repository.rules_for(table.guild)
        if table.rematch is None:
            _check_place(context, server)
        again = await self._tables.rematch(
            table.id,
            context.user,
            house=with_table_language(server.house, context.guild_language),
            interaction_id=context.id,
        )
        with self._publisher.answering(again.id):
            await context.confirm(done_screen(context.say, Done.REMATCH))
            context.lend_opening(again)


def _game(press: Press) -> str:
    """Return the game that a press asks for; raise Rejected if there is no such game any more."""
    game = press.id.argument or main_game()
    if game not in SCREENS:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    return game


def _check_place(context: Context, rules: ServerRules) -> None:
    """Raise Rejected if the house rules forbid this user to open a table here, ignoring deleted channels and roles."""
    interaction = context.interaction
    channels, roles = existing_ids(context)
    allowed = [each for each in rules.channels if channels is None or each in channels]
    place = interaction.channel
    here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
    if allowed and here not in allowed:
        raise Rejected(HouseReason.OTHER_CHANNEL, channels=tuple(allowed))
    role, member = rules.role, interaction.user
    if role is None or is_manager(context) or (roles is not None and role not in roles):
        return
    if not isinstance(member, discord.Member) or member.get_role(role) is None:
        raise Rejected(HouseReason.ROLE_NEEDED, role=role)


async def _remove(thread: discord.Thread) -> None:
    """Delete a thread in which no table was opened; without that permission, archive it."""
    with suppress(discord.HTTPException):
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)


async def _tell_missing(context: Context, missing: Missing) -> None:
    """Tell the user who opened a table which channels or roles in the house rules no longer exist."""
    lines = missing_lines(context.say, missing)
    if lines:
        await context.tell("\n".join([*lines, context.say("house.gone.ask")]))
