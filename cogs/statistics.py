"""`/stats`, `/versus`, `/history`, `/replay`, `/leaderboard`, `/season`: how everybody is doing."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.handlers import leaderboards as boards
from bot.discord_ui.handlers import replays as replaying
from bot.discord_ui.handlers import statistics as figures
from bot.discord_ui.handlers.pages import Way, privately, publicly
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.translator import said
from bot.games.coyote.rules.editions import EDITIONS
from bot.screens.stats.queries import OfAll, OfOne, OfTwo, Scope, Step
from bot.stats.model import EVERY_EDITION, By

Asked = discord.Interaction[TableBot]
_EDITIONS = [Choice(name=said(f"edition.{edition}.name"), value=edition) for edition in EDITIONS]
_ORDERS = [Choice(name=said(f"board.by.{by.value}"), value=by.value) for by in By]
_GAME = Range[int, 1, 999_999_999]
_PAGE = Range[int, 1, 100_000]


def _way(private: bool) -> Way:
    return privately if private else publicly


@app_commands.guild_only()
class Statistics(commands.Cog):
    """What was counted of finished games, worth posting unless one wants it privately."""

    season = app_commands.Group(
        name=said("command.season.name"),
        description=said("command.season.description"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @app_commands.command(name=said("command.stats.name"), description=said("command.stats.description"))
    @app_commands.describe(
        player=said("command.stats.option.player"),
        edition=said("command.stats.option.edition"),
        private=said("command.stats.option.private"),
    )
    @app_commands.choices(edition=_EDITIONS)
    @app_commands.guild_only()
    async def stats(
        self,
        interaction: Asked,
        player: discord.User | None = None,
        edition: str | None = None,
        private: bool = False,
    ) -> None:
        """Show somebody's card."""
        context = Context(interaction)
        async with answered(context):
            asked = OfOne(figures.person(context, player), Scope(edition or EVERY_EDITION))
            await figures.card(context, asked, _way(private))

    @app_commands.command(name=said("command.versus.name"), description=said("command.versus.description"))
    @app_commands.describe(
        a=said("command.versus.option.a"),
        b=said("command.versus.option.b"),
        private=said("command.versus.option.private"),
    )
    @app_commands.guild_only()
    async def versus(
        self, interaction: Asked, a: discord.User, b: discord.User | None = None, private: bool = False
    ) -> None:
        """Compare two people."""
        context = Context(interaction)
        async with answered(context):
            asked = OfTwo(figures.person(context, a), figures.person(context, b))
            await figures.versus(context, asked, _way(private))

    @app_commands.command(name=said("command.history.name"), description=said("command.history.description"))
    @app_commands.describe(
        player=said("command.history.option.player"),
        page=said("command.history.option.page"),
        private=said("command.history.option.private"),
    )
    @app_commands.guild_only()
    async def history(
        self, interaction: Asked, player: discord.User | None = None, page: _PAGE = 1, private: bool = False
    ) -> None:
        """List finished games."""
        context = Context(interaction)
        async with answered(context):
            user = None if player is None else figures.person(context, player)
            await figures.history(context, user, page, _way(private))

    @app_commands.command(name=said("command.replay.name"), description=said("command.replay.description"))
    @app_commands.describe(game=said("command.replay.option.game"))
    @app_commands.guild_only()
    async def replay(self, interaction: Asked, game: _GAME) -> None:
        """Watch a game again."""
        context = Context(interaction)
        async with answered(context):
            await replaying.watch(context, Step(game))

    @app_commands.command(name=said("command.leaderboard.name"), description=said("command.leaderboard.description"))
    @app_commands.describe(
        by=said("command.leaderboard.option.by"),
        period=said("command.leaderboard.option.period"),
        edition=said("command.leaderboard.option.edition"),
        page=said("command.leaderboard.option.page"),
        private=said("command.leaderboard.option.private"),
    )
    @app_commands.choices(by=_ORDERS, edition=_EDITIONS)
    @app_commands.guild_only()
    async def leaderboard(  # noqa: PLR0917 - discord.py fills options by name
        self,
        interaction: Asked,
        by: str = By.RATING.value,
        period: str | None = None,
        edition: str | None = None,
        page: _PAGE = 1,
        private: bool = False,
    ) -> None:
        """Show who is best."""
        context = Context(interaction)
        async with answered(context):
            scope = Scope(edition or EVERY_EDITION, await boards.read_period(context, period))
            await boards.leaderboard(context, OfAll(By(by), scope), page, _way(private))

    @leaderboard.autocomplete("period")
    async def _periods(self, interaction: Asked, typed: str) -> list[Choice[str]]:
        return await boards.offered(interaction, typed)

    @season.command(name=said("command.season.close.name"), description=said("command.season.close.description"))
    async def close(self, interaction: Asked) -> None:
        """Close the running season, after a question."""
        context = Context(interaction)
        async with answered(context):
            await boards.close(context)


async def setup(bot: TableBot) -> None:
    """Add the cog."""
    await bot.add_cog(Statistics())
