"""Which tables a process looks after if it is the only one: all of them."""

from __future__ import annotations

from bot.host.model import TableId


class EveryTable:
    """See `bot.host.ports.Duties`."""

    def holds(self, table: TableId) -> bool:
        """Return that this process looks after a table."""
        return True

    def want(self, table: TableId) -> None:
        """Do nothing: the table is looked after already."""

    def wrote_late(self, table: TableId) -> None:
        """Do nothing: nobody else sends anything."""
