"""Brings a database to the schema of this version: numbered scripts, one transaction each, after a backup."""

from __future__ import annotations

import glob
import logging
import sqlite3
from pathlib import Path
from typing import Final, NamedTuple

from bot.store.faults import DatabaseRefused
from bot.store.scripts import FOLDER, scripts
from bot.store.sqlite.copying import copy_rows, put_in_place
from bot.store.sqlite.takeover import PREVIOUS_SCHEMA, is_previous_generation, take_over

log = logging.getLogger(__name__)

MIGRATIONS: Final = FOLDER
APPLICATION_ID: Final = int.from_bytes(b"Tabl", "big")
"""SQLite's `application_id` of our databases. Those of the previous generation, schemas 1 to 5, have none."""


class Migration(NamedTuple):
    """One step from the previous schema to this number."""

    number: int
    name: str
    script: str

    @property
    def finish(self) -> str:
        """The statements that record this schema's number in the database."""
        return f"PRAGMA application_id = {APPLICATION_ID};\nPRAGMA user_version = {self.number};"


def migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """Return the scripts in their order; their numbers are 1, 2, 3 …"""
    return [Migration(*script) for script in scripts(folder)]


def migrate(connection: sqlite3.Connection, path: Path, folder: Path = MIGRATIONS) -> None:
    """Bring the database up to date; raise DatabaseRefused if it is not ours, too old or too new."""
    known = migrations(folder)
    version = _version(connection, path, len(known))
    if version is None:
        _take_over(connection, path, known)
        version = len(known)
    elif 0 < version < len(known):
        _back_up(connection, path, version)
    for migration in known[version:]:
        try:
            # The version is set in the same transaction: a script that fails changes nothing.
            connection.executescript(f"BEGIN IMMEDIATE;\n{migration.script}\n{migration.finish}\nCOMMIT;")
        except sqlite3.Error as fault:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise DatabaseRefused(f"{path} could not be brought to schema {migration.number}: {fault}.") from fault
        log.info("database: schema %s", migration.name)


def _version(connection: sqlite3.Connection, path: Path, newest: int) -> int | None:
    """Return the database's schema, 0 if it is empty, None if it is to be taken over; else raise DatabaseRefused."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application == APPLICATION_ID:
        if version > newest:
            raise DatabaseRefused(
                f"{path} has schema {version}, this version of the bot knows {newest}: update the bot."
            )
        return int(version)
    if not application and not version and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        return 0
    if application or not version or not is_previous_generation(connection):
        raise DatabaseRefused(f"{path} holds something other than this bot's data.")
    if version != PREVIOUS_SCHEMA:
        raise DatabaseRefused(
            f"{path} has the old schema {version}, and only {PREVIOUS_SCHEMA} can be taken over:"
            " let the bot start with another file."
        )
    return None


def _take_over(connection: sqlite3.Connection, path: Path, known: list[Migration]) -> None:
    """Take over a database of the previous generation, counting its games again in the newest schema."""
    copy = _back_up(connection, path, PREVIOUS_SCHEMA)
    try:
        take_over(connection, copy, "\n".join(each.script for each in known), known[-1].finish)
    except sqlite3.Error as fault:
        raise DatabaseRefused(
            f"{path} has the old schema {PREVIOUS_SCHEMA} and could not be taken over: {fault}."
        ) from fault
    log.info("database: taken over from the old schema %s", PREVIOUS_SCHEMA)


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copy the database to a file beside it, which gets its final name only once it is complete."""
    target = path.with_name(f"{path.name}.schema-{version}.backup")
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        copy_rows(connection, unfinished)
        put_in_place(unfinished, target)
    except OSError as fault:
        raise DatabaseRefused(
            f"{path} is of schema {version}, and no copy of it could be kept ({fault.strerror})."
        ) from None
    log.info("database: kept a copy of schema %s as %s", version, target.name)
    return target


def files_of(path: Path) -> list[Path]:
    """Return the database and the files that may lie beside it: its log, its lock, the health note, and copies."""
    real = path.resolve()
    beside = [
        real.with_name(f"{real.name}{ending}") for ending in ("-wal", "-shm", ".lock", ".health", ".health.fresh")
    ]
    return [real, *beside, *copies_of(real)]


def copies_of(path: Path) -> list[Path]:
    """Return the copies beside a database: from before migrations, replaced by a backup, or unfinished."""
    endings = ("schema-*.backup*", "replaced-*.backup*", "restoring*", "copying*")
    return [copy for ending in endings for copy in path.parent.glob(f"{glob.escape(path.name)}.{ending}")]
