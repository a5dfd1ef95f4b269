"""Around the game: looking, menus, private settings, pausing, voting, the rules."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from discord import app_commands

from bot.discord_ui.drawing import seen_by_all
from bot.discord_ui.handlers.lobby import acknowledge, may_manage, picked_user, submit
from bot.discord_ui.interactions.context import Asking
from bot.engine.core import Rejected
from bot.games.coyote.ui.rules_pages import FIRST, rules_screen
from bot.host import commands
from bot.host.commands import HostReason
from bot.host.model import Stage, Table
from bot.host.ports import StoreFault
from bot.host.seating import may_stop
from bot.screens.answers import Done, done_screen, time_screen
from bot.screens.confirm import kept_screen
from bot.screens.custom_ids import NO_TABLE
from bot.screens.help import help_screen
from bot.screens.menus import TIMES, more_screen, settings_screen

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press

log = logging.getLogger(__name__)


async def look(asking: Asking, press: Press | None) -> None:
    """Show what this person may see; pressed on a private message, in that message."""
    table = await asking.table()
    _reachable(table)
    await asking.change(await asking.bot.look(asking, table))


def _reachable(table: Table) -> None:
    """Refuse what nobody would see, or see change, as long as the table cannot be reached, and say what is missing."""
    if table.pause is not None and table.pause.why is not None:
        raise Rejected(HostReason.PAUSED, why=table.pause.why)


async def more(asking: Asking, press: Press) -> None:
    """Show what else there is to do; before the game, one's own settings."""
    table = await asking.table()
    if not table.is_open:
        raise Rejected(HostReason.TABLE_OVER if table.stage is Stage.OVER else HostReason.TABLE_CLOSED)
    if table.stage is Stage.LOBBY:
        await show_settings(asking, again=_may_post(asking, table))
        return
    stops = may_stop(table, asking.user, manager=may_manage(asking))
    await asking.tell(more_screen(asking.say, table, seen_by_all(table), asking.user, may_stop=stops))


async def deal(asking: Asking, press: Press) -> None:
    """Deal now."""
    await submit(asking, commands.DealNow(asking.user))
    await acknowledge(asking)


async def pause(asking: Asking, press: Press) -> None:
    """Want a pause, or its end."""
    done = await ask_pause(asking)
    if asking.is_private:
        await asking.change(done_screen(asking.say, done))
    else:
        await acknowledge(asking)


async def ask_pause(asking: Asking) -> Done:
    """Vote for a pause or its end; return what came of it."""
    paused = (await asking.table()).pause is not None
    after = await submit(asking, commands.AskPause(asking.user))
    if paused:
        return Done.GO_ON_ASKED if after.pause else Done.GOES_ON
    return Done.PAUSED if after.pause else Done.PAUSE_ASKED


async def back(asking: Asking, press: Press) -> None:
    """Be there again."""
    await submit(asking, commands.Back(asking.user))
    await acknowledge(asking)


async def vote(asking: Asking, press: Press) -> None:
    """Want an away player to be out."""
    await submit(asking, commands.VoteOut(asking.user, picked_user(press)))
    await acknowledge(asking)


def _may_post(asking: Asking, table: Table) -> bool:
    return table.seat_of(asking.user) is not None or asking.user == table.host or may_manage(asking)


async def post_again(asking: Asking, press: Press | None) -> None:
    """Post the table again, down here."""
    table = await asking.table()
    if not _may_post(asking, table):
        raise Rejected(HostReason.NOT_SEATED)
    if not table.is_open:
        raise Rejected(HostReason.TABLE_OVER if table.stage is Stage.OVER else HostReason.TABLE_CLOSED)
    _reachable(table)
    asking.bot.publisher.move(table.id)
    await asking.change(done_screen(asking.say, Done.POSTED))


async def time(asking: Asking, press: Press) -> None:
    """Set how much time one needs, at every table."""
    slow = next((times for times in TIMES if str(times) == press.picked), None)
    if slow is None:
        raise Rejected(HostReason.NO_SUCH_ACTION)
    kept = await prefer(asking, slow=slow)
    await asking.change(time_screen(asking.say, slow) if kept else done_screen(asking.say, Done.HALF_KEPT))


async def pings(asking: Asking, press: Press) -> None:
    """Switch pings on or off, at every table."""
    pinged = press.id.argument != "off"
    kept = await prefer(asking, pinged=pinged)
    done = Done.PINGS_ON if pinged else Done.PINGS_OFF
    await asking.change(done_screen(asking.say, done if kept else Done.HALF_KEPT))


async def prefer(asking: Asking, *, slow: int | None = None, pinged: bool | None = None) -> bool:
    """Keep somebody's private settings, and tell the tables at which they sit; False if that was done by half."""
    bot = asking.bot
    async with bot.settling[asking.user % len(bot.settling)]:  # of two changes at once, each keeps the other's
        settings = await bot.store.preferences(asking.user)
        settings = settings._replace(
            slow=settings.slow if slow is None else slow, pinged=settings.pinged if pinged is None else pinged
        )
        told = False
        try:
            # Tables first: as long as the settings show what was before, it can be chosen again.
            for table in await bot.tables.open_of(asking.user):
                await bot.tables.submit(table, commands.Prefer(asking.user, settings.slow, settings.pinged))
                told = True
            await bot.store.prefer(asking.user, settings)
        except StoreFault as fault:
            if not told:
                raise
            log.log(fault.level, "interaction %s: a setting is kept by half, %s", asking.id, fault)
            return False
    return True


async def show_settings(asking: Asking, *, again: bool = False) -> None:
    """Show somebody their own settings."""
    now = await asking.bot.store.preferences(asking.user)
    table = asking.table_id or NO_TABLE
    await asking.change(settings_screen(asking.say, now.slow, pinged=now.pinged, table=table, again=again))


async def help_(asking: Asking, press: Press | None) -> None:
    """Show what there is to type."""
    tree = asking.bot.tree
    # In the order in which they were written down, which is the order of an evening.
    named = [each.qualified_name for each in tree.walk_commands() if isinstance(each, app_commands.Command)]
    await asking.change(help_screen(asking.say, named))


async def rules(asking: Asking, press: Press) -> None:
    """Show a page of the rules; from a page, the next in its place."""
    await asking.change(rules_screen(asking.say, press.picked or FIRST, asking.table_id or NO_TABLE))


async def keep(asking: Asking, press: Press) -> None:
    """Never mind."""
    await asking.change(kept_screen(asking.say))
