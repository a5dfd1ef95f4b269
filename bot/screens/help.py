"""`/help`: what the bot does, and which commands it has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from discord import ButtonStyle

from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.layout import SAGE, PrivateScreen, box, press, row, rule, rules_button, text
from bot.screens.rules_pages import first_topic
from bot.screens.words import DOT
from bot.text.catalogue import Catalogue

_EXPLAINED_OF_GAME: Final = ("new", "look", "settings")
"""The commands of a game's group that have a line of their own."""
_EXPLAINED: Final = ("houserules show", "houserules set", "privacy show")
"""The other grouped commands that have one: a wall of forty lines helps nobody."""


def help_screen(say: Catalogue, names: Sequence[str]) -> PrivateScreen:
    """Explain the bot, with a line for each important command and the names of all others.

    `names` are all commands as they are typed, without the slash.
    """
    lines = [
        say("help.command", mention=f"**/{name}**", description=_description(say, name))
        for name in names
        if _is_explained(name, names)
    ]
    topic = first_topic()
    begin = [f"/{group} new" for group in _game_groups(names)]
    return PrivateScreen(
        box(
            SAGE,
            text(say("help.title"), say("help.about")),
            text(say("help.begin", new=say.either(begin))),
            rule(),
            text(say("help.commands"), *lines),
            text(*_others(say, names)),
            text(say("help.also")),
            row(
                press(say("help.button.new"), CustomId(Verb.NEW), ButtonStyle.success),
                press(say("help.button.choose"), CustomId(Verb.CHOOSE)),
                None if topic is None else rules_button(say("lobby.button.rules"), topic, NO_TABLE),
            ),
        )
    )


def _game_groups(names: Sequence[str]) -> list[str]:
    """Return the command groups of the games: those that can open a table."""
    return [name.removesuffix(" new") for name in names if name.endswith(" new")]


def _is_explained(name: str, names: Sequence[str]) -> bool:
    group, space, command = name.partition(" ")
    if not space or name in _EXPLAINED:
        return True
    return command in _EXPLAINED_OF_GAME and group in _game_groups(names)


def _others(say: Catalogue, names: Sequence[str]) -> list[str]:
    """Name the other commands of each group, in a line per group."""
    others = [name.split(" ", 1) for name in names if not _is_explained(name, names)]
    return [
        say("help.others", group=f"**/{group}**", names=DOT.join(name for _, name in members))
        for group, members in groupby(others, key=lambda each: each[0])
    ]


def _description(say: Catalogue, name: str) -> str:
    """Return the words of a command: its own, or those that every game's group has."""
    group, _, command = name.partition(" ")
    own = f"command.{name.replace(' ', '.')}.description"
    return say(own if own in say else f"command.table.{command or group}.description")
