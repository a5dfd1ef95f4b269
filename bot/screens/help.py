"""What `/help` shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from discord import ButtonStyle

from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.layout import SAGE, PrivateScreen, box, press, row, rule, rules_button, text
from bot.screens.words import DOT
from bot.text.catalogue import Catalogue

_LOOKED_FOR: Final = (
    "coyote new",
    "coyote look",
    "coyote settings",
    "houserules show",
    "houserules set",
    "privacy show",
)
"""Those of a group that have a line of their own; a wall of forty lines helps nobody."""


def help_screen(say: Catalogue, names: Sequence[str]) -> PrivateScreen:
    """Show what the game is, a line for each command that people look for, and the names of all others."""
    lines = [
        say("help.command", mention=f"**/{name}**", description=_description(say, name))
        for name in names
        if " " not in name or name in _LOOKED_FOR
    ]
    return PrivateScreen(
        box(
            SAGE,
            text(say("help.title"), say("help.about")),
            text(say("help.begin", new="/coyote new")),
            rule(),
            text(say("help.commands"), *lines),
            text(*_others(say, names)),
            text(say("help.also")),
            row(
                press(say("help.button.new"), CustomId(Verb.NEW), ButtonStyle.success),
                press(say("help.button.choose"), CustomId(Verb.CHOOSE)),
                rules_button(say("lobby.button.rules"), "basics", NO_TABLE),
            ),
        )
    )


def _others(say: Catalogue, names: Sequence[str]) -> list[str]:
    """Name the other commands of each group, in a line per group."""
    others = [name.split(" ", 1) for name in names if " " in name and name not in _LOOKED_FOR]
    return [
        say("help.others", group=f"**/{group}**", names=DOT.join(name for _, name in members))
        for group, members in groupby(others, key=lambda each: each[0])
    ]


def _description(say: Catalogue, name: str) -> str:
    """Return the words of a command: its own, or those that every game's group has."""
    group, _, command = name.partition(" ")
    own = f"command.{name.replace(' ', '.')}.description"
    return say(own if own in say else f"command.table.{command or group}.description")
