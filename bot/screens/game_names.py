"""The titles of games, and the names of their commands. `bot.games.registry` fills `TITLES` from the games' kits."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from bot.screens.game import SCREENS
from bot.screens.names import safe_name
from bot.text.catalogue import Catalogue, catalogue, languages, make_clickable

TITLES: Final[dict[str, str]] = {}
"""What each game is called on every screen, by the game's name; it is the same in all languages."""
_COMMAND_NAME: Final = re.compile(r"(command(?:\.[-a-z_]+)*)\.([-a-z_]+)\.name")


def spelled_out(name: str) -> str:
    """Turn a name from the code into readable words: "best_run" into "Best run"."""
    return safe_name(name.replace("-", " ").replace("_", " ").capitalize())


def game_title(game: str) -> str:
    """Return a game's title; for a game that is no longer registered, its name spelled out."""
    return TITLES.get(game) or spelled_out(game)


def group_name(say: Catalogue, game: str) -> str:
    """Return what a game's group of commands is called."""
    key = f"command.{game}.name"
    return say(key) if key in say else game


def command_key(say: Catalogue, game: str, command: str) -> str:
    """Return the key of a command's texts: the game's own, or those that every game's group has."""
    own = f"command.{game}.{command}"
    return own if f"{own}.name" in say else f"command.table.{command}"


@lru_cache
def _commands() -> Mapping[str, Mapping[str, str]]:
    """Return the keys of all commands: by the key of their group, and by their English name."""
    say, found = catalogue(), defaultdict[str, dict[str, str]](dict)
    for key in say.keys:
        parts = _COMMAND_NAME.fullmatch(key)
        if parts is not None:
            found[parts[1]][say(key)] = f"{parts[1]}.{parts[2]}"
    return found


def keys_of(name: str) -> list[str | None]:
    """Return the keys of a command's texts and of its groups', given its English name; None where there are none."""
    groups, keys = ["command"], list[str | None]()
    for part in name.split():
        key = next((_commands()[group][part] for group in groups if part in _commands().get(group, ())), None)
        keys.append(key)
        is_game = (part if key is None else key.removeprefix("command.")) in SCREENS
        groups = [*([key] if key is not None else []), *(["command.table"] if is_game else [])]
    return keys


def typed_name(say: Catalogue, name: str) -> str:
    """Return a command as it is called in a language, given its English name with those of its groups."""
    parts = zip(name.split(), keys_of(name), strict=True)
    return " ".join(part if key is None else say(f"{key}.name") for part, key in parts)


def link_commands(ids: Mapping[str, int]) -> None:
    """Make commands clickable in the texts of all languages; `ids` are Discord's, by the commands' English names.

    Discord finds a command by its English name, and shows readers the name in their own language.
    """
    make_clickable(
        {
            code: {f"/{typed_name(catalogue(code), name)}": f"</{name}:{id_}>" for name, id_ in ids.items()}
            for code in languages()
        }
    )


def command_mention(say: Catalogue, name: str) -> str:
    """Name a command in a text with markup, given its English name: clickable, or else as it is typed."""
    return say.clickable(f"/{typed_name(say, name)}")


def new_command(say: Catalogue, game: str) -> str:
    """Name the command that opens a table of a game, in a text with markup."""
    command = say(f"{command_key(say, game, 'new')}.name")
    return say.clickable(f"/{group_name(say, game)} {command}")


def new_commands(say: Catalogue) -> str:
    """Return the commands that open a table of any game, as a choice."""
    return say.either([new_command(say, game) for game in SCREENS])
