"""The parent of many processes: starts them, starts them again, and stops them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import cluster
from bot.cli.main import main
from bot.cluster import Cluster
from bot.exit_codes import AWAY, DATABASE, FAILED, REFUSED
from bot.health import note_of
from bot.settings import Settings, load_settings

CHILD = """
import os, pathlib, signal, sys, time
folder = pathlib.Path({folder!r})
name = os.environ["PROCESS_NAME"].rpartition(".")[2]
with open(folder / name, "a") as file:
    shards = [os.environ[each] for each in ("SHARD_COUNT", "SHARD_IDS", "SHARDS_AT_ONCE")]
    print(os.getpid(), *shards, os.environ.get("METRICS_PORT"), file=file, flush=True)
code = folder / "code"
if code.exists():
    sys.exit(int(code.read_text()))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
sys.stdin.read()
"""


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "token")
    monkeypatch.setenv("DATABASE_URL", "postgresql://nowhere/coyote")
    monkeypatch.setenv("METRICS_PORT", "9000")
    monkeypatch.setattr(cluster, "FIRST_PAUSE_SECONDS", 0.01)
    return load_settings()


def watched(settings: Settings, folder: Path, processes: int = 2, spares: int = 1, shards: int = 4) -> Cluster:
    made = Cluster(settings, processes, spares, shards=shards)
    made._command = [sys.executable, "-c", CHILD.format(folder=str(folder))]
    return made


async def until(question: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not question():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def starts(folder: Path, number: int) -> list[list[str]]:
    path = folder / str(number)
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def is_socket(path: Path) -> bool:
    return path.is_socket()


def is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True


async def test_processes_are_started_again_and_stopped_together(
    settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stopped = asyncio.Event()
    running = asyncio.create_task(watched(settings, tmp_path).run(stopped))
    await until(lambda: all(starts(tmp_path, number) for number in (1, 2, 3)))
    (pid, *given), *_ = starts(tmp_path, 2)
    assert given == ["4", "0,1,2,3", "2", "9001"]
    os.kill(int(pid), signal.SIGKILL)
    await until(lambda: len(starts(tmp_path, 2)) == 2)
    stopped.set()
    assert await running == 0
    assert not any(is_alive(pid) for number in (1, 2, 3) for pid, *_ in starts(tmp_path, number))
    assert "Process 2 has ended (SIGKILL); it is started again in 0.01 s.\n" in capfd.readouterr().err


HANGING_CHILD = """
import os, pathlib, signal, sys, time
name = os.environ["PROCESS_NAME"]
with open(pathlib.Path({folder!r}) / name.rpartition(".")[2], "a") as file:
    print(os.getpid(), file=file, flush=True)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
while True:
    pathlib.Path({note!r}.replace("NAME", name)).write_text(str(time.time()))
    time.sleep(0.01)
"""


async def test_a_process_that_hangs_is_killed_and_started_again(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "LOOK_AT_NOTES_SECONDS", 0.2)
    note = Path(note_of(settings.database_path, cluster.name_of(2)))
    note.parent.mkdir(parents=True, exist_ok=True)
    made = watched(settings, tmp_path, 1, 1)
    writing = note_of(settings.database_path, "NAME")
    made._command = [sys.executable, "-c", HANGING_CHILD.format(folder=str(tmp_path), note=writing)]
    stopped = asyncio.Event()
    running = asyncio.create_task(made.run(stopped))
    await until(lambda: starts(tmp_path, 1) and starts(tmp_path, 2) and note.exists())
    await asyncio.sleep(0.5)
    os.kill(int(starts(tmp_path, 2)[0][0]), signal.SIGSTOP)
    await until(lambda: len(starts(tmp_path, 2)) == 2)
    stopped.set()
    assert await running == 0
    assert len(starts(tmp_path, 1)) == 1
    assert "Process 2 hangs; it is killed.\n" in capfd.readouterr().err


@pytest.mark.parametrize("code", [REFUSED, DATABASE])
async def test_what_would_only_fail_again_stops_all(code: int, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "code").write_text(str(code))
    assert await watched(settings, tmp_path).run(asyncio.Event()) == code


async def test_all_processes_find_the_ai_workers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Path | None] = []

    async def run(self: Cluster, _: asyncio.Event) -> int:
        address = self._environment.get("AI_SOCKET")
        found.append(None if address is None else Path(address))
        assert address is None or is_socket(Path(address))
        return 0

    monkeypatch.setattr(Cluster, "run", run)
    for number, is_there in ((1, True), (0, False)):
        given = settings.model_copy(update={"shard_count": 4, "ai_workers": number})
        assert await cluster.run_cluster(given, 2, 1) == 0
        address = found.pop()
        assert (address is not None) is is_there
        assert address is None or not is_socket(address), "it goes with the cluster"


@pytest.mark.parametrize("code", [FAILED, AWAY])
async def test_pauses_grow_while_a_process_keeps_dying(
    code: int, settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "code").write_text(str(code))
    stopped = asyncio.Event()
    running = asyncio.create_task(watched(settings, tmp_path, 1, 0).run(stopped))
    await until(lambda: len(starts(tmp_path, 1)) > 3)
    stopped.set()
    assert await running == 0
    said = capfd.readouterr().err
    for pause in ("0.01", "0.02", "0.04"):
        assert f"it is started again in {pause} s." in said


def test_sqlite_serves_one_process_only(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL")
    assert main(["cluster", "--processes", "2"]) == DATABASE
    assert capsys.readouterr().err == "A SQLite file serves one process only: set DATABASE_URL for many.\n"


def test_there_are_at_least_as_many_shards_as_processes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHARD_COUNT", "2")
    assert main(["cluster", "--processes", "3"]) == 2
    assert capsys.readouterr().err == "There are more processes (3) than shards (2): set SHARD_COUNT.\n"


def test_if_discord_does_not_say_how_many_shards_it_is_said_in_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_API_URL", "http://127.0.0.1:9/api/v10")
    assert main(["cluster", "--processes", "3"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Discord does not say how many shards the bot needs (")
    assert said.count("\n") == 1
