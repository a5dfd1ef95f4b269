"""The choices of shared commands follow the games that are registered when the cogs are loaded."""

from __future__ import annotations

from typing import Any, cast

import discord
from discord.ext import commands

from bot.games.registry import register, unregister
from tests.toy_game.kit import KIT as TOY


async def choices(command: str, option: str) -> list[str]:
    """Load the cogs and return the values that a command offers for an option."""
    bot = commands.Bot(command_prefix="!", intents=discord.Intents.none())
    for cog in ("cogs.rules", "cogs.statistics"):
        await bot.load_extension(cog)
    options = cast(Any, bot.tree.get_command(command)).to_dict(bot.tree)["options"]
    return [choice["value"] for each in options if each["name"] == option for choice in each["choices"]]


async def test_a_game_registered_later_is_offered() -> None:
    before = await choices("stats", "edition")
    register(TOY)
    try:
        assert await choices("stats", "edition") == [*before, "highcard.any"]
        assert await choices("leaderboard", "edition") == [*before, "highcard.any"]
        assert "rounds_won" in await choices("leaderboard", "by")
    finally:
        unregister(TOY)
    assert await choices("stats", "edition") == before
    assert "basics" in await choices("rules", "topic")
