"""`/privacy`: what is kept about whoever asks, as a file, or gone. In servers and in DMs."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import CoyoteBot
from bot.discord_ui.handlers import privacy
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.translator import said

Asked = discord.Interaction[CoyoteBot]


@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Privacy(
    commands.GroupCog,
    group_name=said("command.privacy.name"),
    group_description=said("command.privacy.description"),
):
    """Everybody's own data. Nobody can ask about anybody else's."""

    @app_commands.command(name=said("command.privacy.show.name"), description=said("command.privacy.show.description"))
    async def show(self, interaction: Asked) -> None:
        """Tell what is kept, and why."""
        context = Context(interaction)
        async with answered(context):
            await privacy.show(context)

    @app_commands.command(
        name=said("command.privacy.export.name"), description=said("command.privacy.export.description")
    )
    async def export(self, interaction: Asked) -> None:
        """Hand over everything as a file."""
        context = Context(interaction)
        async with answered(context):
            await privacy.export(context)

    @app_commands.command(
        name=said("command.privacy.delete.name"), description=said("command.privacy.delete.description")
    )
    async def delete(self, interaction: Asked) -> None:
        """Ask whether everything is to go."""
        context = Context(interaction)
        async with answered(context):
            await privacy.ask(context)

    @app_commands.command(
        name=said("command.privacy.statistics.name"), description=said("command.privacy.statistics.description")
    )
    @app_commands.describe(counted=said("command.privacy.statistics.option.counted"))
    async def statistics(self, interaction: Asked, counted: Literal["on", "off"]) -> None:
        """Keep out of statistics, or be counted again."""
        context = Context(interaction)
        async with answered(context):
            await privacy.count(context, counted=counted == "on")


async def setup(bot: CoyoteBot) -> None:
    """Add the cog."""
    await bot.add_cog(Privacy())
