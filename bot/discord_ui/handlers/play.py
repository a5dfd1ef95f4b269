"""Handles moves: asks the table's game what a press means, submits it, and acknowledges it once it is stored."""

from __future__ import annotations

from typing import Any

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.host.model import Table
from bot.screens.layout import Form
from bot.screens.presses import PRESSES, GamePresses, Move, Press, Situation


def is_game_verb(verb: str) -> bool:
    """Tell whether any game has this verb."""
    return any(verb in presses.verbs for presses in PRESSES.values())


class PlayHandlers:
    """Handles the presses of every game."""

    def situation(self, context: Context, table: Table, press: Press) -> Situation[Any]:
        """Return what a game is told about a press."""
        return Situation(context.say, table, context.user, press)

    async def press(self, context: Context, press: Press) -> None:
        """Do what the table's game answers to a press: submit a move, open a form or show a screen."""
        table = await context.table()
        context.prompt = press.prompt
        presses = PRESSES.get(table.game)
        if presses is None or press.id.verb not in presses.verbs:
            raise Rejected(HostReason.STALE)
        situation = self.situation(context, table, press)
        answer = presses.verbs[press.id.verb](situation)
        if isinstance(answer, Move):
            await self._play(context, presses, situation, answer)
        elif isinstance(answer, Form):
            await context.ask(answer)
        else:
            await context.tell(answer)

    async def _play(self, context: Context, presses: GamePresses[Any], situation: Situation[Any], move: Move) -> None:
        context.saved = False  # so that an apology says "not saved" even if the move is never submitted
        context.attempt = move
        question = None if move.confirmed else presses.confirm(situation, move)
        if question is not None:
            await context.change(question)
            return
        after = await context.submit(move.command(context.user, situation.press.prompt))
        if context.interaction.message is None or context.is_private or move.shows_look:
            await context.change(await context.look(after))
        else:
            await context.acknowledge()
