"""Tells which question a table asks a user, and why a user cannot move."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.core import DEALER, Json, Prompt, Rejected, Seat
from bot.engine.registry import RULES
from bot.host.commands import HostReason
from bot.host.model import Stage, Table, UserId
from bot.host.seating import asked, require_stage, seat_of
from bot.host.turns import refuse_if_paused


def open_prompt(table: Table, user: UserId) -> Prompt | None:
    """Return the prompt that waits for a user's answer. While the table is paused or between rounds, none does."""
    seat = table.seat_of(user)
    if seat is None or table.stage is not Stage.PLAYING or table.next_deal is not None or table.pause is not None:
        return None  # a table that was stopped still has its match, and the match its prompts
    return next((prompt for prompt in RULES[table.game].prompts(table.match) if prompt.seat == seat), None)


def asked_users(table: Table) -> dict[UserId, int]:
    """Return the users that the table waits for, each with the id of their question."""
    if table.stage is not Stage.PLAYING or table.next_deal is not None:
        return {}
    questions = RULES[table.game].questions(table.match)
    return {table.players[seat].user: prompt for seat, prompt in questions if seat != DEALER}


def why_no_move(table: Table, user: UserId, prompt: int | None = None) -> Rejected | None:
    """Return why a user cannot make any move now; None if they can.

    `prompt` is the id on the button; a slash command has none and means the open prompt.
    """
    try:
        seat = _seat_to_move(table, user, prompt)
    except Rejected as refused:
        return refused
    game = RULES[table.game]
    questions = game.questions(table.match)
    open_ids = dict(questions)
    if seat in open_ids and prompt in (None, open_ids[seat]):
        return None
    why = None if seat in open_ids else game.why_not_asked(table.match, seat)
    return _with_asked(table, Rejected(HostReason.STALE) if why is None else why)


def why_not_verb(table: Table, user: UserId, prompt: int | None, do: str, known: Mapping[str, Json]) -> Rejected | None:
    """Return why a user cannot use a verb now, whatever they go on to name with it; None if they can.

    `known` are the fields of the move that are named already.
    """
    try:
        seat = _seat_to_move(table, user, prompt)
    except Rejected as refused:
        return refused
    why = RULES[table.game].why_not_verb(table.match, seat, do, known)
    return None if why is None else _with_asked(table, why)


def _seat_to_move(table: Table, user: UserId, prompt: int | None) -> Seat:
    """Return the user's seat; raise Rejected if the host takes no move from them now, whatever the game says."""
    require_stage(table, Stage.PLAYING)
    seat = seat_of(table, user)
    refuse_if_paused(table.pause)
    game = RULES[table.game]
    if prompt is not None and prompt not in dict(game.questions(table.match)).values():
        raise _with_asked(table, Rejected(HostReason.STALE))
    if table.next_deal is not None and seat in game.seated(table.match):
        raise Rejected(HostReason.BETWEEN_ROUNDS, next_deal=table.next_deal)
    return seat


def _with_asked(table: Table, refused: Rejected) -> Rejected:
    """Add to a refusal who is asked now, as the host does."""
    questions = RULES[table.game].questions(table.match)
    return Rejected(refused.reason, **{**refused.details, "asked": asked(table, questions)})
