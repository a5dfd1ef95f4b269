"""Health: the bot renews a note beside the database, and `python -m bot health` reads it.

Troubles that the bot knows of are listed in the note. A bot that hangs, has died or cannot write renews no note, and a
stale note counts as unwell, so every kind of fault shows.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

INTERVAL_SECONDS: Final = 5.0
"""Pause between two notes while the bot is well."""
TROUBLED_INTERVAL_SECONDS: Final = 1.0
"""Pause between two notes while there are troubles."""
STALE_SECONDS: Final = 20.0
"""Age from which a note counts as unwell."""
NOTICEABLE_LAG_SECONDS: Final = 2.0
"""How late a note may be before people notice that the bot is slow."""


def note_of(database: Path) -> Path:
    """Return the path of the note about the bot that runs on a database."""
    return database.with_name(f"{database.name}.health")


class Pulse:
    """Renews the note while the bot runs. `troubles` returns a line for each present trouble."""

    def __init__(self, database: Path, troubles: Callable[[], Sequence[str]]) -> None:
        self._note = note_of(database)
        self._troubles = troubles
        self._known: list[str] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start renewing the note."""
        self._task = asyncio.create_task(self._run(), name="pulse")

    async def stop(self) -> None:
        """Stop, and delete the note: a bot that does not run is not well."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._note.unlink(missing_ok=True)

    async def _run(self) -> None:
        late = 0.0
        while True:
            pause = TROUBLED_INTERVAL_SECONDS if self._renew(late) else INTERVAL_SECONDS
            before = time.monotonic()
            await asyncio.sleep(pause)
            late = time.monotonic() - before - pause

    def _renew(self, late: float) -> bool:
        """Write the note; tell whether there are troubles."""
        troubles = list(self._troubles())
        if late > NOTICEABLE_LAG_SECONDS:
            troubles.append(f"the bot was busy for {late:.0f} s and answered nobody")
        if self._known is not None and troubles != self._known:  # not at the start, when nothing is ready yet
            for line in troubles:
                log.warning("health: %s", line)
            if not troubles:
                log.info("health: all is well")
        self._known = troubles
        fresh = self._note.with_name(f"{self._note.name}.fresh")
        try:
            fresh.write_text(json.dumps({"at": time.time(), "troubles": troubles}), encoding="utf-8")
            fresh.replace(self._note)
        except OSError as fault:  # the old note grows stale and counts as unwell
            log.warning("health: no note could be written (%s)", fault.strerror)
        return bool(troubles)


def examine(database: Path, now: float) -> tuple[bool, str]:
    """Return whether the bot on a database is well, and a line that says so or why not."""
    try:
        note = json.loads(note_of(database).read_text(encoding="utf-8"))
        at, troubles = float(note["at"]), [str(line) for line in note["troubles"]]
    except FileNotFoundError:
        return False, "unwell: no bot is running on this database"
    except (OSError, ValueError, KeyError, TypeError):
        return False, "unwell: the bot's note cannot be read"
    age = now - at
    if age > STALE_SECONDS:
        return False, f"unwell: no sign of life for {age:.0f} s"
    return (False, f"unwell: {'; '.join(troubles)}") if troubles else (True, "well")
