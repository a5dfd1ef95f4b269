"""Backups beside a running bot, restoring them, and people who were deleted in between. Killed at every step, too."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.host.commands import Join, Leave
from bot.host.model import House, UserId
from bot.settings import Settings
from bot.store.faults import DatabaseRefused
from bot.store.janitor import Janitor
from bot.store.sqlite.backup import back_up, inspect, name_of, restore
from bot.store.sqlite.backup_schedule import BackupSchedule
from bot.store.sqlite.schema import copies_of
from tests.host.world import GUEST, HOST, THIRD, World, world
from tests.other_user import NOBODY

ROOT = Path(__file__).parents[3]
MANY_TABLES = House(tables_at_once=10_000)
SEARCHED = UserId(487_221_990_417_334_273)


@pytest.fixture(autouse=True)
def _database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "coyote.sqlite3"))
    monkeypatch.chdir(tmp_path)


def rows(path: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute("SELECT id, seq FROM tables ORDER BY rowid").fetchall()


def meta(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT key, value FROM meta"))


def matching(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


def janitor(here: World, days: int = 30, backups: Path | None = None) -> Janitor:
    return Janitor(here.store.privacy, here.clock, days, here.tables.drop, erase=here.tables.forget, backups=backups)


async def test_a_backup_beside_a_running_bot_is_whole_and_private(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        table = await here.started()
        writing = asyncio.create_task(_keep_writing(here))
        await asyncio.to_thread(main, ["backup", "copy.sqlite3"])
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        assert dict(rows(tmp_path / "copy.sqlite3"))[table.id] == table.seq
    assert capsys.readouterr().out.startswith("Backed up and checked: copy.sqlite3 (")
    assert stat.S_IMODE((tmp_path / "copy.sqlite3").stat().st_mode) == 0o600
    assert not matching(tmp_path, "*.unfinished")


async def _keep_writing(here: World) -> None:
    for channel in range(100, 10_000):
        await here.lobby(channel, MANY_TABLES)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["backup", "there"], "there exists already: name another file."),
        (["restore", "missing"], "missing does not exist."),
        (["restore", "there"], "there is not a usable backup: file is not a database."),
        (["restore", "other"], "other holds something other than this bot's data."),
    ],
)
async def test_what_cannot_be_done_is_refused_in_one_line(
    tmp_path: Path, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with world(tmp_path / "coyote.sqlite3") as here:
        await here.lobby()
    (tmp_path / "there").write_text("a letter to my aunt, which is not a database, but quite long")
    with closing(sqlite3.connect(tmp_path / "other")) as connection:
        connection.execute("CREATE TABLE letters (text)")
    before = rows(tmp_path / "coyote.sqlite3")
    assert main(arguments) == 3
    assert capsys.readouterr().err == f"{expected}\n"
    assert rows(tmp_path / "coyote.sqlite3") == before


async def test_a_database_is_overwritten_only_if_asked_for_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        await here.lobby()
        back_up(path, tmp_path / "copy")
        await here.lobby(3)
        assert main(["restore", "copy", "--overwrite", "--confirm", path.name]) == 3, "a bot is running"
        assert "in use" in capsys.readouterr().err
    old, new = rows(path), rows(tmp_path / "copy")
    for flags in ([], ["--confirm", path.name], ["--overwrite"], ["--overwrite", "--confirm", "x"]):
        assert main(["restore", "copy", *flags]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert rows(path) == old
    assert main(["restore", "copy", "--overwrite", "--confirm", path.name]) == 0
    assert rows(path) == new
    (kept,) = matching(tmp_path, "coyote.sqlite3.replaced-*.backup")
    assert rows(kept) == old
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not path.with_name(f"{path.name}-wal").exists()


async def test_a_damaged_backup_is_refused_and_a_damaged_database_can_be_replaced(tmp_path: Path) -> None:
    path, copy = tmp_path / "coyote.sqlite3", tmp_path / "copy"
    async with world(path) as here:
        for channel in range(40):
            await here.lobby(channel, MANY_TABLES)
    back_up(path, copy)
    (tmp_path / "damaged").write_bytes(_damaged(copy.read_bytes()))
    with pytest.raises(DatabaseRefused, match="damaged"):
        restore(tmp_path / "damaged", path, overwrite=True)
    path.write_bytes(_damaged(path.read_bytes()))
    restore(copy, path, overwrite=True)
    assert rows(path) == rows(copy)


def _damaged(content: bytes) -> bytes:
    """Overwrite the middle third of a file."""
    third = len(content) // 3
    return content[:third] + os.urandom(third) + content[2 * third :]


async def test_a_bot_goes_on_where_the_backup_was(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        table = await here.lobby()
        await here.store.set_meta("commands", "a newer version's")
        back_up(path, tmp_path / "copy")
        await here.tables.submit(table.id, Join(GUEST, "guest"))
    restore(tmp_path / "copy", path, overwrite=True)
    assert "commands" not in meta(path), "Discord may know other commands by now"
    assert "backup" not in meta(path)
    async with world(path) as here:
        again = await here.tables.get(table.id)
        assert [player.user for player in again.players] == [HOST]
        await here.tables.submit(table.id, Join(THIRD, "third"))


async def test_people_who_were_deleted_since_the_backup_are_deleted_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        table = await here.started()
        await here.tables.submit((await here.lobby(9)).id, Join(SEARCHED, "Zebulon"))
        back_up(path, tmp_path / "copy")
        names = await here.store.privacy.names(SEARCHED)
        await here.store.privacy.wipe(SEARCHED, await here.tables.forget(SEARCHED), names)
    assert b"Zebulon" not in path.read_bytes()
    assert str(SEARCHED) not in str(meta(path))
    assert main(["restore", "copy", "--overwrite", "--confirm", path.name]) == 0
    assert "1 person has deleted their data since then" in capsys.readouterr().out
    async with world(path) as here:
        assert await here.store.privacy.knows(SEARCHED)
        await janitor(here).clear_up()
        assert not await here.store.privacy.knows(SEARCHED)
        assert await here.store.privacy.knows(GUEST)
        assert (await here.tables.get(table.id)).seq >= table.seq
    assert b"Zebulon" not in path.read_bytes()
    assert str(SEARCHED).encode() not in path.read_bytes()


def _a_minute_ago(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE meta SET value = value - 60 WHERE key GLOB 'erased:*'")


async def test_somebody_who_came_back_before_the_backup_stays(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        table = await here.lobby()
        await here.tables.submit(table.id, Join(GUEST, "guest"))
        await here.tables.forget(GUEST)
        await here.store.work(_a_minute_ago)
        await here.tables.submit(table.id, Join(GUEST, "guest"))
        back_up(path, tmp_path / "copy")
        await here.tables.submit(table.id, Leave(GUEST))
    assert restore(tmp_path / "copy", path, overwrite=True).erased_again == 0
    async with world(path) as here:
        await janitor(here).clear_up()
        assert await here.store.privacy.knows(GUEST)


async def test_erasures_and_backups_are_forgotten_after_the_stated_days(tmp_path: Path) -> None:
    path, folder = tmp_path / "coyote.sqlite3", tmp_path / "backups"
    async with world(path) as here:
        table = await here.lobby()
        await here.tables.submit(table.id, Join(GUEST, "guest"))
        await here.tables.forget(GUEST)
        old, new = (back_up(path, folder / name_of(path, time.time() - age)).path for age in (31 * 86_400, 0))
        os.utime(old, (time.time() - 31 * 86_400,) * 2)
        mine = back_up(path, folder / "mine.sqlite3").path
        os.utime(mine, (0, 0))
        await janitor(here, 30, folder).clear_up()
        assert set(folder.iterdir()) == {new, mine}, "files with names of their own belong to the host"
        assert [key for key in meta(path) if key.startswith("erased:")]
        await here.store.privacy.forget_erasures(-1)
        assert not [key for key in meta(path) if key.startswith("erased:")]


async def test_the_schedule_keeps_the_newest(tmp_path: Path) -> None:
    path, folder = tmp_path / "coyote.sqlite3", tmp_path / "backups"
    async with world(path) as here:
        await here.lobby()
        for age in range(5, 0, -1):
            back_up(path, folder / name_of(path, time.time() - age * 3600))
        schedule = BackupSchedule(path, folder, 1, keep=3)
        schedule.make()
        assert len(list(folder.iterdir())) == 3
        assert inspect(max(folder.iterdir())).made_at >= time.time() - 60


async def test_the_schedule_makes_a_backup_when_the_newest_is_old_enough(tmp_path: Path) -> None:
    path, folder = tmp_path / "coyote.sqlite3", tmp_path / "backups"
    async with world(path) as here:
        await here.lobby()
        schedule = BackupSchedule(path, folder, 24, keep=3)
        schedule.start()
        async with asyncio.timeout(10):
            while schedule.newest is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await schedule.stop()
        schedule.start()
        await asyncio.sleep(0.1)
        await schedule.stop()
        assert len(list(folder.iterdir())) == 1, "a restart repeats nothing"


async def test_a_failed_backup_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    schedule = BackupSchedule(tmp_path / "missing.sqlite3", tmp_path / "backups", 1, 3)
    schedule.start()
    async with asyncio.timeout(10):
        while schedule.problem is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await schedule.stop()
    assert "nothing to back up" in schedule.problem


async def test_a_schedule_survives_what_it_did_not_expect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, folder = tmp_path / "coyote.sqlite3", tmp_path / "backups"
    monkeypatch.setattr("bot.store.sqlite.backup_schedule.RETRY_SECONDS", 0.01)
    async with world(path) as here:
        await here.lobby()
        schedule, fails = BackupSchedule(path, folder, 24, keep=3), [OSError(5, "Input/output error")]
        make = schedule.make

        def unlucky() -> None:
            if fails:
                raise fails[0]
            make()

        monkeypatch.setattr(schedule, "make", unlucky)
        schedule.start()
        async with asyncio.timeout(10):
            while schedule.problem is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert "Input/output error" in schedule.problem
            fails.clear()
            while schedule.problem is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await schedule.stop()
        assert len(list(folder.iterdir())) == 1


async def test_a_name_with_brackets_is_no_pattern(tmp_path: Path) -> None:
    path, folder = tmp_path / "coyote[1].sqlite3", tmp_path / "backups"
    async with world(path) as here:
        await here.lobby()
        schedule = BackupSchedule(path, folder, 1, keep=1)
        back_up(path, folder / name_of(path, time.time() - 60))
        schedule.make()
        assert len(list(folder.iterdir())) == 1
        assert schedule.newest is not None
    path.with_name(f"{path.name}.schema-1.backup").touch()
    assert copies_of(path)


async def test_a_link_to_the_database_stays_one(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    real, link = tmp_path / "disk" / "real.sqlite3", tmp_path / "coyote.sqlite3"
    async with world(real) as here:
        await here.lobby()
        back_up(real, tmp_path / "copy")
        await here.lobby(3)
    link.symlink_to(real)
    old, new = rows(real), rows(tmp_path / "copy")
    assert main(["restore", "copy", "--overwrite", "--confirm", link.name]) == 0
    assert link.is_symlink()
    assert rows(real) == new
    (kept,) = matching(tmp_path / "disk", "real.sqlite3.replaced-*.backup")
    assert rows(kept) == old


async def test_what_was_replaced_is_deleted_after_the_stated_days_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        await here.lobby()
        back_up(path, tmp_path / "copy")
    os.utime(path, (time.time() - 40 * 86_400,) * 2)
    kept = restore(tmp_path / "copy", path, overwrite=True).replaced
    assert kept is not None
    async with world(path) as here:
        await janitor(here).clear_up()
        assert kept.exists()
        os.utime(kept, (time.time() - 31 * 86_400,) * 2)
        await janitor(here).clear_up()
        assert not kept.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root restores for somebody else")
@pytest.mark.parametrize("there", [True, False])
async def test_what_root_restores_belongs_to_the_bot(there: bool, tmp_path: Path) -> None:
    source, folder = tmp_path / "coyote.sqlite3", tmp_path / "of the bot"
    path = folder / "coyote.sqlite3"
    async with world(source) as here:
        await here.lobby()
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    if there:
        async with world(path) as here:
            await here.lobby()
        for each in folder.iterdir():
            os.chown(each, 4711, 4711)
    back_up(source, tmp_path / "copy")
    restore(tmp_path / "copy", path, overwrite=True)
    owners = {each.name: each.stat().st_uid for each in folder.iterdir()}
    assert owners[path.name] == (4711 if there else NOBODY)
    assert owners.pop(f"{path.name}.lock") == NOBODY
    assert set(owners.values()) == {4711 if there else NOBODY}
    assert back_up(path, folder / "backups" / "one.sqlite3").path.stat().st_uid == NOBODY
    assert (folder / "backups").stat().st_uid == NOBODY


def killed(*arguments: str) -> Iterator[bool]:
    """Run a command again and again, killed at its first step, its second … Yield whether it was; False is the last."""
    command = (sys.executable, "-m", "tests.store.sqlite.backup_process", *arguments)
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            assert line.strip() in ("0", "-9")
            yield line.strip() != "0"
            if line.strip() == "0":
                break
            process.stdin.write("\n")
            process.stdin.flush()
        process.stdin.close()


async def test_killed_at_any_step_a_restore_leaves_one_of_the_two_databases(tmp_path: Path) -> None:
    path, copy = tmp_path / "coyote.sqlite3", tmp_path / "copy"
    async with world(path) as here:
        await here.lobby()
        back_up(path, copy)
        await here.lobby(3)
    old, new, found = rows(path), rows(copy), []
    for _ in killed("restore", "copy", "--overwrite", "--confirm", path.name):
        found.append(rows(path))
    changed = found.index(new)
    assert changed > 5
    assert found == [old] * changed + [new] * (len(found) - changed)
    async with world(path) as here:
        await here.lobby(4)


async def test_killed_at_any_step_a_backup_is_whole_or_not_there(tmp_path: Path) -> None:
    path, folder = tmp_path / "coyote.sqlite3", tmp_path / "backups"
    async with world(path) as here:
        await here.lobby()
        there = []
        for step, _ in enumerate(killed("backup", "backups/STEP"), 1):
            there.append((folder / str(step)).exists())
            assert not there[-1] or rows(folder / str(step)) == rows(path)
    assert there[-1]
    assert there.count(False) > 5
