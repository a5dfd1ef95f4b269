"""The rules of every game that the bot can host, by the game's name.

Every package that serves all games keeps a dict like this, with what it needs from each game. `bot.games.registry`
fills them from the games' kits, so that none of these packages imports a game.
"""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import Game

RULES: Final[dict[str, Game[Any, Any, Any]]] = {}


def main_game() -> str:
    """Return the game meant by a button or command that names none: the first in `KITS`. It can be played."""
    return next(iter(RULES))
