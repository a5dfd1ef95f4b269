"""The two weights of the font, which letters it has, and how wide a text is."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from bot.pictures.pillow import Image, ImageDraw, ImageFont

Weight: TypeAlias = Literal["text", "bold"]

_FOLDER: Final = Path(__file__).parent / "typeface"
_PROBE: Final = 20
"""The size at which the font is asked whether it has a letter."""


@lru_cache(maxsize=64)
def font(size: int, weight: Weight = "text") -> ImageFont.FreeTypeFont:
    """Return the font in a size in pixels. The basic layout draws the same on every machine."""
    return ImageFont.truetype(_FOLDER / f"{weight}.ttf", size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width_of(text: str, size: int, weight: Weight = "text") -> int:
    """Return how many pixels wide a text is."""
    return round(font(size, weight).getlength(text))


def fitted(
    text: str, size: int, width: int, weight: Weight = "text", *, smallest: int | None = None
) -> tuple[str, int]:
    """Return the text and a size so that it fits into a width: smaller first, then cut with an ellipsis."""
    for tried in range(size, (smallest or size) - 1, -1):
        if width_of(text, tried, weight) <= width:
            return text, tried
    tried = smallest or size
    kept = text
    while kept and width_of(f"{kept.rstrip()}…", tried, weight) > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…", tried


@lru_cache(maxsize=2048)
def drawable(name: str) -> str | None:
    """Return a name as it can be drawn, without emojis and the like; None if the font lacks one of its letters."""
    kept = []
    for character in unicodedata.normalize("NFC", name):
        if character.isspace() or _has(character):
            kept.append(" " if character.isspace() else character)
        elif unicodedata.category(character)[0] in "LN":
            return None
    return " ".join("".join(kept).split()) or None


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    """Return whether the font has a character: one that it lacks is drawn like the first of the private ones."""
    if unicodedata.category(character)[0] in "CM":
        return False
    return _drawn(character) != _drawn("\ue000")


def _drawn(character: str) -> bytes:
    sheet = Image.new("L", (2 * _PROBE, 2 * _PROBE))
    ImageDraw.Draw(sheet).text((_PROBE // 2, _PROBE // 4), character, fill=255, font=font(_PROBE))
    return sheet.tobytes()
