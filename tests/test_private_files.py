"""Nobody but their owner can read the bot's files: the database holds every hand in plain text."""

from __future__ import annotations

import asyncio
import gzip
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.health import note_of
from bot.pulse import Pulse
from bot.store.sqlite.rebuild import rebuild
from bot.store.sqlite.store import SqliteStore
from tests.e2e.common import started, until
from tests.e2e.harness import evening

OLD = Path(__file__).parent / "store" / "sqlite" / "data" / "schema_5.sqlite3.gz"


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


async def test_the_database_its_log_its_lock_and_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = await SqliteStore.open(folder / "coyote.sqlite3", 0)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    found = modes(folder)
    assert set(found) == {"coyote.sqlite3", "coyote.sqlite3-wal", "coyote.sqlite3-shm", "coyote.sqlite3.lock"}
    assert set(found.values()) == {0o600}
    await store.close()


async def test_files_that_an_earlier_version_left_readable(tmp_path: Path) -> None:
    database = tmp_path / "coyote.sqlite3"
    await (await SqliteStore.open(database, 0)).close()
    for name in ("coyote.sqlite3", "coyote.sqlite3.lock", "coyote.sqlite3.health", "coyote.sqlite3.schema-4.backup"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    store = await SqliteStore.open(database, 0)
    assert set(modes(tmp_path).values()) == {0o600}
    await store.close()


@pytest.mark.parametrize("opened_by", ["bot", "rebuild"])
async def test_the_copy_that_is_made_before_an_update(tmp_path: Path, opened_by: str) -> None:
    database = tmp_path / "coyote.sqlite3"
    database.write_bytes(gzip.decompress(OLD.read_bytes()))
    if opened_by == "bot":
        await (await SqliteStore.open(database, 0)).close()
    else:
        await asyncio.to_thread(rebuild, database, lambda done, total: None)
    found = modes(tmp_path)
    assert found["coyote.sqlite3.schema-5.backup"] == 0o600
    assert set(found.values()) == {0o600}


async def test_the_health_note(tmp_path: Path) -> None:
    pulse = Pulse(tmp_path / "db", list)
    pulse._renew(0.0)
    assert modes(tmp_path) == {"db.health": 0o600}


async def test_everything_that_a_running_bot_writes(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        await started(held)
        await until(held, lambda: Path(note_of(held.bot.database)).exists())
        assert set(modes(tmp_path).values()) == {0o600}
