"""The rules of every game that the bot can host, by the game's name.

Each room that serves every game keeps such a mapping of what it asks of a game. `bot.games.registry` fills all of them
from the games' kits, so no room ever imports a game.
"""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import Game

RULES: Final[dict[str, Game[Any, Any, Any]]] = {}
