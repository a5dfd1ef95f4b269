"""What the outbox needs of the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.host.model import Millis, TableId
from bot.host.ports import Message, OutboxRow
from bot.stats.model import Ending


class MessageStore(Protocol):
    """Keeps what is still to be told, and which messages stand."""

    async def told(self, told: Sequence[OutboxRow], *, stands: Sequence[Message] = ()) -> None:
        """Take rows out of the outbox, unless newer ones replaced them, and remember the messages that stand."""

    async def forget(self, message: Message) -> None:
        """Forget a message that is gone, unless another has taken its place."""


class Endings(Protocol):
    """Knows what finished games did to ratings."""

    async def ending(self, table: TableId) -> Ending | None:
        """Return what a finished game did to ratings, or None if it was not counted."""


class DeliveryStore(MessageStore, Protocol):
    """What the delivery to channels needs."""

    @property
    def stats(self) -> Endings:
        """What finished games did to ratings."""


class OutboxStore(DeliveryStore, Protocol):
    """What the publisher needs."""

    @property
    def downtime(self) -> Millis | None:
        """How long the bot was away before this start; None if it never ran on this database."""

    async def unsent(self) -> Sequence[TableId]:
        """Return the tables about which something is still to be told."""

    async def outbox(self, table: TableId) -> tuple[OutboxRow, ...]:
        """Return what is to be told about a table, the oldest first."""

    async def messages(self, table: TableId) -> Sequence[Message]:
        """Return the messages that stand for a table, one per kind and user."""

    async def due(self) -> Sequence[tuple[TableId, Millis]]:
        """Return every table that waits for the clock, and until when."""
