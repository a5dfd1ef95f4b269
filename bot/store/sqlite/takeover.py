"""Takes over a database of the previous generation of schemas: its last one, 5, becomes our newest.

Everything happens in one transaction, from a copy beside the file. An interrupted takeover leaves the old database.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path
from typing import Any, Final

from bot.host import codec
from bot.store.sqlite.recount import count_all

log = logging.getLogger(__name__)

PREVIOUS_SCHEMA: Final = 5
"""The one schema of the previous generation that can be taken over."""
GAMES_PER_LOG_LINE: Final = 500
"""Games that are counted again between two lines of the log."""
_KNOWN_BY: Final = frozenset({"tables", "seats", "actions", "outbox", "messages", "users", "meta"})
"""Tables that every schema of the previous generation has."""
_COPIED: Final = {
    "seats": "table_id, seat, user, still",
    "visits": "user, table_id",
    "actions": "table_id, seq, part, at, actor, action, thought, interaction_id",
    "messages": "table_id, kind, user, channel_id, message_id, sent_at",
    "users": "id, slow, pinged, stats_off",
    "meta": "key, value",
    "house_rules": "guild, seq, document",
    "house_log": "id, guild, at, user, key, old, new",
    "ends": "nth, table_id, guild, number, off",
    "seasons": "guild, number, until, closed",
    "absent": "guild, user, at",
}
"""What is copied as it is, with its columns. Statistics are counted again."""
_TABLE_COLUMNS: Final = "id, guild, channel, stage, seq, next_due, shift, opened"


def is_previous_generation(connection: sqlite3.Connection) -> bool:
    """Return whether a database looks like one that an earlier version of this bot has made."""
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {name for (name,) in found} >= _KNOWN_BY


def take_over(connection: sqlite3.Connection, copy: Path, script: str, finish: str) -> None:
    """Replace the contents of a database with those of its copy, in the schema that `script` makes.

    `finish` is run last, in the same transaction. On an error nothing has changed.
    """
    (checked,) = connection.execute("PRAGMA foreign_keys").fetchone()
    connection.execute("PRAGMA foreign_keys = OFF")  # or dropping a table would first delete its rows one by one
    connection.execute("ATTACH ? AS old", (str(copy),))
    try:
        old = connection.execute("SELECT name FROM old.sqlite_schema WHERE type = 'table'").fetchall()
        drops = "".join(f'DROP TABLE main."{name}";\n' for (name,) in old if not name.startswith("sqlite_"))
        connection.executescript(f"BEGIN IMMEDIATE;\n{drops}{script}")  # it leaves the transaction open
        _copy(connection)
        count_all(connection, _report)
        _check(connection)
        for statement in finish.splitlines():
            connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("DETACH old")
        connection.execute(f"PRAGMA foreign_keys = {checked}")


def _copy(connection: sqlite3.Connection) -> None:
    setups: dict[str, str] = {}
    rows = connection.execute(f"SELECT {_TABLE_COLUMNS}, setup, document FROM old.tables").fetchall()  # noqa: S608
    for *columns, setup, document in rows:
        setups[columns[0]] = setup
        texts = _upgraded_table(columns[0], setup, document)
        connection.execute(
            f"INSERT INTO main.tables ({_TABLE_COLUMNS}, setup, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            (*columns, *texts),
        )
    for table, names in _COPIED.items():
        connection.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM old.{table}")  # noqa: S608
    outbox = "id, table_id, kind, user, nth, made_at, seq"
    for *columns, payload in connection.execute(f"SELECT {outbox}, payload FROM old.outbox").fetchall():  # noqa: S608
        _, table, kind, *_ = columns
        connection.execute(
            f"INSERT INTO main.outbox ({outbox}, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            (*columns, payload if payload is None else _upgraded_payload(table, setups[table], kind, payload)),
        )


def _upgraded_table(table: str, setup: str, document: str) -> tuple[str, str]:
    """Return a table's texts as this version writes them. A damaged table stays damaged and does not stop the rest."""
    try:
        return codec.upgrade(setup, document)
    except ValueError:  # it may quote a hidden card
        log.warning("database: table %s is damaged and was copied as it is", table)
        return setup, document


def _upgraded_payload(table: str, setup: str, kind: str, payload: str) -> str:
    try:
        return codec.upgrade_payload(json.loads(setup)["game"], kind, payload)
    except (ValueError, KeyError):
        log.warning("database: something to be sent at table %s is damaged and was copied as it is", table)
        return payload


def _check(connection: sqlite3.Connection) -> None:
    broken: list[Any] = connection.execute("PRAGMA main.foreign_key_check").fetchall()
    if broken:
        raise sqlite3.IntegrityError(f"{len(broken)} rows refer to nothing, the first in {broken[0][0]}")


def _report(done: int, of: int) -> None:
    if done % GAMES_PER_LOG_LINE == 0 or done == of:
        log.info("database: %s of %s games are counted again", done, of)
