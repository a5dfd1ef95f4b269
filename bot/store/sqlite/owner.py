"""One process owns a database file: a lock beside it that dies with the process."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from bot.store.sqlite.faults import Refused


class Owner:
    """Holds the lock from the moment it is made until `release`; Refused if another process has it."""

    def __init__(self, database: Path) -> None:
        real = database.resolve()  # as SQLite goes to the file itself: a link to it is no other database
        self._path = real.with_name(real.name + ".lock")
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise Refused(f"{self._path} cannot be written ({fault.strerror}).") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise Refused(f"{database} is in use by another process: one bot per database.") from None

    def release(self) -> None:
        """Let another process have it. The file stays: removing it would let two processes lock two files."""
        os.close(self._file)
