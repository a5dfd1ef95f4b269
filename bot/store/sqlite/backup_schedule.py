"""Backs up the database on a schedule, and deletes old backups."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path
from typing import Final

from bot.store.faults import DatabaseRefused
from bot.store.sqlite.backup import back_up, name_of, usual_names

log = logging.getLogger(__name__)

HOUR_SECONDS: Final = 3600.0
"""One hour, in seconds."""
RETRY_SECONDS: Final = 600.0
"""Pause after a backup that failed."""


class BackupSchedule:
    """Makes a backup whenever the newest one is old enough; a restart neither skips nor repeats one."""

    def __init__(self, database: Path, folder: Path, every_hours: float, keep: int) -> None:
        self._database = database
        self._folder = folder
        self._every = every_hours * HOUR_SECONDS
        self._keep = keep
        self._task: asyncio.Task[None] | None = None
        self.problem: str | None = None
        """Why the last backup failed; None if it did not."""

    def start(self) -> None:
        """Start, unless the schedule is off."""
        if self._every:
            self._task = asyncio.create_task(self._run(), name="backups")

    async def stop(self) -> None:
        """Stop. A backup under way is finished by its thread."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def newest(self) -> float | None:
        """When the newest backup was made, in seconds since 1970; None if there is none."""
        try:
            return max((each.stat().st_mtime for each in self._backups()), default=None)
        except OSError:
            return None  # nobody can tell, and the next backup says why

    @property
    def every(self) -> float:
        """The usual time between two backups in seconds, 0 if the schedule is off."""
        return self._every

    async def _run(self) -> None:
        while True:
            wait = RETRY_SECONDS
            try:
                due = self._wait() <= 0
                await asyncio.to_thread(self.make if due else self._delete_old)
                self.problem = None
                wait = self._every if due else self._wait()
            except DatabaseRefused as refused:
                log.error("no backup: %s", refused)
                self.problem = f"the last backup failed: {refused}"
            except Exception as fault:
                log.exception("no backup, or old ones could not be deleted")
                self.problem = f"the last backup failed: {fault}"
            await asyncio.sleep(max(0.0, wait))

    def _wait(self) -> float:
        """Return how many seconds from now the next backup is due."""
        newest = self.newest
        return 0.0 if newest is None else min(newest + self._every - time.time(), self._every)

    def make(self) -> None:
        """Make a backup, then delete those beyond the number to keep."""
        made = back_up(self._database, self._folder / name_of(self._database, time.time()))
        log.info("backed up as %s (%s bytes)", made.path.name, made.size)
        self._delete_old()

    def _delete_old(self) -> None:
        for old in self._backups()[: -self._keep]:
            old.unlink()
            log.info("%s was deleted: %s newer backups are there", old.name, self._keep)

    def _backups(self) -> list[Path]:
        return sorted(self._folder.glob(usual_names(self._database)))
