"""Before and after a match: sitting down, getting up, the host's menu, starting, stopping, playing again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.discord_ui.interactions.context import Asking
from bot.engine.core import Rejected
from bot.games.registry import GAMES
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


async def joining(asking: Asking) -> commands.Join:
    """Return the wish to sit down, with the person's own settings."""
    preferences = await asking.bot.store.preferences(asking.user)
    name = safe_name(asking.interaction.user.display_name)
    known = asking.bot.postman.knows_of(asking.user)
    return commands.Join(asking.user, name, preferences.slow, preferences.pinged, known)


def may_manage(asking: Asking) -> bool:
    """Tell whether the person may manage the channel, now and here."""
    return asking.interaction.permissions.manage_channels


async def submit(asking: Asking, command: commands.Command) -> Table:
    """Carry out a command at the table that is asked about."""
    return await asking.submit(command)


async def join(asking: Asking, press: Press) -> None:
    """Take a seat; the table shows it, and a private word says how the feathers will be seen."""
    table = await submit(asking, await joining(asking))
    await acknowledge(asking)
    await asking.tell(welcome(asking, table))


async def acknowledge(asking: Asking) -> None:
    """Acknowledge a press whose effect the table message shows, and let the publisher use its token for that."""
    await asking.acknowledge()
    if asking.table_id is not None and not asking.is_private:
        asking.bot.publisher.lend(asking.table_id, asking.interaction)


async def leave(asking: Asking, press: Press | None, *, sure: bool = False) -> None:
    """Get up: in the lobby at once, in a match after a question."""
    table = await asking.table()
    sure = sure or _is_sure(press)
    seat = table.seat_of(asking.user)
    if table.stage is Stage.PLAYING and seat is not None and not sure:
        living = seat in GAMES[table.game].seated(table.match)
        dealt = table.next_deal is None
        await asking.change(leave_screen(asking.say, table, asking.user, living=living, dealt=dealt))
        return
    after = await submit(asking, commands.Leave(asking.user))
    if press is None or after.stage is Stage.PLAYING or asking.is_private:
        await asking.change(done_screen(asking.say, Done.LEFT if table.stage is Stage.LOBBY else Done.LEFT_FOR_GOOD))
    else:
        await acknowledge(asking)


async def start(asking: Asking, press: Press) -> None:
    """Begin the match."""
    await submit(asking, commands.Start(asking.user))
    await acknowledge(asking)


async def host_menu(asking: Asking, press: Press) -> None:
    """Show the host what a host can do."""
    table = await asking.table()
    in_stage(table, Stage.LOBBY)
    if asking.user != table.host:
        raise Rejected(HostReason.HOST_ONLY, host=table.host)
    await asking.tell(lobby.host_menu(asking.say, table))


def picked_user(press: Press) -> UserId:
    """Return whom a select names, a person or an AI; Rejected if that is nobody's id."""
    picked = (press.picked or "").removeprefix("-")
    if press.picked is None or not picked.isascii() or not picked.isdigit():
        raise Rejected(HostReason.NOT_AT_TABLE)
    return UserId(int(press.picked))


async def kick(asking: Asking, press: Press) -> None:
    """Send somebody away."""
    whom = picked_user(press)
    await submit(asking, commands.Kick(asking.user, whom))
    await asking.change(done_screen(asking.say, Done.KICKED, mention=mention(whom)))


async def pass_host(asking: Asking, press: Press) -> None:
    """Hand the role on."""
    to = picked_user(press)
    await submit(asking, commands.PassHost(asking.user, to))
    await asking.change(done_screen(asking.say, Done.PASSED, mention=mention(to)))


async def choose_starter(asking: Asking, press: Press) -> None:
    """Say who begins."""
    who = picked_user(press)
    table = await submit(asking, commands.ChooseStarter(asking.user, who or None))
    begins = done_screen(asking.say, Done.STARTER, mention=named(table, who))
    await asking.change(begins if who else done_screen(asking.say, Done.CHANCE))


async def stop(asking: Asking, press: Press | None, *, sure: bool = False) -> None:
    """End the table, after a question."""
    table = await asking.table()
    manager = may_manage(asking)
    cancels = table.stage is Stage.LOBBY and press is not None and press.id.argument == CANCEL
    if table.is_open and not sure and not cancels and not _is_sure(press):
        if not may_stop(table, asking.user, manager=manager):
            raise Rejected(HostReason.MAY_NOT_STOP, host=table.host, who=table.house.who_stops)
        await asking.change(stop_screen(asking.say, table))
        return
    await submit(asking, commands.Stop(asking.user, manager))
    if press is None:
        await asking.tell(done_screen(asking.say, Done.STOPPED))
        return
    await asking.acknowledge()
    await _dismiss(asking)


async def _dismiss(asking: Asking) -> None:
    """Take the answered question away; the table says what came of it."""
    if asking.is_private:
        try:
            await asking.interaction.delete_original_response()
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return


def _is_sure(press: Press | None) -> bool:
    return press is not None and press.id.argument == YES


def welcome(asking: Asking, table: Table) -> PrivateScreen:
    """Return the private word to somebody who sat down."""
    asking.bot.postman.unreached.discard(asking.user)
    seat = table.seat_of(asking.user)
    return joined_screen(asking.say, table.players[seat if seat is not None else 0].dm)
