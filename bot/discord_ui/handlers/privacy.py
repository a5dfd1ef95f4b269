"""People and their data: what is kept, as a file, gone; in servers and in DMs, and never about anybody else."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import logging
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.host.ports import StoreFault
from bot.screens import privacy as screens
from bot.screens.privacy import Known

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press

log = logging.getLogger(__name__)

PATIENCE: Final = 3.0
"""Seconds for which somebody waits until the file is swept, too; their data are gone before."""
_WIPING: Final[set[asyncio.Task[bool]]] = set()
LARGEST: Final = 8_000_000
"""Bytes of a file that Discord surely takes; a larger one is packed."""


async def show(context: Context) -> None:
    """Tell what is kept, and why."""
    await context.tell(screens.privacy_screen(context.say, await _known(context), context.bot.retention_days))


async def _known(context: Context) -> Known:
    store, user = context.bot.store, context.user
    return Known(
        anything=await store.privacy.knows(user),
        tables=await store.privacy.games(user),
        seated=len(await store.open_of(user)),
        off=await store.stats.is_off(user),
    )


async def export(context: Context) -> None:
    """Hand over everything as a file."""
    found = await context.bot.store.privacy.export(context.user)
    written, packed = _written(found)
    file = discord.File(io.BytesIO(written), screens.PACKED if packed else screens.FILE)
    await context.tell(screens.export_screen(context.say, packed=packed), file)


def _written(found: dict[str, Any]) -> tuple[bytes, bool]:
    written = json.dumps(found, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return (gzip.compress(written), True) if len(written) > LARGEST else (written, False)


async def ask(context: Context) -> None:
    """Ask whether everything is to go."""
    known = await _known(context)
    screen = screens.delete_screen(context.say, known) if known.anything else screens.unknown_screen(context.say)
    await context.change(screen)


async def delete(context: Context) -> None:
    """Let everything go: on the disk, then between its rows."""
    bot, user = context.bot, context.user
    if not await bot.store.privacy.knows(user):
        await context.change(screens.unknown_screen(context.say))
        return
    names = await bot.store.privacy.names(user)
    try:
        ghost = await bot.tables.forget(user)
    except StoreFault as fault:  # perhaps in the middle: they get up table by table, before everything goes at once
        log.log(fault.level, "interaction %s: somebody's data are not deleted yet, %s", context.id, fault)
        await context.change(screens.unfinished_screen(context.say))
        return
    bot.postman.forget(user)
    bot.films.clear()
    wiping = asyncio.create_task(bot.store.privacy.wipe(user, ghost, names))
    _WIPING.add(wiping)
    wiping.add_done_callback(_WIPING.discard)
    await asyncio.wait((wiping,), timeout=PATIENCE)  # in a huge file it goes on; there is nothing left to decide
    log.info("somebody's data were deleted")
    await context.change(screens.deleted_screen(context.say, bot.retention_days))


async def count(context: Context, *, counted: bool) -> None:
    """Keep somebody out of statistics, or count them again."""
    await context.bot.store.stats.set_off(context.user, not counted)
    await context.change(screens.counted_screen(context.say, off=not counted))


async def pressed(context: Context, press: Press) -> None:
    """Carry out a button of these screens."""
    match press.id.argument:
        case "export":
            await export(context)
        case "ask":
            await ask(context)
        case "delete":
            await delete(context)
        case "on" | "off":
            await count(context, counted=press.id.argument == "on")
        case _:
            raise Rejected(HostReason.NO_SUCH_ACTION)
