"""Loads the slash commands of every game that has some: `/coyote`, and so on."""

from __future__ import annotations

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.registry import COMMAND_MODULES


async def setup(bot: TableBot) -> None:
    """Load each game's own extension."""
    for module in COMMAND_MODULES.values():
        await bot.load_extension(module)
