"""`/privacy`: what is kept about whoever asks, as a file, or gone. In servers and in DMs."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_ui.client import CoyoteBot
from bot.discord_ui.handlers import privacy
from bot.discord_ui.interactions.context import Asking, answering
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
        asking = Asking(interaction)
        async with answering(asking):
            await privacy.show(asking)

    @app_commands.command(
        name=said("command.privacy.export.name"), description=said("command.privacy.export.description")
    )
    async def export(self, interaction: Asked) -> None:
        """Hand over everything as a file."""
        asking = Asking(interaction)
        async with answering(asking):
            await privacy.export(asking)

    @app_commands.command(
        name=said("command.privacy.delete.name"), description=said("command.privacy.delete.description")
    )
    async def delete(self, interaction: Asked) -> None:
        """Ask whether everything is to go."""
        asking = Asking(interaction)
        async with answering(asking):
            await privacy.ask(asking)

    @app_commands.command(
        name=said("command.privacy.statistics.name"), description=said("command.privacy.statistics.description")
    )
    @app_commands.describe(counted=said("command.privacy.statistics.option.counted"))
    async def statistics(self, interaction: Asked, counted: Literal["on", "off"]) -> None:
        """Keep out of statistics, or be counted again."""
        asking = Asking(interaction)
        async with answering(asking):
            await privacy.count(asking, counted=counted == "on")


async def setup(bot: CoyoteBot) -> None:
    """Add the cog."""
    await bot.add_cog(Privacy())
