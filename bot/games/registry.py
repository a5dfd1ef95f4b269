"""Every game that the bot can host, by name. A new game is one entry here."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import Game
from bot.games.coyote.rules import game as coyote
from bot.games.plenty_coups.rules import game as plenty_coups

GAMES: Final[dict[str, Game[Any, Any, Any]]] = {game.name: game for game in (coyote.GAME, plenty_coups.GAME)}
