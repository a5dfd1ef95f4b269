"""The told match, word for word: `make golden` rewrites it for review."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.games.plenty_coups import events
from bot.simulate_plenty_coups import narrate, tell

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("players", [2, 4, 6])
def test_golden_match(players: int) -> None:
    path = GOLDEN / f"plenty_coups_{players}p.txt"
    told = "".join(f"{line}\n" for line in narrate(players, seed=7))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(told)
    assert told == path.read_text()


def test_what_headings_say_is_not_told_twice() -> None:
    assert tell(events.MatchEnded(())) is None
