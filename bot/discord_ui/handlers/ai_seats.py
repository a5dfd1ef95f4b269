"""AI players: the host's menu of them, asking them to the table, filling it, sending them away, watching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.app_commands import Choice

from bot.ai_players.characters import STRENGTHS
from bot.discord_ui.handlers.lobby import acknowledge, submit
from bot.discord_ui.interactions.context import Asking
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


async def menu(asking: Asking, press: Press) -> None:
    """Show who can be asked, and how good they are to be."""
    table = await asking.table()
    in_stage(table, Stage.LOBBY)
    host_only(table, asking.user)
    if not table.house.ai_seats:
        raise Rejected(HostReason.NO_AI_SEATS)
    await _show(asking, table, _strength(press))


async def ask(asking: Asking, press: Press) -> None:
    """Give the AI that was picked a seat; the menu stays, for the next one."""
    strength = _strength(press)
    name = None if press.picked in (None, ANYONE) else press.picked
    table = await submit(asking, commands.AddAi(asking.user, name, strength=strength))
    await _show(asking, table, strength, asking.say("company.done.added", name=_newest(table)))


async def add(asking: Asking, name: str | None, temperament: str | None, strength: int | None) -> None:
    """The same, typed."""
    table = await submit(asking, commands.AddAi(asking.user, name, temperament, strength))
    await asking.tell(asking.say("company.done.added", name=_newest(table)))


async def fill(asking: Asking, press: Press | None, strength: int | None = None) -> None:
    """Give free seats to AIs: up to a good round, and asked again, all of them."""
    before = await asking.table()
    if press is not None and press.id.argument is not None:
        strength = _strength(press)
    table = await submit(asking, commands.FillWithAi(asking.user, strength))
    done = asking.say("company.done.filled", count=len(table.players) - len(before.players))
    if press is None:
        await asking.tell(done)
    elif asking.is_private:
        await _show(asking, table, strength or minds.USUAL_STRENGTH, done)
    else:
        await acknowledge(asking)


async def send(asking: Asking, press: Press) -> None:
    """Send the AI away that was picked."""
    picked = press.picked or ""
    if not picked.startswith("-") or not picked[1:].isascii() or not picked[1:].isdigit():
        raise Rejected(HostReason.NOT_AN_AI)
    before, whom = await asking.table(), UserId(int(picked))
    table = await submit(asking, commands.RemoveAi(asking.user, whom))
    name = next((label_of(before, player) for player in before.players if player.user == whom), "")
    await _show(asking, table, minds.USUAL_STRENGTH, asking.say("company.done.removed", name=name))


async def remove(asking: Asking, name: str) -> None:
    """The same, typed."""
    table = await asking.table()
    await submit(asking, commands.RemoveAi(asking.user, find(table, name)))
    await asking.tell(asking.say("company.done.removed", name=ai_name(table, name)))


def find(table: Table, name: str) -> UserId:
    """Return the AI of this name; Rejected if none sits at the table."""
    whom = next((player.user for player in table.players if player.ai is not None and player.name == name), None)
    if whom is None:
        raise Rejected(HostReason.NOT_AN_AI)
    return whom


async def watch(asking: Asking, press: Press | None) -> None:
    """Give up the own seat, and watch."""
    await submit(asking, commands.Watch(asking.user))
    await asking.change(PrivateScreen(text(asking.say("company.done.watching"))))


async def seated(asking: Asking, typed: str) -> list[Choice[str]]:
    """Return the AIs at the table whose names have these letters."""
    table = await asking.bot.tables.at(asking.interaction.channel_id or 0)
    players = () if table is None else table.players
    names = [player.name for player in players if player.ai is not None]
    return [Choice(name=name, value=name) for name in names if typed.casefold() in name.casefold()]


async def _show(asking: Asking, table: Table, strength: int, done: str | None = None) -> None:
    full = len(table.players) >= seats_for(table.game, table.options)[-1]
    await asking.change(ai_menu(asking.say, table, minds.free(table), strength, full=full, done=done))


def _strength(press: Press) -> int:
    """Return the strength that the press carries; whoever forges another gets the usual one."""
    written = press.id.argument
    return next((each for each in STRENGTHS if str(each) == written), minds.USUAL_STRENGTH)


def _newest(table: Table) -> str:
    return label_of(table, table.players[-1])
