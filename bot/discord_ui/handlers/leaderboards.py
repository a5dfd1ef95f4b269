"""Handles leaderboards and seasons. People known to have left the guild are left out."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final, TypeVar

from discord.app_commands import Choice

from bot.discord_ui.gateway.members import REMEMBERED_SECONDS, Members
from bot.discord_ui.handlers.pages import Drawing, Pages, SendAnswer
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import UserId
from bot.host.ports import Clock
from bot.house_rules.repository import HouseRulesRepository
from bot.pictures.picture import Picture
from bot.screens.layout import PrivateScreen, PublicScreen, Screen, text
from bot.screens.names import safe_name
from bot.screens.presses import Press
from bot.screens.stats.leaderboard import drawn_board, leaderboard_screen
from bot.screens.stats.queries import LeaderboardQuery, Scope, is_period, parse_board
from bot.screens.stats.scopes import Offer, period_options
from bot.screens.stats.season import close_screen, closed_text
from bot.stats.model import ALL_TIME, Page, season_period
from bot.stats.reasons import StatsReason
from bot.store.ports import Statistics
from bot.text.catalogue import Catalogue

S = TypeVar("S", bound=Screen)

LOOKUP_SECONDS: Final = 1.0
"""How long a leaderboard waits to learn who left. After that it is shown, and redrawn later without those who left."""
MAX_LOOKUPS_PER_PAGE: Final = 4
"""How many times the people on a page are looked up: those who move up onto it may have left as well."""
ABSENT_PER_LEADERBOARD: Final = 5
"""How many absent people are looked up again whenever a leaderboard is shown; each at most once a day."""
MAX_SEASON_DIGITS: Final = 5
"""How many digits a season number on a button may have."""


class LeaderboardHandlers:
    """Shows leaderboards and closes seasons."""

    def __init__(
        self, statistics: Statistics, repository: HouseRulesRepository, members: Members, clock: Clock, pages: Pages
    ) -> None:
        self._statistics = statistics
        self._repository = repository
        self._members = members
        self._clock = clock
        self._pages = pages

    async def minimum_games(self, context: Context) -> int:
        """Return how many games a person needs to be ranked, from the guild's house rules."""
        return (await self._repository.rules_for(context.guild)).ranked_after

    async def offer(self, context: Context) -> Offer:
        """Return the editions, months and seasons that the guild can choose from."""
        statistics, guild = self._statistics, context.guild
        return Offer(await statistics.editions(guild), await statistics.months(guild), await statistics.seasons(guild))

    async def played_last(self, context: Context, offer: Offer, user: UserId | None = None) -> Scope:
        """Return what is shown if nothing is asked for: the game that a person, or the guild, played last."""
        games = [line.game for line in (await self._statistics.history(context.guild, user=user, size=1)).lines]
        known = [game for game in games if game in dict(offer.editions)]
        return Scope().playing(known[0]) if known else offer.default_scope

    async def read_period(self, context: Context, typed: str | None) -> str:
        """Return the period that was picked or typed; raise Rejected if there is no such period."""
        if typed is None:
            return ALL_TIME
        wanted = " ".join(typed.casefold().split())
        written = wanted.replace(" ", "-")
        if is_period(written):
            return written
        for period, label in period_options(context.say, await self.offer(context)):
            if wanted == label.casefold():
                return period
        raise Rejected(StatsReason.NO_SUCH_PERIOD, value=typed)

    async def complete_period(self, context: Context, typed: str) -> list[Choice[str]]:
        """Return the periods whose labels contain what is being typed."""
        if context.interaction.guild_id is None:
            return []
        periods = period_options(context.say, await self.offer(context))
        wanted = typed.casefold()
        return [Choice(name=label, value=period) for period, label in periods if wanted in label.casefold()]

    async def leaderboard(self, context: Context, asked: LeaderboardQuery, number: int, send: SendAnswer) -> None:
        """Show a page; if someone on it turns out to have left, draw it again without them."""
        self._members.seen(context.guild, context.user, safe_name(context.interaction.user.display_name))
        hidden = await self._statistics.is_opted_out(context.user)
        offer = await self.offer(context)

        def drawing(page: Page) -> Drawing:
            def draw(kind: type[S], say: Catalogue, picture: Picture | None = None) -> S:
                return leaderboard_screen(kind, say, page, offer, context.user, hidden=hidden, picture=picture)

            return draw

        lookup = asyncio.create_task(self._page_of_members(context, asked, number))
        try:
            await asyncio.wait((lookup,), timeout=LOOKUP_SECONDS)
            shown = lookup.result() if lookup.done() else await self._page(context, asked, number)
            answer = await send(context, drawing(shown))
            found = await lookup
        finally:
            lookup.cancel()
        if found.lines != shown.lines:
            await answer.redraw(drawing(found))
        names = partial(self._members.name, context.guild)
        await self._pages.illustrate(answer, drawing(found), lambda say: drawn_board(say, found, names, context.user))
        await self._look_for_absent(context)

    async def turn_page(self, context: Context, press: Press) -> None:
        """Turn a page, choose another order, edition or period, or open the leaderboard."""
        asked = parse_board(press.picked)
        if asked is None:
            raise Rejected(StatsReason.MISREAD)
        page = press.id.prompt
        await self.leaderboard(context, asked, max(1, page), self._pages.in_place if page else self._pages.privately)

    def sender(self, *, private: bool) -> SendAnswer:
        """Return what answers a command."""
        return self._pages.sender(private=private)

    async def _page(self, context: Context, asked: LeaderboardQuery, number: int) -> Page:
        board = asked.scope.on(context.guild)
        minimum = await self.minimum_games(context)
        return await self._statistics.leaderboard(board, asked.by, number, asker=context.user, minimum=minimum)

    async def _page_of_members(self, context: Context, asked: LeaderboardQuery, number: int) -> Page:
        """Return a page without people who are known to have left."""
        guild = context.guild
        page = await self._page(context, asked, number)
        own = page.own
        if own is not None and own.rank is None and own.totals.games >= page.minimum:
            if not await self._statistics.is_opted_out(context.user):  # they were marked as absent, but are here
                await self._statistics.set_absent(guild, context.user, self._clock.now(), absent=False)
            page = await self._page(context, asked, number)
        for _ in range(MAX_LOOKUPS_PER_PAGE):
            gone = await self._members.gone(guild, [line.user for line in page.lines])
            if not gone:
                break
            for line in page.lines:
                if line.user in gone:
                    await self._statistics.set_absent(guild, line.user, self._clock.now())
            page = await self._page(context, asked, number)
        return page

    async def _look_for_absent(self, context: Context) -> None:
        """Look up a few people who were absent: they may be back."""
        guild, now = context.guild, self._clock.now()
        long_ago = now - int(REMEMBERED_SECONDS * 1000)
        for user in await self._statistics.absent_since(guild, long_ago, ABSENT_PER_LEADERBOARD):
            gone = await self._members.gone(guild, (user,))
            await self._statistics.set_absent(guild, user, now, absent=bool(gone))

    # Seasons

    async def close(self, context: Context) -> None:
        """Ask for confirmation before closing the current season."""
        season = (await self._statistics.seasons(context.guild))[0]
        await self._check_may_close(context, season.number)
        await context.tell(close_screen(context.say, season))

    async def confirm_close(self, context: Context, press: Press) -> None:
        """Close the season that the question was about, and show everybody its leaderboard."""
        picked = press.picked or ""
        if not (picked.isascii() and picked.isdigit() and len(picked) <= MAX_SEASON_DIGITS):
            raise Rejected(StatsReason.MISREAD)
        number = int(picked)
        await self._check_may_close(context, number)
        if (await self._statistics.seasons(context.guild))[0].number != number:
            raise Rejected(StatsReason.SEASON_CLOSED, season=number)
        season = await self._statistics.close_season(context.guild, self._clock.now(), number)
        await context.change(PrivateScreen(text(closed_text(context.say, season))))
        say, offer = await self._pages.language(context), await self.offer(context)
        scope: Scope = offer.default_scope._replace(period=season.period)
        page = await self._page_of_members(context, LeaderboardQuery(scope=scope), 1)
        draw = partial(leaderboard_screen, PublicScreen, say, page, offer, context.user, hidden=True)
        names = partial(self._members.name, context.guild)
        wanted = await self._pages.wanted(context, say, lambda say: drawn_board(say, page, names, None))
        await context.post(PublicScreen(text(say("season.over", number=season.number)), *draw().children), wanted)

    async def _check_may_close(self, context: Context, number: int) -> None:
        """Raise Rejected if the user may not manage the guild, or if the season has no games."""
        if not context.interaction.permissions.manage_guild:
            raise Rejected(StatsReason.MANAGERS_ONLY)
        if not await self._statistics.has_games(context.guild, season_period(number)):
            raise Rejected(StatsReason.SEASON_EMPTY, season=number)
