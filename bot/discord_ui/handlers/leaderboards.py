"""Leaderboards and seasons: shown at once, without those who have left, as far as that is known in time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import discord
from discord.app_commands import Choice

from bot.discord_ui.gateway.members import REMEMBERED_SECONDS
from bot.discord_ui.handlers.guild_checks import is_manager
from bot.discord_ui.handlers.pages import Drawing, Way, in_place, privately, spoken_here
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.screens.layout import PrivateScreen, PublicScreen, Screen, text
from bot.screens.stats.leaderboard import leaderboard_screen
from bot.screens.stats.queries import OfAll, Scope, is_period, parse_board
from bot.screens.stats.scopes import Offer, period_options
from bot.screens.stats.season import close_screen, closed_text
from bot.stats.model import ALL_TIME, Page
from bot.stats.reasons import StatsReason
from bot.text.catalogue import Catalogue

if TYPE_CHECKING:
    from bot.screens.presses import Press

S = TypeVar("S", bound=Screen)

LOOKING: Final = 1.0
"""Seconds for finding out who has left; whoever is not known by then is shown, and taken out later."""
PASSES: Final = 4
"""A page is looked at so often: whoever moves up in place of those who left may have left, too."""
LOOKED_FOR_AGAIN: Final = 5
"""So many who were gone are looked for again with each leaderboard, a day after the last time."""


async def ranked_after(context: Context) -> int:
    """Return how many games make one ranked in a server: the house rules say so."""
    return (await context.bot.house.rules_for(context.guild)).ranked_after


async def offer_of(context: Context) -> Offer:
    """Return what there is to choose from in a server."""
    stats, guild = context.bot.store.stats, context.guild
    return Offer(await stats.editions(guild), await stats.months(guild), await stats.seasons(guild))


async def read_period(context: Context, typed: str | None) -> str:
    """Return the period that a command names, picked from the list or typed; Rejected if there is none like that."""
    if typed is None:
        return ALL_TIME
    wanted = " ".join(typed.casefold().split())
    written = wanted.replace(" ", "-")
    if is_period(written):
        return written
    for period, label in period_options(context.say, await offer_of(context)):
        if wanted == label.casefold():
            return period
    raise Rejected(StatsReason.NO_SUCH_PERIOD, value=typed)


async def offered(interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
    """Return the periods that fit what is being typed."""
    context = Context(interaction)
    if interaction.guild_id is None:
        return []
    periods = period_options(context.say, await offer_of(context))
    wanted = typed.casefold()
    return [Choice(name=label, value=period) for period, label in periods if wanted in label.casefold()]


async def leaderboard(context: Context, asked: OfAll, number: int, way: Way) -> None:
    """Show a page; if somebody on it turns out to have left, once more without them."""
    context.bot.members.seen(context.guild, context.user)
    hidden = await context.bot.store.stats.is_off(context.user)
    offer = await offer_of(context)

    def drawing(page: Page) -> Drawing:
        def draw(kind: type[S], say: Catalogue) -> S:
            return leaderboard_screen(kind, say, page, offer, context.user, hidden=hidden)

        return draw

    looking = asyncio.create_task(_settled(context, asked, number))
    try:
        await asyncio.wait((looking,), timeout=LOOKING)
        shown = looking.result() if looking.done() else await _page(context, asked, number)
        sent = await way(context, drawing(shown))
        found = await looking
    finally:
        looking.cancel()
    if found.lines != shown.lines:
        await sent(drawing(found))
    await _look_again(context)


async def _page(context: Context, asked: OfAll, number: int) -> Page:
    board = asked.scope.on(context.guild)
    minimum = await ranked_after(context)
    return await context.bot.store.stats.leaderboard(board, asked.by, number, asker=context.user, minimum=minimum)


async def _settled(context: Context, asked: OfAll, number: int) -> Page:
    """Return a page on which nobody is known to have left."""
    bot, guild = context.bot, context.guild
    page = await _page(context, asked, number)
    own = page.own
    if own is not None and own.rank is None and own.totals.games >= page.minimum:
        if not await bot.store.stats.is_off(context.user):  # somebody who was taken for gone, and is here
            await bot.store.stats.set_absent(guild, context.user, bot.clock.now(), absent=False)
        page = await _page(context, asked, number)
    for _ in range(PASSES):
        gone = await bot.members.gone(guild, [line.user for line in page.lines])
        if not gone:
            break
        for line in page.lines:
            if line.user in gone:
                await bot.store.stats.set_absent(guild, line.user, bot.clock.now())
        page = await _page(context, asked, number)
    return page


async def _look_again(context: Context) -> None:
    """Look for a few who had left: they may be back."""
    bot, guild, now = context.bot, context.guild, context.bot.clock.now()
    long_ago = now - int(REMEMBERED_SECONDS * 1000)
    for user in await bot.store.stats.absent_since(guild, long_ago, LOOKED_FOR_AGAIN):
        gone = await bot.members.gone(guild, (user,))
        await bot.store.stats.set_absent(guild, user, now, absent=bool(gone))


async def turn(context: Context, press: Press) -> None:
    """Turn a page, choose another order, edition or period, or open the leaderboard."""
    asked = parse_board(press.picked)
    if asked is None:
        raise Rejected(StatsReason.MISREAD)
    page = press.id.prompt
    await leaderboard(context, asked, max(1, page), in_place if page else privately)


# -- seasons


async def close(context: Context) -> None:
    """Ask whether the running season is to be closed."""
    season = (await context.bot.store.stats.seasons(context.guild))[0]
    await _may(context, season.number)
    await context.tell(close_screen(context.say, season))


async def close_surely(context: Context, press: Press) -> None:
    """Close the season that the question was about, and show everybody its table."""
    picked = press.picked or ""
    if not (picked.isascii() and picked.isdigit() and len(picked) < 6):
        raise Rejected(StatsReason.MISREAD)
    stats, number = context.bot.store.stats, int(picked)
    await _may(context, number)
    if (await stats.seasons(context.guild))[0].number != number:
        raise Rejected(StatsReason.SEASON_CLOSED, season=number)
    season = await stats.close_season(context.guild, context.bot.clock.now(), number)
    await context.change(PrivateScreen(text(closed_text(context.say, season))))
    page = await _settled(context, OfAll(scope=Scope(period=season.period)), 1)
    say, offer = await spoken_here(context), await offer_of(context)
    draw = partial(leaderboard_screen, PublicScreen, say, page, offer, context.user, hidden=True)
    await context.post(PublicScreen(text(say("season.over", number=season.number)), *draw().children))


async def _may(context: Context, number: int) -> None:
    if not is_manager(context):
        raise Rejected(StatsReason.MANAGERS_ONLY)
    season = f"season-{number}"
    if not await context.bot.store.stats.has_games(context.guild, season):
        raise Rejected(StatsReason.SEASON_EMPTY, season=number)
