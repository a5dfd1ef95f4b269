"""Opens tables: reads what was asked for, checks the house rules, and answers with the lobby itself."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import discord

from bot.discord_ui.drawing import draw_table
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.permissions import missing_in, spoken_permission
from bot.discord_ui.handlers.guild_checks import existing_ids, is_manager, missing_of
from bot.discord_ui.handlers.lobby import LobbyHandlers
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.outbox.publisher import Publisher
from bot.engine.core import Rejected
from bot.engine.registry import main_game
from bot.host.commands import HostReason, Join
from bot.host.model import House
from bot.host.ports import Clock
from bot.host.tables import Tables
from bot.house_rules.problems import Misfit
from bot.house_rules.repository import Houses
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.wishes import Typed, read_pairs, table_terms
from bot.screens import new_form
from bot.screens.answers import Done, done_screen, permission_text
from bot.screens.game import SCREENS
from bot.screens.house.overview import Missing, missing_lines
from bot.screens.house.words import read_named_values
from bot.screens.layout import cut
from bot.screens.presses import Press
from bot.screens.refusals import OF_THE_SERVER, refusal_text


class Wishes(NamedTuple):
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
    """Mark a typed time as text that the settings still have to read; None stays None."""
    return None if typed is None else Typed(typed)


class TableTerms(NamedTuple):
    """What a table is opened with."""

    game: str
    options: dict[str, Any]
    house: House


class OpeningHandlers:
    """Opens tables and rematches."""

    def __init__(
        self,
        *,
        tables: Tables,
        house: Houses,
        publisher: Publisher,
        guilds: Guilds,
        clock: Clock,
        lobby: LobbyHandlers,
    ) -> None:
        self._tables = tables
        self._house = house
        self._publisher = publisher
        self._guilds = guilds
        self._clock = clock
        self._lobby = lobby

    async def new(self, context: Context, press: Press) -> None:
        """Open a table with the house rules."""
        await self.open_table(context, Wishes(main_game()))

    async def choose(self, context: Context, press: Press) -> None:
        """Open a form that asks how the table should differ from the house rules."""
        context.game = main_game()
        await context.ask(new_form.new_form(context.say, context.game))

    async def chosen(self, context: Context, press: Press) -> None:
        """Open the table that was asked for in the form."""
        game = main_game()
        settings, rules = new_form.read_form(game, press.fields)
        try:
            await self.open_table(context, Wishes(game, settings, rules))
        except Rejected as refused:
            if isinstance(refused.reason, HostReason) or refused.reason in OF_THE_SERVER:
                raise  # no other settings would help
            await context.tell(new_form.again_screen(context.say, refusal_text(context.say, refused)))

    async def open_table(self, context: Context, wishes: Wishes) -> None:
        """Open a lobby; the answer is the table message, or a link to the table's own thread."""
        context.game, interaction = wishes.game, context.interaction
        guild, channel = interaction.guild_id, interaction.channel_id
        if guild is None or channel is None:
            return
        server = await self._house.rules_for(guild)
        wanted = read_named_values(context.say, wishes.wanted, wishes.game)
        terms = TableTerms(wishes.game, *table_terms(server, wishes.game, wanted, manager=is_manager(context)))
        _check_place(context, server)
        gone = missing_of(context, server)
        missing = missing_in(interaction.channel, interaction.app_permissions, thread=terms.house.thread)
        if missing is not None:
            await context.tell(permission_text(context.say, channel, spoken_permission(missing), playing=False))
            return
        host = await self._lobby.joining(context)
        if terms.house.thread and isinstance(interaction.channel, discord.TextChannel):
            if not self._guilds.claim_thread(context.id):
                return  # delivered twice: the first delivery is answered
            await self._open_in_thread(context, interaction.channel, host, terms)
        else:
            await self._open_here(context, channel, host, terms)
        await _tell_missing(context, gone)

    async def _open_in_thread(
        self, context: Context, channel: discord.TextChannel, host: Join, terms: TableTerms
    ) -> None:
        await self._tables.has_room(context.guild, terms.house)  # checked first, so that no thread is created in vain
        named = SCREENS[terms.game].name(context.say, terms.options)
        name = context.say("lobby.thread.name", name=named, host=host.name)
        thread = await channel.create_thread(name=cut(name, 100), type=discord.ChannelType.public_thread)
        try:
            await self._tables.open(
                context.guild,
                thread.id,
                host,
                game=terms.game,
                options=terms.options,
                house=terms.house,
                interaction_id=context.id,
            )
        except Exception:
            await _remove(thread)
            raise
        await context.tell(context.say("lobby.thread.opened", where=thread.mention))

    async def _open_here(self, context: Context, channel: int, host: Join, terms: TableTerms) -> None:
        table = await self._tables.open(
            context.guild,
            channel,
            host,
            game=terms.game,
            options=terms.options,
            house=terms.house,
            interaction_id=context.id,
        )
        # The publisher has been woken, but nothing else gets to run between that and this line.
        with self._publisher.answering(table.id):
            screen = draw_table(table, self._clock)
            message = await context.show(screen)
            if message is None:
                await context.tell(done_screen(context.say, Done.POSTED))  # the publisher posts it
            else:
                await self._publisher.adopt(table, message, screen)

    async def rematch(self, context: Context, press: Press) -> None:
        """Open a new lobby for the same people, once, if the house rules still let this user open one here."""
        table = await context.table()
        server = await self._house.rules_for(table.guild)
        if table.rematch is None:
            _check_place(context, server)
        await self._tables.rematch(table.id, context.user, house=server.house, interaction_id=context.id)
        await context.confirm(done_screen(context.say, Done.REMATCH))


def _check_place(context: Context, rules: ServerRules) -> None:
    """Raise Rejected if the house rules allow no table here or by this user, ignoring deleted channels and roles."""
    interaction = context.interaction
    channels, roles = existing_ids(context)
    allowed = [each for each in rules.channels if channels is None or each in channels]
    place = interaction.channel
    here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
    if allowed and here not in allowed:
        raise Rejected(Misfit.OTHER_CHANNEL, channels=tuple(allowed))
    role, member = rules.role, interaction.user
    if role is None or is_manager(context) or (roles is not None and role not in roles):
        return
    if not isinstance(member, discord.Member) or member.get_role(role) is None:
        raise Rejected(Misfit.ROLE_NEEDED, role=role)


async def _remove(thread: discord.Thread) -> None:
    """Delete a thread in which no table was opened; without that permission, archive it."""
    with suppress(discord.HTTPException):
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)


async def _tell_missing(context: Context, gone: Missing) -> None:
    """Tell the user who opened a table which channels or roles in the house rules no longer exist."""
    lines = missing_lines(context.say, gone)
    if lines:
        await context.tell("\n".join([*lines, context.say("house.gone.ask")]))
