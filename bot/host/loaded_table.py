"""A table in memory, and a change on its way to the disk: the parts that `Tables` works with."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from typing import Final

from bot.host.deadlines import next_due
from bot.host.decision import Decision
from bot.host.model import Millis, Table, TableId
from bot.host.ports import Change

MAX_REMEMBERED_INTERACTIONS: Final = 64
"""How many interactions a loaded table remembers; older ones are recognised by the store."""
_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not easily confused."""


class LoadedTable:
    """A table in memory with its lock. `table` is what the store holds; None if it must be loaded."""

    __slots__ = ("changes_elsewhere", "interactions", "lock", "table", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.interactions: OrderedDict[int, None] = OrderedDict()
        """The newest interactions that were applied, oldest first."""
        self.changes_elsewhere = 0
        """How often another process was known to have changed it."""
        self.users = 0
        """How many tasks hold or wait for the lock; a table in use stays in memory."""

    def update(self, change: Change) -> None:
        """Take over a change that was written."""
        self.table = change.table
        if change.interaction_id is not None:
            self.interactions[change.interaction_id] = None
            if len(self.interactions) > MAX_REMEMBERED_INTERACTIONS:
                self.interactions.popitem(last=False)

    def unlock(self) -> None:
        """Release the lock for the next task."""
        self.users -= 1
        self.lock.release()


class CancelledAfterCommit(Exception):
    """The change was written, but the task that waited for it was cancelled meanwhile."""


async def committed(commit: asyncio.Future[None]) -> None:
    """Wait until the store has answered. A cancellation is raised only then, so that memory can follow the disk."""
    try:
        await commit
    except asyncio.CancelledError:
        if commit.cancelled() or commit.exception() is not None:
            raise
        raise CancelledAfterCommit from None


def change_of(before: Table | None, decision: Decision, now: Millis, interaction_id: int | None) -> Change:
    """Return what the store has to write for a decision."""
    table = decision.table
    return Change(before, table, decision.log, decision.outbox, now, next_due(table), interaction_id)


def new_id() -> TableId:
    """Return a random id for a table, short enough for every custom_id."""
    return TableId("".join(secrets.choice(_ID_LETTERS) for _ in range(9)))
