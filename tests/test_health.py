"""The health note, a file that shows whether the bot is well."""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.health import STALE_SECONDS, database_path, examine, note_of
from bot.pulse import Pulse
from bot.settings import load_settings


def test_a_missing_note_means_that_no_bot_is_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "db"))
    assert main(["health"]) == 1
    assert capsys.readouterr().out == "unwell: no bot is running on this database\n"


@pytest.mark.parametrize("written", ["", "{}", "[1]", '{"at": "x", "problems": []}', "\x00"])
def test_a_damaged_note_is_unhealthy(tmp_path: Path, written: str) -> None:
    Path(note_of(tmp_path / "db")).write_text(written)
    assert examine(tmp_path / "db", time.time()) == (False, "unwell: the bot's note cannot be read")


def test_an_old_note_is_unhealthy(tmp_path: Path) -> None:
    Path(note_of(tmp_path / "db")).write_text(json.dumps({"at": 1000.0, "problems": []}))
    assert examine(tmp_path / "db", 1000 + STALE_SECONDS) == (True, "well")
    assert examine(tmp_path / "db", 1021) == (False, "unwell: no sign of life for 21 s")


async def test_the_note_names_the_problem_and_is_removed_when_the_bot_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "db"))
    problems = ["one thing", "another"]
    pulse = Pulse(tmp_path / "db", lambda: problems)
    pulse.start()
    await asyncio.sleep(0.05)
    assert main(["health"]) == 1
    problems.clear()
    async with asyncio.timeout(5):
        while not examine(tmp_path / "db", time.time())[0]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert main(["health"]) == 0
    assert capsys.readouterr().out == "unwell: one thing; another\nwell\n"
    await pulse.stop()
    assert main(["health"]) == 1


def test_many_processes_are_well_if_each_of_them_is(tmp_path: Path) -> None:
    for process in ("one", "two"):
        Path(note_of(tmp_path / "db", process)).write_text(json.dumps({"at": 1000.0, "problems": []}))
    assert examine(tmp_path / "db", 1000) == (True, "well")
    Path(note_of(tmp_path / "db", "two")).write_text(json.dumps({"at": 900.0, "problems": []}))
    assert examine(tmp_path / "db", 1000) == (False, "unwell, process two: no sign of life for 100 s")


async def test_if_the_disk_is_full_the_old_note_grows_stale(tmp_path: Path) -> None:
    pulse = Pulse(tmp_path / "nowhere" / "db", list)
    pulse.start()
    await asyncio.sleep(0.05)
    await pulse.stop()
    assert not examine(tmp_path / "nowhere" / "db", time.time())[0]


def test_a_bot_that_cannot_write_its_note_still_shows_that_it_does_not_hang(tmp_path: Path) -> None:
    note = Path(note_of(tmp_path / "db"))
    note.write_text(json.dumps({"at": 1000.0, "problems": []}))
    os.utime(note, (1000, 1000))
    note.with_name(f"{note.name}.fresh").mkdir()
    Pulse(tmp_path / "db", list)._renew(0)
    assert note.stat().st_mtime > 1000
    assert not examine(tmp_path / "db", time.time())[0]


@pytest.mark.parametrize(
    ("written", "quick"),
    [
        (None, True),
        ("", True),
        ("LOG_LEVEL=INFO\n# DATABASE_PATH=old\nDATABASE_PATH=games/mine.db\n", True),
        ("DATABASE_PATH=first\nDATABASE_PATH=second  \n", True),
        ("DATABASE_PATH='with a space/db'\n", False),
        ("DATABASE_PATH=db # ours\n", False),
        ("export DATABASE_PATH=db\n", False),
        ("database_path=db\n", False),
        ("BASE=/srv\nDATABASE_PATH=${BASE}/db\n", False),
    ],
)
def test_the_path_of_the_database_is_read_as_the_bot_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str | None, quick: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_PATH", raising=False)
    if written is not None:
        (tmp_path / ".env").write_text(written)
    assert database_path() == (str(load_settings().database_path) if quick else None)
    monkeypatch.setenv("DATABASE_PATH", "elsewhere")
    assert database_path() == str(load_settings().database_path)


def test_the_command_imports_nothing_of_the_bot_but_itself(tmp_path: Path) -> None:
    """A container runs it every half minute."""
    env = os.environ | {"DATABASE_PATH": str(tmp_path / "db")}
    command = (sys.executable, "-X", "importtime", "-m", "bot", "health")
    done = subprocess.run(command, cwd=Path(__file__).parents[1], env=env, capture_output=True, text=True, check=False)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {name for name in imported if name.startswith("bot")} == {"bot", "bot.health"}
    assert not imported & {"asyncio", "pydantic", "discord", "sqlite3", "argparse", "logging", "pathlib"}
