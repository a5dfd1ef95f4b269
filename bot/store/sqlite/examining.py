"""Checks what a database in a file needs: SQLite, the file itself, the disk, backups. It changes nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.findings import Finding, bad, good, note
from bot.private_files import PRIVATE_FILE
from bot.store.ports import BackupPlan
from bot.store.sqlite.backup import usual_names
from bot.store.sqlite.schema import APPLICATION_ID, migrations

OLDEST_SQLITE: Final = (3, 38, 0)
"""The first SQLite with everything that the bot uses (`unixepoch`, `->>`)."""
MIN_FREE_BYTES: Final = 200_000_000
"""The free disk space that is needed even with a small database."""
MAX_BACKUP_DELAY: Final = 2.0
"""How many times the usual interval may have passed since the newest backup."""


def examine(path: Path, plan: BackupPlan) -> Iterator[Finding]:
    """Check everything."""
    yield _sqlite()
    yield from _database(path)
    yield _disk(path)
    yield _backups(path, plan)


def _sqlite() -> Finding:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        fix = f"Use a Python whose SQLite is {wanted} or newer, such as that of the image."
        return bad("SQLite", sqlite3.sqlite_version, fix)
    return good("SQLite", sqlite3.sqlite_version)


def _database(path: Path) -> Iterator[Finding]:
    if not _exists(path):
        folder = _nearest(path.parent)
        if os.access(folder, os.W_OK | os.X_OK):
            yield good("database", f"{path} will be made at the first start")
        else:
            yield bad("database", f"{path} cannot be made: {folder} is not writable", _own(folder))
        return
    if not os.access(path, os.R_OK | os.W_OK) or not os.access(path.parent, os.W_OK | os.X_OK):
        yield bad("database", f"{path}, or its folder, cannot be written by this user", _own(path.parent))
        return
    try:
        yield _contents(path)
    except sqlite3.Error as fault:
        yield bad("database", f"{path} cannot be read: {fault}", "Restore a backup: python -m bot restore --help")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & ~PRIVATE_FILE:
        yield bad("secrecy", f"others can read {path}, and with it every hidden card", f"Run: chmod 600 {path}")


def _contents(path: Path) -> Finding:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5.0)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        newest = len(migrations())
        if application == APPLICATION_ID and version > newest:
            return bad("database", f"{path} was written by a newer version (schema {version})", "Update the bot.")
        if application != APPLICATION_ID:
            return note("database", f"{path} is not of this version; the bot looks at it when it starts")
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            return bad("database", f"{path} is damaged: {found}", "Restore a backup: python -m bot restore --help")
        (games,) = connection.execute("SELECT count(*) FROM ends").fetchone()
        size = path.stat().st_size / 1e6
        return good("database", f"{path} is whole: schema {version}, {games:,} finished games, {size:,.1f} MB")


def _disk(path: Path) -> Finding:
    free = shutil.disk_usage(_nearest(path.parent)).free
    needed = max(MIN_FREE_BYTES, 2 * path.stat().st_size if _exists(path) else 0)
    says = f"{free / 1e9:,.1f} GB free"
    if free < needed:
        return bad("disk", says, f"Make room: {needed / 1e9:,.1f} GB are needed for updates and backups.")
    return good("disk", says)


def _backups(path: Path, plan: BackupPlan) -> Finding:
    made_so_far = plan.folder.glob(usual_names(path)) if os.access(plan.folder, os.R_OK | os.X_OK) else ()
    newest = max((each.stat().st_mtime for each in made_so_far), default=0)
    made = (
        f"the newest is of {datetime.fromtimestamp(newest, UTC):%Y-%m-%d %H:%M} UTC" if newest else "there is none yet"
    )
    if not plan.every_hours:
        return note("backups", f"the bot makes none by itself; {made}", "Set BACKUP_EVERY_HOURS=24.")
    folder = _nearest(plan.folder)
    if not os.access(folder, os.W_OK | os.X_OK) or not os.path.isdir(folder):  # noqa: PTH112 - as in `_exists`
        return bad("backups", f"none can be made: {folder} is not a folder that this user may write", _own(folder))
    age = (time.time() - newest) / 3600
    if newest and age > MAX_BACKUP_DELAY * plan.every_hours:
        return note("backups", f"one every {plan.every_hours:g} h, but {made}", "See the bot's log.")
    return good("backups", f"one every {plan.every_hours:g} h; {made}")


def _nearest(folder: Path) -> Path:
    """Return the nearest folder that exists."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if _exists(each))


def _exists(path: Path) -> bool:
    """Return whether a file or folder can be seen; in a folder that this user may not open, nothing can."""
    return os.path.exists(path)  # noqa: PTH110 - pathlib raises an error there


def _own(folder: Path) -> str:
    return f"Give the folder to the bot's user: chown -R {os.getuid()} {folder}"
