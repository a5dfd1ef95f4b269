"""Before and after a match: sitting down, getting up, the host's menu, starting, stopping, playing again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host import commands
from bot.host.commands import HostReason
from bot.host.model import Stage, Table, UserId
from bot.host.seating import in_stage, may_stop
from bot.screens import lobby
from bot.screens.answers import Done, done_screen, joined_screen
from bot.screens.confirm import CANCEL, leave_screen, stop_screen
from bot.screens.layout import PrivateScreen
from bot.screens.names import mention, safe_name
from bot.screens.words import named

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press

YES = "yes"


async def joining(context: Context) -> commands.Join:
    """Return the wish to sit down, with the person's own settings."""
    preferences = await context.bot.store.preferences(context.user)
    name = safe_name(context.interaction.user.display_name)
    known = context.bot.postman.state_of(context.user)
    return commands.Join(context.user, name, preferences.slow, preferences.pinged, known)


def may_manage(context: Context) -> bool:
    """Tell whether the person may manage the channel, now and here."""
    return context.interaction.permissions.manage_channels


async def submit(context: Context, command: commands.Command) -> Table:
    """Carry out a command at the table that is asked about."""
    return await context.submit(command)


async def join(context: Context, press: Press) -> None:
    """Take a seat; the table shows it, and a private word says how the feathers will be seen."""
    table = await submit(context, await joining(context))
    await acknowledge(context)
    await context.tell(welcome(context, table))


async def acknowledge(context: Context) -> None:
    """Acknowledge a press whose effect the table message shows, and let the publisher use its token for that."""
    await context.acknowledge()
    if context.table_id is not None and not context.is_private:
        context.bot.publisher.lend(context.table_id, context.interaction)


async def leave(context: Context, press: Press | None, *, sure: bool = False) -> None:
    """Get up: in the lobby at once, in a match after a question."""
    table = await context.table()
    sure = sure or _is_sure(press)
    seat = table.seat_of(context.user)
    if table.stage is Stage.PLAYING and seat is not None and not sure:
        living = seat in RULES[table.game].seated(table.match)
        dealt = table.next_deal is None
        await context.change(leave_screen(context.say, table, context.user, living=living, dealt=dealt))
        return
    after = await submit(context, commands.Leave(context.user))
    if press is None or after.stage is Stage.PLAYING or context.is_private:
        await context.change(done_screen(context.say, Done.LEFT if table.stage is Stage.LOBBY else Done.LEFT_FOR_GOOD))
    else:
        await acknowledge(context)


async def start(context: Context, press: Press) -> None:
    """Begin the match."""
    await submit(context, commands.Start(context.user))
    await acknowledge(context)


async def host_menu(context: Context, press: Press) -> None:
    """Show the host what a host can do."""
    table = await context.table()
    in_stage(table, Stage.LOBBY)
    if context.user != table.host:
        raise Rejected(HostReason.HOST_ONLY, host=table.host)
    await context.tell(lobby.host_menu(context.say, table))


def picked_user(press: Press) -> UserId:
    """Return whom a select names, a person or an AI; Rejected if that is nobody's id."""
    picked = (press.picked or "").removeprefix("-")
    if press.picked is None or not picked.isascii() or not picked.isdigit():
        raise Rejected(HostReason.NOT_AT_TABLE)
    return UserId(int(press.picked))


async def kick(context: Context, press: Press) -> None:
    """Send somebody away."""
    whom = picked_user(press)
    await submit(context, commands.Kick(context.user, whom))
    await context.change(done_screen(context.say, Done.KICKED, mention=mention(whom)))


async def pass_host(context: Context, press: Press) -> None:
    """Hand the role on."""
    to = picked_user(press)
    await submit(context, commands.PassHost(context.user, to))
    await context.change(done_screen(context.say, Done.PASSED, mention=mention(to)))


async def choose_starter(context: Context, press: Press) -> None:
    """Say who begins."""
    who = picked_user(press)
    table = await submit(context, commands.ChooseStarter(context.user, who or None))
    begins = done_screen(context.say, Done.STARTER, mention=named(table, who))
    await context.change(begins if who else done_screen(context.say, Done.CHANCE))


async def stop(context: Context, press: Press | None, *, sure: bool = False) -> None:
    """End the table, after a question."""
    table = await context.table()
    manager = may_manage(context)
    cancels = table.stage is Stage.LOBBY and press is not None and press.id.argument == CANCEL
    if table.is_open and not sure and not cancels and not _is_sure(press):
        if not may_stop(table, context.user, manager=manager):
            raise Rejected(HostReason.MAY_NOT_STOP, host=table.host, who=table.house.who_stops)
        await context.change(stop_screen(context.say, table))
        return
    await submit(context, commands.Stop(context.user, manager))
    if press is None:
        await context.tell(done_screen(context.say, Done.STOPPED))
        return
    await context.acknowledge()
    await _dismiss(context)


async def _dismiss(context: Context) -> None:
    """Take the answered question away; the table says what came of it."""
    if context.is_private:
        try:
            await context.interaction.delete_original_response()
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return


def _is_sure(press: Press | None) -> bool:
    return press is not None and press.id.argument == YES


def welcome(context: Context, table: Table) -> PrivateScreen:
    """Return the private word to somebody who sat down."""
    context.bot.postman.unreached.discard(context.user)
    seat = table.seat_of(context.user)
    return joined_screen(context.say, table, table.players[seat if seat is not None else 0].dm)
