"""Plays for the AI seats: when a question's moment has come, asks for a thought and submits what came of it.

The moment is a deadline in the table's document like any other. So a restart loses no turn, and since an answer names
its question, none is played twice.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.ai_players.process import NoThought, Thinker
from bot.ai_players.worker import Question
from bot.engine.core import Rejected, Seat
from bot.engine.registry import RULES
from bot.games.coyote.ai.brain import Thought
from bot.host.ai_seats import character, seed_for
from bot.host.commands import PlayAi
from bot.host.model import Ai, Deadline, Millis, Remark, Stage, Table, TableId
from bot.host.ports import Clock, StoreFault
from bot.host.tables import Tables

log = logging.getLogger(__name__)

SLOT: Final = 150
"""Milliseconds from the moment to the move. Thoughts take less, so that not even their length tells of a card.

On a busy machine one may take more; the move then waits for the end of the next slot."""
LOOK_AGAIN: Final = 30_000
"""Milliseconds until a table is looked at again while an AI thinks there."""
RETRY: Final = 2_000

Key = tuple[TableId, Seat, int]


class Mover:
    """See `bot.host.ports.Minds`. `stop` lets go of what is being thought; it is thought again after the next start."""

    def __init__(self, tables: Tables, thinker: Thinker, clock: Clock) -> None:
        self._tables = tables
        self._thinker = thinker
        self._clock = clock
        self._tasks: dict[Key, asyncio.Task[None]] = {}

    def look(self, table: Table) -> None:
        """Begin to think where an AI's moment has come."""
        if table.stage is not Stage.PLAYING or table.pause is not None or table.next_deal is not None:
            return
        now = self._clock.now()
        waiting: list[Millis] = []
        thinking = False
        for deadline in table.deadlines:
            mind = table.players[deadline.seat].mind
            if mind is not None and deadline.due <= now:
                self._begin(table, deadline, mind)
                thinking = True
            else:
                waiting.append(deadline.due)
        if thinking:  # else the clock would look every moment whether the thought is there
            self._tables.timers.note(table.id, min([now + LOOK_AGAIN, *waiting]))

    async def stop(self) -> None:
        """Think no more."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinker.stop()

    def _begin(self, table: Table, deadline: Deadline, mind: Ai) -> None:
        key = (table.id, deadline.seat, deadline.prompt)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._play(key, table, deadline, mind), name=f"mind-{table.id}")

    async def _play(self, key: Key, table: Table, deadline: Deadline, mind: Ai) -> None:
        try:
            command = await self._thought(table, deadline, mind)
            late = max(0, self._clock.now() - deadline.due)
            await self._clock.wait(deadline.due + SLOT * max(1, -(-late // SLOT)), asyncio.Event())
            await self._tables.submit(table.id, command)
        except Rejected:
            return  # the table is gone
        except StoreFault as fault:
            log.warning("table %s: an AI could not move, %s", table.id, fault)
            self._tables.timers.note(table.id, self._clock.now() + RETRY)
        except Exception:
            log.exception("table %s: an AI could not move", table.id)
            self._tables.timers.note(table.id, self._clock.now() + 30 * RETRY)
        finally:
            del self._tasks[key]

    async def _thought(self, table: Table, deadline: Deadline, mind: Ai) -> PlayAi:
        game, seat = RULES[table.game], deadline.seat
        nothing = PlayAi(seat, deadline.prompt, None)
        prompt = next((each for each in game.prompts(table.match) if each.seat == seat), None)
        if prompt is None or prompt.id != deadline.prompt:
            return nothing
        question = Question(game.view_for(table.match, seat), prompt, character(mind), seed_for(table, seat, prompt.id))
        try:
            thought = await self._thinker.think(question)
        except NoThought as failed:
            log.warning("table %s, step %s: an AI had no thought, %s", table.id, table.seq, failed)
            return nothing
        return PlayAi(seat, prompt.id, game.dump_action(thought.action), _words(seat, thought))


def _words(seat: Seat, thought: Thought) -> Remark:
    key, slots = thought.words
    return Remark(seat, key, tuple(sorted(slots.items())))
