"""Finds the moves that fit what somebody has typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.games.plenty_coups.ui.move_words import MoveWords

UNDO: Final = "undo"
"""The name of the action that takes back the last one, in the game's codec and as a token."""
_WORD: Final = re.compile(r"[\w+-]+")


def matches(moves: Sequence[MoveWords], typed: str) -> list[MoveWords]:
    """Return the moves that fit: one with exactly this name, or else all that have every typed word."""
    wanted = _words(typed)
    exact = [move for move in moves if typed.strip() == move.token or _words(move.label) == wanted]
    if exact and wanted:
        return exact
    return [move for move in moves if all(_has(move, word) for word in wanted)]


def _has(move: MoveWords, wanted: str) -> bool:
    """Return whether a word of the move's name begins with what was typed; a number must be the same."""
    return any(word == wanted if wanted.isdigit() else word.startswith(wanted) for word in _words(move.label))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
