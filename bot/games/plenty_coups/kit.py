"""Plenty Coups as the rest of the bot knows it."""

from __future__ import annotations

from typing import Final

from bot.games.kit import GameKit
from bot.games.plenty_coups.demo import narrate
from bot.games.plenty_coups.rules.game import GAME

KIT: Final = GameKit(rules=GAME, title="Plenty Coups", demo=narrate)
