"""`/rules`: how each game is played, a page at a time."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.places import anywhere
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised
from bot.screens.layout import MOST_OPTIONS
from bot.screens.rules_pages import all_pages, first_topic, rules_screen


def _topics() -> list[Choice[str]]:
    topics = [topic for pages in all_pages() for topic in pages.topics]
    return [Choice(name=localised(f"rules.topic.{topic}.title"), value=topic) for topic in topics[:MOST_OPTIONS]]


class Rules(commands.Cog):
    """The rules, privately."""

    @app_commands.command(name=localised("command.rules.name"), description=localised("command.rules.description"))
    @app_commands.describe(topic=localised("command.rules.option.topic"))
    @anywhere
    async def rules(self, interaction: discord.Interaction[TableBot], topic: str | None = None) -> None:
        """Show a page of the rules; if none is named, the first of the game at this channel's table."""
        context = interaction.client.context(interaction)
        async with answered(context):
            table = await context.find_table()
            if topic is None:
                topic = first_topic(None if table is None else table.game)
            await context.tell(rules_screen(context.say, topic, table))


async def setup(bot: TableBot) -> None:
    """Add the cog, with the pages of all games that are registered by now."""
    cog = Rules()
    app_commands.choices(topic=_topics())(cog.rules)
    await bot.add_cog(cog)
