"""What an operator does with a SQLite file; see `bot.store.ports.Database`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.findings import Finding
from bot.host.model import Millis
from bot.store.ports import BackupPlan, Progress
from bot.store.sqlite.backup_schedule import BackupSchedule
from bot.store.sqlite.examining import examine
from bot.store.sqlite.rebuild import rebuild
from bot.store.sqlite.store import SqliteStore


class SqliteDatabase:
    """The database in one file."""

    def __init__(self, path: Path, backups: BackupPlan) -> None:
        self._path = path
        self._plan = backups

    async def open(self, now: Millis) -> SqliteStore:
        """Open the file, and keep all other processes away from it."""
        return await SqliteStore.open(self._path, now)

    def backups(self) -> BackupSchedule:
        """Return the schedule that copies the file."""
        return BackupSchedule(self._path, *self._plan)

    def rebuild(self, progress: Progress) -> int:
        """Rebuild the statistics from the log."""
        return rebuild(self._path, progress)

    def examine(self) -> Iterator[Finding]:
        """Check SQLite, the file, the disk and the backups."""
        return examine(self._path, self._plan)
