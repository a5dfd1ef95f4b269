"""Somebody's card, two people head to head, and the games that were finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import discord

from bot.discord_ui.handlers.leaderboards import offer_of, ranked_after
from bot.discord_ui.handlers.pages import Way, in_place, privately
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import UserId
from bot.screens.layout import Screen
from bot.screens.stats.card import card_screen
from bot.screens.stats.history import EVERYBODY, history_screen
from bot.screens.stats.queries import OfOne, OfTwo, parse_card, parse_pair
from bot.screens.stats.versus import versus_screen
from bot.stats.reasons import StatsReason
from bot.text.catalogue import Catalogue

if TYPE_CHECKING:
    from bot.screens.presses import Press

S = TypeVar("S", bound=Screen)


def person(context: Context, named: discord.User | discord.Member | None) -> UserId:
    """Return whom a command is about, the asker by default; Rejected for a bot."""
    if named is None:
        return context.user
    if named.bot:
        raise Rejected(StatsReason.A_BOT, whom=named.id)
    return UserId(named.id)


async def card(context: Context, asked: OfOne, way: Way) -> None:
    """Show somebody's card."""
    await _wants(context, asked.user)
    stats = context.bot.store.stats
    found = await stats.card(asked.scope.on(context.guild), asked.user, minimum=await ranked_after(context))
    if not found.totals.games and not (await stats.history(context.guild, user=asked.user, size=1)).games:
        raise _never_played(context, asked.user)
    offer = await offer_of(context)

    def draw(kind: type[S], say: Catalogue) -> S:
        return card_screen(kind, say, found, offer)

    await way(context, draw)


async def versus(context: Context, asked: OfTwo, way: Way) -> None:
    """Compare two people."""
    if asked.a == asked.b:
        raise Rejected(StatsReason.SAME_PERSON)
    for user in (asked.a, asked.b):
        await _wants(context, user)
    stats = context.bot.store.stats
    if not (await stats.versus(OfTwo(asked.a, asked.b).scope.on(context.guild), asked.a, asked.b)).games:
        raise Rejected(StatsReason.NEVER_MET, whom=asked.a, other=asked.b)
    found, offer = await stats.versus(asked.scope.on(context.guild), asked.a, asked.b), await offer_of(context)

    def draw(kind: type[S], say: Catalogue) -> S:
        return versus_screen(kind, say, found, offer)

    await way(context, draw)


async def history(context: Context, user: UserId | None, page: int, way: Way) -> None:
    """Show a page of finished games."""
    if user is not None:
        await _wants(context, user)
    found = await context.bot.store.stats.history(context.guild, page, user=user)
    if not found.games:
        raise Rejected(StatsReason.NO_GAMES) if user is None else _never_played(context, user)

    def draw(kind: type[S], say: Catalogue) -> S:
        return history_screen(kind, say, found, user)

    await way(context, draw)


async def _wants(context: Context, user: UserId) -> None:
    """Respect who keeps out of statistics."""
    if await context.bot.store.stats.is_off(user):
        if user == context.user:
            raise Rejected(StatsReason.YOU_KEEP_OUT)
        raise Rejected(StatsReason.KEEPS_OUT, whom=user)


def _never_played(context: Context, user: UserId) -> Rejected:
    if user == context.user:
        return Rejected(StatsReason.YOU_NEVER_PLAYED)
    return Rejected(StatsReason.NEVER_PLAYED, whom=user)


# -- presses


async def turn_card(context: Context, press: Press) -> None:
    """Choose another edition or period."""
    asked = parse_card(press.picked)
    if asked is None:
        raise Rejected(StatsReason.MISREAD)
    await card(context, asked, in_place if press.id.prompt else privately)


async def turn_versus(context: Context, press: Press) -> None:
    """Choose another edition or period."""
    asked = parse_pair(press.picked)
    if asked is None:
        raise Rejected(StatsReason.MISREAD)
    await versus(context, asked, in_place if press.id.prompt else privately)


async def turn_history(context: Context, press: Press) -> None:
    """Turn a page, or open somebody's games."""
    picked, page = press.picked or "", press.id.prompt
    asked = None if picked == EVERYBODY else parse_card(picked)
    if asked is None and picked != EVERYBODY:
        raise Rejected(StatsReason.MISREAD)
    await history(context, None if asked is None else asked.user, max(1, page), in_place if page else privately)
