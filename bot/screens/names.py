"""People on screen: mentions in texts, and names that are made inert for labels.

A mention pings nobody unless the message allows it, and Discord draws it with the name that the reader knows.
A display name can be anything: it must not format, mention, link, reverse the line or stretch it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from bot.host.former_players import is_former_id
from bot.text.catalogue import Catalogue

MAX_NAME_LENGTH: Final = 32
"""In characters."""
NAMELESS: Final = "???"
"""Shown in place of a name with nothing to see in it."""
_MAX_MARKS_PER_LETTER: Final = 2
"""Vietnamese puts two marks on a letter; more are a prank."""

# The characters of Discord's markdown, mentions, commands, timestamps, emoji and links, and what looks like them.
_INERT: Final = str.maketrans(
    {
        "*": "∗",
        "_": "ˍ",
        "~": "∼",
        "`": "ˋ",
        "|": "∣",
        "<": "‹",
        ">": "›",
        "@": "＠",
        "#": "＃",
        "\\": "∖",
        "[": "［",
        "]": "］",
        ":": "∶",
    }
)
_SPACE: Final = re.compile(r"\s+")
# Letters and symbols that show nothing at all.
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def mention(say: Catalogue, user: int) -> str:
    """Name a user in a text."""
    return say("person.former") if is_former_id(user) else f"<@{user}>"


def safe_name(raw: str, most: int = MAX_NAME_LENGTH) -> str:
    """Return a display name that is inert in labels and texts, at most `most` characters long and never empty."""
    return safe_line(raw, most) or NAMELESS


def safe_line(raw: str, most: int) -> str:
    """Return what somebody typed as one inert line, at most `most` characters long; empty if nothing is visible."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", _SPACE.sub(" ", raw)):
        category = unicodedata.category(character)
        if character in _BLANK or category.startswith("C"):
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= _MAX_MARKS_PER_LETTER and (kept or not marks):
            kept.append(character)
    name = " ".join("".join(kept).translate(_INERT).split())
    name = _not_a_list(name)
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def _not_a_list(name: str) -> str:
    """Change what would make "1. Ana" and "- Ana" items of a list."""
    number = name[: len(name) - len(name.lstrip("0123456789"))]
    if number and name[len(number) : len(number) + 1] in (".", ")"):
        return f"{number}․{name[len(number) + 1 :]}"
    return f"‐{name[1:]}" if name[:1] in ("-", "+") else name
