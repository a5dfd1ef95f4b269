"""`/help`: what the bot does, and how to begin."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import CoyoteBot
from bot.discord_ui.translator import said
from bot.screens.help import help_screen
from bot.text.catalogue import catalogue


class Help(commands.Cog):
    """The way in for newcomers."""

    @app_commands.command(name=said("command.help.name"), description=said("command.help.description"))
    async def help(self, interaction: discord.Interaction[CoyoteBot]) -> None:
        """Show, privately, what there is to type."""
        say = catalogue(interaction.locale.value)
        await interaction.response.send_message(
            view=help_screen(say, _offered(interaction.client.tree)), ephemeral=True
        )


def _offered(tree: app_commands.CommandTree[CoyoteBot]) -> list[str]:
    return sorted(
        command.qualified_name for command in tree.walk_commands() if isinstance(command, app_commands.Command)
    )


async def setup(bot: CoyoteBot) -> None:
    """Add the cog."""
    await bot.add_cog(Help())
