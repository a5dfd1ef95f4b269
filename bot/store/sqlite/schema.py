"""Brings a database to the schema of this version: numbered scripts, a transaction each, a backup before."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from pathlib import Path
from typing import Final, NamedTuple

from bot.store.sqlite.faults import Refused

log = logging.getLogger(__name__)

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"


class Migration(NamedTuple):
    """One step from the schema before to this number."""

    number: int
    name: str
    script: str


def migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """Return the scripts in their order; their numbers are 1, 2, 3 …"""
    found = [
        Migration(int(file.name[:4]), file.stem, file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.sql"))
        if re.match(r"\d{4}_", file.name)
    ]
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered one by one")
    return found


def migrate(connection: sqlite3.Connection, path: Path, folder: Path = MIGRATIONS) -> None:
    """Apply what is missing; refuse a database that a newer version has written."""
    known = migrations(folder)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(known):
        raise Refused(f"{path} has schema {version}, this version of the bot knows {len(known)}: update the bot.")
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        raise Refused(f"{path} holds something else than this bot's data.")
    if 0 < version < len(known):
        log.info("database: kept a copy of schema %s as %s", version, _back_up(connection, path, version).name)
    for migration in known[version:]:
        try:
            # The version is a part of the transaction: a script that fails leaves nothing behind.
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{migration.script}\nPRAGMA user_version = {migration.number};\nCOMMIT;"
            )
        except sqlite3.Error as fault:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise Refused(f"{path} could not be brought to schema {migration.number}: {fault}.") from fault
        log.info("database: schema %s", migration.name)


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copy the whole database beside itself; a copy under its final name is complete."""
    target = path.with_name(f"{path.name}.schema-{version}.backup")
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        # Rows, not pages: what pages still hold of deleted rows does not come along.
        connection.execute("VACUUM INTO ?", (str(unfinished),))
        _settle(unfinished)  # SQLite does not: after a power cut there would be a migrated file and an empty copy
        unfinished.replace(target)
        _settle(target.parent)
    except OSError as fault:
        raise Refused(f"{path} is of schema {version}, and no copy of it could be kept ({fault.strerror}).") from None
    return target


def _settle(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk before anything else is done."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
