"""`/rules`: how each game is played, a page at a time."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import said
from bot.screens.rules_pages import all_pages, rules_screen

_TOPICS = [
    Choice(name=said(f"rules.topic.{topic}.title"), value=topic) for pages in all_pages() for topic in pages.topics
]


class Rules(commands.Cog):
    """The rules, privately."""

    @app_commands.command(name=said("command.rules.name"), description=said("command.rules.description"))
    @app_commands.describe(topic=said("command.rules.option.topic"))
    @app_commands.choices(topic=_TOPICS)
    @app_commands.guild_only()
    async def rules(self, interaction: discord.Interaction[TableBot], topic: str | None = None) -> None:
        """Show a page of the rules."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await context.tell(rules_screen(context.say, topic))


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(Rules())
