"""Deleted rows leave no bytes in the files, and what belongs to files alone is cleared up."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path
from random import Random

import pytest

from bot.host.model import UserId
from bot.store.janitor import DAY_MILLIS
from bot.store.ports import TABLES_PER_TRANSACTION
from bot.store.sqlite.schema import MIGRATIONS, migrations
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, world
from tests.stats.evenings import keep, play
from tests.store.sqlite.leftovers import leftovers
from tests.store.traces import IDS, NAME, forget, leave_traces, store_matches

USER = UserId(IDS[1])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


@pytest.mark.parametrize("number", IDS)
async def test_no_trace_of_a_deleted_user_is_left_in_the_files(path: Path, tmp_path: Path, number: int) -> None:
    user = UserId(number)
    async with world(path) as here:
        await store_matches(here.store, user)
        await leave_traces(here, user)
        assert set(await here.store.privacy.names(user)) == {NAME, "x"}
        found = {how for _, how in leftovers(path, user, NAME)}
        assert found >= {"text", "row number", f"name {NAME}", "eight bytes" if number >= 1 << 47 else "six bytes"}
        await forget(here, user)
        assert leftovers(path, user, NAME) == []
    assert leftovers(path, user, NAME) == []
    later = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, later)
    (later / f"{len(migrations()) + 1:04}_later.sql").write_text("ALTER TABLE users ADD COLUMN colour TEXT;")
    store = await SqliteStore.open(path, BEGIN, migrations=later)
    await store.close()
    assert list(tmp_path.glob("*.backup"))  # noqa: ASYNC240
    assert leftovers(path, user, NAME) == []


@pytest.mark.parametrize("seed", range(6))
async def test_old_copies_of_rows_in_split_pages_are_wiped_too(path: Path, seed: int) -> None:
    """This fails without the wipe: `secure_delete` alone does not overwrite those copies."""
    user = UserId(IDS[1])
    async with world(path) as here:
        rng = Random(seed)

        def crowd(connection: sqlite3.Connection) -> None:
            for number in range(12_000):
                board, other = rng.randrange(400), user if number % 3 == 0 else rng.getrandbits(60)
                connection.execute("INSERT OR IGNORE INTO absent VALUES (?, ?, ?)", (board, other, number))

        await here.store.work(crowd)
        former_id = await here.tables.forget(user)
        assert await here.store.privacy.wipe(user, former_id)
        assert leftovers(path, user) == []
        checked = await here.store._read("PRAGMA integrity_check")
        assert [row[0] for row in checked] == ["ok"]
        assert (await here.store._read("SELECT count(*) FROM absent"))[0][0] > 7000


async def test_a_wipe_that_failed_is_repeated_later(path: Path) -> None:
    async with world(path) as here:
        await leave_traces(here, USER)
        await here.store._writing.run(lambda connection: connection.execute("PRAGMA busy_timeout = 10"))
        with sqlite3.connect(path, isolation_level=None) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM visits").fetchone()
            former_id = await here.tables.forget(USER)
            assert not await here.store.privacy.wipe(USER, former_id)
            other.execute("COMMIT")
        other.close()
        assert leftovers(path, USER)
        await here.store.privacy.wipe_again()
        assert leftovers(path, USER) == []
        assert await here.store._read("SELECT 1 FROM meta WHERE key LIKE 'wipe%'") == []


async def test_a_wipe_does_not_release_sqlites_locks_on_the_file(path: Path) -> None:
    """If the wipe closed its own handle, SQLite's locks would be gone, and another process would delete the log."""
    async with world(path) as here:
        await leave_traces(here, USER)
        await here.store.privacy.wipe(USER, await here.tables.forget(USER))
        table = await here.lobby()
        visit = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM meta'); c.close()"
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", visit, str(path))
        assert await process.wait() == 0
        assert path.with_name(f"{path.name}-wal").exists()
        await here.tables.get(table.id)
    async with world(path) as here:
        assert (await here.tables.get(table.id)).id == table.id


async def test_old_database_copies_are_deleted(path: Path) -> None:
    async with world(path) as here:
        old, new = (path.with_name(f"{path.name}.schema-{version}.backup") for version in (1, 2))
        for copy in (old, new):
            copy.write_bytes(b"copy")
        other = path.with_name("notes.backup")
        other.write_bytes(b"mine")
        for file in (old, other):
            os.utime(file, (time.time() - 31 * 86_400,) * 2)
        assert await here.store.privacy.prune(30) == [old.name]
        assert (old.exists(), new.exists(), other.exists()) == (False, True, True)


async def test_each_deleted_table_is_returned_once_even_if_its_transaction_is_repeated(path: Path) -> None:
    def fail(_connection: sqlite3.Connection) -> None:
        raise ZeroDivisionError

    async with world(path) as here:
        for number in range(TABLES_PER_TRANSACTION + 1):
            await keep(here.store, play(f"gone{number}", 900, [HOST, GUEST, USER], Random(number), BEGIN))
        await here.store.bot_removed(900, BEGIN - 31 * DAY_MILLIS)
        clearing = asyncio.create_task(here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS))
        await asyncio.sleep(0)
        with pytest.raises(ZeroDivisionError):
            await here.store.work(fail)
        assert len(await clearing) == TABLES_PER_TRANSACTION


async def test_every_column_with_a_person_is_erased_and_exported(path: Path) -> None:
    """If a new table names people, handle it in `erasing` and `export`, then add it here."""
    async with world(path) as here:
        columns = await here.store._read(
            "SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns"
            " WHERE columns.name IN ('user', 'other', 'host', 'by_user', 'owner')"
        )
    known = {
        "seats",
        "visits",
        "outbox",
        "messages",
        "absent",
        "game_seats",
        "totals",
        "scores",
        "pairs",
        "house_log",
        "lessons",
        "guesses",
    }
    assert {table for table, _ in columns} <= known
