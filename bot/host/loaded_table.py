"""A table in memory, and a change on its way to the disk: what `Tables` is made of."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from typing import Final

from bot.host.clocks import next_due
from bot.host.decision import Decision
from bot.host.model import Millis, Table, TableId
from bot.host.ports import Change

REMEMBERED: Final = 64
"""So many interactions a loaded table remembers by itself; older ones are recognised by the store."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


class Entry:
    """A table in memory. `table` and `interactions` are what the store holds, or None if that must be asked."""

    __slots__ = ("interactions", "lock", "table", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.interactions: OrderedDict[int, None] = OrderedDict()
        self.users = 0
        """How many hold or wait for the lock; such a table is not put away."""

    def keep(self, change: Change) -> None:
        """Take over what was written."""
        self.table = change.table
        if change.interaction_id is not None:
            self.interactions[change.interaction_id] = None
            if len(self.interactions) > REMEMBERED:
                self.interactions.popitem(last=False)

    def unlock(self) -> None:
        """Let the next one in."""
        self.users -= 1
        self.lock.release()


class Interrupted(Exception):
    """The change was written, but whoever waited for it was cancelled meanwhile."""


async def carried_out(commit: asyncio.Future[None]) -> None:
    """Wait until the store has answered. A caller that is cancelled meanwhile learns it only then."""
    try:
        await commit
    except asyncio.CancelledError:
        if commit.cancelled() or commit.exception() is not None:
            raise
        raise Interrupted from None


def change_of(before: Table | None, decision: Decision, now: Millis, interaction_id: int | None) -> Change:
    """Return what a decision asks the store to keep."""
    table = decision.table
    return Change(before, table, decision.log, decision.tell, now, next_due(table), interaction_id)


def new_id() -> TableId:
    """Return a name that nobody has, short enough for every custom_id."""
    return TableId("".join(secrets.choice(_LETTERS) for _ in range(9)))
