"""Keeps who was erased lately, in `meta`; see `bot.store.erasures`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from bot.host.model import UserId
from bot.store.erasures import NAMED_BY, Erasures, hashed, new_key
from bot.store.keys import AGAIN, ERASED, ERASURES, after


def record(connection: sqlite3.Connection, user: UserId) -> None:
    """Remember that a person is erased now."""
    connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", (ERASURES, new_key()))
    (key,) = connection.execute("SELECT value FROM meta WHERE key = ?", (ERASURES,)).fetchone()
    connection.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, unixepoch())", (f"{ERASED}{hashed(key, user)}",)
    )


def drop(connection: sqlite3.Connection, before: int) -> None:
    """Forget the erasures from before a moment, in seconds."""
    connection.execute(f"DELETE FROM meta WHERE {_range(ERASED)} AND CAST(value AS INTEGER) < ?", (before,))  # noqa: S608


def read(connection: sqlite3.Connection) -> Erasures | None:
    """Return everybody who was erased lately; None if nobody was."""
    key = connection.execute("SELECT value FROM meta WHERE key = ?", (ERASURES,)).fetchone()
    found = connection.execute(f"SELECT key, value FROM meta WHERE {_range(ERASED)}").fetchall()  # noqa: S608
    return None if key is None else Erasures(key[0], {name.removeprefix(ERASED): int(at) for name, at in found})


def request(connection: sqlite3.Connection, erasures: Erasures, since: int) -> int:
    """Mark the people in a restored database who were erased after it was backed up; return their number.

    The bot erases them when it starts, as if they had asked again. The list of erasures is taken over, too.
    """
    connection.execute(f"DELETE FROM meta WHERE {_range(ERASED)} OR key = ?", (ERASURES,))  # noqa: S608
    rows = [(ERASURES, erasures.key), *[(f"{ERASED}{hashed}", str(at)) for hashed, at in erasures.moments.items()]]
    connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", rows)
    again = [user for user in _people(connection) if erasures.moments.get(hashed(erasures.key, user), 0) >= since]
    marks = [(f"{AGAIN}{user}",) for user in again]
    connection.executemany("INSERT OR IGNORE INTO meta (key, value) VALUES (?, '')", marks)
    return len(again)


def requested(connection: sqlite3.Connection) -> list[UserId]:
    """Return the people who are to be erased again."""
    found = connection.execute(f"SELECT key FROM meta WHERE {_range(AGAIN)}").fetchall()  # noqa: S608
    return [UserId(int(key.removeprefix(AGAIN))) for (key,) in found]


def settle(connection: sqlite3.Connection, user: UserId) -> None:
    """Delete the mark of somebody who is erased again."""
    connection.execute("DELETE FROM meta WHERE key = ?", (f"{AGAIN}{user}",))


def _people(connection: sqlite3.Connection) -> Iterable[UserId]:
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    tables = [table for table in NAMED_BY if table in there]  # an older schema may not have all of them
    named = " UNION ".join(f"SELECT user FROM {table}" for table in tables)  # noqa: S608
    sql = f"SELECT id FROM users UNION {named}"  # noqa: S608
    return [UserId(user) for (user,) in connection.execute(sql) if user is not None and user > 0]


def _range(prefix: str) -> str:
    return f"key >= '{prefix}' AND key < '{after(prefix)}'"
