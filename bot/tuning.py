"""How the interpreter shares its time between threads, and when it looks for garbage: once for the whole process."""

from __future__ import annotations

import gc
import sys
from typing import Final

SWITCH: Final = 0.0005
"""Seconds that the store's thread waits for the interpreter when somebody is busy with it. It waits after
each call of SQLite; with Python's own 5 ms a commit would take tens of milliseconds under load."""
YOUNG: Final = 20_000
"""So many new objects before the youngest are looked through. Almost nothing here forms cycles: tables never change."""


def tune() -> None:
    """Set up the interpreter, once everything is imported: what is there now stays, and is never looked through."""
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
