"""Handles the export and import of house rules as files, and the log of their changes."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import aiohttp
import discord
from discord.components import FileComponent

from bot.discord_ui.handlers.guild_checks import basis_of, require_manager
from bot.discord_ui.handlers.house_rules import HouseRulesHandlers
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.house_rules import documents
from bot.house_rules.changes import ChangeResult
from bot.house_rules.documents import FileRefused
from bot.house_rules.reasons import HouseReason
from bot.house_rules.repository import HouseRulesRepository
from bot.house_rules.server_rules import ServerRules
from bot.screens.house import forms
from bot.screens.house.forms import LINES_PER_PAGE
from bot.screens.presses import Press


class HouseFileHandlers:
    """Exports and imports the house rules of a server, and shows who changed what."""

    def __init__(
        self,
        repository: HouseRulesRepository,
        house_rules: HouseRulesHandlers,
        fetch_file: Callable[[str], Awaitable[bytes]],
    ) -> None:
        self._repository = repository
        self._house_rules = house_rules
        self._fetch_file = fetch_file

    async def export(self, context: Context) -> None:
        """Send the user the house rules as a file, privately."""
        require_manager(context)
        written = documents.export(await self._repository.rules_for(context.guild))
        await context.tell(forms.export_screen(context.say), _file(written))

    async def propose_import(self, context: Context, file: discord.Attachment | None, pasted: str | None) -> None:
        """Show what a file, or its pasted text, would change, or everything wrong with it; without both, ask for it."""
        require_manager(context)
        if file is None and not pasted:
            await context.ask(forms.import_form(context.say))
            return
        await self._propose(context, pasted or "" if file is None else partial(_text_of, file.read, file.size))

    async def import_submitted(self, context: Context, press: Press) -> None:
        """Show what the file or text in the submitted form would change."""
        require_manager(context)
        data: Any = context.interaction.data or {}
        file = (data.get("resolved") or {}).get("attachments", {}).get(press.fields.get(forms.FILE))
        pasted = press.fields.get(forms.PASTED)
        if file is None and not pasted:
            await context.tell(context.say("house.file.needed"))
        elif file is None:
            await self._propose(context, pasted or "")
        else:
            fetch = partial(self._fetch_file, file["url"])
            await self._propose(context, partial(_text_of, fetch, file["size"]))

    async def _propose(self, context: Context, source: str | Callable[[], Awaitable[str]]) -> None:
        try:
            written = source if isinstance(source, str) else await source()
            rules = await self._repository.rules_for(context.guild)
            found = documents.read_file(rules, written, basis_of(context, rules))
        except FileRefused as refused:
            await context.tell(forms.reasons_text(context.say, refused.reasons))
            return
        if found.result.changes:
            await context.tell(forms.import_screen(context.say, found), _file(written))
        else:
            await context.tell(forms.unchanged_text(context.say, found))

    async def confirm_import(self, context: Context, press: Press) -> None:
        """Import the file on the message whose button was pressed; it is checked again against the current rules."""
        require_manager(context)
        message = context.interaction.message
        # Discord lists a file that a component shows in that component only, not among the attachments.
        shown = [] if message is None else [each for each in message.components if isinstance(each, FileComponent)]
        if not context.is_private or len(shown) != 1:
            raise Rejected(HouseReason.FILE_GONE)
        try:
            # Not `media.read()`: the library gives the components of an interaction's message no connection.
            fetch = partial(self._fetch_file, shown[0].media.url)
            written = await _text_of(fetch, shown[0].size)

            def edit(rules: ServerRules) -> ChangeResult:
                return documents.read_file(rules, written, basis_of(context, rules)).result

            result = await self._repository.change(context.guild, context.user, edit)
        except FileRefused as refused:
            await context.tell(forms.reasons_text(context.say, refused.reasons))
            return
        done = context.say("house.done.imported", count=len(result.changes))
        await self._house_rules.show_page(context, result.rules, done=done)

    async def log(self, context: Context, press: Press | None = None) -> None:
        """Show a page of the log: who changed what."""
        require_manager(context)
        argument = (press.id.argument if press is not None else None) or ""
        before = int(argument) if argument.isascii() and argument.isdigit() and len(argument) < 19 else None
        rules = await self._repository.rules_for(context.guild)
        lines = await self._repository.log(rules.guild, before, LINES_PER_PAGE + 1)
        await context.change(forms.log_screen(context.say, lines, rules.values, first=before is None))


def _file(written: str) -> discord.File:
    return discord.File(io.BytesIO(written.encode()), forms.FILE_NAME)


async def _text_of(fetch: Callable[[], Awaitable[bytes]], size: int | None) -> str:
    if (size or 0) > documents.MAX_FILE_BYTES:
        raise FileRefused([Rejected(HouseReason.TOO_LONG, highest=documents.MAX_FILE_BYTES)])
    try:
        return (await fetch()).decode("utf-8-sig")
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        raise FileRefused([Rejected(HouseReason.FILE_GONE)]) from None
    except UnicodeDecodeError:
        raise FileRefused([Rejected(HouseReason.NOT_AN_EXPORT)]) from None
