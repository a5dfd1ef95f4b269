"""Opening, migrating and closing a database."""

from __future__ import annotations

import pytest

from bot.host.commands import Join
from bot.host.ports import Fault, StoreFault
from bot.store.faults import DatabaseRefused
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST
from tests.store.contract.test_exactly_once import opened
from tests.store.databases import Database, host_on

LATER = "ALTER TABLE users ADD COLUMN colour TEXT;"
BROKEN = "CREATE TABLE halfway (a INTEGER); SELECT nonsense;"


async def schema(database: Database) -> dict[str, int]:
    """Return all tables, with the number of their rows."""
    return {table: len(await database.rows(table)) for table in await database.tables()}


async def test_opening_again_changes_nothing(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
    before = await schema(database)
    async with host_on(database) as here:
        assert (await here.tables.get(table.id)).match == table.match
    assert await schema(database) == before


async def test_a_later_version_migrates_and_keeps_everything(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
    before = await schema(database)
    later = await database.open(later=LATER)
    loaded = await later.load(table.id)
    await later.close()
    assert loaded is not None
    assert loaded.table.match == table.match
    assert await schema(database) == before
    assert await database.rows("users", "id", "colour") == []


async def test_a_newer_schema_is_refused_in_one_line_and_left_alone(database: Database) -> None:
    await (await database.open(later=LATER)).close()
    before = await schema(database)
    with pytest.raises(DatabaseRefused, match="update the bot") as refusal:
        await database.open()
    assert "\n" not in str(refusal.value)
    assert await schema(database) == before
    await (await database.open(later=LATER)).close()


async def test_a_migration_that_fails_leaves_everything_as_it_was(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.lobby()
    before = await schema(database)
    with pytest.raises(DatabaseRefused, match="could not be brought to schema") as refusal:
        await database.open(later=BROKEN)
    assert "\n" not in str(refusal.value)
    assert await schema(database) == before
    async with host_on(database) as here:
        assert (await here.tables.get(table.id)).seq == table.seq


async def test_a_closed_store_refuses(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.lobby()
    late = (
        here.tables.submit(table.id, Join(GUEST, "late")),
        here.store.outbox(table.id),
        here.store.stats.history(1),
        here.store.privacy.knows(GUEST),
        here.store.load_now(),
        here.store.set_meta("late", ""),
    )
    for each in late:
        with pytest.raises(StoreFault) as fault:
            await each
        assert fault.value.fault is Fault.CLOSED
    here.store.note_refused(5)  # nobody waits for it, so nobody is told
    await here.store.close()


async def test_waiting_writes_are_written_before_closing(store: Store, database: Database) -> None:
    waiting = [store.commit([opened(f"t{number}", number)]) for number in range(50)]
    await store.close()
    assert all(answer.done() and answer.exception() is None for answer in waiting)
    again = await database.open(BEGIN)
    assert len(await again.open_in(1)) == 50
    await again.close()


async def test_a_damaged_table_is_refused_without_revealing_its_content(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
    damage = """replace(document, '"asked":', '"asked":"the 20","was":')"""
    await database.execute(f"UPDATE tables SET document = {damage}")  # noqa: S608
    async with host_on(database) as here:
        with pytest.raises(StoreFault) as refused:
            await here.store.load(table.id)
        assert str(refused.value) == f"the database is broken: table {table.id} is damaged at step {table.seq}"
        assert refused.value.__suppress_context__
