"""Tells who is asked what at a table, and why a user cannot move."""

from __future__ import annotations

from bot.engine.core import Prompt, Rejected
from bot.engine.registry import RULES
from bot.host.commands import HostReason
from bot.host.model import Stage, Table, UserId
from bot.host.seating import asked, in_stage, seat_of
from bot.host.turns import refuse_if_paused


def open_prompt(table: Table, user: UserId) -> Prompt | None:
    """Return the prompt that waits for a user's answer. While the table is paused or between rounds, none does."""
    seat = table.seat_of(user)
    if seat is None or table.stage is not Stage.PLAYING or table.next_deal is not None or table.pause is not None:
        return None  # a table that was stopped still has its match, and the match its prompts
    return next((prompt for prompt in RULES[table.game].prompts(table.match) if prompt.seat == seat), None)


def why_no_move(table: Table, user: UserId, prompt: int | None = None) -> Rejected | None:
    """Return why a user cannot make any move now; None if they can.

    `prompt` is the id on the button; a slash command has none and means the open prompt.
    """
    try:
        in_stage(table, Stage.PLAYING)
        seat = seat_of(table, user)
        refuse_if_paused(table.pause)
    except Rejected as refused:
        return refused
    game = RULES[table.game]
    questions = game.questions(table.match)
    waited_for = asked(table, questions)
    stale = Rejected(HostReason.STALE, asked=waited_for)
    open_ids = dict(questions)
    if prompt is not None and prompt not in open_ids.values():
        return stale
    if table.next_deal is not None and seat in game.seated(table.match):
        return Rejected(HostReason.BETWEEN_ROUNDS, next_deal=table.next_deal)
    if seat in open_ids:
        return None if prompt in (None, open_ids[seat]) else stale
    silent = game.why_not_asked(table.match, seat)
    return stale if silent is None else Rejected(silent.reason, **{**silent.details, "asked": waited_for})
