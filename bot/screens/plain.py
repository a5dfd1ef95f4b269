"""A plainer version of a public message, for a server whose filter has refused it.

Leaves out what the filter may object to: mentions, names on buttons, links. Numbers stay.
"""

from __future__ import annotations

import re
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.host.model import Table
from bot.screens.custom_ids import Verb, parse
from bot.screens.layout import MOST_IN_ROW, PublicScreen, Screen, row, text
from bot.screens.presses import PRESSES
from bot.text.catalogue import Catalogue

_PERSON: Final = re.compile(r"<@!?(\d+)>")
_PLACE: Final = re.compile(r"<#\d+>|https?://\S+")


def plain_text(say: Catalogue, table: Table, words: str) -> str:
    """Return a text without mentions and links; people are named by their seat numbers."""
    seats = {str(player.user): number for number, player in enumerate(table.players, 1)}

    def seat(found: re.Match[str]) -> str:
        number = seats.get(found[1])
        return say("plain.somebody") if number is None else say("plain.seat", number=number)

    return _PLACE.sub("", _PERSON.sub(seat, words))


def plain_screen(say: Catalogue, table: Table, screen: Screen) -> PublicScreen:
    """Return a screen with plain texts, and only those of its buttons that name nobody."""
    items = list(screen.walk_children())
    words = [plain_text(say, table, item.content) for item in items if isinstance(item, ui.TextDisplay)]
    buttons = [_copy(item) for item in items if isinstance(item, ui.Button) and _is_nameless(table, item)]
    rows = [row(*buttons[first : first + MOST_IN_ROW]) for first in range(0, len(buttons), MOST_IN_ROW)]
    return PublicScreen(text(*words, say("plain.why", look=say("table.button.look"))), *rows)


def _is_nameless(table: Table, button: ui.Button[Any]) -> bool:
    found = None if button.custom_id is None else parse(button.custom_id)
    presses = PRESSES.get(table.game)
    naming = (Verb.VOTE, *(() if presses is None else presses.naming))
    return found is not None and found.verb not in naming


def _copy(button: ui.Button[Any]) -> ui.Button[Any]:
    """Copy a button, because an item belongs to one screen only."""
    style = button.style if button.style is not ButtonStyle.link else ButtonStyle.secondary
    return ui.Button(label=button.label, custom_id=button.custom_id, style=style, emoji=button.emoji)
