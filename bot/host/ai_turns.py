"""Checks and plays the answers that AI players have thought of."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Json, Prompt, Rejected, Seat
from bot.engine.core import Leave as LeaveMatch
from bot.host import turns
from bot.host.ai_seats import tells_at_the_end
from bot.host.commands import PlayAi
from bot.host.deadlines import MINUTE
from bot.host.decision import Actor, Draft
from bot.host.model import BY, Deadline, Remark, Stage, Table

AI_STUCK_MILLIS: Final = 10 * MINUTE
"""How long after its deadline the clock answers an AI seat's prompt, because the AI player must be broken."""
MOST_TOLD_AT_THE_END: Final = 3
"""How many of its moves a seat explains after a match."""


def is_late(table: Table, deadline: Deadline, now: int) -> bool:
    """Return whether the clock must answer this prompt. An AI seat only begins its move at the deadline."""
    extra = 0 if table.players[deadline.seat].acting_ai is None else AI_STUCK_MILLIS
    return deadline.due + extra <= now


def play(draft: Draft, command: PlayAi) -> None:
    """Play an AI player's answer, unless the prompt is no longer open or the AI player has lost the seat."""
    table = draft.table
    if table.stage is not Stage.PLAYING or table.pause is not None or table.next_deal is not None:
        return
    prompts = draft.game.prompts(table.match)
    prompt = next((each for each in prompts if (each.seat, each.id) == (command.seat, command.prompt)), None)
    if prompt is None or table.players[prompt.seat].acting_ai is None:
        return
    answer(draft, prompt, command.action, command.remark)


def answer(draft: Draft, prompt: Prompt, written: Json | None, remark: Remark | None = None) -> None:
    """Play an answer for an AI seat, or the prompt's default if there is none or the rules refuse it."""
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
    if stand_in is not None and table.players[prompt.seat].moved_by != stand_in.name:
        draft.change_player(prompt.seat, moved_by=stand_in.name)
    if remark is not None and stand_in is not None:
        remark = remark._replace(slots=(*remark.slots, (BY, stand_in.name)))
    keep = _with_weighty_remark if tells_at_the_end(table.game) else _with_last_remark
    draft.change(remarks=keep(table.remarks, prompt.seat, remark))
    turns.advance(draft, state, done, game.questions(table.match))


def _with_last_remark(remarks: tuple[Remark, ...], seat: Seat, remark: Remark | None) -> tuple[Remark, ...]:
    """Return the remarks with this seat's replaced: the reveal has room for one line per seat."""
    kept = tuple(each for each in remarks if each.seat != seat)
    return kept if remark is None else (*kept, remark)


def _with_weighty_remark(remarks: tuple[Remark, ...], seat: Seat, remark: Remark | None) -> tuple[Remark, ...]:
    """Return the remarks with this one added, in the order of the moves; a seat with too many loses its lightest."""
    if remark is None:
        return remarks
    extended = (*remarks, remark)
    places = [place for place, each in enumerate(extended) if each.seat == seat]
    if len(places) <= MOST_TOLD_AT_THE_END:
        return extended
    lightest = min(places, key=lambda place: extended[place].weight)
    return extended[:lightest] + extended[lightest + 1 :]
