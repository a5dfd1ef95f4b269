"""Computes a table's deadlines and reminders, and when it is due next."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Questions, Seat
from bot.host.ai_seats import thinking_time
from bot.host.commands import OutboxKind
from bot.host.decision import Draft
from bot.host.model import Deadline, Millis, Stage, Table

SECOND: Final = 1000
"""One second, in milliseconds, like all times here."""
MINUTE: Final = 60 * SECOND
"""One minute, in milliseconds."""
SLOW_PLAY_MILLIS: Final = 10 * MINUTE
"""Turns of at least this length are slow play and have reminders."""
REMINDER_FRACTIONS: Final = (2, 10)
"""Reminders are sent when a half and when a tenth of the time is left."""
MAX_PAUSE_MILLIS: Final = 7 * 24 * 60 * MINUTE
"""After this time a pause ends by itself, so that no table stays paused for ever."""
GRACE_MILLIS: Final = 10 * SECOND
"""Extra time on every clock after the bot was down or out of reach."""

_LOBBY: Final = Stage.LOBBY
_PLAYING: Final = Stage.PLAYING


def turn_time(table: Table, seat: Seat, prompt: int) -> Millis | None:
    """Return how long a seat has to answer a prompt; None: no limit."""
    player, house = table.players[seat], table.house
    ai = player.ai or player.stand_in  # like `acting_ai`, but without the cost of a property at every bid
    if ai is not None:
        return thinking_time(table, ai, seat, prompt)
    seconds = house.turn_seconds
    if seconds is None:
        return None
    if player.away:
        return house.away_seconds * SECOND
    return seconds * SECOND * player.slow


def deadlines_for(table: Table, questions: Questions, now: Millis) -> tuple[Deadline, ...]:
    """Return a deadline for each open question. A question that was open before keeps the one it has."""
    deadlines = []
    for seat, prompt in questions:
        total = turn_time(table, seat, prompt)
        if total is not None:
            for deadline in table.deadlines:
                if deadline.prompt == prompt and deadline.seat == seat:
                    break
            else:
                deadline = Deadline(seat, prompt, now + total, total)
            deadlines.append(deadline)
    return tuple(deadlines)


def next_due(table: Table) -> Millis | None:
    """Return when the scheduler must next tick this table; None: not before something else happens there."""
    stage, pause = table.stage, table.pause
    if stage is _LOBBY:
        return table.closes
    if stage is not _PLAYING:
        return None
    if pause is not None:
        return None if pause.why is not None else pause.since + MAX_PAUSE_MILLIS
    due = table.next_deal
    if table.guessing is not None and table.guessing.waits:
        due = table.guessing.due
    for deadline in table.deadlines:
        moment = _reminder_at(deadline) if _has_reminders(table, deadline) else deadline.due
        if due is None or moment < due:
            due = moment
    return due


def _has_reminders(table: Table, deadline: Deadline) -> bool:
    return deadline.total >= SLOW_PLAY_MILLIS and table.house.reminders and deadline.reminders < len(REMINDER_FRACTIONS)


def _reminder_at(deadline: Deadline) -> Millis:
    return deadline.due - deadline.total // REMINDER_FRACTIONS[deadline.reminders]


def remind(draft: Draft) -> None:
    """Send the reminders that are due. If several were missed, only the last one is sent."""
    deadlines = list(draft.table.deadlines)
    for place, before in enumerate(deadlines):
        deadline = before
        while _has_reminders(draft.table, deadline) and _reminder_at(deadline) <= draft.now:
            deadline = deadline._replace(reminders=deadline.reminders + 1)
        if deadline is not before:
            deadlines[place] = deadline
            player = draft.table.players[deadline.seat]
            if player.pinged and draft.table.house.pings:
                draft.send(OutboxKind.REMIND, player.user, {"left": deadline.due - draft.now})
            draft.change(deadlines=tuple(deadlines))


def shifted(table: Table, by: Millis) -> Table:
    """Return the table with all its future moments moved by `by` milliseconds, so that no clock loses time."""
    if not by or not table.is_open:
        return table
    return table._replace(
        asked_at=_later(table.asked_at, by),
        deadlines=tuple([deadline._replace(due=deadline.due + by) for deadline in table.deadlines]),
        next_deal=_later(table.next_deal, by),
        closes=_later(table.closes, by),
        guessing=None if table.guessing is None else table.guessing._replace(due=table.guessing.due + by),
        pause=None if table.pause is None else table.pause._replace(since=table.pause.since + by),
    )


def _later(moment: Millis | None, by: Millis) -> Millis | None:
    return None if moment is None else moment + by
