"""Table messages that are about to be sent, as keys of `meta`; see `bot.host.ports.Posting`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from bot.host.model import TableId
from bot.store.keys import POSTING, after


def unsent(connection: sqlite3.Connection) -> list[TableId]:
    """Return the tables that have something in the outbox, or a message that may have been sent unnoticed."""
    found = connection.execute(
        "SELECT table_id FROM outbox"
        " UNION SELECT substr(key, length(?1) + 1) FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY 1",
        (POSTING, after(POSTING)),
    )
    return [TableId(id_) for (id_,) in found]


def drop(connection: sqlite3.Connection, tables: Sequence[TableId]) -> None:
    """Delete the notes on these tables."""
    connection.executemany("DELETE FROM meta WHERE key = ?", [(f"{POSTING}{table}",) for table in tables])
