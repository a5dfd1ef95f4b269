"""The modules with the slash commands of every game, by the game's name; `cogs.games` loads them."""

from __future__ import annotations

from typing import Final

COMMAND_MODULES: Final[dict[str, str]] = {}
