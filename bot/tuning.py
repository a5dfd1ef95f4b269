"""How the interpreter shares its time between threads, and when it looks for garbage: once for the whole process."""

from __future__ import annotations

import gc
import sys
from typing import Final

SWITCH: Final = 0.0005
"""Seconds that the store's thread waits for the interpreter when somebody is busy with it. It waits after
each call of SQLite; with Python's own 5 ms a commit would take tens of milliseconds under load."""
YOUNG: Final = 20_000
"""So many new objects before the youngest are looked through, wherever the interpreter is. That takes some twenty
milliseconds. Tables form no cycles; what discord.py makes of a press, and a screen, do: some eighty objects."""
SOME: Final = 1_000
"""So many are looked through when nobody waits, within a millisecond or two,"""
OFTEN: Final = 20
"""and with each so-manieth time those that were left the times before, too."""


def tune() -> None:
    """Set up the interpreter, once everything is imported: what is there now stays, and is never looked through."""
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OFTEN, OFTEN)


def tidy() -> None:
    """Look for garbage, at a moment when nobody waits: otherwise somebody will who has just pressed something."""
    young, middle, old = gc.get_count()
    if young >= SOME:
        gc.collect(0 if middle < OFTEN else 1 if old < OFTEN else 2)
