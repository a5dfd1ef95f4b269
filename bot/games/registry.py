"""Every game that the bot can host, by name. A new game is one entry here."""

from __future__ import annotations

from typing import Any, Final

from bot.games.core import Game
from bot.games.coyote import rules as coyote
from bot.games.plenty_coups import rules as plenty_coups

GAMES: Final[dict[str, Game[Any, Any, Any]]] = {game.name: game for game in (coyote.GAME, plenty_coups.GAME)}
