"""AI players: the host's menu of them, context them to the table, filling it, sending them away, watching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.app_commands import Choice

from bot.ai_players.characters import STRENGTHS
from bot.discord_ui.handlers.lobby import acknowledge, submit
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host import ai_seats as minds
from bot.host import commands
from bot.host.commands import HostReason
from bot.host.lobby import seats_for
from bot.host.model import Stage, Table, UserId
from bot.host.seating import host_only, in_stage
from bot.screens.ai_menu import ANYONE, ai_menu
from bot.screens.layout import PrivateScreen, text
from bot.screens.words import ai_name, label_of

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press


async def menu(context: Context, press: Press) -> None:
    """Show who can be asked, and how good they are to be."""
    table = await context.table()
    in_stage(table, Stage.LOBBY)
    host_only(table, context.user)
    if not table.house.ai_seats:
        raise Rejected(HostReason.NO_AI_SEATS)
    await _show(context, table, _strength(press))


async def ask(context: Context, press: Press) -> None:
    """Give the AI that was picked a seat; the menu stays, for the next one."""
    strength = _strength(press)
    name = None if press.picked in (None, ANYONE) else press.picked
    table = await submit(context, commands.AddAi(context.user, name, strength=strength))
    await _show(context, table, strength, context.say("company.done.added", name=_newest(table)))


async def add(context: Context, name: str | None, temperament: str | None, strength: int | None) -> None:
    """The same, typed."""
    table = await submit(context, commands.AddAi(context.user, name, temperament, strength))
    await context.tell(context.say("company.done.added", name=_newest(table)))


async def fill(context: Context, press: Press | None, strength: int | None = None) -> None:
    """Give free seats to AIs: up to a good round, and asked again, all of them."""
    before = await context.table()
    if press is not None and press.id.argument is not None:
        strength = _strength(press)
    table = await submit(context, commands.FillWithAi(context.user, strength))
    done = context.say("company.done.filled", count=len(table.players) - len(before.players))
    if press is None:
        await context.tell(done)
    elif context.is_private:
        await _show(context, table, strength or minds.USUAL_STRENGTH, done)
    else:
        await acknowledge(context)


async def send(context: Context, press: Press) -> None:
    """Send the AI away that was picked."""
    picked = press.picked or ""
    if not picked.startswith("-") or not picked[1:].isascii() or not picked[1:].isdigit():
        raise Rejected(HostReason.NOT_AN_AI)
    before, whom = await context.table(), UserId(int(picked))
    table = await submit(context, commands.RemoveAi(context.user, whom))
    name = next((label_of(before, player) for player in before.players if player.user == whom), "")
    await _show(context, table, minds.USUAL_STRENGTH, context.say("company.done.removed", name=name))


async def remove(context: Context, name: str) -> None:
    """The same, typed."""
    table = await context.table()
    await submit(context, commands.RemoveAi(context.user, find(table, name)))
    await context.tell(context.say("company.done.removed", name=ai_name(table, name)))


def find(table: Table, name: str) -> UserId:
    """Return the AI of this name; Rejected if none sits at the table."""
    whom = next((player.user for player in table.players if player.ai is not None and player.name == name), None)
    if whom is None:
        raise Rejected(HostReason.NOT_AN_AI)
    return whom


async def watch(context: Context, press: Press | None) -> None:
    """Give up the own seat, and watch."""
    await submit(context, commands.Watch(context.user))
    await context.change(PrivateScreen(text(context.say("company.done.watching"))))


async def seated(context: Context, typed: str) -> list[Choice[str]]:
    """Return the AIs at the table whose names have these letters."""
    table = await context.bot.tables.at(context.interaction.channel_id or 0)
    players = () if table is None else table.players
    names = [player.name for player in players if player.ai is not None]
    return [Choice(name=name, value=name) for name in names if typed.casefold() in name.casefold()]


async def _show(context: Context, table: Table, strength: int, done: str | None = None) -> None:
    full = len(table.players) >= seats_for(table.game, table.options)[-1]
    await context.change(ai_menu(context.say, table, minds.free(table), strength, full=full, done=done))


def _strength(press: Press) -> int:
    """Return the strength that the press carries; whoever forges another gets the usual one."""
    written = press.id.argument
    return next((each for each in STRENGTHS if str(each) == written), minds.USUAL_STRENGTH)


def _newest(table: Table) -> str:
    return label_of(table, table.players[-1])
