"""`/rules`: how each game is played, a page at a time."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import said
from bot.screens.layout import MOST_OPTIONS
from bot.screens.rules_pages import all_pages, rules_screen


def _topics() -> list[Choice[str]]:
    topics = [topic for pages in all_pages() for topic in pages.topics]
    return [Choice(name=said(f"rules.topic.{topic}.title"), value=topic) for topic in topics[:MOST_OPTIONS]]


class Rules(commands.Cog):
    """The rules, privately."""

    @app_commands.command(name=said("command.rules.name"), description=said("command.rules.description"))
    @app_commands.describe(topic=said("command.rules.option.topic"))
    @app_commands.guild_only()
    async def rules(self, interaction: discord.Interaction[TableBot], topic: str | None = None) -> None:
        """Show a page of the rules."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await context.tell(rules_screen(context.say, topic))


async def setup(bot: TableBot) -> None:
    """Add the cog, with the pages of all games that are registered by now."""
    cog = Rules()
    app_commands.choices(topic=_topics())(cog.rules)
    await bot.add_cog(cog)
