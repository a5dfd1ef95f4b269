"""Declares what the outbox needs from the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.host.model import Millis, TableId
from bot.host.ports import Message, OutboxRow
from bot.stats.model import Ending


class MessageStore(Protocol):
    """Keeps what still has to be told, and which messages are in Discord."""

    async def told(self, told: Sequence[OutboxRow], *, stands: Sequence[Message] = ()) -> None:
        """Remove rows from the outbox, unless newer ones replaced them, and remember the messages now in Discord."""

    async def forget(self, message: Message) -> None:
        """Forget a message that is gone, unless another has taken its place."""


class Endings(Protocol):
    """Knows what finished games did to ratings."""

    async def ending(self, table: TableId) -> Ending | None:
        """Return what a finished game did to ratings, or None if it was not counted."""


class DeliveryStore(MessageStore, Protocol):
    """What the delivery to channels needs from the store."""

    @property
    def stats(self) -> Endings:
        """What finished games did to ratings."""


class OutboxStore(DeliveryStore, Protocol):
    """What the publisher needs from the store."""

    @property
    def downtime(self) -> Millis | None:
        """How long the bot was away before this start; None if it never ran on this database."""

    async def unsent(self) -> Sequence[TableId]:
        """Return the tables that still have something to tell."""

    async def outbox(self, table: TableId) -> tuple[OutboxRow, ...]:
        """Return what still has to be told about a table, oldest first."""

    async def messages(self, table: TableId) -> Sequence[Message]:
        """Return a table's messages in Discord, one per kind and user."""

    async def due(self) -> Sequence[tuple[TableId, Millis]]:
        """Return every table with a deadline, and when the next one is due."""
