"""Translates SQLite's errors into those that the host knows."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.host.ports import ChannelTaken, Duplicate, Fault, StoreFault

_FAULTS: Final = {
    "SQLITE_BUSY": Fault.BUSY,
    "SQLITE_LOCKED": Fault.BUSY,
    "SQLITE_FULL": Fault.FULL,
    "SQLITE_READONLY": Fault.READ_ONLY,
    "SQLITE_PERM": Fault.READ_ONLY,
}
_BROKEN_RULES: Final = {
    "actions.interaction_id": Duplicate,
    "tables.channel": ChannelTaken,
}


def translate(error: Exception) -> Exception:
    """Return the error as the host knows it; an error of our own code stays as it is."""
    name = getattr(error, "sqlite_errorname", None) or ""
    if isinstance(error, sqlite3.IntegrityError):
        broken = next((kind for column, kind in _BROKEN_RULES.items() if str(error).endswith(column)), None)
        return error if broken is None else broken()
    if isinstance(error, sqlite3.DatabaseError) and name not in ("SQLITE_ERROR", ""):
        # Extended names begin with the basic one: SQLITE_READONLY_DBMOVED, SQLITE_BUSY_SNAPSHOT.
        fault = next((fault for start, fault in _FAULTS.items() if name.startswith(start)), Fault.BROKEN)
        return StoreFault(fault, str(error))
    return error
