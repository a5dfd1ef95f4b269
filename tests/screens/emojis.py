"""Lets screens use emojis as if all of them were uploaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bot.discord_ui.emojis import UPLOADED
from bot.pictures.game import DRAWINGS
from tests.text.speaking import illustrated

_FIRST: Final = 10_000_000_000_000_000_000
"""The first id: as long as ids can be."""
OWN: Final = re.compile(r"<:(\w+):(\d+)>")
"""One of the bot's own emojis in a text."""


def all_emojis() -> dict[str, str]:
    """Return the emojis of all games, as messages write them."""
    sheets = [drawings.emojis for drawings in DRAWINGS.values()]
    found = [(sheet, name) for sheet in sheets for name in sheet.names]
    return {name: f"<:{sheet.spoken_name(name)}:{_FIRST + place}>" for place, (sheet, name) in enumerate(found)}


@contextmanager
def emojis_uploaded() -> Iterator[None]:
    """Let all screens use emojis, those that the bot draws and those with texts from `spoken`."""
    before = dict(UPLOADED)
    UPLOADED.update(all_emojis())
    try:
        with illustrated(all_emojis()):
            yield
    finally:
        UPLOADED.clear()
        UPLOADED.update(before)


def with_names(text: str) -> str:
    """Write emojis by their full names: ":feather_plus_7:"."""
    names = list(all_emojis())
    return OWN.sub(lambda found: f":{names[int(found[2]) - _FIRST]}:", text)


def without_emojis(text: str) -> str:
    """Leave out the bot's own emojis, with the space behind each."""
    return re.sub(rf"{OWN.pattern}[ \u00a0]?", "", text)
