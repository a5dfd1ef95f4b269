"""What somebody may see of a table's match: the only way from a table to what is shown."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.engine.core import Json
from bot.engine.packing import reader
from bot.engine.registry import RULES
from bot.host.model import Remark, Stage, Table, UserId


def view(table: Table, user: UserId | None) -> Any:
    """Return the game's view for this user's seat, a bystander's for everybody else; None before the match.

    A table that was stopped shows everybody what a bystander sees: nobody is playing any more.
    """
    if table.match is None:
        return None
    seat = None if user is None or table.stage is Stage.CLOSED else table.seat_of(user)
    return RULES[table.game].view_for(table.match, seat)


class Record(NamedTuple):
    """The end of a round as a bystander saw it."""

    before: Any
    """The view just before the last action: the talk of the round."""
    after: Any
    """The view just after it: the reveal."""
    remarks: tuple[Remark, ...] = ()
    """What the AIs say about it."""


def record_of(table: Table, payload: Json) -> Record:
    """Read what OutboxKind.RECORD brings."""
    game = RULES[table.game]
    before = after = game.load(payload["before"])
    for action in payload["actions"]:
        after = game.apply(after, game.load_action(action)).state
    remarks = _remarks(payload.get("remarks", ()))
    return Record(game.view_for(before, None), game.view_for(after, None), remarks)


_remarks = reader(tuple[Remark, ...])
