"""Handles what a host does about AI players: the menu, adding, filling up, removing, watching."""

from __future__ import annotations

from typing import Final

from bot.ai_players.characters import STRENGTHS
from bot.discord_ui.handlers.lobby import AI_NAME, ai_named
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host import ai_seats, commands
from bot.host.commands import HostReason
from bot.host.lobby import seats_for
from bot.host.model import Stage, Table, UserId
from bot.host.seating import require_host, require_stage
from bot.screens.ai_menu import ANYONE, ai_menu
from bot.screens.layout import PrivateScreen, text
from bot.screens.presses import Press
from bot.screens.words import label_of

TEMPERAMENT: Final = "temperament"
"""The field with the temperament that was typed."""


class AiSeatHandlers:
    """Handles the AI seats. After a press the menu stays open for the next one."""

    async def menu(self, context: Context, press: Press) -> None:
        """Show which AI players can be added, and at which strength."""
        table = await context.table()
        require_stage(table, Stage.LOBBY)
        require_host(table, context.user)
        if not table.house.ai_seats:
            raise Rejected(HostReason.NO_AI_SEATS)
        await self._show(context, table, _strength(press) or ai_seats.USUAL_STRENGTH)

    async def add(self, context: Context, press: Press) -> None:
        """Give a seat to the AI player that was picked, or to any."""
        name = None if press.picked in (None, ANYONE) else press.picked
        command = commands.AddAi(context.user, name, press.fields.get(TEMPERAMENT), _strength(press))
        table = await context.submit(command)
        added = context.say("ai_players.done.added", name=label_of(context.say, table, table.players[-1]))
        await self._done(context, table, _strength(press), added)

    async def fill(self, context: Context, press: Press) -> None:
        """Give free seats to AI players: up to a comfortable number, or all of them if asked again."""
        before = await context.table()
        strength = None if press.id.argument is None else _strength(press)
        table = await context.submit(commands.FillWithAi(context.user, strength))
        if not context.is_command and not context.is_private:
            await context.acknowledge()
            return
        filled = context.say("ai_players.done.filled", count=len(table.players) - len(before.players))
        await self._done(context, table, strength, filled)

    async def remove(self, context: Context, press: Press) -> None:
        """Remove an AI player, picked by id or typed by name."""
        before = await context.table()
        whom = _picked_ai(before, press)
        table = await context.submit(commands.RemoveAi(context.user, whom))
        name = next((label_of(context.say, before, player) for player in before.players if player.user == whom), "")
        await self._done(context, table, None, context.say("ai_players.done.removed", name=name))

    async def watch(self, context: Context, press: Press) -> None:
        """Give up the host's own seat, and watch."""
        await context.submit(commands.Watch(context.user))
        await context.change(PrivateScreen(text(context.say("ai_players.done.watching"))))

    async def seated(self, context: Context, typed: str) -> list[str]:
        """Return the AI players at the table whose names contain what was typed."""
        table = await context.find_table()
        players = () if table is None else table.players
        return [each.name for each in players if each.ai is not None and typed.casefold() in each.name.casefold()]

    async def _done(self, context: Context, table: Table, strength: int | None, done: str) -> None:
        if context.is_command:
            await context.tell(done)
        else:
            await self._show(context, table, strength or ai_seats.USUAL_STRENGTH, done)

    async def _show(self, context: Context, table: Table, strength: int, done: str | None = None) -> None:
        full = len(table.players) >= seats_for(table.game, table.options)[-1]
        await context.change(ai_menu(context.say, table, ai_seats.free(table), strength, full=full, done=done))


def _picked_ai(table: Table, press: Press) -> UserId:
    if AI_NAME in press.fields:
        return ai_named(table, press.fields[AI_NAME])
    picked = press.picked or ""
    if not picked.startswith("-") or not picked[1:].isascii() or not picked[1:].isdigit():
        raise Rejected(HostReason.NOT_AN_AI)
    return UserId(int(picked))


def _strength(press: Press) -> int | None:
    """Return the strength that a press carries: the usual one if it was forged, None if a command did not name one."""
    written = press.id.argument
    if press.typed and written is None:
        return None
    return next((each for each in STRENGTHS if str(each) == written), ai_seats.USUAL_STRENGTH)
