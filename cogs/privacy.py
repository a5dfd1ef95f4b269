"""`/privacy`: shows users what is kept about them, exports it or deletes it. Anywhere."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.places import anywhere
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised

PrivacyInteraction = discord.Interaction[TableBot]
_SWITCH = [Choice(name=localised(f"switch.{each}"), value=each) for each in ("on", "off")]


@anywhere
class Privacy(
    commands.GroupCog,
    group_name=localised("command.privacy.name"),
    group_description=localised("command.privacy.description"),
):
    """Every user's own data. Nobody can ask about anybody else's."""

    @app_commands.command(
        name=localised("command.privacy.show.name"), description=localised("command.privacy.show.description")
    )
    async def show(self, interaction: PrivacyInteraction) -> None:
        """Show what is kept, and why."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.show(context)

    @app_commands.command(
        name=localised("command.privacy.export.name"), description=localised("command.privacy.export.description")
    )
    async def export(self, interaction: PrivacyInteraction) -> None:
        """Hand over everything as a file."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.export(context)

    @app_commands.command(
        name=localised("command.privacy.delete.name"), description=localised("command.privacy.delete.description")
    )
    async def delete(self, interaction: PrivacyInteraction) -> None:
        """Ask whether to delete everything."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.ask(context)

    @app_commands.command(
        name=localised("command.privacy.statistics.name"),
        description=localised("command.privacy.statistics.description"),
    )
    @app_commands.describe(counted=localised("command.privacy.statistics.option.counted"))
    @app_commands.choices(counted=_SWITCH)
    async def statistics(self, interaction: PrivacyInteraction, counted: str) -> None:
        """Keep out of statistics, or be counted again."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.privacy.set_counted(context, counted=counted == "on")


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(Privacy())
