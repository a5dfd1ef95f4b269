"""The long run: all games in a shuffled order, as long as there is time, going on where the last run stopped.

`python -m tests.e2e.soak` says how far it has come.
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
from tests.e2e.matrix import Row, everything

T = TypeVar("T")

WANTED = bool(os.environ.get("SOAK"))
SEED = int(os.environ.get("SOAK_SEED") or 0)
UNTIL = float(os.environ.get("SOAK_UNTIL") or "inf")
ANSWER_SECONDS = 20.0
PASSED = Path(__file__).resolve().parents[2] / ".soak"


def shuffled(rows: Sequence[T]) -> list[T]:
    """Return the rows in the seed's order, so that a short run sees something of everything."""
    return Random(SEED).sample(rows, len(rows))


def passed() -> set[str]:
    """Return the games that have been played to their end, by this run and those before."""
    return set(PASSED.read_text(encoding="utf-8").split()) if PASSED.exists() else set()


def left(rows: list[Row]) -> list[Row]:
    """Return those of the rows that are still to be played; skip the test if there are none, or no time."""
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
    """Let a long run share the machine: three seconds for an answer are for other tests to ask."""
    if WANTED:
        monkeypatch.setattr(interactions, "FIRST_ANSWER_SECONDS", ANSWER_SECONDS)
        monkeypatch.setattr(dispatch, "FIRST_ANSWER_SECONDS", ANSWER_SECONDS)
        monkeypatch.setattr(players, "PATIENCE", 6 * ANSWER_SECONDS)


def note(rows: Sequence[Row]) -> None:
    """Remember that these games went well."""
    if WANTED:
        with PASSED.open("a", encoding="utf-8") as file:
            file.write("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    total = {str(row) for row in everything()}
    print(f"{len(passed() & total)} of {len(total)} games have been played; `rm {PASSED.name}` begins anew.")
