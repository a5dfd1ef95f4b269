"""Buttons that turn pages; each carries the page that it leads to."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import row
from bot.text.catalogue import Catalogue


def pager(say: Catalogue, verb: Verb, argument: str, number: int, pages: int) -> ui.ActionRow[Any] | None:
    """Return the buttons for the previous, current and next page; None if there is only one page."""
    if pages < 2:
        return None
    return row(
        turn(say("page.back"), CustomId(verb, prompt=max(1, number - 1), argument=argument), "◀", off=number <= 1),
        # Disabled, so Discord never sends it: its argument need not be a page.
        turn(say("page.of", number=number, pages=pages), CustomId(verb, argument="page"), off=True),
        turn(say("page.next"), CustomId(verb, prompt=number + 1, argument=argument), "▶", off=number >= pages),
    )


def turn(label: str, custom_id: CustomId, emoji: str | None = None, *, off: bool = False) -> ui.Button[Any]:
    """Make a button that is disabled if it leads nowhere."""
    return ui.Button(label=label, custom_id=str(custom_id), emoji=emoji, disabled=off)
