"""The due moments of all tables, sorted in memory. The store keeps them in a column."""

from __future__ import annotations

import asyncio
import heapq

from bot.host.model import Millis, TableId


class Timers:
    """The next due moment of each table that has one."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        """Set when the earliest due moment may be earlier than before."""
        self._due: dict[TableId, Millis] = {}
        self._heap: list[tuple[Millis, TableId]] = []
        self._queued: dict[TableId, Millis] = {}

    def note(self, table: TableId, due: Millis | None) -> None:
        """Set when a table is due next; None: it has nothing due."""
        if due is None:
            self._due.pop(table, None)
            return
        self._due[table] = due
        queued = self._queued.get(table)
        # A later moment needs no new heap entry: `take` requeues the table when the queued one comes up. So a busy
        # table has one entry, and not one for each turn.
        if queued is None or due < queued:
            self._push(table, due)
            if self._heap[0] == (due, table):
                self.changed.set()

    def _push(self, table: TableId, due: Millis) -> None:
        self._queued[table] = due
        heapq.heappush(self._heap, (due, table))

    def next(self) -> Millis | None:
        """Return the earliest moment at which `take` may return a table."""
        return self._heap[0][0] if self._heap else None

    def take(self, now: Millis) -> list[TableId]:
        """Remove and return the tables that are due."""
        taken = []
        while self._heap and self._heap[0][0] <= now:
            queued, table = heapq.heappop(self._heap)
            if self._queued.get(table) != queued:
                continue  # replaced by an earlier entry
            del self._queued[table]
            due = self._due.get(table)
            if due is None:
                continue
            if due <= now:
                del self._due[table]
                taken.append(table)
            else:
                self._push(table, due)
        return taken

    def __len__(self) -> int:
        return len(self._due)
