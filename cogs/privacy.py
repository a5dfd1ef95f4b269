"""`/privacy`: what is kept about the user who asks, as a file, or deleted. In guilds and in DMs."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import said

PrivacyInteraction = discord.Interaction[TableBot]


@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Privacy(
    commands.GroupCog,
    group_name=said("command.privacy.name"),
    group_description=said("command.privacy.description"),
):
    """Every user's own data. Nobody can ask about anybody else's."""

    @app_commands.command(name=said("command.privacy.show.name"), description=said("command.privacy.show.description"))
    async def show(self, interaction: PrivacyInteraction) -> None:
        """Tell what is kept, and why."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.show(context)

    @app_commands.command(
        name=said("command.privacy.export.name"), description=said("command.privacy.export.description")
    )
    async def export(self, interaction: PrivacyInteraction) -> None:
        """Hand over everything as a file."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.export(context)

    @app_commands.command(
        name=said("command.privacy.delete.name"), description=said("command.privacy.delete.description")
    )
    async def delete(self, interaction: PrivacyInteraction) -> None:
        """Ask whether everything is to be deleted."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.ask(context)

    @app_commands.command(
        name=said("command.privacy.statistics.name"), description=said("command.privacy.statistics.description")
    )
    @app_commands.describe(counted=said("command.privacy.statistics.option.counted"))
    async def statistics(self, interaction: PrivacyInteraction, counted: Literal["on", "off"]) -> None:
        """Keep out of statistics, or be counted again."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.count(context, counted=counted == "on")


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(Privacy())
