"""What games and their commands are called. `bot.games.registry` fills `TITLES` from the games' kits."""

from __future__ import annotations

from typing import Final

from bot.screens.game import SCREENS
from bot.screens.names import safe_name
from bot.text.catalogue import Catalogue

TITLES: Final[dict[str, str]] = {}
"""What each game is called on every screen, by the game's name; it is the same in all languages."""


def spelled_out(name: str) -> str:
    """Turn a name from the code into readable words: "best_run" into "Best run"."""
    return safe_name(name.replace("-", " ").replace("_", " ").capitalize())


def game_title(game: str) -> str:
    """Return what a game is called; a game that is no longer registered, after its name."""
    return TITLES.get(game) or spelled_out(game)


def new_command(say: Catalogue, game: str) -> str:
    """Return the command that opens a table of a game, as it is typed."""
    group, command = f"command.{game}.name", f"command.{game}.new.name"
    return f"/{say(group) if group in say else game} {say(command if command in say else 'command.table.new.name')}"


def new_commands(say: Catalogue) -> str:
    """Return the commands that open a table of any game, as a choice."""
    return say.either([new_command(say, game) for game in SCREENS])
