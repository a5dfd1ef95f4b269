"""The schema of PostgreSQL, compared with SQLite's."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.findings import Level
from bot.store.faults import DatabaseRefused
from bot.store.postgres import store as stores
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.schema import MIGRATIONS, migrate
from bot.store.postgres.store import PostgresStore
from bot.store.scripts import FOLDER, scripts
from tests.host.evening import BEGIN
from tests.store.databases import PostgresBase
from tests.store.postgres.server import connect, drop_database, new_empty_database

OURS = {("tables", "nth"), *[(table, "*") for table in PostgresBase._OURS]}
"""Columns and tables that only PostgreSQL has."""


@pytest.fixture
async def empty() -> AsyncIterator[str]:
    made = await new_empty_database()
    yield made
    await drop_database(made)


def test_both_lists_of_migrations_agree() -> None:
    assert [script[:2] for script in scripts(MIGRATIONS)] == [script[:2] for script in scripts(FOLDER)]


async def test_both_schemas_have_the_same_columns(address: str) -> None:
    lite = sqlite3.connect(":memory:")
    for script in scripts(FOLDER):
        lite.executescript(script.sql)
    names = [name for (name,) in lite.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    wanted = {
        (table, PostgresBase._NAMES.get(column, column))
        for table in names
        for _, column, *_ in lite.execute(f"PRAGMA table_info({table})")
    }
    connection = await connect(address)
    found = await connection.fetch(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    )
    await connection.close()
    assert {(table, column) for table, column in found if (table, "*") not in OURS} - OURS == wanted


async def test_processes_that_start_together_migrate_once(empty: str) -> None:
    connections = [await connect(empty) for _ in range(4)]
    await asyncio.gather(*map(migrate, connections))
    for connection in connections:
        await connection.close()
    await (await PostgresStore.open(empty, BEGIN)).close()


@pytest.mark.parametrize("members", [(None, None), ("a", None), ("a", "b"), (None, "b")])
async def test_nobody_changes_the_schema_beneath_a_bot_that_runs(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: tuple[str | None, str | None]
) -> None:
    monkeypatch.setattr(stores, "PREVIOUS_OWNER_SECONDS", 0.3)
    newer = PostgresBase(tmp_path, address)._with("CREATE TABLE later (a integer);")
    running, starting = members
    store = await PostgresStore.open(address, BEGIN, member=running)
    with pytest.raises(DatabaseRefused) as refused:
        await PostgresStore.open(address, BEGIN, member=starting, migrations=newer)
    assert "\n" not in str(refused.value)
    assert await store.meta("schema") == str(len(scripts(MIGRATIONS)))
    assert await store.fetch("SELECT to_regclass('later')::text") == [(None,)]
    await store.close()


async def test_of_many_processes_that_start_with_a_newer_version_one_changes_the_schema(
    address: str, tmp_path: Path
) -> None:
    newer = PostgresBase(tmp_path, address)._with("CREATE TABLE later AS SELECT pg_sleep(0.5) IS NULL AS a;")
    started = await asyncio.gather(
        *[PostgresStore.open(address, BEGIN, member=f"m{number}", migrations=newer) for number in range(4)]
    )
    assert await started[0].meta("schema") == str(len(scripts(newer)))
    with pytest.raises(DatabaseRefused, match="update the bot"):
        await PostgresStore.open(address, BEGIN, member="old")
    late = await PostgresStore.open(address, BEGIN, member="late", migrations=newer)
    for store in (*started, late):
        await store.close()


async def test_a_long_change_of_the_schema_is_waited_for(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "PREVIOUS_OWNER_SECONDS", 0.3)
    newer = PostgresBase(tmp_path, address)._with("CREATE TABLE later AS SELECT pg_sleep(1.5) IS NULL AS a;")
    first, second = await asyncio.gather(
        *[PostgresStore.open(address, BEGIN, member=name, migrations=newer) for name in "ab"]
    )
    await first.close()
    await second.close()


async def test_a_database_of_something_else_is_refused(empty: str) -> None:
    connection = await connect(empty)
    await connection.execute("CREATE TABLE theirs (a integer)")
    await connection.close()
    with pytest.raises(DatabaseRefused, match="something other") as refused:
        await PostgresStore.open(empty, BEGIN)
    assert "\n" not in str(refused.value)


async def test_a_server_that_is_not_there_is_refused_without_the_password() -> None:
    url = "postgresql://bot:s3cret@127.0.0.1:1/coyote"
    with pytest.raises(DatabaseRefused) as refused:
        await PostgresStore.open(url, BEGIN)
    findings = await asyncio.to_thread(lambda: list(PostgresDatabase(url).examine()))
    assert [finding.level for finding in findings] == [Level.BAD]
    assert "s3cret" not in f"{refused.value}{findings}"
    assert "\n" not in str(refused.value)


async def test_a_server_of_another_kind_is_refused(address: str) -> None:
    asked = f"{address}{'&' if '?' in address else '?'}target_session_attrs=standby"
    with pytest.raises(DatabaseRefused, match="no server that the address names") as refused:
        await PostgresStore.open(asked, BEGIN)
    assert "\n" not in str(refused.value)


async def test_the_doctor_finds_a_database_in_good_health(address: str) -> None:
    findings = {
        finding.check: finding for finding in await asyncio.to_thread(list, PostgresDatabase(address).examine())
    }
    assert findings["PostgreSQL"].level is Level.GOOD
    assert f"schema {len(scripts(MIGRATIONS))}, 0 finished games" in findings["database"].says
