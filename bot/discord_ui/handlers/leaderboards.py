"""Leaderboards and seasons: shown at once, without those who have left, as far as that is known in time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import discord
from discord.app_commands import Choice

from bot.discord_ui.gateway.members import REMEMBERED
from bot.discord_ui.handlers.house_rules import is_manager, rules_of
from bot.discord_ui.handlers.pages import Drawing, Way, in_place, privately, spoken_here
from bot.discord_ui.interactions.context import Asking
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
    from bot.discord_ui.client import CoyoteBot
    from bot.discord_ui.interactions.router import Press

S = TypeVar("S", bound=Screen)

LOOKING: Final = 1.0
"""Seconds for finding out who has left; whoever is not known by then is shown, and taken out later."""
PASSES: Final = 4
"""A page is looked at so often: whoever moves up in place of those who left may have left, too."""
LOOKED_FOR_AGAIN: Final = 5
"""So many who were gone are looked for again with each leaderboard, a day after the last time."""


async def ranked_after(asking: Asking) -> int:
    """Return how many games make one ranked in a server: the house rules say so."""
    return (await rules_of(asking)).ranked_after


async def offer_of(asking: Asking) -> Offer:
    """Return what there is to choose from in a server."""
    stats, guild = asking.bot.store.stats, asking.guild
    return Offer(await stats.editions(guild), await stats.months(guild), await stats.seasons(guild))


async def read_period(asking: Asking, typed: str | None) -> str:
    """Return the period that a command names, picked from the list or typed; Rejected if there is none like that."""
    if typed is None:
        return ALL_TIME
    wanted = " ".join(typed.casefold().split())
    written = wanted.replace(" ", "-")
    if is_period(written):
        return written
    for period, label in period_options(asking.say, await offer_of(asking)):
        if wanted == label.casefold():
            return period
    raise Rejected(StatsReason.NO_SUCH_PERIOD, value=typed)


async def offered(interaction: discord.Interaction[CoyoteBot], typed: str) -> list[Choice[str]]:
    """Return the periods that fit what is being typed."""
    asking = Asking(interaction)
    if interaction.guild_id is None:
        return []
    periods = period_options(asking.say, await offer_of(asking))
    wanted = typed.casefold()
    return [Choice(name=label, value=period) for period, label in periods if wanted in label.casefold()]


async def leaderboard(asking: Asking, asked: OfAll, number: int, way: Way) -> None:
    """Show a page; if somebody on it turns out to have left, once more without them."""
    asking.bot.members.seen(asking.guild, asking.user)
    hidden = await asking.bot.store.stats.is_off(asking.user)
    offer = await offer_of(asking)

    def drawing(page: Page) -> Drawing:
        def draw(kind: type[S], say: Catalogue) -> S:
            return leaderboard_screen(kind, say, page, offer, asking.user, hidden=hidden)

        return draw

    looking = asyncio.create_task(_settled(asking, asked, number))
    try:
        await asyncio.wait((looking,), timeout=LOOKING)
        shown = looking.result() if looking.done() else await _page(asking, asked, number)
        sent = await way(asking, drawing(shown))
        found = await looking
    finally:
        looking.cancel()
    if found.lines != shown.lines:
        await sent(drawing(found))
    await _look_again(asking)


async def _page(asking: Asking, asked: OfAll, number: int) -> Page:
    board = asked.scope.on(asking.guild)
    minimum = await ranked_after(asking)
    return await asking.bot.store.stats.leaderboard(board, asked.by, number, asker=asking.user, minimum=minimum)


async def _settled(asking: Asking, asked: OfAll, number: int) -> Page:
    """Return a page on which nobody is known to have left."""
    bot, guild = asking.bot, asking.guild
    page = await _page(asking, asked, number)
    own = page.own
    if own is not None and own.rank is None and own.totals.games >= page.minimum:
        if not await bot.store.stats.is_off(asking.user):  # somebody who was taken for gone, and is here
            await bot.store.stats.set_absent(guild, asking.user, bot.clock.now(), absent=False)
        page = await _page(asking, asked, number)
    for _ in range(PASSES):
        gone = await bot.members.gone(guild, [line.user for line in page.lines])
        if not gone:
            break
        for line in page.lines:
            if line.user in gone:
                await bot.store.stats.set_absent(guild, line.user, bot.clock.now())
        page = await _page(asking, asked, number)
    return page


async def _look_again(asking: Asking) -> None:
    """Look for a few who had left: they may be back."""
    bot, guild, now = asking.bot, asking.guild, asking.bot.clock.now()
    long_ago = now - int(REMEMBERED * 1000)
    for user in await bot.store.stats.absent_since(guild, long_ago, LOOKED_FOR_AGAIN):
        gone = await bot.members.gone(guild, (user,))
        await bot.store.stats.set_absent(guild, user, now, absent=bool(gone))


async def turn(asking: Asking, press: Press) -> None:
    """Turn a page, choose another order, edition or period, or open the leaderboard."""
    asked = parse_board(press.picked)
    if asked is None:
        raise Rejected(StatsReason.MISREAD)
    page = press.id.prompt
    await leaderboard(asking, asked, max(1, page), in_place if page else privately)


# -- seasons


async def close(asking: Asking) -> None:
    """Ask whether the running season is to be closed."""
    season = (await asking.bot.store.stats.seasons(asking.guild))[0]
    await _may(asking, season.number)
    await asking.tell(close_screen(asking.say, season))


async def close_surely(asking: Asking, press: Press) -> None:
    """Close the season that the question was about, and show everybody its table."""
    picked = press.picked or ""
    if not (picked.isascii() and picked.isdigit() and len(picked) < 6):
        raise Rejected(StatsReason.MISREAD)
    stats, number = asking.bot.store.stats, int(picked)
    await _may(asking, number)
    if (await stats.seasons(asking.guild))[0].number != number:
        raise Rejected(StatsReason.SEASON_CLOSED, season=number)
    season = await stats.close_season(asking.guild, asking.bot.clock.now(), number)
    await asking.change(PrivateScreen(text(closed_text(asking.say, season))))
    page = await _settled(asking, OfAll(scope=Scope(period=season.period)), 1)
    say, offer = await spoken_here(asking), await offer_of(asking)
    draw = partial(leaderboard_screen, PublicScreen, say, page, offer, asking.user, hidden=True)
    await asking.post(PublicScreen(text(say("season.over", number=season.number)), *draw().children))


async def _may(asking: Asking, number: int) -> None:
    if not is_manager(asking):
        raise Rejected(StatsReason.MANAGERS_ONLY)
    season = f"season-{number}"
    if not await asking.bot.store.stats.has_games(asking.guild, season):
        raise Rejected(StatsReason.SEASON_EMPTY, season=number)
