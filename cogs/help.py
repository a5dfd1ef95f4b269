"""`/help`: what the bot does, and how to begin."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import CoyoteBot
from bot.discord_ui.handlers import table as around
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.translator import said


class Help(commands.Cog):
    """The way in for newcomers."""

    @app_commands.command(name=said("command.help.name"), description=said("command.help.description"))
    @app_commands.guild_only()
    async def help(self, interaction: discord.Interaction[CoyoteBot]) -> None:
        """Show, privately, what there is to type."""
        context = Context(interaction)
        async with answered(context):
            await around.help_(context, None)


async def setup(bot: CoyoteBot) -> None:
    """Add the cog."""
    await bot.add_cog(Help())
