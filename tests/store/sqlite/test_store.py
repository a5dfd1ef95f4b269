from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.host.ports import Duplicate, Fault, StoreFault
from bot.store.faults import DatabaseRefused
from bot.store.sqlite.faults import translate
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import bid, world

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "coyote.sqlite3"


def look(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Read the file through a separate connection."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


async def test_the_file_is_safe_against_a_power_cut(path: Path) -> None:
    async with world(path) as here:
        pragmas = ("journal_mode", "synchronous", "foreign_keys")
        found = await here.store._writing.run(
            lambda connection: [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
        )
        assert found == ["wal", 2, 1]
        strict = await here.store._read("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0")
        assert [name for (name,) in strict if not name.startswith("sqlite_")] == []


async def test_one_action_is_one_transaction(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        commits = here.store.counters.commits
        after = await here.tables.submit(table.id, bid(table, 5), interaction_id=77)
        assert here.store.counters.commits == commits + 1
        (row,) = look(path, "SELECT seq, next_due, stage FROM tables")
        assert row == (after.seq, after.deadlines[0].due, "playing")
        logged = look(path, "SELECT part, at, actor, thought, interaction_id FROM actions ORDER BY seq DESC LIMIT 1")
        assert logged == [(0, BEGIN, "user", 0, 77)]


async def test_a_second_owner_is_refused_in_one_line(path: Path) -> None:
    async with world(path) as here:
        await here.lobby()
        with pytest.raises(DatabaseRefused, match="is in use by another process") as refusal:
            await SqliteStore.open(path, BEGIN)
        assert "\n" not in str(refusal.value)
        script = (
            "import asyncio, sys; from pathlib import Path; from bot.store.sqlite.store import SqliteStore;"
            "from bot.exit_codes import DATABASE\n"
            "from bot.store.faults import DatabaseRefused\n"
            "try: asyncio.run(SqliteStore.open(Path(sys.argv[1]), 0))\n"
            "except DatabaseRefused as refusal: print(refusal); sys.exit(DATABASE)"
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, str(path), cwd=ROOT, stdout=subprocess.PIPE
        )
        said, _ = await process.communicate()
        assert process.returncode == 3
        assert said.decode().count("\n") == 1
    async with world(path) as here:
        assert await here.tables.at(2) is not None


async def test_a_second_owner_is_refused_through_a_link_too(path: Path, tmp_path: Path) -> None:
    async with world(path) as here:
        await here.lobby()
        link = tmp_path / "link.sqlite3"
        link.symlink_to(path)
        with pytest.raises(DatabaseRefused, match="is in use by another process"):
            await SqliteStore.open(link, BEGIN)
    async with world(link) as here:
        table = await here.started(channel=3)
        assert here.store._wiper._log.exists(), "it finds the log of the linked file"
        assert table.is_open


async def test_a_full_disk_is_a_clear_refusal_and_leaves_nothing_half_done(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        pages = await here.store._writing.run(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
        await here.store._writing.run(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}"))

        async def bid_on() -> None:
            for number in range(-500, 500):
                await here.tables.submit(table.id, bid(await here.tables.get(table.id), number))

        with pytest.raises(StoreFault) as fault:
            await bid_on()
        assert fault.value.fault is Fault.FULL
        before = await here.tables.get(table.id)
        assert before.seq > table.seq
        assert look(path, "SELECT max(seq) FROM actions") == [(before.seq,)]
        together = await asyncio.gather(
            *[here.store.set_meta(f"{n}", "x" * 4000) for n in range(20)], return_exceptions=True
        )
        assert {type(answer) for answer in together} == {StoreFault}
        await here.store._writing.run(lambda connection: connection.execute("PRAGMA max_page_count = 1000000"))
        assert (await here.tables.submit(table.id, bid(before, 900))).seq == before.seq + 1


async def test_a_busy_database_is_a_clear_refusal(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        await here.store._writing.run(lambda connection: connection.execute("PRAGMA busy_timeout = 10"))
        with sqlite3.connect(path, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreFault) as fault:
                await here.tables.submit(table.id, bid(table, 5))
            assert fault.value.fault is Fault.BUSY
            other.execute("ROLLBACK")
        other.close()
        assert (await here.tables.submit(table.id, bid(table, 5))).seq == table.seq + 1


async def test_a_database_that_turned_read_only_is_a_clear_refusal(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        await here.store._writing.run(lambda connection: connection.execute("PRAGMA query_only = ON"))
        with pytest.raises(StoreFault) as fault:
            await here.tables.submit(table.id, bid(table, 5))
        assert fault.value.fault is Fault.READ_ONLY
        assert await here.tables.get(table.id) is table


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
async def test_a_read_only_folder_is_refused_in_one_line(path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o500)
    with pytest.raises(DatabaseRefused):
        await SqliteStore.open(path, BEGIN)


def test_a_file_that_is_something_else_is_refused(path: Path) -> None:
    content = b"this is not a database, but long enough to be examined" * 20
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(DatabaseRefused, match="cannot be used"):
        asyncio.run(SqliteStore.open(path, BEGIN))
    assert path.read_bytes() == content


async def test_a_database_of_another_program_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (a)")
    other.close()
    with pytest.raises(DatabaseRefused, match="holds something other"):
        await SqliteStore.open(path, BEGIN)


async def test_a_folder_that_cannot_be_created_is_refused(path: Path) -> None:
    path.parent.write_text("a file where the folder belongs")
    with pytest.raises(DatabaseRefused, match="cannot be made"):
        await SqliteStore.open(path, BEGIN)


def test_sqlites_errors_are_recognised() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE actions (interaction_id UNIQUE, other UNIQUE); INSERT INTO actions VALUES (1, 1)"
    )
    with pytest.raises(sqlite3.IntegrityError) as twice:
        connection.execute("INSERT INTO actions VALUES (1, 2)")
    assert isinstance(translate(twice.value), Duplicate)
    with pytest.raises(sqlite3.IntegrityError) as other:
        connection.execute("INSERT INTO actions VALUES (2, 1)")
    assert translate(other.value) is other.value
    with pytest.raises(sqlite3.OperationalError) as ours:
        connection.execute("SELECT nonsense")
    assert translate(ours.value) is ours.value
    connection.close()
