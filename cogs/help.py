"""`/help`: what the bot does, and how to begin."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.places import anywhere
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised
from bot.screens.custom_ids import Verb
from bot.screens.presses import typed


class Help(commands.Cog):
    """The way in for newcomers."""

    @app_commands.command(name=localised("command.help.name"), description=localised("command.help.description"))
    @anywhere
    async def help(self, interaction: discord.Interaction[TableBot]) -> None:
        """Show, privately, what can be typed."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.router.handle(context, typed(Verb.HELP))


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(Help())
