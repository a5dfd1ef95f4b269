"""House rules as files: export, import, and the log of changes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.discord_ui.handlers.house_rules import ground_of, managers_only, rules_of, server_of, show_page
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.house_rules import documents as packing
from bot.house_rules.changes import Changed
from bot.house_rules.documents import Reasons
from bot.house_rules.problems import Misfit
from bot.house_rules.server_rules import ServerRules
from bot.screens.house import forms as house_forms
from bot.screens.house.forms import PER_PAGE
from bot.screens.house.overview import FIRST

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press


async def carry_out(context: Context) -> None:
    """Hand the rules over as a file, privately."""
    managers_only(context)
    written = packing.export(await rules_of(context))
    await context.tell(house_forms.export_screen(context.say), _file(written))


def _file(written: str) -> discord.File:
    return discord.File(io.BytesIO(written.encode()), house_forms.FILE)


async def offer(context: Context, file: discord.Attachment | None, pasted: str | None) -> None:
    """Show what a file, or its text, would change; everything that is wrong with it, if anything is."""
    managers_only(context)
    if file is None and not pasted:
        await context.tell(context.say("house.file.needed"))
        return
    try:
        written = pasted or "" if file is None else await _text_of(file)
        rules = await rules_of(context)
        brought = packing.bring(rules, written, ground_of(context, rules))
    except Reasons as wrong:
        await context.tell(house_forms.reasons_text(context.say, wrong.reasons))
        return
    if brought.changed.changes:
        await context.tell(house_forms.import_screen(context.say, brought), _file(written))
    else:
        await context.tell(house_forms.same_text(context.say, brought))


async def _text_of(file: discord.Attachment) -> str:
    if file.size > packing.LONGEST:
        raise Reasons([Rejected(Misfit.TOO_LONG, highest=packing.LONGEST)])
    try:
        return (await file.read()).decode("utf-8-sig")
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError):
        raise Reasons([Rejected(Misfit.FILE_GONE)]) from None
    except UnicodeDecodeError:
        raise Reasons([Rejected(Misfit.NOT_AN_EXPORT)]) from None


async def carry_in(context: Context, press: Press) -> None:
    """Import the file that stands on the message whose button was pressed; it is judged again, as things are now."""
    managers_only(context)
    message = context.interaction.message
    files = [] if message is None else message.attachments
    if not context.is_private or len(files) != 1:
        raise Rejected(Misfit.FILE_GONE)
    try:
        written = await _text_of(files[0])

        def edit(rules: ServerRules) -> Changed:
            return packing.bring(rules, written, ground_of(context, rules)).changed

        changed = await context.bot.house.change(server_of(context), context.user, edit)
    except Reasons as wrong:
        await context.tell(house_forms.reasons_text(context.say, wrong.reasons))
        return
    done = context.say("house.done.imported", count=len(changed.changes))
    await show_page(context, changed.rules, FIRST, done)


async def log(context: Context, press: Press | None) -> None:
    """Show who changed what."""
    managers_only(context)
    argument = (press.id.argument if press is not None else None) or ""
    before = int(argument) if argument.isascii() and argument.isdigit() and len(argument) < 19 else None
    rules = await rules_of(context)
    lines = await context.bot.house.log(rules.guild, before, PER_PAGE + 1)
    await context.change(house_forms.log_screen(context.say, lines, rules.edition, first=before is None))
