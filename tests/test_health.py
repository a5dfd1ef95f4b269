"""The health note, a file that shows whether the bot is well."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.health import STALE_SECONDS, Pulse, examine, note_of


def test_without_a_note_no_bot_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "db"))
    assert main(["health"]) == 1
    assert capsys.readouterr().out == "unwell: no bot is running on this database\n"


@pytest.mark.parametrize("written", ["", "{}", "[1]", '{"at": "x", "troubles": []}', "\x00"])
def test_a_damaged_note_is_unhealthy(tmp_path: Path, written: str) -> None:
    note_of(tmp_path / "db").write_text(written)
    assert examine(tmp_path / "db", time.time()) == (False, "unwell: the bot's note cannot be read")


def test_a_note_grows_stale(tmp_path: Path) -> None:
    note_of(tmp_path / "db").write_text(json.dumps({"at": 1000.0, "troubles": []}))
    assert examine(tmp_path / "db", 1000 + STALE_SECONDS) == (True, "well")
    assert examine(tmp_path / "db", 1021) == (False, "unwell: no sign of life for 21 s")


async def test_it_names_the_problem_and_is_removed_with_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "db"))
    troubles = ["one thing", "another"]
    pulse = Pulse(tmp_path / "db", lambda: troubles)
    pulse.start()
    await asyncio.sleep(0.05)
    assert main(["health"]) == 1
    troubles.clear()
    async with asyncio.timeout(5):
        while not examine(tmp_path / "db", time.time())[0]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert main(["health"]) == 0
    assert capsys.readouterr().out == "unwell: one thing; another\nwell\n"
    await pulse.stop()
    assert main(["health"]) == 1


async def test_if_the_disk_is_full_the_old_note_grows_stale(tmp_path: Path) -> None:
    pulse = Pulse(tmp_path / "nowhere" / "db", list)
    pulse.start()
    await asyncio.sleep(0.05)
    await pulse.stop()
    assert not examine(tmp_path / "nowhere" / "db", time.time())[0]
