"""Whether the bot is well: a note beside the database that the bot renews, and `python -m bot health` that reads it.

Whatever goes wrong turns it red: a trouble that the bot knows of stands in the note, and a bot that hangs, has died or
cannot write renews no note.
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

EVERY: Final = 5.0
"""Seconds between two notes."""
SOON: Final = 1.0
"""The same while something is the matter."""
STALE: Final = 20.0
"""Seconds after which a note says nothing any more."""
LAG: Final = 2.0
"""Seconds by which a note may be late before people notice that the bot is slow."""


def note_of(database: Path) -> Path:
    """Return where the note is."""
    return database.with_name(f"{database.name}.health")


class Pulse:
    """Renews the note while the bot runs. `troubles` says, a line each, what is the matter now."""

    def __init__(self, database: Path, troubles: Callable[[], Sequence[str]]) -> None:
        self._note = note_of(database)
        self._troubles = troubles
        self._known: list[str] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin; a note of the process before is worth nothing."""
        self._task = asyncio.create_task(self._run(), name="pulse")

    async def stop(self) -> None:
        """End, and leave no note: a bot that does not run is not well."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._note.unlink(missing_ok=True)

    async def _run(self) -> None:
        late = 0.0
        while True:
            pause = SOON if self._renew(late) else EVERY
            before = time.monotonic()
            await asyncio.sleep(pause)
            late = time.monotonic() - before - pause

    def _renew(self, late: float) -> bool:
        """Write the note; tell whether something is the matter."""
        troubles = list(self._troubles())
        if late > LAG:
            troubles.append(f"the bot was busy for {late:.0f} s and answered nobody")
        if self._known is not None and troubles != self._known:  # at the start nothing is ready, and that is no news
            for line in troubles:
                log.warning("health: %s", line)
            if not troubles:
                log.info("health: all is well")
        self._known = troubles
        fresh = self._note.with_name(f"{self._note.name}.fresh")
        try:
            fresh.write_text(json.dumps({"at": time.time(), "troubles": troubles}), encoding="utf-8")
            fresh.replace(self._note)
        except OSError as fault:  # the old note grows stale, which says it
            log.warning("health: no note could be written (%s)", fault.strerror)
        return bool(troubles)


def examine(database: Path, now: float) -> tuple[bool, str]:
    """Tell whether the bot on this database is well, and in a line why not."""
    try:
        note = json.loads(note_of(database).read_text(encoding="utf-8"))
        at, troubles = float(note["at"]), [str(line) for line in note["troubles"]]
    except FileNotFoundError:
        return False, "unwell: no bot is running on this database"
    except (OSError, ValueError, KeyError, TypeError):
        return False, "unwell: the bot's note cannot be read"
    age = now - at
    if age > STALE:
        return False, f"unwell: no sign of life for {age:.0f} s"
    return (False, f"unwell: {'; '.join(troubles)}") if troubles else (True, "well")
