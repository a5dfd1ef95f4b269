"""A printed game is a golden file, so any change in the rules or texts shows up in its diff."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.games.coyote.demo import narrate
from bot.games.coyote.rules.editions import EDITIONS
from tests.golden import matches_golden


@pytest.mark.parametrize("variant", [False, True], ids=["plain", "variant"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_golden_game(edition: str, variant: bool) -> None:
    name = f"coyote_{edition}{'_variant' if variant else ''}_3p.txt"
    matches_golden(name, "\n".join(narrate({"edition": edition, "variant": variant}, 3, 7)) + "\n")


def test_the_command_prints_the_golden_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--edition", "feathers", "--simulate", "3", "--seed", "7"]) == 0
    golden = Path(__file__).parents[2] / "golden" / "coyote_feathers_3p.txt"
    assert capsys.readouterr().out == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_event_is_printed(edition: str) -> None:
    for seed in range(40):
        told = list(narrate({"edition": edition, "variant": True}, 4, seed))
        assert told[-1].endswith("rounds.")


def test_an_impossible_table_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--edition", "peek", "--simulate", "2"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "This table cannot be played: too few players (players: 2, lowest: 3).\n"
