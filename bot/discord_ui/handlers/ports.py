"""What the handlers need from the store, the DMs and the publisher."""

from __future__ import annotations

from typing import Protocol

from bot.host.model import Dm, TableId, UserId
from bot.host.ports import Preferences


class PreferenceStore(Protocol):
    """Stores the settings that users chose for themselves."""

    async def preferences(self, user: UserId) -> Preferences:
        """Return a user's settings, the defaults if there are none."""

    async def prefer(self, user: UserId, preferences: Preferences) -> None:
        """Store a user's settings."""


class PlayerDms(Protocol):
    """Knows which users can be reached by DM."""

    def take_unreached(self, user: UserId) -> bool:
        """Return whether a user has yet to be told that no DM reaches them; from now on they count as told."""

    def state_of(self, user: UserId) -> Dm:
        """Return what other tables have found out about a user's DMs."""

    def forget(self, user: UserId) -> None:
        """Forget what is known of a user."""


class TableMover(Protocol):
    """Moves a table to the end of its channel."""

    def move(self, table: TableId) -> None:
        """Post the table again, below the newest messages."""
