from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from bot.store.faults import DatabaseRefused
from bot.store.sqlite.schema import MIGRATIONS, migrate, migrations
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import world

OLD_TABLES = "".join(
    f"CREATE TABLE {name} (id INTEGER);"
    for name in ("tables", "seats", "actions", "outbox", "messages", "users", "meta")
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The migrations of a future version."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    number = len(migrations(folder)) + 1
    (folder / f"{number:04}_later.sql").write_text("ALTER TABLE users ADD COLUMN colour TEXT;")
    return folder


def version(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


async def test_a_later_version_copies_the_file_and_then_migrates_it(path: Path, later: Path) -> None:
    async with world(path) as here:
        table = await here.started()
    known = version(path)
    store = await SqliteStore.open(path, BEGIN, migrations=later)
    loaded = await store.load(table.id)
    await store.close()
    assert loaded is not None
    assert loaded.table.seq == table.seq
    assert version(path) == known + 1
    backup = path.with_name(f"{path.name}.schema-{known}.backup")
    assert version(backup) == known
    async with world(backup) as here:
        assert (await here.tables.get(table.id)).seq == table.seq


async def test_the_copy_is_on_the_disk_before_anything_is_changed(
    path: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world(path) as here:
        await here.lobby()
    known, sync = version(path), os.fsync
    synced: dict[str, int] = {}

    def watched(opened: int) -> None:
        sync(opened)
        synced[Path(f"/proc/self/fd/{opened}").readlink().name] = version(path)

    monkeypatch.setattr(os, "fsync", watched)
    store = await SqliteStore.open(path, BEGIN, migrations=later)
    await store.close()
    assert synced == {f"{path.name}.schema-{known}.backup.unfinished": known, path.parent.name: known}


@pytest.mark.parametrize("in_the_way", ["backup", "backup.unfinished"])
async def test_without_a_copy_nothing_is_changed(path: Path, later: Path, in_the_way: str) -> None:
    async with world(path) as here:
        await here.lobby()
    known = version(path)
    (path.with_name(f"{path.name}.schema-{known}.{in_the_way}") / "something").mkdir(parents=True)
    with pytest.raises(DatabaseRefused, match="no copy of it could be kept") as refusal:
        await SqliteStore.open(path, BEGIN, migrations=later)
    assert "\n" not in str(refusal.value)
    assert version(path) == known


async def test_a_new_file_needs_no_copy(path: Path, later: Path) -> None:
    store = await SqliteStore.open(path, BEGIN, migrations=later)
    await store.close()
    assert not list(path.parent.glob("*.backup"))


def test_migrations_are_numbered_without_gaps(tmp_path: Path) -> None:
    (tmp_path / "0002_gap.sql").write_text("")
    with pytest.raises(ValueError, match="not numbered"):
        migrations(tmp_path)


def test_applying_again_changes_nothing(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, path)
    before = connection.execute("SELECT sql FROM sqlite_schema").fetchall()
    migrate(connection, path)
    assert connection.execute("SELECT sql FROM sqlite_schema").fetchall() == before
    connection.close()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("CREATE TABLE sheep (name TEXT)", "something other"),
        ("CREATE TABLE sheep (name TEXT); PRAGMA user_version = 5", "something other"),
        ("PRAGMA application_id = 77; PRAGMA user_version = 1", "something other"),
        (f"{OLD_TABLES} PRAGMA user_version = 4", "only 5 can be taken over"),
        (f"{OLD_TABLES} PRAGMA user_version = 6", "only 5 can be taken over"),
    ],
)
async def test_foreign_and_too_old_databases_are_refused_in_one_line_and_left_alone(
    path: Path, script: str, words: str
) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    before = path.read_bytes()  # noqa: ASYNC240
    with pytest.raises(DatabaseRefused, match=words) as refusal:
        await SqliteStore.open(path, BEGIN)
    assert "\n" not in str(refusal.value)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    assert len(path.read_bytes()) == len(before)  # noqa: ASYNC240
