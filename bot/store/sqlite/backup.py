"""Backs up a database while a bot may be using it, and restores a backup. Both happen completely or not at all."""

from __future__ import annotations

import glob
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from bot.private_files import give_to_owner, make_private, make_private_folder
from bot.store.erasures import Erasures
from bot.store.faults import DatabaseRefused
from bot.store.ports import Progress
from bot.store.sqlite import erasures
from bot.store.sqlite.copying import copy_rows, put_in_place, sync
from bot.store.sqlite.owner import Owner
from bot.store.sqlite.schema import APPLICATION_ID, files_of, migrations

log = logging.getLogger(__name__)

_MADE_AT: Final = "backup"
"""The row of `meta` in a backup that says when it was made, in seconds since 1970."""
_STAMP: Final = "%Y-%m-%d-%H%M%S"
_NOT_TAKEN_BACK: Final = ("commands",)
"""Rows of `meta` that are dropped when restoring: what Discord knows of the commands may be newer than the backup."""


class Backup(NamedTuple):
    """A backup that has been checked."""

    path: Path
    size: int
    made_at: int


class Restored(NamedTuple):
    """What was restored."""

    made_at: int
    """When the backup was made, in seconds since 1970."""
    erased_again: int | None
    """How many people had their data erased since; None if there was no database that could tell."""
    replaced: Path | None
    """Where the database that was there before is kept."""


def name_of(database: Path, at: float) -> str:
    """Return the usual name of a backup made at a moment."""
    return f"{database.stem}-{datetime.fromtimestamp(at, UTC).strftime(_STAMP)}.sqlite3"


def usual_names(database: Path) -> str:
    """Return the pattern of such names, for `glob`."""
    return f"{glob.escape(database.stem)}-????-??-??-??????.sqlite3"


def back_up(database: Path, target: Path, progress: Progress | None = None) -> Backup:
    """Copy a database, which a bot may be using, and check the copy; raise DatabaseRefused if that fails."""
    if not os.path.isfile(database):  # noqa: PTH113 - pathlib raises an error if this user may not open its folder
        raise DatabaseRefused(f"{database} does not exist, or this user may not read it: there is nothing to back up.")
    if os.path.exists(target):  # noqa: PTH110 - as above
        raise DatabaseRefused(f"{target} exists already: name another file.")
    made_at = int(time.time())
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        make_private_folder(target.parent)
        _require_room(database, target.parent)
        with _opened(database, "ro") as source:
            _require_ours(source, database)
            copy_rows(source, unfinished, progress)
        with _opened(unfinished, "rw") as copy:
            _require_whole(copy, unfinished)
            copy.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_MADE_AT, str(made_at)))
        sync(unfinished)
        put_in_place(unfinished, target)
    except OSError as fault:
        raise DatabaseRefused(f"{target} cannot be written ({fault.strerror}).") from None
    except sqlite3.Error as fault:
        raise DatabaseRefused(f"{database} could not be backed up: {fault}.") from fault
    finally:
        with suppress(OSError):  # in a folder that this user may not open, nothing was written either
            unfinished.unlink(missing_ok=True)
    return Backup(target, target.stat().st_size, made_at)


def inspect(path: Path) -> Backup:
    """Check that a file is a whole backup, or a database, that this version can use; DatabaseRefused otherwise."""
    try:
        stat = path.stat()
        with _opened(path, "ro") as connection:
            _require_ours(connection, path)
            _require_whole(connection, path)
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (_MADE_AT,)).fetchone()
    except sqlite3.Error as fault:
        raise DatabaseRefused(f"{path} is not a usable backup: {fault}.") from fault
    except FileNotFoundError:
        raise DatabaseRefused(f"{path} does not exist.") from None
    except OSError as fault:
        raise DatabaseRefused(f"{path} cannot be read ({fault.strerror}).") from None
    return Backup(path, stat.st_size, int(stat.st_mtime) if row is None else int(row[0]))


def restore(source: Path, database: Path, *, overwrite: bool = False, progress: Progress | None = None) -> Restored:
    """Replace a database that no bot is using with a backup.

    A kill leaves either the old or the new file intact.
    """
    backup = inspect(source)
    database = database.resolve()  # a link stays one, and what is replaced is the file to which it leads
    if database == source.resolve():
        raise DatabaseRefused(f"{source} is the database itself.")
    try:
        make_private_folder(database.parent)
    except OSError as fault:
        raise DatabaseRefused(f"{database.parent} cannot be made ({fault.strerror}).") from None
    owner = Owner(database)
    try:
        there = database.is_file() and database.stat().st_size > 0
        if there and not overwrite:
            raise DatabaseRefused(f"{database} exists: restoring would overwrite it.")
        make_private(files_of(database))
        unfinished = database.with_name(f"{database.name}.restoring")
        _require_room(source, database.parent)
        with _opened(source, "ro") as opened:
            copy_rows(opened, unfinished, progress)
        if there:
            give_to_owner(unfinished, database)
        erased = _erasures(database) if there else None
        again = _finish(unfinished, erased, backup.made_at)
        replaced = _keep(database) if there else None
        put_in_place(unfinished, database)
        return Restored(backup.made_at, again if there else None, replaced)
    except OSError as fault:
        raise DatabaseRefused(f"{database} could not be restored ({fault.strerror}); it is as before.") from None
    except sqlite3.Error as fault:
        raise DatabaseRefused(f"{database} could not be restored: {fault}; it is as before.") from fault
    finally:
        owner.release()


def _finish(restored: Path, erased: Erasures | None, made_at: int) -> int | None:
    """Check the restored file and request again the erasures made since the backup; return their number."""
    with _opened(restored, "rw") as connection:
        _require_whole(connection, restored)
        connection.execute("BEGIN IMMEDIATE")
        again = 0 if erased is None else erasures.request(connection, erased, made_at)
        for key in (_MADE_AT, *_NOT_TAKEN_BACK):
            connection.execute("DELETE FROM meta WHERE key = ?", (key,))
        connection.execute("COMMIT")
    sync(restored)
    return again


def _erasures(database: Path) -> Erasures | None:
    try:
        with _opened(database, "rw") as connection:
            return erasures.read(connection)
    except sqlite3.Error as fault:
        log.warning("%s cannot be read (%s): nobody knows who was erased since the backup", database.name, fault)
        return None


def _keep(database: Path) -> Path:
    """Keep the database that is replaced under another name, and leave nothing beside its old name."""
    kept = database.with_name(f"{database.name}.replaced-{datetime.now(UTC).strftime(_STAMP)}.backup")
    log_, shared = (database.with_name(f"{database.name}{ending}") for ending in ("-wal", "-shm"))
    try:
        with _opened(database, "rw") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # closing then removes the log
    except sqlite3.Error as fault:
        log.warning("%s is damaged (%s) and is kept as it is", database.name, fault)
    kept.unlink(missing_ok=True)
    os.link(database, kept)
    os.utime(kept)  # its age counts from now: the bot deletes old copies
    # SQLite would play a log that is left behind into the restored file.
    if log_.exists():
        os.utime(log_)
        log_.replace(kept.with_name(f"{kept.name}-wal"))
    shared.unlink(missing_ok=True)
    sync(database.parent)
    return kept


def _require_ours(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise DatabaseRefused(f"{path} holds something other than this bot's data.")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    newest = len(migrations())
    if version > newest:
        raise DatabaseRefused(f"{path} has schema {version}, this version of the bot knows {newest}: update the bot.")


def _require_whole(connection: sqlite3.Connection, path: Path) -> None:
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise DatabaseRefused(f"{path} is damaged: {found}.")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise DatabaseRefused(f"{path} is damaged: a row refers to nothing.")


def _require_room(database: Path, folder: Path) -> None:
    size, free = database.stat().st_size, shutil.disk_usage(folder).free
    if free < size:
        raise DatabaseRefused(
            f"{folder} has too little room: {free // 1_000_000} MB free, {size // 1_000_000} MB needed."
        )


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{path.resolve().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None, timeout=5.0)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        yield connection
