"""Translates PostgreSQL's errors into those that the host knows."""

from __future__ import annotations

import asyncio
from typing import Final

import asyncpg

from bot.host.ports import ChannelTaken, Conflict, Duplicate, Fault, StoreFault

OLDER_STATE: Final = "TB001"
"""The code of the error that the schema's `made_for_an_older_state` raises."""
_BROKEN_RULES: Final = {
    "each_interaction_once": Duplicate,
    "one_open_table_per_channel": ChannelTaken,
}
_FAULTS: Final = {
    "08": Fault.AWAY,  # the connection broke
    "57P": Fault.AWAY,  # the server is stopping, starting or has crashed
    "25006": Fault.AWAY,  # a standby answered: the primary is elsewhere by now
    "3D000": Fault.BROKEN,
    "53100": Fault.FULL,
    "53": Fault.BUSY,  # no connection or no memory is left
    "55": Fault.BUSY,  # a lock was not to be had in time
    "57014": Fault.BUSY,  # a statement took too long
    "40": Fault.BUSY,  # two transactions got into each other's way
    "42501": Fault.READ_ONLY,
    "58": Fault.BROKEN,
    "XX": Fault.BROKEN,
}
"""What the codes mean, by how they begin; the longest beginning counts."""


def is_lost(error: BaseException) -> bool:
    """Return whether the connection is gone. Nobody knows then whether the last statement was carried out."""
    if isinstance(error, asyncpg.PostgresError):
        return _fault_of(error) is Fault.AWAY
    # TimeoutError is an OSError: the server has not answered in time. asyncpg reports a closed connection as an
    # InterfaceError, and as an InternalClientError what it was told while the connection was closing.
    lost = (OSError, EOFError, asyncio.IncompleteReadError, asyncpg.InterfaceError, asyncpg.InternalClientError)
    return isinstance(error, lost) and not isinstance(error, asyncpg.DataError)


def is_clash(error: BaseException) -> bool:
    """Return whether two transactions got into each other's way, so that it is worth while to try again."""
    return isinstance(error, asyncpg.DeadlockDetectedError | asyncpg.SerializationError)


def translate(error: Exception) -> Exception:
    """Return the error as the host knows it; an error of our own code stays as it is."""
    if isinstance(error, asyncpg.PostgresError):
        if error.sqlstate == OLDER_STATE:
            return Conflict()
        if isinstance(error, asyncpg.UniqueViolationError) and error.constraint_name in _BROKEN_RULES:
            return _BROKEN_RULES[error.constraint_name]()
        fault = _fault_of(error)
        return error if fault is None else StoreFault(fault, str(error))
    return away(error) if is_lost(error) else error


def away(error: BaseException) -> StoreFault:
    """Return the fault of a server that cannot be reached."""
    return StoreFault(Fault.AWAY, str(error) or type(error).__name__)


def _fault_of(error: asyncpg.PostgresError) -> Fault | None:
    code = error.sqlstate or ""
    return next((_FAULTS[code[:length]] for length in (5, 3, 2) if code[:length] in _FAULTS), None)
