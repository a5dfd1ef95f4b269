"""`/stats`, `/versus`, `/history`, `/replay`, `/leaderboard`, `/season`: what was counted of finished games."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.handlers.statistics import person
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import said
from bot.screens.stats.choices import CommandChoice, ranking_choices, read_scope, scope_choices
from bot.screens.stats.queries import OfAll, ReplayStep
from bot.stats.figures import RATING

StatsInteraction = discord.Interaction[TableBot]
_GAME = Range[int, 1, 999_999_999]
_PAGE = Range[int, 1, 100_000]


def _choices(offered: list[CommandChoice]) -> list[Choice[str]]:
    return [Choice(name=name if key is None else said(key), value=value) for name, key, value in offered]


@app_commands.guild_only()
class Statistics(commands.Cog):
    """What was counted of finished games, for everybody to see unless the asker wants it privately."""

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
    @app_commands.guild_only()
    async def stats(
        self,
        interaction: StatsInteraction,
        player: discord.User | None = None,
        edition: str | None = None,
        private: bool = False,
    ) -> None:
        """Show a person's card."""
        context = interaction.client.context(interaction)
        async with answered(context):
            user = person(context, player)
            handlers = interaction.client.handlers.statistics
            await handlers.card(context, user, read_scope(edition), handlers.way(private=private))

    @app_commands.command(name=said("command.versus.name"), description=said("command.versus.description"))
    @app_commands.describe(
        a=said("command.versus.option.a"),
        b=said("command.versus.option.b"),
        private=said("command.versus.option.private"),
    )
    @app_commands.guild_only()
    async def versus(
        self, interaction: StatsInteraction, a: discord.User, b: discord.User | None = None, private: bool = False
    ) -> None:
        """Compare two people."""
        context = interaction.client.context(interaction)
        async with answered(context):
            users = person(context, a), person(context, b)
            handlers = interaction.client.handlers.statistics
            await handlers.versus(context, *users, None, handlers.way(private=private))

    @app_commands.command(name=said("command.history.name"), description=said("command.history.description"))
    @app_commands.describe(
        player=said("command.history.option.player"),
        page=said("command.history.option.page"),
        private=said("command.history.option.private"),
    )
    @app_commands.guild_only()
    async def history(
        self, interaction: StatsInteraction, player: discord.User | None = None, page: _PAGE = 1, private: bool = False
    ) -> None:
        """List finished games."""
        context = interaction.client.context(interaction)
        async with answered(context):
            user = None if player is None else person(context, player)
            handlers = interaction.client.handlers.statistics
            await handlers.history(context, user, page, handlers.way(private=private))

    @app_commands.command(name=said("command.replay.name"), description=said("command.replay.description"))
    @app_commands.describe(game=said("command.replay.option.game"))
    @app_commands.guild_only()
    async def replay(self, interaction: StatsInteraction, game: _GAME) -> None:
        """Watch a game again."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.replays.watch(context, ReplayStep(game))

    @app_commands.command(name=said("command.leaderboard.name"), description=said("command.leaderboard.description"))
    @app_commands.describe(
        by=said("command.leaderboard.option.by"),
        period=said("command.leaderboard.option.period"),
        edition=said("command.leaderboard.option.edition"),
        page=said("command.leaderboard.option.page"),
        private=said("command.leaderboard.option.private"),
    )
    @app_commands.guild_only()
    async def leaderboard(  # noqa: PLR0917 - discord.py fills options by name
        self,
        interaction: StatsInteraction,
        by: str = RATING,
        period: str | None = None,
        edition: str | None = None,
        page: _PAGE = 1,
        private: bool = False,
    ) -> None:
        """Show who is best."""
        context = interaction.client.context(interaction)
        async with answered(context):
            boards = interaction.client.handlers.leaderboards
            scope = read_scope(edition) or (await boards.offer(context)).default_scope
            scope = scope._replace(period=await boards.read_period(context, period))
            await boards.leaderboard(context, OfAll(by).within(scope), page, boards.way(private=private))

    @leaderboard.autocomplete("period")
    async def _periods(self, interaction: StatsInteraction, typed: str) -> list[Choice[str]]:
        handlers = interaction.client.handlers.leaderboards
        return await handlers.complete_period(interaction.client.context(interaction), typed)

    @season.command(name=said("command.season.close.name"), description=said("command.season.close.description"))
    async def close(self, interaction: StatsInteraction) -> None:
        """Ask whether to close the running season."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.leaderboards.close(context)


async def setup(bot: TableBot) -> None:
    """Add the cog, with the editions and figures of all games that are registered by now."""
    cog = Statistics()
    app_commands.choices(edition=_choices(scope_choices()))(cog.stats)
    app_commands.choices(by=_choices(ranking_choices()), edition=_choices(scope_choices()))(cog.leaderboard)
    await bot.add_cog(cog)
