"""Renews the note about the bot's health beside the database; `bot.health` reads it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.health import note_of
from bot.private_files import open_private

log = logging.getLogger(__name__)

INTERVAL_SECONDS: Final = 5.0
"""Pause between two notes while the bot is well."""
UNHEALTHY_INTERVAL_SECONDS: Final = 1.0
"""Pause between two notes while there are problems."""
NOTICEABLE_LAG_SECONDS: Final = 2.0
"""How late a note may be before people notice that the bot is slow."""


def forget_note(database: Path, process: str) -> None:
    """Delete the note that a killed process of this name has left behind."""
    Path(note_of(database, process)).unlink(missing_ok=True)


class Pulse:
    """Renews the note while the bot runs. `problems` returns a line for each current problem."""

    def __init__(self, database: Path, problems: Callable[[], Sequence[str]], process: str = "") -> None:
        """`process` is the name of this one of many processes."""
        self._note = Path(note_of(database, process))
        self._problems = problems
        self._known: list[str] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start renewing the note."""
        self._task = asyncio.create_task(self._run(), name="pulse")

    async def stop(self) -> None:
        """Stop, and delete the note: a stopped bot is not well."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._note.unlink(missing_ok=True)

    async def _run(self) -> None:
        late = 0.0
        while True:
            pause = UNHEALTHY_INTERVAL_SECONDS if self._renew(late) else INTERVAL_SECONDS
            before = time.monotonic()
            await asyncio.sleep(pause)
            late = time.monotonic() - before - pause

    def _renew(self, late: float) -> bool:
        """Write the note; return whether there are problems."""
        problems = list(self._problems())
        if late > NOTICEABLE_LAG_SECONDS:
            problems.append(f"the bot was busy for {late:.0f} s and answered nobody")
        if self._known is not None and problems != self._known:  # not at the start, when nothing is ready yet
            for line in problems:
                log.warning("health: %s", line)
            if not problems:
                log.info("health: all is well")
        self._known = problems
        fresh = self._note.with_name(f"{self._note.name}.fresh")
        try:
            with open(fresh, "w", encoding="utf-8", opener=open_private) as written:
                written.write(json.dumps({"at": time.time(), "problems": problems}))
            fresh.replace(self._note)
        except OSError as fault:  # the old note grows stale, and so the bot counts as unwell
            log.warning("health: no note could be written (%s)", fault.strerror)
            with suppress(OSError):
                os.utime(self._note)  # but `bot.cluster` sees that it does not hang
        return bool(problems)
