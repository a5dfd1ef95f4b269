"""The printed match is a golden file; `make golden` rewrites it for review."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.games.plenty_coups.demo import narrate, tell
from bot.games.plenty_coups.rules import events
from tests.golden import matches_golden


@pytest.mark.parametrize("players", [2, 4, 6])
def test_golden_match(players: int) -> None:
    matches_golden(f"plenty_coups_{players}p.txt", "".join(f"{line}\n" for line in narrate({}, players, 7)))


def test_the_command_prints_the_golden_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--game", "plenty-coups", "--simulate", "4", "--seed", "7"]) == 0
    golden = Path(__file__).parents[2] / "golden" / "plenty_coups_4p.txt"
    assert capsys.readouterr().out == golden.read_text(encoding="utf-8")


def test_events_that_a_heading_shows_are_not_printed_again() -> None:
    assert tell(events.MatchEnded(())) is None
