"""Declares what the handlers need from the store, the DMs and the publisher."""

from __future__ import annotations

from typing import Protocol

from bot.host.model import Dm, TableId, UserId


class PlayerDms(Protocol):
    """Knows which users can be reached by DM."""

    def take_dm_warning(self, user: UserId) -> bool:
        """Return whether to tell a user that DMs do not reach them; True only once for each failure."""

    def state_of(self, user: UserId) -> Dm:
        """Return what other tables have found out about a user's DMs."""


class TableMover(Protocol):
    """Moves a table to the end of its channel."""

    def move(self, table: TableId) -> None:
        """Post the table again, below the newest messages."""
