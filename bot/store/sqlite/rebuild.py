"""Rebuilds the statistics from the log, in one transaction: an interrupted rebuild leaves the old ones."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.private_files import make_private
from bot.store.faults import DatabaseRefused
from bot.store.ports import Progress
from bot.store.sqlite.faults import translate
from bot.store.sqlite.owner import Owner
from bot.store.sqlite.recount import count_all
from bot.store.sqlite.schema import files_of, migrate


def rebuild(path: Path, progress: Progress) -> int:
    """Rebuild the statistics of a database that no bot is using; return the number of games."""
    if not os.path.isfile(path):  # noqa: PTH113 - pathlib raises an error if this user may not open its folder
        raise DatabaseRefused(f"{path} does not exist, or this user may not read it: there is nothing to rebuild.")
    owner = Owner(path)
    make_private(files_of(path))
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=2.0, cached_statements=256)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            migrate(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            games = count_all(connection, progress)
            connection.execute("COMMIT")
            return games
    except sqlite3.Error as error:
        raise DatabaseRefused(f"{path} cannot be used: {translate(error)}.") from error
    except OSError as fault:
        raise DatabaseRefused(f"{path} cannot be used ({fault.strerror}).") from None
    finally:
        owner.release()
