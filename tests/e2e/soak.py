"""The soak run: plays all games in a shuffled order until time is up, and resumes where the last run stopped.

`python -m tests.e2e.soak` prints the progress.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from sandbox import dispatch, interactions
from tests.e2e import players
from tests.e2e.matrix import Row, every_game

T = TypeVar("T")

WANTED = bool(os.environ.get("SOAK"))
SEED = int(os.environ.get("SOAK_SEED") or 0)
UNTIL = float(os.environ.get("SOAK_UNTIL") or "inf")
ANSWER_SECONDS = 20.0
"""Time limit for the first answer to an interaction, instead of Discord's three seconds."""
RELAXED = (
    (interactions, "FIRST_ANSWER_SECONDS", ANSWER_SECONDS),
    (dispatch, "FIRST_ANSWER_SECONDS", ANSWER_SECONDS),
    (players, "PATIENCE", 6 * ANSWER_SECONDS),
)
"""The time limits on a machine that may be busy with other work."""
PASSED = Path(__file__).resolve().parents[2] / ".soak"


def shuffled(rows: Sequence[T]) -> list[T]:
    """Shuffle the rows by the seed, so that a short run covers a bit of everything."""
    return Random(SEED).sample(rows, len(rows))


def passed() -> set[str]:
    """Return the games that this run and earlier ones have played to the end."""
    return set(PASSED.read_text(encoding="utf-8").split()) if PASSED.exists() else set()


def left(rows: list[Row]) -> list[Row]:
    """Return the rows that are still to be played; skip the test if none are left or time is up."""
    if not WANTED:
        return rows
    done = passed()
    rows = [row for row in rows if str(row) not in done]
    if not rows:
        pytest.skip("played before")
    if time.time() > UNTIL:
        pytest.skip("time is up")
    return rows


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relax the time limits during a soak run, which may share the machine with other work."""
    if WANTED:
        for limit in RELAXED:
            monkeypatch.setattr(*limit)


def note(rows: Sequence[Row]) -> None:
    """Record that these games have passed."""
    if WANTED:
        with PASSED.open("a", encoding="utf-8") as file:
            file.write("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    total = {str(row) for row in every_game()}
    print(f"{len(passed() & total)} of {len(total)} games have been played; `rm {PASSED.name}` starts over.")
