"""Handles the export and import of house rules as files, and the log of their changes."""

from __future__ import annotations

import io

import aiohttp
import discord

from bot.discord_ui.handlers.guild_checks import basis_of, require_manager
from bot.discord_ui.handlers.house_rules import HouseRulesHandlers
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.house_rules import documents
from bot.house_rules.changes import Changed
from bot.house_rules.documents import FileRefused
from bot.house_rules.problems import Misfit
from bot.house_rules.repository import Houses
from bot.house_rules.server_rules import ServerRules
from bot.screens.house import forms
from bot.screens.house.forms import LINES_PER_PAGE
from bot.screens.presses import Press


class HouseFileHandlers:
    """Exports and imports the house rules of a server, and shows who changed what."""

    def __init__(self, houses: Houses, house_rules: HouseRulesHandlers) -> None:
        self._houses = houses
        self._house_rules = house_rules

    async def export(self, context: Context) -> None:
        """Send the user the house rules as a file, privately."""
        require_manager(context)
        written = documents.export(await self._houses.rules_for(context.guild))
        await context.tell(forms.export_screen(context.say), _file(written))

    async def propose_import(self, context: Context, file: discord.Attachment | None, pasted: str | None) -> None:
        """Show what a file, or its pasted text, would change, or everything that is wrong with it."""
        require_manager(context)
        if file is None and not pasted:
            await context.tell(context.say("house.file.needed"))
            return
        try:
            written = pasted or "" if file is None else await _text_of(file)
            rules = await self._houses.rules_for(context.guild)
            found = documents.read_file(rules, written, basis_of(context, rules))
        except FileRefused as refused:
            await context.tell(forms.reasons_text(context.say, refused.reasons))
            return
        if found.changed.changes:
            await context.tell(forms.import_screen(context.say, found), _file(written))
        else:
            await context.tell(forms.same_text(context.say, found))

    async def confirm_import(self, context: Context, press: Press) -> None:
        """Import the file on the message whose button was pressed; it is checked again against the present rules."""
        require_manager(context)
        message = context.interaction.message
        files = [] if message is None else message.attachments
        if not context.is_private or len(files) != 1:
            raise Rejected(Misfit.FILE_GONE)
        try:
            written = await _text_of(files[0])

            def edit(rules: ServerRules) -> Changed:
                return documents.read_file(rules, written, basis_of(context, rules)).changed

            changed = await self._houses.change(context.guild, context.user, edit)
        except FileRefused as refused:
            await context.tell(forms.reasons_text(context.say, refused.reasons))
            return
        done = context.say("house.done.imported", count=len(changed.changes))
        await self._house_rules.show_page(context, changed.rules, done=done)

    async def log(self, context: Context, press: Press | None = None) -> None:
        """Show a page of the log: who changed what."""
        require_manager(context)
        argument = (press.id.argument if press is not None else None) or ""
        before = int(argument) if argument.isascii() and argument.isdigit() and len(argument) < 19 else None
        rules = await self._houses.rules_for(context.guild)
        lines = await self._houses.log(rules.guild, before, LINES_PER_PAGE + 1)
        await context.change(forms.log_screen(context.say, lines, rules.values, first=before is None))


def _file(written: str) -> discord.File:
    return discord.File(io.BytesIO(written.encode()), forms.FILE_NAME)


async def _text_of(file: discord.Attachment) -> str:
    if file.size > documents.MAX_FILE_BYTES:
        raise FileRefused([Rejected(Misfit.TOO_LONG, highest=documents.MAX_FILE_BYTES)])
    try:
        return (await file.read()).decode("utf-8-sig")
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        raise FileRefused([Rejected(Misfit.FILE_GONE)]) from None
    except UnicodeDecodeError:
        raise FileRefused([Rejected(Misfit.NOT_AN_EXPORT)]) from None
