"""What `/help` shows."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.layout import SAGE, PrivateScreen, box, press, row, rule, rules_button, text
from bot.text.catalogue import Catalogue


def help_screen(say: Catalogue, names: Sequence[str]) -> PrivateScreen:
    """Show what the game is, and a line for each command."""
    lines = [
        say("help.command", mention=f"**/{name}**", description=say(f"command.{name.replace(' ', '.')}.description"))
        for name in names
    ]
    return PrivateScreen(
        box(
            SAGE,
            text(say("help.title"), say("help.about")),
            text(say("help.begin", new="/coyote new")),
            rule(),
            text(say("help.commands"), *lines),
            text(say("help.also")),
            row(
                press(say("help.button.new"), CustomId(Verb.NEW), ButtonStyle.success),
                rules_button(say("lobby.button.rules"), "basics", NO_TABLE),
            ),
        )
    )
