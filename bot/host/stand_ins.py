"""An AI's turns: what it thought of is played, and seats change hands between a person and an AI."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Json, Prompt, Rejected, Seat
from bot.engine.core import Leave as LeaveMatch
from bot.host import turns
from bot.host.clocks import MINUTE
from bot.host.commands import PlayAi
from bot.host.decision import Actor, Draft
from bot.host.model import BY, Deadline, Remark, Stage, Table

STUCK: Final = 10 * MINUTE
"""So long after its moment an AI's question is answered by the clock: whoever was to think must be broken."""


def is_late(table: Table, deadline: Deadline, now: int) -> bool:
    """Tell whether the clock must answer this question. An AI's own moment is no time-out: it answers then."""
    patience = 0 if table.players[deadline.seat].acting_ai is None else STUCK
    return deadline.due + patience <= now


def play(draft: Draft, command: PlayAi) -> None:
    """Play what an AI thought of; nothing happens if the question is no longer open, or no longer the AI's."""
    table = draft.table
    if table.stage is not Stage.PLAYING or table.pause is not None or table.next_deal is not None:
        return
    prompts = draft.game.prompts(table.match)
    prompt = next((each for each in prompts if (each.seat, each.id) == (command.seat, command.prompt)), None)
    if prompt is None or table.players[prompt.seat].acting_ai is None:
        return
    answer(draft, prompt, command.action, command.remark)


def answer(draft: Draft, prompt: Prompt, written: Json | None, remark: Remark | None = None) -> None:
    """Answer for an AI; with the question's default if there is no answer, or none that the rules allow."""
    table, game = draft.table, draft.game
    action, state = prompt.timeout, None
    if written is not None:
        try:
            thought_of = game.load_action({**written, "seat": prompt.seat})
            if not isinstance(thought_of, LeaveMatch):
                state = game.apply(table.match, thought_of).state
                action = thought_of
        except (Rejected, ValueError, TypeError):
            remark = None
    if state is None:
        state, remark = game.apply(table.match, action).state, None
    done = game.dump_action(action)
    thought = None if table.asked_at is None else max(0, draft.now - table.asked_at)
    draft.log(Actor.AI, table.players[prompt.seat].user, done, thought)
    stand_in = table.players[prompt.seat].stand_in
    if remark is not None and stand_in is not None:
        remark = remark._replace(slots=(*remark.slots, (BY, stand_in.name)))
    draft.change(ai_played=True, remarks=_with(table.remarks, prompt.seat, remark))
    turns.go_on(draft, state, done, game.questions(table.match))


def _with(remarks: tuple[Remark, ...], seat: Seat, remark: Remark | None) -> tuple[Remark, ...]:
    """Keep the newest remark of each seat: one line each is what the reveal has room for."""
    kept = tuple(each for each in remarks if each.seat != seat)
    return kept if remark is None else (*kept, remark)
