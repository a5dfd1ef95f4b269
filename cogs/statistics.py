"""`/stats`, `/versus`, `/history`, `/replay`, `/share`, `/leaderboard`, `/season`: what finished games left.

“Coyote stats” and “Versus me” are in everybody's menu, and answer privately: people who look somebody up there do not
mean to post it.
"""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice, ContextMenu, Range
from discord.ext import commands

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.places import anywhere
from bot.discord_ui.handlers.statistics import person
from bot.discord_ui.interactions.boundary import answered
from bot.discord_ui.translator import localised
from bot.screens.custom_ids import Verb
from bot.screens.presses import typed
from bot.screens.stats.choices import CommandChoice, ranking_choices, read_scope, scope_choices, scope_ranking
from bot.screens.stats.queries import LeaderboardQuery, ReplayStep
from bot.stats.figures import RATING

StatsInteraction = discord.Interaction[TableBot]
_GAME = Range[int, 1, 999_999_999]
_PAGE = Range[int, 1, 100_000]


def _choices(offered: list[CommandChoice]) -> list[Choice[str]]:
    return [Choice(name=name if key is None else localised(key), value=value) for name, key, value in offered]


class Statistics(commands.Cog):
    """What was counted of finished games, for everybody to see unless the asker wants it privately."""

    season = app_commands.Group(
        name=localised("command.season.name"),
        description=localised("command.season.description"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @app_commands.command(name=localised("command.stats.name"), description=localised("command.stats.description"))
    @app_commands.describe(
        player=localised("command.stats.option.player"),
        edition=localised("command.stats.option.edition"),
        private=localised("command.stats.option.private"),
    )
    @anywhere
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
            user, scope = person(context, player), read_scope(edition)
            handlers = interaction.client.handlers.statistics
            if context.is_installed_here:
                await handlers.card(context, user, scope, handlers.sender(private=private))
            else:
                await handlers.everywhere(context, user, scope)

    @app_commands.command(name=localised("command.versus.name"), description=localised("command.versus.description"))
    @app_commands.describe(
        a=localised("command.versus.option.a"),
        b=localised("command.versus.option.b"),
        private=localised("command.versus.option.private"),
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
            await handlers.versus(context, *users, None, handlers.sender(private=private))

    @app_commands.command(name=localised("command.history.name"), description=localised("command.history.description"))
    @app_commands.describe(
        player=localised("command.history.option.player"),
        page=localised("command.history.option.page"),
        private=localised("command.history.option.private"),
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
            await handlers.history(context, user, page, handlers.sender(private=private))

    @app_commands.command(name=localised("command.replay.name"), description=localised("command.replay.description"))
    @app_commands.describe(game=localised("command.replay.option.game"))
    @app_commands.guild_only()
    async def replay(self, interaction: StatsInteraction, game: _GAME) -> None:
        """Watch a game again."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.replays.watch(context, ReplayStep(game))

    @app_commands.command(name=localised("command.share.name"), description=localised("command.share.description"))
    @app_commands.describe(game=localised("command.share.option.game"))
    @app_commands.guild_only()
    async def share(self, interaction: StatsInteraction, game: _GAME) -> None:
        """Post the end of a game in this channel."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.router.handle(context, typed(Verb.SHARE, picked=str(game)))

    @app_commands.command(
        name=localised("command.leaderboard.name"), description=localised("command.leaderboard.description")
    )
    @app_commands.describe(
        by=localised("command.leaderboard.option.by"),
        period=localised("command.leaderboard.option.period"),
        edition=localised("command.leaderboard.option.edition"),
        page=localised("command.leaderboard.option.page"),
        private=localised("command.leaderboard.option.private"),
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
            scope = read_scope(edition) or scope_ranking(by)
            scope = scope or await boards.played_last(context, (await boards.offer(context)).without_guesses)
            scope = scope._replace(period=await boards.read_period(context, period))
            await boards.leaderboard(context, LeaderboardQuery(by).within(scope), page, boards.sender(private=private))

    @leaderboard.autocomplete("period")
    async def _periods(self, interaction: StatsInteraction, typed: str) -> list[Choice[str]]:
        handlers = interaction.client.handlers.leaderboards
        return await handlers.complete_period(interaction.client.context(interaction), typed)

    @season.command(
        name=localised("command.season.close.name"), description=localised("command.season.close.description")
    )
    async def close(self, interaction: StatsInteraction) -> None:
        """Ask whether to close the running season."""
        context = interaction.client.context(interaction)
        async with answered(context):
            await interaction.client.handlers.leaderboards.close(context)


@app_commands.guild_only()
async def stats_of(interaction: StatsInteraction, player: discord.User | discord.Member) -> None:
    """Show the card of the person whose menu was opened."""
    context = interaction.client.context(interaction)
    async with answered(context):
        handlers = interaction.client.handlers.statistics
        await handlers.card(context, person(context, player), None, handlers.sender(private=True))


@app_commands.guild_only()
async def versus_me(interaction: StatsInteraction, player: discord.User | discord.Member) -> None:
    """Compare the person whose menu was opened with the asker."""
    context = interaction.client.context(interaction)
    async with answered(context):
        handlers = interaction.client.handlers.statistics
        await handlers.versus(context, person(context, player), context.user, None, handlers.sender(private=True))


async def setup(bot: TableBot) -> None:
    """Add the cog, with the editions and figures of all games that are registered by now."""
    cog = Statistics()
    app_commands.choices(edition=_choices(scope_choices()))(cog.stats)
    app_commands.choices(by=_choices(ranking_choices()), edition=_choices(scope_choices()))(cog.leaderboard)
    await bot.add_cog(cog)
    bot.tree.add_command(ContextMenu(name=localised("person_menu.stats"), callback=stats_of))
    bot.tree.add_command(ContextMenu(name=localised("person_menu.versus"), callback=versus_me))
