"""Copies a database into a new file: complete, on the disk, and readable by its owner only."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from bot.private_files import give_to_owner, open_private
from bot.store.ports import Progress

STEPS_PER_REPORT: Final = 20_000
"""Instructions of SQLite's virtual machine between two progress reports."""


def copy_rows(connection: sqlite3.Connection, target: Path, progress: Progress | None = None) -> None:
    """Copy the whole database into a file that replaces `target`; others may write to the database meanwhile.

    Progress is in kilobytes. Copies rows, not pages, so the copy has no remains of deleted rows.
    """
    target.unlink(missing_ok=True)
    open(target, "xb", opener=open_private).close()  # SQLite accepts an empty file; its own would be public
    give_to_owner(target, target.parent)
    if progress is not None:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        whole = (pages - free) * size // 1000
        connection.set_progress_handler(lambda: progress(_kilobytes(target, whole), whole), STEPS_PER_REPORT)
    try:
        connection.execute("VACUUM INTO ?", (str(target),))
    finally:
        connection.set_progress_handler(None, 0)
    sync(target)  # SQLite does not sync it, and a power cut could leave an empty copy


def _kilobytes(target: Path, most: int) -> int:
    return min(most - 1, target.stat().st_size // 1000)


def put_in_place(unfinished: Path, target: Path) -> None:
    """Rename a finished file to `target`, so that `target` is never half a file."""
    unfinished.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
