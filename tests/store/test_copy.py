"""`store copy`: everything arrives, in both directions, whatever interrupts it; nothing else is overwritten."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cli.main import main
from bot.exit_codes import DATABASE, WRONG_SETTINGS
from bot.host.commands import OutboxItem, OutboxKind
from bot.host.lessons import Progress as LessonProgress
from bot.host.model import UserId
from bot.host.ports import Message, Preferences
from bot.house_rules.repository import HouseLogRow
from bot.settings import Settings
from bot.store.faults import DatabaseRefused
from bot.store.transfer import shapes
from tests.host.evening import BEGIN
from tests.stats.evenings import HOUR, changes, keep, play
from tests.store.databases import Database, PostgresBase, SqliteFile

ROOT = Path(__file__).parents[2]
USERS = [UserId(10**17 + number) for number in range(5)]
KILLS = (
    *(("rows copied", 3), ("rows copied", 30), ("indexes built", 1)),
    *(("rows checked", 2), ("rows checked", 8)),
)
"""When the copying process is killed: in which phase, and after how many reports."""


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> SqliteFile:
    return SqliteFile(tmp_path / "coyote.sqlite3")


@pytest.fixture
async def server() -> AsyncIterator[PostgresBase]:
    made = PostgresBase(Path())
    await made.make()
    yield made
    await made.drop()


@pytest.fixture(params=["to postgres", "to sqlite"])
async def both(request: pytest.FixtureRequest, file: SqliteFile, server: PostgresBase) -> tuple[Database, Database]:
    return (file, server) if request.param == "to postgres" else (server, file)


async def fill(database: Database) -> None:
    """Write something into every table."""
    store = await database.open()
    for number in range(6):
        options = {"edition": ("feathers", "peek")[number % 2], "variant": True}
        match = play(f"t{number}", 7, USERS[:4], Random(number), BEGIN + number * HOUR, options=options)
        await keep(store, match)
    opened, _ = changes(play("open ✓", 7, USERS, Random(9), BEGIN + 9 * HOUR))
    await store.commit([opened._replace(outbox=(OutboxItem(OutboxKind.PING, USERS[0], {"prompt": 1}),))])
    await store.mark_done([], placed=[Message(opened.table.id, "dm", USERS[0], 5, 6, BEGIN, 7)])
    await store.save_preferences(USERS[0], Preferences(slow=2, pinged=False, language="de", text_only=True))
    await store.keep_lesson(USERS[1], "coyote", None, LessonProgress("bid", ()), 5)
    await store.keep_house(7, 1, '{"é": 1}', [HouseLogRow(7, BEGIN, USERS[0], "clock", None, '"off"')])
    await store.stats.close_season(7, BEGIN + 10 * HOUR)
    await store.stats.set_absent(7, USERS[3], BEGIN)
    await store.stats.set_opted_out(USERS[2], True)
    await store.bot_added([7, 8])
    await store.close()
    await database.execute("INSERT INTO meta (key, value) VALUES ('wipe:-5', '')")
    await database.execute("INSERT INTO guesses VALUES (1, 5, 3, 2)")


async def everything(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows, in a form that does not depend on the kind of database."""
    found = {}
    for shape in shapes():
        rows = await database.rows(shape.name, *shape.columns)
        if "figures" in shape.columns:
            place = shape.columns.index("figures")
            rows = [(*row[:place], sorted(eval(row[place]).items()), *row[place + 1 :]) for row in rows]  # noqa: S307
        found[shape.name] = sorted(([*map(_plain, row)] for row in rows), key=repr)
    found["meta"] = [row for row in found["meta"] if not str(row[0]).startswith(("schema", "wipe:"))]
    return found  # type: ignore[return-value]


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


async def copy(source: Database, target: Database, *more: str) -> int:
    """Run the command in this process."""
    return await asyncio.to_thread(main, ["store", "copy", source.address, target.address, *more])


async def test_everything_arrives(both: tuple[Database, Database], capsys: pytest.CaptureFixture[str]) -> None:
    source, target = both
    await fill(source)
    before = await everything(source)
    assert all(before.values()), "every table has rows"
    assert await copy(source, target) == 0
    assert await everything(target) == before
    assert await everything(source) == before
    out = capsys.readouterr().out
    total = sum(map(len, before.values()))
    assert f"Copied and checked: {total:,} rows" in out
    assert {line.split()[0] for line in out.splitlines()[:-2]} == {shape.name for shape in shapes()}


async def test_the_copy_plays_on(both: tuple[Database, Database]) -> None:
    source, target = both
    await fill(source)
    assert await copy(source, target) == 0
    store = await target.open(BEGIN + 20 * HOUR)
    tables = [table async for table in _tables_of(target)]
    await keep(store, play("later", 7, USERS[:3], Random(77), BEGIN + 11 * HOUR))
    assert (await store.stats.history(7)).lines[0].table == "later"
    await store.close()
    assert [table async for table in _tables_of(target)] == [*tables, "later"]
    assert await target.rebuild() == 7


async def _tables_of(database: Database) -> AsyncIterator[str]:
    order = "nth" if isinstance(database, PostgresBase) else "rowid"
    for _, name in sorted(await database.rows("tables", order, "id")):
        yield name


async def test_both_schemas_are_whole_again(file: SqliteFile, server: PostgresBase) -> None:
    indexes = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
    references = "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' ORDER BY 1"
    wanted = [await server._look(indexes), await server._look(references)]
    await fill(file)
    in_file = file._look("SELECT name, sql FROM sqlite_schema ORDER BY 1, 2")
    assert await copy(file, server) == 0
    assert [await server._look(indexes), await server._look(references)] == wanted
    again = SqliteFile(file.path.with_name("again.sqlite3"))
    assert await copy(server, again) == 0
    assert again._look("SELECT name, sql FROM sqlite_schema ORDER BY 1, 2") == in_file
    assert await everything(again) == await everything(file)
    assert again.path.stat().st_mode & 0o077 == 0


async def test_a_copy_that_is_killed_goes_on(both: tuple[Database, Database]) -> None:
    source, target = both
    await fill(source)
    before = await everything(source)
    total = sum(map(len, before.values()))
    for number, (phase, lines) in enumerate(KILLS):
        async with copying(source, target) as process:
            left = await read(process, phase, lines)
            assert left <= total if number == 0 or phase != "rows copied" else left < total, "it began again"
            process.kill()
        with pytest.raises(DatabaseRefused, match=r"unfinished copy|does not exist"):
            await open_as_a_bot(target)
    async with copying(source, target) as process:
        assert process.stdout is not None
        printed = (await process.stdout.read()).decode().splitlines()
    assert sum(int(line.split()[2]) for line in printed if line.startswith("= ")) == total
    assert not [line for line in printed if line.startswith("rows copied")]
    assert await everything(target) == before


@asynccontextmanager
async def copying(source: Database, target: Database) -> AsyncIterator[asyncio.subprocess.Process]:
    """Copy in another process, in very small chunks."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.store.copying_process", source.address, target.address),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield process
    await process.wait()


async def read(process: asyncio.subprocess.Process, phase: str, lines: int) -> int:
    """Read until that many lines of a phase are printed; return how much there is to do in that phase."""
    assert process.stdout is not None
    async for line in process.stdout:
        if line.decode().startswith(phase):
            lines -= 1
            if not lines:
                return int(line.split()[-1])
    raise AssertionError(f"it ended before {phase}")


async def open_as_a_bot(target: Database) -> None:
    if isinstance(target, SqliteFile) and not target.path.exists():
        raise DatabaseRefused("the file does not exist yet")
    await (await target.open()).close()


async def test_a_source_that_was_used_in_between_is_not_mixed(
    file: SqliteFile, server: PostgresBase, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(file)
    await begin(file, server)
    store = await file.open(BEGIN + 30 * HOUR)
    await keep(store, play("more", 7, USERS[:3], Random(7), BEGIN + 11 * HOUR))
    await store.close()
    assert await copy(file, server) == DATABASE
    error = capsys.readouterr().err
    assert "--start-over" in error
    assert error.count("\n") == 1
    assert await copy(file, server, "--start-over") == 0
    assert await everything(server) == await everything(file)


async def test_an_unfinished_file_can_be_started_over(file: SqliteFile, server: PostgresBase) -> None:
    await fill(server)
    await begin(server, file)
    assert await copy(server, file) == DATABASE, "another chunk size gives other checksums"
    assert await copy(server, file, "--start-over") == 0
    assert await everything(file) == await everything(server)
    assert [each.name for each in file.path.parent.glob("*.copying*")] == []


async def begin(source: Database, target: Database) -> None:
    """Begin a copy, and kill it when some rows are written."""
    async with copying(source, target) as process:
        await read(process, "rows copied", 8)
        process.kill()


async def test_a_copy_that_differs_is_noticed(file: SqliteFile, server: PostgresBase) -> None:
    await fill(file)
    await begin(file, server)
    await server.execute("UPDATE tables SET document = document || ' ' WHERE id = 't1'")
    async with copying(file, server) as process:
        _, error = await process.communicate()
    assert process.returncode
    assert b"no faithful copy: tables has other rows" in error
    with pytest.raises(DatabaseRefused, match="unfinished copy"):
        await server.open()


async def test_nothing_is_overwritten(both: tuple[Database, Database], capsys: pytest.CaptureFixture[str]) -> None:
    source, target = both
    await fill(source)
    await (await target.open()).close()
    there = await everything(target)
    for more in ((), ("--start-over",)):
        assert await copy(source, target, *more) == DATABASE
        error = capsys.readouterr().err
        assert "is not empty" in error
        assert error.count("\n") == 1
    assert await everything(target) == there


async def test_a_running_bot_is_noticed_on_either_side(
    file: SqliteFile, server: PostgresBase, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(file)
    for database in (file, server):
        store = await database.open()
        assert await copy(file, server) == DATABASE
        error = capsys.readouterr().err
        assert "in use by another process" in error
        assert error.count("\n") == 1
        await store.close()


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["sqlite", "postgres"], WRONG_SETTINGS, "DATABASE_URL is not set"),
        (["a.sqlite3", "b.sqlite3"], WRONG_SETTINGS, "use python -m bot backup"),
        (["postgresql://a/b", "postgresql://a/c"], WRONG_SETTINGS, "use pg_dump"),
        (["nowhere.sqlite3", "postgresql://bot:s3cret@127.0.0.1:1/c"], DATABASE, "nowhere.sqlite3 does not exist"),
        (["postgresql://bot:s3cret@127.0.0.1:1/c", "new.sqlite3"], DATABASE, "c on 127.0.0.1:1 cannot be used"),
        (["sqlite"], WRONG_SETTINGS, "TO"),
    ],
)
def test_a_mistake_is_one_line_without_a_password(
    arguments: list[str], code: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(["store", "copy", *arguments])
    except SystemExit as end:
        found = int(end.code or 0)
    error = capsys.readouterr().err
    assert (found, error.count("\n")) == (code, 1), error
    assert expected in error
    assert "s3cret" not in error


async def test_something_else_is_not_copied(
    file: SqliteFile, server: PostgresBase, capsys: pytest.CaptureFixture[str]
) -> None:
    file.path.write_text("not a database at all")
    assert await copy(file, server) == DATABASE
    assert capsys.readouterr().err.count("\n") == 1
    assert await copy(SqliteFile(file.path.with_name("x.sqlite3")), server) == DATABASE
    assert "does not exist" in capsys.readouterr().err
