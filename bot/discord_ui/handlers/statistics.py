"""Shows a person's statistics card, a comparison of two people, and the finished games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from bot.discord_ui.gateway.members import Members
from bot.discord_ui.handlers.leaderboards import LeaderboardHandlers
from bot.discord_ui.handlers.pages import Pages, SendAnswer
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import UserId
from bot.pictures.charts import draw_curve
from bot.pictures.picture import Picture
from bot.screens.layout import Screen
from bot.screens.names import safe_name
from bot.screens.presses import Press
from bot.screens.stats.card import MOST_SERVERS, card_screen, everywhere_screen, shown_ratings
from bot.screens.stats.history import EVERYBODY, history_screen
from bot.screens.stats.queries import CardQuery, Scope, VersusQuery, parse_card, parse_pair
from bot.screens.stats.scopes import Offer
from bot.screens.stats.versus import versus_screen
from bot.stats.figures import WHOLE_GAME
from bot.stats.model import Card
from bot.stats.reasons import StatsReason
from bot.store.ports import Statistics
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)


class StatisticsHandlers:
    """Shows what was counted in people's games."""

    def __init__(
        self,
        statistics: Statistics,
        leaderboards: LeaderboardHandlers,
        members: Members,
        pages: Pages,
        guild_name: Callable[[int], Awaitable[str | None]],
    ) -> None:
        self._statistics = statistics
        self._guild_name = guild_name
        self._leaderboards = leaderboards
        self._members = members
        self._pages = pages

    async def card(self, context: Context, user: UserId, scope: Scope | None, send: SendAnswer) -> None:
        """Show a person's card; without a scope, for the game that they played last."""
        await self._check_is_shown(context, user)
        offer = (await self._leaderboards.offer(context)).without_guesses
        board = (scope or await self._leaderboards.played_last(context, offer, user)).on(context.guild)
        minimum = await self._leaderboards.minimum_games(context)
        found = await self._statistics.card(board, user, minimum=minimum)
        if not found.totals.games and not (await self._statistics.history(context.guild, user=user, size=1)).games:
            raise _never_played(context, user)

        def draw(kind: type[S], say: Catalogue, picture: Picture | None = None) -> S:
            return card_screen(kind, say, found, offer, picture)

        def sketch(say: Catalogue) -> Callable[[], Picture] | None:
            ratings = shown_ratings(found)
            name = self._members.name(context.guild, user)
            return (lambda: draw_curve(say, ratings, name)) if ratings else None

        self._members.seen(context.guild, context.user, safe_name(context.interaction.user.display_name))
        await self._pages.illustrate(await send(context, draw), draw, sketch)

    async def everywhere(self, context: Context, user: UserId, scope: Scope | None) -> None:
        """Show the asker their own figures in all guilds, where there is no guild whose figures could be meant."""
        if user != context.user:
            raise Rejected(StatsReason.ONLY_YOURSELF)
        await self._check_is_shown(context, user)
        servers: list[tuple[str | None, list[Card]]] = []
        for guild in await self._statistics.guilds_of(user, MOST_SERVERS):
            offer = Offer(await self._statistics.editions(guild)).without_guesses
            games = [Scope().playing(game) for game, edition in offer.editions if edition == WHOLE_GAME]
            boards = [each.on(guild) for each in (games if scope is None else [scope])]
            cards = [await self._statistics.card(board, user) for board in boards]
            if any(card.totals.games for card in cards):
                servers.append((await self._guild_name(guild), [card for card in cards if card.totals.games]))
        if not servers:
            raise Rejected(StatsReason.NEVER_PLAYED_ANYWHERE)
        await context.tell(everywhere_screen(context.say, user, servers))

    async def versus(self, context: Context, a: UserId, b: UserId, scope: Scope | None, send: SendAnswer) -> None:
        """Compare two people; without a scope, in the guild's default game."""
        if a == b:
            raise Rejected(StatsReason.SAME_PERSON)
        for user in (a, b):
            await self._check_is_shown(context, user)
        if not await self._statistics.have_met(context.guild, a, b):
            raise Rejected(StatsReason.NEVER_MET, whom=a, other=b)
        offer = (await self._leaderboards.offer(context)).without_guesses
        found = await self._statistics.versus((scope or offer.default_scope).on(context.guild), a, b)

        def draw(kind: type[S], say: Catalogue, picture: Picture | None = None) -> S:
            return versus_screen(kind, say, found, offer)

        await send(context, draw)

    async def history(self, context: Context, user: UserId | None, page: int, send: SendAnswer) -> None:
        """Show a page of finished games: the guild's, or one person's."""
        if user is not None:
            await self._check_is_shown(context, user)
        found = await self._statistics.history(context.guild, page, user=user)
        if not found.games:
            raise Rejected(StatsReason.NO_GAMES) if user is None else _never_played(context, user)

        def draw(kind: type[S], say: Catalogue, picture: Picture | None = None) -> S:
            return history_screen(kind, say, found, user)

        await send(context, draw)

    async def _check_is_shown(self, context: Context, user: UserId) -> None:
        """Raise Rejected if a person has opted out of statistics."""
        if await self._statistics.is_opted_out(user):
            if user == context.user:
                raise Rejected(StatsReason.YOU_KEEP_OUT)
            raise Rejected(StatsReason.KEEPS_OUT, whom=user)

    # Presses: with a page number in its custom_id, a press redraws the message; otherwise it opens a private one.

    async def turn_card(self, context: Context, press: Press) -> None:
        """Show a card for another edition or period."""
        asked: CardQuery | None = parse_card(press.picked)
        if asked is None:
            raise Rejected(StatsReason.MISREAD)
        await self.card(context, asked.user, asked.scope, self._sender(press))

    async def turn_versus(self, context: Context, press: Press) -> None:
        """Show a comparison for another edition or period."""
        asked: VersusQuery | None = parse_pair(press.picked)
        if asked is None:
            raise Rejected(StatsReason.MISREAD)
        await self.versus(context, asked.a, asked.b, asked.scope, self._sender(press))

    async def turn_history(self, context: Context, press: Press) -> None:
        """Turn a page of finished games, or open a person's."""
        picked = press.picked or ""
        asked = None if picked == EVERYBODY else parse_card(picked)
        if asked is None and picked != EVERYBODY:
            raise Rejected(StatsReason.MISREAD)
        user = None if asked is None else asked.user
        await self.history(context, user, max(1, press.id.prompt), self._sender(press))

    def sender(self, *, private: bool) -> SendAnswer:
        """Return what answers a command."""
        return self._pages.sender(private=private)

    def _sender(self, press: Press) -> SendAnswer:
        return self._pages.in_place if press.id.prompt else self._pages.privately


def person(context: Context, named: discord.User | discord.Member | None) -> UserId:
    """Return whom a command is about, by default the asker; raise Rejected for a bot."""
    if named is None:
        return context.user
    if named.bot:
        raise Rejected(StatsReason.A_BOT, whom=named.id)
    return UserId(named.id)


def _never_played(context: Context, user: UserId) -> Rejected:
    if user == context.user:
        return Rejected(StatsReason.YOU_NEVER_PLAYED)
    return Rejected(StatsReason.NEVER_PLAYED, whom=user)
