"""Handles moves: asks the table's game what a press means, submits it, and acknowledges it once it is stored."""

from __future__ import annotations

from typing import Any

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected, Seat
from bot.engine.registry import RULES
from bot.host.commands import Guess, HostReason
from bot.host.model import Table
from bot.screens.layout import Form
from bot.screens.presses import PRESSES, BystanderGuess, GamePresses, Move, Press, Situation


def is_game_verb(verb: str) -> bool:
    """Return whether any game has this verb."""
    return any(verb in presses.verbs for presses in PRESSES.values())


class PlayHandlers:
    """Handles the presses of every game."""

    def situation(self, context: Context, table: Table, press: Press) -> Situation[Any]:
        """Return what a game is told about a press."""
        return Situation(context.say, table, context.user, press)

    async def press(self, context: Context, press: Press) -> None:
        """Ask the table's game what a press means, and submit that move, open that form or show that screen."""
        table = await context.table()
        context.prompt = press.prompt
        presses = PRESSES.get(table.game)
        if presses is None or press.id.verb not in presses.verbs:
            raise Rejected(HostReason.STALE)
        situation = self.situation(context, table, press)
        answer = presses.verbs[press.id.verb](situation)
        if isinstance(answer, Move):
            await self._play(context, presses, situation, answer)
        elif isinstance(answer, BystanderGuess):
            await self._guess(context, table, press, answer)
        elif isinstance(answer, Form):
            await context.ask(answer)
        else:
            await context.change(answer)

    async def _guess(self, context: Context, table: Table, press: Press, guess: BystanderGuess) -> None:
        context.saved = False
        questions = RULES[table.game].questions(table.match)
        if press.prompt is not None and press.prompt not in dict(questions).values():
            raise Rejected(HostReason.STALE)
        await context.show_look(await context.submit(Guess(context.user, Seat(guess.on))))

    async def _play(self, context: Context, presses: GamePresses[Any], situation: Situation[Any], move: Move) -> None:
        context.saved = False  # so that an apology says "not saved" even if the move is never submitted
        context.attempt = move
        question = None if move.confirmed else presses.confirm(situation, move)
        if question is not None:
            await context.change(question)
            return
        after = await context.submit(move.command(context.user, situation.press.prompt))
        if context.interaction.message is None or context.is_private or move.shows_look:
            await context.show_look(after)
            context.lend_move(situation.table, after)
        else:
            await context.acknowledge()
