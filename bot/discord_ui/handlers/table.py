"""Around the game: looking, menus, private settings, pausing, voting, the rules."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from discord import app_commands

from bot.discord_ui.drawing import draw_more
from bot.discord_ui.handlers.lobby import acknowledge, may_manage, picked_user, submit
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host import commands
from bot.host.commands import HostReason
from bot.host.model import Stage, Table
from bot.host.ports import StoreFault
from bot.host.seating import may_stop
from bot.screens.answers import Done, done_screen, time_screen
from bot.screens.confirm import kept_screen
from bot.screens.custom_ids import NO_TABLE
from bot.screens.help import help_screen
from bot.screens.menus import TIMES, settings_screen
from bot.screens.rules_pages import rules_screen

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press

log = logging.getLogger(__name__)


async def look(context: Context, press: Press | None) -> None:
    """Show what this person may see; pressed on a private message, in that message."""
    table = await context.table()
    _reachable(table)
    await context.change(await context.bot.look(context, table))


def _reachable(table: Table) -> None:
    """Refuse what nobody would see, or see change, as long as the table cannot be reached, and say what is missing."""
    if table.pause is not None and table.pause.why is not None:
        raise Rejected(HostReason.PAUSED, why=table.pause.why)


async def more(context: Context, press: Press) -> None:
    """Show what else there is to do; before the game, one's own settings."""
    table = await context.table()
    if not table.is_open:
        raise Rejected(HostReason.TABLE_OVER if table.stage is Stage.OVER else HostReason.TABLE_CLOSED)
    if table.stage is Stage.LOBBY:
        await show_settings(context, again=_may_post(context, table))
        return
    stops = may_stop(table, context.user, manager=may_manage(context))
    await context.tell(draw_more(context.say, table, context.user, may_stop=stops))


async def deal(context: Context, press: Press) -> None:
    """Deal now."""
    await submit(context, commands.DealNow(context.user))
    await acknowledge(context)


async def pause(context: Context, press: Press) -> None:
    """Want a pause, or its end."""
    done = await ask_pause(context)
    if context.is_private:
        await context.change(done_screen(context.say, done))
    else:
        await acknowledge(context)


async def ask_pause(context: Context) -> Done:
    """Vote for a pause or its end; return what came of it."""
    paused = (await context.table()).pause is not None
    after = await submit(context, commands.AskPause(context.user))
    if paused:
        return Done.GO_ON_ASKED if after.pause else Done.GOES_ON
    return Done.PAUSED if after.pause else Done.PAUSE_ASKED


async def back(context: Context, press: Press) -> None:
    """Be there again."""
    await submit(context, commands.Back(context.user))
    await acknowledge(context)


async def vote(context: Context, press: Press) -> None:
    """Want an away player to be out."""
    await submit(context, commands.VoteOut(context.user, picked_user(press)))
    await acknowledge(context)


def _may_post(context: Context, table: Table) -> bool:
    return table.seat_of(context.user) is not None or context.user == table.host or may_manage(context)


async def post_again(context: Context, press: Press | None) -> None:
    """Post the table again, down here."""
    table = await context.table()
    if not _may_post(context, table):
        raise Rejected(HostReason.NOT_SEATED)
    if not table.is_open:
        raise Rejected(HostReason.TABLE_OVER if table.stage is Stage.OVER else HostReason.TABLE_CLOSED)
    _reachable(table)
    context.bot.publisher.move(table.id)
    await context.change(done_screen(context.say, Done.POSTED))


async def time(context: Context, press: Press) -> None:
    """Set how much time one needs, at every table."""
    slow = next((times for times in TIMES if str(times) == press.picked), None)
    if slow is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    kept = await prefer(context, slow=slow)
    await context.change(time_screen(context.say, slow) if kept else done_screen(context.say, Done.HALF_KEPT))


async def pings(context: Context, press: Press) -> None:
    """Switch pings on or off, at every table."""
    pinged = press.id.argument != "off"
    kept = await prefer(context, pinged=pinged)
    done = Done.PINGS_ON if pinged else Done.PINGS_OFF
    await context.change(done_screen(context.say, done if kept else Done.HALF_KEPT))


async def prefer(context: Context, *, slow: int | None = None, pinged: bool | None = None) -> bool:
    """Keep somebody's private settings, and tell the tables at which they sit; False if that was done by half."""
    bot = context.bot
    async with bot.settling[context.user % len(bot.settling)]:  # of two changes at once, each keeps the other's
        settings = await bot.store.preferences(context.user)
        settings = settings._replace(
            slow=settings.slow if slow is None else slow, pinged=settings.pinged if pinged is None else pinged
        )
        told = False
        try:
            # Tables first: as long as the settings show what was before, it can be chosen again.
            for table in await bot.tables.open_of(context.user):
                await bot.tables.submit(table, commands.Prefer(context.user, settings.slow, settings.pinged))
                told = True
            await bot.store.prefer(context.user, settings)
        except StoreFault as fault:
            if not told:
                raise
            log.log(fault.level, "interaction %s: a setting is kept by half, %s", context.id, fault)
            return False
    return True


async def show_settings(context: Context, *, again: bool = False) -> None:
    """Show somebody their own settings."""
    now = await context.bot.store.preferences(context.user)
    table = context.table_id or NO_TABLE
    await context.change(settings_screen(context.say, now.slow, pinged=now.pinged, table=table, again=again))


async def help_(context: Context, press: Press | None) -> None:
    """Show what there is to type."""
    tree = context.bot.tree
    # In the order in which they were written down, which is the order of an evening.
    named = [each.qualified_name for each in tree.walk_commands() if isinstance(each, app_commands.Command)]
    await context.change(help_screen(context.say, named))


async def rules(context: Context, press: Press) -> None:
    """Show a page of the rules; from a page, the next in its place."""
    await context.change(rules_screen(context.say, press.picked, context.table_id or NO_TABLE))


async def keep(context: Context, press: Press) -> None:
    """Never mind."""
    await context.change(kept_screen(context.say))
