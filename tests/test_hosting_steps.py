"""The commands of docs/hosting/data.md, run in the layout of the image and of the unit; no engine is needed.

What only an engine or systemd can do, such as stopping a container, is left out; copying out of a container and into it
is done with the same files.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store.sqlite.backup import back_up
from tests.host.world import world
from tests.test_image import ROOT, UNIT, image, instructions, settings

__all__ = ["image"]

PAGE = (ROOT / "docs" / "hosting" / "data.md").read_text(encoding="utf-8").partition("## Moving to PostgreSQL")[0]
IN_CONTAINER = (
    "docker compose exec bot python -m bot ",
    "docker compose run --rm bot ",
    "docker exec coyote python -m bot ",
    "docker run --rm --volume coyote-data:/data coyote-table ",
)
SHELL_IN_CONTAINER = (
    "docker compose run --rm -T --entrypoint sh bot ",
    "docker run --rm --interactive --volume coyote-data:/data --entrypoint sh coyote-table ",
)
OUT_OF_CONTAINER = ("docker compose cp bot:", "docker cp coyote:")
REMOVED_IN_CONTAINER = ("docker compose exec bot rm ", "docker exec coyote rm ")
ONLY_THE_ENGINE = re.compile(r"docker (compose )?(stop|start|up|build)\b|systemctl (start|stop) coyote-table$")
STATE = re.findall(r"DATABASE_PATH=(\S+)/coyote\.sqlite3", UNIT)[0]


def blocks(method: str) -> list[str]:
    """Return the commands of one way to run the bot, in their order."""
    found = re.findall(rf"^{method}[^\n]*(?:\n[^\n`]+)*:\n\n```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line.partition("     #")[0].strip() for block in found for line in block.splitlines()]
    assert len(found) >= 3, "backups, restoring and moving"
    return lines


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a database and the backup that the page names."""
    folder = tmp_path / "data"
    folder.mkdir(exist_ok=True)

    async def fill() -> None:
        async with world(folder / "coyote.sqlite3") as here:
            await here.lobby()

    asyncio.run(fill())
    (named,) = set(re.findall(r"coyote-\d{4}-\d\d-\d\d-\d{6}\.sqlite3", PAGE))
    back_up(folder / "coyote.sqlite3", folder / "backups" / named)
    return folder


def run(command: list[str], folder: Path, env: dict[str, str], line: str) -> None:
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def without_one(line: str, database: Path) -> None:
    """On a new machine there is no database yet, unless the command says that it overwrites one."""
    if " restore " in line and "--overwrite" not in line:
        for each in database.parent.glob(f"{database.name}*"):
            each.unlink()


@pytest.mark.parametrize("method", ["Compose", "Docker alone"])
def test_the_steps_for_a_container_work_in_its_layout(method: str, image: Path, data: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    env, done = settings(tmp_path), 0

    def there(written: str) -> str:
        assert not re.search(r"(?<![\w/.-])(?!/data/)[\w./-]*\.sqlite3", written.partition("--confirm")[0]), (
            f"{written}: /app is read-only, and no other folder is there"
        )
        return written.replace("/data/", f"{data}/")

    for line in blocks(method):
        without_one(line, data / "coyote.sqlite3")
        if start := next((each for each in IN_CONTAINER if line.startswith(each)), None):
            words = shlex.split(there(line.removeprefix(start)))
            run([sys.executable, "-m", "bot", *words], image, env, line)
        elif start := next((each for each in SHELL_IN_CONTAINER if line.startswith(each)), None):
            command = line.removeprefix(start).replace("/data/", f"{data}/")
            run(["sh", "-c", f"sh {command}"], clone, env, line)
        elif start := next((each for each in OUT_OF_CONTAINER if line.startswith(each)), None):
            source, target = shlex.split(line.removeprefix(start))
            shutil.copy(there(source), clone / target)
        elif start := next((each for each in REMOVED_IN_CONTAINER if line.startswith(each)), None):
            Path(there(line.removeprefix(start))).unlink()
        else:
            assert ONLY_THE_ENGINE.match(line), f"nobody knows whether this works: {line}"
            continue
        done += 1
    assert done >= 8
    assert (data / "coyote.sqlite3").exists()
    assert instructions("WORKDIR") == ["/app"]


@pytest.mark.parametrize("method", ["systemd", "Plain Python"])
def test_the_steps_without_a_container_work(method: str, data: Path, tmp_path: Path) -> None:
    clone, elsewhere = tmp_path / "clone", tmp_path / "elsewhere"
    (elsewhere / "usb").mkdir(parents=True)
    clone.mkdir()
    if method == "Plain Python":
        (clone / "data").symlink_to(data)
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    for line in blocks(method):
        if ONLY_THE_ENGINE.match(line):
            continue
        assert (f"DATABASE_PATH={STATE}/coyote.sqlite3 " in line) is (method == "systemd"), line
        without_one(line, data / "coyote.sqlite3")
        places = {STATE: data, "/mnt/usb": elsewhere / "usb", "/root": elsewhere, ".venv/bin/python": sys.executable}
        command = line
        for place, here in places.items():
            command = command.replace(place, str(here))
        before = (data / "coyote.sqlite3").exists() and (data / "coyote.sqlite3").stat().st_ino
        run(["sh", "-c", command], clone, env, line)
        if " restore " in line:
            assert (data / "coyote.sqlite3").stat().st_ino != before, f"{line} restored another file"
    assert {each.name for each in clone.iterdir()} <= {"data", "moving.sqlite3"}, "nothing lands beside the code"
