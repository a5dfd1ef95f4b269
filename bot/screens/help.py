"""What `/help` shows."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ui

from bot.text.catalogue import Catalogue


def help_screen(say: Catalogue, names: Sequence[str]) -> ui.LayoutView:
    """Show what the game is, and a line for each command."""
    lines = [
        say("help.command", mention=f"**/{name}**", description=say(f"command.{name.replace(' ', '.')}.description"))
        for name in names
    ]
    view = ui.LayoutView(timeout=None)
    view.add_item(
        ui.Container(
            ui.TextDisplay(say("help.title")),
            ui.TextDisplay(say("help.about")),
            ui.Separator(),
            ui.TextDisplay("\n".join([say("help.commands"), *lines])),
            ui.TextDisplay(say("help.private")),
        )
    )
    return view
