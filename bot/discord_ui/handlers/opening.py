"""Opening a table: what was wished for, what the house allows, and the answer that is the lobby itself."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import discord

from bot.discord_ui.drawing import draw_table
from bot.discord_ui.gateway.permissions import missing_in, spoken_permission
from bot.discord_ui.handlers.guild_checks import existing, is_manager, missing_of
from bot.discord_ui.handlers.lobby import acknowledge, joining
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.ui.words import edition
from bot.host.commands import HostReason
from bot.house_rules.problems import Misfit
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.wishes import Typed, read_pairs, table_terms
from bot.screens import new_form
from bot.screens.answers import Done, done_screen, permission_text
from bot.screens.house.overview import Missing, missing_lines
from bot.screens.house.words import read_named_values
from bot.screens.layout import cut
from bot.screens.refusals import OF_THE_SERVER, refusal_text

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press


GAME: Final = "coyote"


class Wishes(NamedTuple):
    """What `/coyote new` was given; None: as the house has it."""

    edition: str | None = None
    actions: bool | None = None
    coins: int | None = None
    lowest: int | None = None
    clock: str | None = None
    seats: int | None = None
    thread: bool | None = None
    rules: str | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        """What differs from the house, by the keys of its settings; Rejected if the list cannot be read."""
        named = {
            "edition": self.edition,
            "variant": self.actions,
            "threshold": self.coins,
            "min_bid": self.lowest,
            "turn_seconds": None if self.clock is None else Typed(self.clock),
            "max_players": self.seats,
            "thread": self.thread,
        }
        return read_pairs(self.rules or "") | {key: value for key, value in named.items() if value is not None}


def check_place(context: Context, rules: ServerRules) -> None:
    """Refuse where the house wants no tables, or from whom; what no longer exists keeps nobody away."""
    interaction = context.interaction
    channels, roles = existing(context)
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


async def new(context: Context, press: Press) -> None:
    """Open a table with the house's rules, by a button."""
    await open_table(context, Wishes())


async def choose(context: Context, press: Press) -> None:
    """Ask how the table shall differ from the house's."""
    await context.ask(new_form.new_form(context.say, GAME))


async def chosen(context: Context, press: Press) -> None:
    """Open a table as it was asked for in the window."""
    wanted, rules = new_form.read_form(GAME, press.fields)
    wishes = Wishes(
        edition=wanted.get("edition"),
        actions=wanted.get("variant"),
        clock=wanted.get("turn_seconds"),
        thread=wanted.get("thread"),
        rules=rules,
    )
    try:
        await open_table(context, wishes)
    except Rejected as refused:
        if isinstance(refused.reason, HostReason) or refused.reason in OF_THE_SERVER:
            raise  # no other rules would help
        await context.tell(new_form.again_screen(context.say, refusal_text(context.say, refused)))


async def open_table(context: Context, wishes: Wishes) -> None:
    """Open a lobby; the answer to the command is the table message, or the way to the table's own thread."""
    interaction, bot = context.interaction, context.bot
    guild, channel = interaction.guild_id, interaction.channel_id
    if guild is None or channel is None:
        return
    server = await bot.house.rules_for(guild)
    wanted = read_named_values(context.say, wishes.wanted, GAME)
    options, house = table_terms(server, GAME, wanted, manager=is_manager(context))
    rules = rules_from(options)
    check_place(context, server)
    gone = missing_of(context, server)
    missing = missing_in(interaction.channel, interaction.app_permissions, thread=house.thread)
    if missing is not None:
        await context.tell(permission_text(context.say, channel, spoken_permission(missing), playing=False))
        return
    host = await joining(context)
    if house.thread and isinstance(interaction.channel, discord.TextChannel):
        if not bot.places.claim_thread(context.id):
            return  # delivered twice: the first one is answered
        await bot.tables.has_room(guild, house)  # sooner than a thread is made for nothing
        name = context.say("lobby.thread.name", edition=edition(context.say, rules), host=host.name)
        thread = await interaction.channel.create_thread(name=cut(name, 100), type=discord.ChannelType.public_thread)
        try:
            await bot.tables.open(
                guild, thread.id, host, game="coyote", options=options, house=house, interaction_id=context.id
            )
        except Exception:
            await _take_away(thread)
            raise
        await context.tell(context.say("lobby.thread.opened", where=thread.mention))
        await _point_out(context, gone)
        return
    table = await bot.tables.open(
        guild, channel, host, game="coyote", options=options, house=house, interaction_id=context.id
    )
    # The publisher has been woken, but nothing runs between its waking and this line.
    with bot.publisher.answering(table.id):
        screen = draw_table(table, bot.clock)
        message = await context.show(screen)
        if message is None:
            await context.tell(done_screen(context.say, Done.POSTED))  # the publisher posts it
        else:
            await bot.publisher.adopt(table, message, screen)
    await _point_out(context, gone)


async def rematch(context: Context, press: Press) -> None:
    """Open a new lobby for the same people, by a button."""
    await open_again(context)
    await acknowledge(context)


async def open_again(context: Context) -> None:
    """Open a new lobby for the same people, once, where and from whom the house still wants tables."""
    table = await context.table()
    server = await context.bot.house.rules_for(table.guild)
    if table.rematch is None:
        check_place(context, server)
    await context.bot.tables.rematch(table.id, context.user, house=server.house, interaction_id=context.id)


async def _take_away(thread: discord.Thread) -> None:
    """Remove a thread in which no table came to stand; who may not delete it may at least close it."""
    with suppress(discord.HTTPException):
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)


async def _point_out(context: Context, gone: Missing) -> None:
    """Tell whoever opened a table what the house rules name and the server no longer has."""
    lines = missing_lines(context.say, gone)
    if lines:
        await context.tell("\n".join([*lines, context.say("house.gone.ask")]))
