"""`/doctor`: whether the bot can host games in this channel. Discord shows it to those who may manage channels."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised
from bot.screens.custom_ids import Verb
from bot.screens.presses import typed


class Doctor(commands.Cog):
    """Help for people who set the bot up in a server."""

    @app_commands.command(name=localised("command.doctor.name"), description=localised("command.doctor.description"))
    @app_commands.default_permissions(manage_channels=True)
    @app_commands.guild_only()
    async def doctor(self, interaction: discord.Interaction[TableBot]) -> None:
        """Show, privately, what the bot may do here and what it lacks."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.router.handle(context, typed(Verb.DOCTOR))


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(Doctor())
