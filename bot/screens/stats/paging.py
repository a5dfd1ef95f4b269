"""Buttons that turn pages: the page that they lead to is in each of them."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import row
from bot.text.catalogue import Catalogue


def pager(say: Catalogue, verb: Verb, argument: str, number: int, pages: int) -> ui.ActionRow[Any] | None:
    """Return back, where one is, and on; nothing if there is but one page."""
    if pages < 2:
        return None
    return row(
        turn(say("page.back"), CustomId(verb, prompt=max(1, number - 1), argument=argument), "◀", off=number <= 1),
        # It does nothing, so no handler may take it for a page: Discord sends no press of a disabled button.
        turn(say("page.of", number=number, pages=pages), CustomId(verb, argument="page"), off=True),
        turn(say("page.next"), CustomId(verb, prompt=number + 1, argument=argument), "▶", off=number >= pages),
    )


def turn(label: str, custom_id: CustomId, emoji: str | None = None, *, off: bool = False) -> ui.Button[Any]:
    """Make a button that may have nowhere to lead."""
    return ui.Button(label=label, custom_id=str(custom_id), emoji=emoji, disabled=off)
