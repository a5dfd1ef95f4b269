"""Declares what the host needs from the outside, as protocols: a store, a publisher, AI players, a clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from bot.engine.frozen import Frozen
from bot.host.commands import OutboxItem, OutboxKind
from bot.host.decision import LogEntry
from bot.host.model import Millis, Table, TableId, UserId


class Fault(StrEnum):
    """Why the store could not do what it was asked."""

    BUSY = "busy"
    FULL = "full"
    READ_ONLY = "read_only"
    BROKEN = "broken"
    AWAY = "away"
    """Its server cannot be reached."""
    CLOSED = "closed"
    """The bot is stopping."""


class StoreFault(Exception):
    """The store failed and wrote nothing, not even in part. The operator has to check the machine."""

    def __init__(self, fault: Fault, details: str) -> None:
        super().__init__(f"the database is {fault.value.replace('_', ' ')}: {details}")
        self.fault = fault

    @property
    def level(self) -> int:
        """The level at which it is logged; a bot that is stopping is not an error."""
        return logging.INFO if self.fault is Fault.CLOSED else logging.ERROR


class Duplicate(Exception):
    """The interaction was applied before; nothing was written."""


class ChannelTaken(Exception):
    """The channel already has an open table; nothing was written."""


class Conflict(Exception):
    """The stored table is not the one that the change was made for; nothing was written."""


class EraseConflict(Exception):
    """The user to erase has joined another open table meanwhile; nothing was written."""


class Change(Frozen, frozen=True):
    """What the store writes for one decision, in one transaction."""

    before: Table | None
    """The table before the decision; None: it is new."""
    table: Table
    log: tuple[LogEntry, ...]
    outbox: tuple[OutboxItem, ...]
    at: Millis
    due: Millis | None
    """When the scheduler must next tick the table."""
    interaction_id: int | None = None


class StoredTable(NamedTuple):
    """A table from the store, its clocks moved by the time that the bot was down."""

    table: Table
    interactions: tuple[int, ...]
    """The newest interactions that were applied to it, oldest first."""


class Preferences(NamedTuple):
    """A user's private settings, for all tables."""

    slow: int = 1
    pinged: bool = True
    language: str | None = None
    """The language in which they want to be spoken to; None: that of their Discord."""
    text_only: bool = False
    """They want no pictures in what is shown to them alone."""


class OutboxRow(NamedTuple):
    """An item of the outbox as the store keeps it."""

    id: int
    table: TableId
    kind: OutboxKind
    user: UserId | None
    payload: Any
    made_at: Millis
    seq: int
    """The step of the table that it shows; a newer row of the same kind replaces it."""

    @property
    def nonce(self) -> str:
        """The key by which Discord recognises a repeated post, at most 25 characters; the same at every attempt."""
        return f"{self.table}.{self.id}.{self.seq}"


class Message(NamedTuple):
    """A message in Discord that belongs to a table."""

    table: TableId
    kind: str
    user: UserId | None
    channel: int
    message: int
    sent_at: Millis
    prompt: int | None = None
    """The question that a ping is about."""


class Posting(NamedTuple):
    """A table message that is about to be sent. If the bot is killed meanwhile, it may be there without our knowing."""

    nonce: str
    """The nonce with which it is posted; empty if it is the answer to a command."""
    webhook: str
    """The webhook of that command, by which its answer can be found for a quarter of an hour; empty if it is none."""
    at: Millis


class TableStore(Protocol):
    """Keeps tables. A commit that succeeded is on the disk; one that failed has left no trace."""

    async def load(self, table: TableId) -> StoredTable | None:
        """Return a table, or None if there is none."""

    async def at(self, channel: int) -> TableId | None:
        """Return a channel's open table, else its newest one."""

    async def open_in(self, guild: int) -> tuple[TableId, ...]:
        """Return the open tables of a guild."""

    async def open_of(self, user: UserId) -> tuple[TableId, ...]:
        """Return the open tables at which a user has a seat."""

    async def preferences(self, user: UserId) -> Preferences:
        """Return a user's private settings."""

    def commit(self, changes: Sequence[Change]) -> asyncio.Future[None]:
        """Write the changes together or not at all; raise Duplicate, ChannelTaken, Conflict or StoreFault.

        The future cannot be cancelled. A task that is cancelled while it waits learns so only once the result is known,
        and can then read it from the future.
        """

    async def visited(self, user: UserId) -> Mapping[TableId, bool]:
        """Return all tables that ever named a user, and whether each is open."""

    def erase(
        self, user: UserId, former_id: UserId, changes: Sequence[Change], held: Collection[TableId]
    ) -> asyncio.Future[None]:
        """Erase a user: write the changes for the tables in `held`, and replace their id with `former_id` elsewhere.

        All or nothing; raise EraseConflict if an open table outside `held` names them, or StoreFault.
        """

    async def due(self) -> Sequence[tuple[TableId, Millis]]:
        """Return every table with a due moment, and that moment."""

    async def write_heartbeat(self, now: Millis) -> None:
        """Record that the bot was alive at this moment."""


class Publisher(Protocol):
    """Sends what the outbox holds."""

    def wake(self, table: TableId) -> None:
        """Record that the outbox has something for this table; return at once."""


class Duties(Protocol):
    """Knows which tables this process looks after: it runs their clocks and sends their messages."""

    def holds(self, table: TableId) -> bool:
        """Return whether this process looks after a table."""

    def want(self, table: TableId) -> None:
        """Look after a table soon, unless another process does; return at once."""

    def wrote_late(self, table: TableId) -> None:
        """Tell who looks after a table now that this process may have written over what they have sent."""


class AiPlayers(Protocol):
    """Plays the turns of AI seats."""

    def play_due_turns(self, table: Table) -> None:
        """Start thinking for every AI seat whose deadline has come; return at once."""


class Outages(Protocol):
    """Knows which guilds are out of reach, because the connection to Discord is down."""

    def holds(self, table: TableId, guild: int) -> bool:
        """Return whether the guild is out of reach. If so, the outage resumes the table's clocks when it ends."""

    def last_reachable(self) -> Millis:
        """Return the last moment at which anybody could press: now, unless all guilds are out of reach."""


class Clock(Protocol):
    """The host's time. It runs evenly, even if somebody sets the machine's clock."""

    def now(self) -> Millis:
        """Return the time in milliseconds since the epoch."""

    def shown(self, moment: Millis) -> Millis:
        """Convert a moment of this clock to the time of day, for a message."""

    async def wait(self, until: Millis | None, woken: asyncio.Event) -> None:
        """Wait until this moment, or until the event is set."""
