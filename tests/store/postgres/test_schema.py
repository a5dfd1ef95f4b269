"""The schema of PostgreSQL, compared with SQLite's."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest

from bot.findings import Level
from bot.store.faults import DatabaseRefused
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


async def test_the_doctor_finds_a_database_in_good_health(address: str) -> None:
    findings = {
        finding.check: finding for finding in await asyncio.to_thread(list, PostgresDatabase(address).examine())
    }
    assert findings["PostgreSQL"].level is Level.GOOD
    assert f"schema {len(scripts(MIGRATIONS))}, 0 finished games" in findings["database"].says
