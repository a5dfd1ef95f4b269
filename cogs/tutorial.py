"""`/tutorial`: a private lesson for beginners. In guilds and in DMs."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised
from bot.screens.custom_ids import Verb
from bot.screens.game_names import game_title
from bot.screens.lessons import LESSONS
from bot.screens.presses import typed


class Tutorial(commands.Cog):
    """Lessons, one person at a time."""

    @app_commands.command(
        name=localised("command.tutorial.name"), description=localised("command.tutorial.description")
    )
    @app_commands.describe(game=localised("command.tutorial.option.game"))
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def tutorial(self, interaction: discord.Interaction[TableBot], game: str | None = None) -> None:
        """Show a game's lesson where the user left it."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.router.handle(context, typed(Verb.LESSON, argument=game))


async def setup(bot: TableBot) -> None:
    """Add the cog, with the lessons of all games that are registered by now."""
    cog = Tutorial()
    app_commands.choices(game=[Choice(name=game_title(game), value=game) for game in LESSONS])(cog.tutorial)
    await bot.add_cog(cog)
