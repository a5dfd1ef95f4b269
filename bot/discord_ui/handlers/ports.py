"""What the handlers need of the store, the DMs and the publisher."""

from __future__ import annotations

from typing import Protocol

from bot.host.model import Dm, TableId, UserId
from bot.host.ports import Preferences


class PreferenceStore(Protocol):
    """Keeps what users have set for themselves."""

    async def preferences(self, user: UserId) -> Preferences:
        """Return a user's settings, the defaults if there are none."""

    async def prefer(self, user: UserId, preferences: Preferences) -> None:
        """Keep a user's settings."""


class PlayerDms(Protocol):
    """Knows whom DMs reach."""

    unreached: set[UserId]
    """The users who have yet to be told that no DM could be sent to them."""

    def state_of(self, user: UserId) -> Dm:
        """Return what is known of a user's DMs from other tables."""

    def forget(self, user: UserId) -> None:
        """Forget what is known of a user."""


class MovingPublisher(Protocol):
    """Posts a table again."""

    def move(self, table: TableId) -> None:
        """Post the table again, below the newest messages."""
