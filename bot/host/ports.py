"""What the host needs of the world, as protocols: somewhere to keep tables, somebody to tell, a clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from bot.engine.frozen import Frozen
from bot.host.commands import Tell, Telling
from bot.host.decision import LogEntry
from bot.host.model import Millis, Table, TableId, UserId


class Fault(StrEnum):
    """Why the store could not do what it was asked."""

    BUSY = "busy"
    FULL = "full"
    READ_ONLY = "read_only"
    BROKEN = "broken"
    CLOSED = "closed"
    """The bot is stopping."""


class StoreFault(Exception):
    """Nothing was written, and nothing half: somebody must look after the machine."""

    def __init__(self, fault: Fault, said: str) -> None:
        super().__init__(f"the database is {fault.value.replace('_', ' ')}: {said}")
        self.fault = fault

    @property
    def level(self) -> int:
        """How loudly it is logged: that the bot is stopping is no trouble."""
        return logging.INFO if self.fault is Fault.CLOSED else logging.ERROR


class Duplicate(Exception):
    """This interaction was applied before; nothing was written."""


class ChannelTaken(Exception):
    """The channel has an open table already; nothing was written."""


class Conflict(Exception):
    """The table is not the one that the change was made for; nothing was written."""


class Unforgettable(Exception):
    """Somebody was named at another open table meanwhile; nothing was written."""


class Change(Frozen, frozen=True):
    """What one decision asks the store to keep, in one transaction."""

    before: Table | None
    """The table that was decided upon; None: it is new."""
    table: Table
    log: tuple[LogEntry, ...]
    tell: tuple[Telling, ...]
    at: Millis
    due: Millis | None
    """When the clock must look at the table again."""
    interaction_id: int | None = None


class Loaded(NamedTuple):
    """A table as it was kept, its clocks put off by the time that the bot was down."""

    table: Table
    interactions: tuple[int, ...]
    """The newest interactions that were applied to it."""


class Preferences(NamedTuple):
    """A person's private settings, at every table."""

    slow: int = 1
    pinged: bool = True


class OutboxRow(NamedTuple):
    """Something that must be told. `nonce` stays the same however often it is tried."""

    id: int
    table: TableId
    kind: Tell
    user: UserId | None
    payload: Any
    made_at: Millis
    seq: int
    """The step of the table that it tells of; a newer one of the same kind replaces it."""

    @property
    def nonce(self) -> str:
        """A name for the message that this row becomes, at most 25 characters."""
        return f"{self.table}.{self.id}.{self.seq}"


class Message(NamedTuple):
    """A message that stands in Discord for a table."""

    table: TableId
    kind: str
    user: UserId | None
    channel: int
    message: int
    sent_at: Millis


class Store(Protocol):
    """Keeps tables. What was acknowledged is on the disk; what was refused left no trace."""

    async def load(self, table: TableId) -> Loaded | None:
        """Return a table, or None if there is none."""

    async def at(self, channel: int) -> TableId | None:
        """Return the newest table of a channel, an open one if there is any."""

    async def open_in(self, guild: int) -> tuple[TableId, ...]:
        """Return the open tables of a server."""

    async def open_of(self, user: UserId) -> tuple[TableId, ...]:
        """Return the open tables at which somebody sits."""

    async def preferences(self, user: UserId) -> Preferences:
        """Return somebody's private settings."""

    def commit(self, changes: Sequence[Change]) -> asyncio.Future[None]:
        """Write the changes together or not at all; raise Duplicate, ChannelTaken, Conflict or StoreFault.

        The future cannot be cancelled: whoever is cancelled while waiting hears of it once the answer is known,
        and can ask the future for it.
        """

    async def visited(self, user: UserId) -> Mapping[TableId, bool]:
        """Return the tables that ever named somebody, and whether each is open."""

    def erase(
        self, user: UserId, ghost: UserId, changes: Sequence[Change], held: Collection[TableId]
    ) -> asyncio.Future[None]:
        """Write the changes, which take somebody out of the tables that are held, and erase them everywhere else.

        Together or not at all; raise Unforgettable if another open table names them, and StoreFault.
        """

    async def due(self) -> Sequence[tuple[TableId, Millis]]:
        """Return every table that waits for the clock, and until when."""

    async def beat(self, now: Millis) -> None:
        """Remember that the bot was alive at this moment."""


class Publisher(Protocol):
    """Tells people what the outbox holds."""

    def wake(self, table: TableId) -> None:
        """There is something to tell about this table; return at once."""


class AiPlayers(Protocol):
    """Plays the turns of AI seats."""

    def play_due_turns(self, table: Table) -> None:
        """Start thinking for every AI seat whose deadline has come; return at once."""


class Reach(Protocol):
    """Knows where nobody can press, because the connection to Discord is gone."""

    def holds(self, table: TableId, guild: int) -> bool:
        """Tell whether a server is out of reach; then the table's clock stands still, and is set going afterwards."""

    def heard(self) -> Millis:
        """Return the last moment at which anybody anywhere could press: now, unless everything is out of reach."""


class Clock(Protocol):
    """The host's time: it goes on evenly, whatever happens to the clock on the wall."""

    def now(self) -> Millis:
        """Return the time in milliseconds since the epoch."""

    def shown(self, moment: Millis) -> Millis:
        """Return what a clock on the wall will show at this moment: the time to put into a message."""

    async def wait(self, until: Millis | None, woken: asyncio.Event) -> None:
        """Return at this moment, or as soon as the event is set."""
