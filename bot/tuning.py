"""Tunes the interpreter, once for the whole process: thread switches and garbage collection."""

from __future__ import annotations

import gc
import sys
from typing import Final

SWITCH_INTERVAL_SECONDS: Final = 0.0005
"""How long the store's thread waits for the interpreter while another thread is busy. It waits after each call of
SQLite, so with Python's default of 5 ms a commit would take tens of milliseconds under load."""
MAX_YOUNG_OBJECTS: Final = 20_000
"""New objects after which Python collects garbage by itself, which takes about twenty milliseconds. Tables form no
cycles, but each press (in discord.py) and each screen leaves about eighty objects that do."""
IDLE_YOUNG_OBJECTS: Final = 1_000
"""New objects after which garbage is collected while nobody waits, which takes a millisecond or two."""
COLLECTIONS_PER_GENERATION: Final = 20
"""After this many collections of one generation, the next older generation is collected as well."""


def tune() -> None:
    """Tune the interpreter. Call it once everything is imported: what exists now is never searched for garbage."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(MAX_YOUNG_OBJECTS, COLLECTIONS_PER_GENERATION, COLLECTIONS_PER_GENERATION)


def collect_garbage() -> None:
    """Collect garbage if there is enough. Call it while nobody waits, so that it delays no answer later."""
    young, middle, old = gc.get_count()
    if young >= IDLE_YOUNG_OBJECTS:
        gc.collect(0 if middle < COLLECTIONS_PER_GENERATION else 1 if old < COLLECTIONS_PER_GENERATION else 2)
