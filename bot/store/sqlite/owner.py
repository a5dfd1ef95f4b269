"""Lets only one process use a database file, by a lock file that the system releases when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from bot.private_files import PRIVATE_FILE, give_to_owner
from bot.store.faults import DatabaseRefused


class Owner:
    """Holds the lock from its creation until `release`; raises DatabaseRefused if another process has it."""

    def __init__(self, database: Path) -> None:
        real = database.resolve()  # SQLite follows links, so a link is the same database
        self._path = real.with_name(real.name + ".lock")
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
            give_to_owner(self._path, real.parent)
        except OSError as fault:
            raise DatabaseRefused(f"{self._path} cannot be written ({fault.strerror}).") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise DatabaseRefused(
                f"{database} is in use by another process: stop that bot first, or set another DATABASE_PATH."
            ) from None

    def release(self) -> None:
        """Release the lock. The file stays: if it were removed, two processes could lock two different files."""
        os.close(self._file)
