"""Plays the turns of AI seats: when one is due, asks the brain and submits its answer.

A turn's deadline is in the table's document, like a person's, so a restart loses no turn. An answer names its
prompt, so no turn is played twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from bot import metrics
from bot.ai_players.brains import BRAINS, Thought
from bot.ai_players.process import Brains, NoThought
from bot.ai_players.worker import Question
from bot.engine.core import Rejected, Seat
from bot.engine.registry import RULES
from bot.host.ai_seats import character, seed_for
from bot.host.commands import PlayAi
from bot.host.model import Ai, Deadline, Millis, Remark, Stage, Table, TableId
from bot.host.ports import Clock, StoreFault
from bot.host.tables import Tables

log = logging.getLogger(__name__)

SLOT_MILLIS: Final = 150
"""How long after its deadline an AI player moves. Thinking takes less than that, so its length reveals no card.

On a busy machine it may take more; the move then waits for the end of a later slot."""
RECHECK_MILLIS: Final = 30_000
"""How soon the scheduler checks a table again while an AI player is thinking."""
RETRY_MILLIS: Final = 2_000
"""How soon a move that the store could not write is tried again."""
RETRY_AFTER_BUG_MILLIS: Final = 60_000
"""How soon a move that failed for any other reason is tried again."""

Turn = tuple[TableId, Seat, int]
"""A table, a seat and the id of the prompt that the seat answers."""


class AiPlayers:
    """Implements `bot.host.ports.AiPlayers`. `stop` drops unfinished thoughts; after a restart they start over."""

    def __init__(self, tables: Tables, brains: Brains, clock: Clock) -> None:
        self._tables = tables
        self._brains = brains
        self._clock = clock
        self._tasks: dict[Turn, asyncio.Task[None]] = {}

    def play_due_turns(self, table: Table) -> None:
        """Start thinking for every AI seat whose deadline has come."""
        if table.stage is not Stage.PLAYING or table.pause is not None or table.next_deal is not None:
            return
        now = self._clock.now()
        waiting: list[Millis] = []
        thinking = False
        for deadline in table.deadlines:
            ai = table.players[deadline.seat].acting_ai
            if ai is not None and deadline.due <= now:
                self._begin(table, deadline, ai)
                thinking = True
            else:
                waiting.append(deadline.due)
        if thinking:  # otherwise the scheduler would check again and again until the move is made
            self._tables.timers.note(table.id, min([now + RECHECK_MILLIS, *waiting]))

    async def stop(self) -> None:
        """Drop all unfinished thoughts and end the process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._brains.stop()

    def _begin(self, table: Table, deadline: Deadline, ai: Ai) -> None:
        turn = (table.id, deadline.seat, deadline.prompt)
        if turn not in self._tasks:
            self._tasks[turn] = asyncio.create_task(self._play(turn, table, deadline, ai), name=f"ai-{table.id}")

    async def _play(self, turn: Turn, table: Table, deadline: Deadline, ai: Ai) -> None:
        try:
            command = await self._think(table, deadline, ai)
            late = max(0, self._clock.now() - deadline.due)
            slots = max(1, -(-late // SLOT_MILLIS))
            await self._clock.wait(deadline.due + SLOT_MILLIS * slots, asyncio.Event())
            await self._tables.submit(table.id, command)
        except Rejected:
            return  # the table no longer exists
        except StoreFault as fault:
            log.warning("table %s: an AI could not move, %s", table.id, fault)
            self._tables.timers.note(table.id, self._clock.now() + RETRY_MILLIS)
        except Exception:
            log.exception("table %s: an AI could not move", table.id)
            self._tables.timers.note(table.id, self._clock.now() + RETRY_AFTER_BUG_MILLIS)
        finally:
            del self._tasks[turn]

    async def _think(self, table: Table, deadline: Deadline, ai: Ai) -> PlayAi:
        """Return the AI player's move; if the brain has none, the command that plays the prompt's default."""
        game, brain, seat = RULES[table.game], BRAINS.get(table.game), deadline.seat
        default = PlayAi(seat, deadline.prompt, None)
        prompt = next((each for each in game.prompts(table.match) if each.seat == seat), None)
        if prompt is None or prompt.id != deadline.prompt or brain is None:
            return default
        view, seed = game.view_for(table.match, seat), seed_for(table, seat, prompt.id)
        began = time.perf_counter()
        try:
            thought = await self._brains.think(Question(brain, view, prompt, character(table, ai), seed))
        except NoThought as failed:
            metrics.ERRORS.labels("ai").inc()  # for the log it is only a warning: the default is played
            log.warning("table %s, step %s: an AI gave no answer, %s", table.id, table.seq, failed)
            return default
        metrics.AI_THINKING.labels(table.game).observe(time.perf_counter() - began)
        return PlayAi(seat, prompt.id, game.dump_action(thought.action), _remark(seat, thought))


def _remark(seat: Seat, thought: Thought) -> Remark | None:
    if thought.reason is None:
        return None
    key, slots = thought.reason
    return Remark(seat, key, tuple(sorted(slots.items())), thought.weight)
