"""Erases a person in one transaction: deletes everything that names them, or names a former player instead.

The log of moves is left alone, because it names seats and no people.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Final

from bot.host.erasure import forget_in, forget_in_payload
from bot.host.model import TableId, UserId
from bot.host.ports import EraseConflict
from bot.store.erasures import NAMED_BY
from bot.store.keys import WIPE, after
from bot.store.sqlite import erasures, standings
from bot.store.sqlite.wiping import Wiper, checkpoint

_UNWIPED: Final = f"key >= '{WIPE}' AND key < '{after(WIPE)}'"
_OPEN: Final = "stage IN ('lobby', 'playing')"


def visited(connection: sqlite3.Connection, user: UserId) -> dict[TableId, bool]:
    """Return the tables that ever named a person, and whether each is open."""
    sql = f"SELECT id, {_OPEN} FROM visits JOIN tables ON id = table_id WHERE user = ?"  # noqa: S608
    return {TableId(table): bool(is_open) for table, is_open in connection.execute(sql, (user,)).fetchall()}


def names(connection: sqlite3.Connection, user: UserId) -> list[str]:
    """Return the names under which a person has sat at tables."""
    found = connection.execute(
        "SELECT DISTINCT value ->> 'name'"
        " FROM visits JOIN tables ON tables.id = table_id, json_each(document, '$.players')"
        " WHERE user = ?1 AND value ->> 'user' = ?1",
        (user,),
    ).fetchall()
    return [name for (name,) in found if name]


def erase(connection: sqlite3.Connection, user: UserId, former_id: UserId, held: Collection[TableId]) -> None:
    """Erase a person. Open tables must be in `held`: the caller has changed them in memory."""
    tables = visited(connection, user)
    if any(is_open and table not in held for table, is_open in tables.items()):
        raise EraseConflict
    standings.erase(connection, user)
    for table in tables:
        _erase_at(connection, table, user, former_id, held=table in held)
    connection.execute("UPDATE seats SET user = ? WHERE user = ?", (former_id, user))
    connection.execute("DELETE FROM visits WHERE user = ?", (user,))
    connection.execute("DELETE FROM users WHERE id = ?", (user,))
    connection.execute("DELETE FROM lessons WHERE user = ?", (user,))
    connection.execute("DELETE FROM guesses WHERE user = ?", (user,))
    connection.execute("UPDATE house_log SET user = ? WHERE user = ?", (former_id, user))
    connection.execute("INSERT INTO meta (key, value) VALUES (?, '')", (f"{WIPE}{former_id}",))
    erasures.record(connection, user)


def _erase_at(connection: sqlite3.Connection, table: TableId, user: UserId, former_id: UserId, *, held: bool) -> None:
    if not held:
        (document,) = connection.execute("SELECT document FROM tables WHERE id = ?", (table,)).fetchone()
        # The step goes up, so that a copy of the table read before this cannot be written back.
        connection.execute(
            "UPDATE tables SET document = ?, seq = seq + 1 WHERE id = ?", (forget_in(document, user, former_id), table)
        )
    connection.execute("DELETE FROM messages WHERE table_id = ? AND user = ?", (table, user))
    connection.execute("DELETE FROM outbox WHERE table_id = ? AND user = ?", (table, user))
    waiting = connection.execute(
        "SELECT id, payload FROM outbox WHERE table_id = ? AND kind IN ('notice', 'record')", (table,)
    ).fetchall()
    for row, payload in waiting:
        written = forget_in_payload(payload, user, former_id)
        connection.execute("UPDATE outbox SET payload = ? WHERE id = ?", (written, row))


def knows(connection: sqlite3.Connection, user: UserId) -> bool:
    """Return whether anything is stored about a person."""
    asked = [f"SELECT 1 FROM {table} WHERE user = ?1" for table in NAMED_BY]  # noqa: S608
    sql = " UNION ALL ".join(["SELECT 1 FROM users WHERE id = ?1", *asked])
    return connection.execute(sql, (user,)).fetchone() is not None


def unwiped(connection: sqlite3.Connection) -> bool:
    """Return whether remains of deleted people are still to be wiped."""
    return connection.execute(f"SELECT 1 FROM meta WHERE {_UNWIPED}").fetchone() is not None  # noqa: S608


def record_wiped(connection: sqlite3.Connection, former_id: UserId | None = None) -> None:
    """Record that nothing remains of a deleted person; None: of any."""
    if former_id is None:
        connection.execute(f"DELETE FROM meta WHERE {_UNWIPED}")  # noqa: S608
    else:
        connection.execute("DELETE FROM meta WHERE key = ?", (f"{WIPE}{former_id}",))


def finish(connection: sqlite3.Connection, wiper: Wiper) -> None:
    """At the start: empty the write-ahead log, and finish the wiping of a deletion that was interrupted."""
    if not unwiped(connection):
        checkpoint(connection)
    elif wiper.wipe(connection):
        record_wiped(connection)
