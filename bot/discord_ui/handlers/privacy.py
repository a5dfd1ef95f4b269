"""Lets users see, export and delete their own data, in guilds and in DMs, and never anybody else's."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

import discord

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.host.model import UserId
from bot.host.ports import StoreFault
from bot.host.tables import Tables
from bot.screens import privacy as screens
from bot.screens.presses import Press
from bot.screens.privacy import Known
from bot.store.ports import Store

log = logging.getLogger(__name__)

MAX_WAIT_SECONDS: Final = 3.0
"""How long a user waits for traces to be wiped from the database file; their data is deleted before that."""
MAX_PLAIN_BYTES: Final = 8_000_000
"""The largest file that Discord is certain to accept; a larger one is compressed."""


class PrivacyHandlers:
    """Handles what users can do with their own data."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        *,
        forget_user: Sequence[Callable[[UserId], None]],
        forget_replays: Callable[[], None],
        retention_days: int,
    ) -> None:
        self._store = store
        self._tables = tables
        self._forget_user = forget_user
        self._forget_replays = forget_replays
        self._retention_days = retention_days
        self._wiping: set[asyncio.Task[bool]] = set()

    async def show(self, context: Context) -> None:
        """Show what is kept about the user, and why."""
        known = await self._known(context)
        await context.tell(screens.privacy_screen(context.say, known, self._retention_days))

    async def _known(self, context: Context) -> Known:
        store, user = self._store, context.user
        return Known(
            anything=await store.privacy.knows(user),
            tables=await store.privacy.games(user),
            seated=len(await store.open_of(user)),
            opted_out=await store.stats.is_opted_out(user),
        )

    async def export(self, context: Context) -> None:
        """Send the user everything that is kept about them, as a file."""
        found = await self._store.privacy.export(context.user)
        written, packed = _write(found)
        file = discord.File(io.BytesIO(written), screens.PACKED if packed else screens.FILE)
        await context.tell(screens.export_screen(context.say, packed=packed), file)

    async def ask(self, context: Context) -> None:
        """Ask for confirmation before deleting everything."""
        known = await self._known(context)
        screen = screens.delete_screen(context.say, known) if known.anything else screens.unknown_screen(context.say)
        await context.change(screen)

    async def delete(self, context: Context) -> None:
        """Delete everything about the user: the rows, then their traces in the database file."""
        user, privacy = context.user, self._store.privacy
        if not await privacy.knows(user):
            await context.change(screens.unknown_screen(context.say))
            return
        names = await privacy.names(user)
        try:
            former_id = await self._tables.forget(user)
        except StoreFault as fault:  # the user may already have left some tables; nothing is deleted yet
            log.log(fault.level, "interaction %s: a user's data is not deleted yet, %s", context.id, fault)
            await context.change(screens.unfinished_screen(context.say))
            return
        for forget in self._forget_user:
            forget(user)
        self._forget_replays()
        wiping = asyncio.create_task(privacy.wipe(user, former_id, names))
        self._wiping.add(wiping)
        wiping.add_done_callback(self._wiping.discard)
        await asyncio.wait((wiping,), timeout=MAX_WAIT_SECONDS)  # in a huge file the wiping goes on after the answer
        log.info("a user's data was deleted")
        screen = screens.deleted_screen(context.say, self._retention_days, reaches_files=privacy.reaches_files)
        await context.change(screen)

    async def set_counted(self, context: Context, *, counted: bool) -> None:
        """Include the user in statistics again, or leave them out from now on."""
        await self._store.stats.set_opted_out(context.user, not counted)
        await context.change(screens.counted_screen(context.say, opted_out=not counted))

    async def press(self, context: Context, press: Press) -> None:
        """Handle a button on the privacy screens."""
        match press.id.argument:
            case "export":
                await self.export(context)
            case "ask":
                await self.ask(context)
            case "delete":
                await self.delete(context)
            case "on" | "off":
                await self.set_counted(context, counted=press.id.argument == "on")
            case _:
                raise Rejected(HostReason.NO_SUCH_ACTION)


def _write(found: dict[str, Any]) -> tuple[bytes, bool]:
    """Return the file, and whether it had to be compressed."""
    written = json.dumps(found, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return (gzip.compress(written), True) if len(written) > MAX_PLAIN_BYTES else (written, False)
