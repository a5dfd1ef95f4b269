"""What changes for the host if other processes change tables, too, and look after some of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from bot.engine.core import Rejected
from bot.host.commands import HostReason, Join, Leave
from bot.host.model import TableId
from bot.host.ports import StoredTable
from bot.host.scheduler import Scheduler
from bot.host.tables import Tables
from tests.host.world import GUEST, THIRD, World, bid, settle, world


class Some:
    """The duties of a process that looks after some tables."""

    def __init__(self, *tables: TableId) -> None:
        self.held = set(tables)
        self.wanted: list[TableId] = []

    def holds(self, table: TableId) -> bool:
        return table in self.held

    def want(self, table: TableId) -> None:
        self.wanted.append(table)

    def wrote_late(self, table: TableId) -> None:
        raise AssertionError("the host sends nothing")


def second(here: World, duties: Some) -> Tables:
    """Return the tables of another process on the same database."""
    return Tables(here.store, here.publisher, here.clock, Random(5), duties=duties)


async def test_only_who_looks_after_a_table_trusts_their_memory(tmp_path: Path) -> None:
    async with world(tmp_path / "db") as here:
        table = await here.lobby()
        duties = Some()
        other = second(here, duties)
        assert await other.get(table.id) == table
        joined = await here.tables.submit(table.id, Join(GUEST, "guest"))
        assert await other.get(table.id) == joined
        duties.held.add(table.id)
        left = await here.tables.submit(table.id, Leave(GUEST))
        assert await other.get(table.id) == joined  # until it is told, which takes a moment
        other.changed_elsewhere([table.id])
        assert await other.get(table.id) == left
        assert other.is_behind(table.id, left.seq + 1)
        assert not other.is_behind(table.id, left.seq)


async def test_a_refusal_from_an_old_state_is_judged_again(tmp_path: Path) -> None:
    async with world(tmp_path / "db") as here:
        table = await here.lobby()
        other = second(here, Some(table.id))
        await other.get(table.id)
        await here.tables.submit(table.id, Join(GUEST, "guest"))
        with pytest.raises(Rejected) as refused:
            await other.submit(table.id, Join(GUEST, "guest"))
        assert refused.value.reason is HostReason.ALREADY_SEATED
        after = await other.submit(table.id, Leave(GUEST))
        assert after.seat_of(GUEST) is None


async def test_a_table_read_just_before_a_change_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(tmp_path / "db") as here:
        table = await here.lobby()
        other = second(here, Some(table.id))
        load = here.store.load
        reading, go_on = asyncio.Event(), asyncio.Event()

        async def slow(wanted: TableId) -> StoredTable | None:
            found = await load(wanted)
            reading.set()
            await go_on.wait()
            return found

        monkeypatch.setattr(here.store, "load", slow)
        getting = asyncio.create_task(other.get(table.id))
        await reading.wait()
        joined = await here.tables.submit(table.id, Join(THIRD, "third"))
        other.changed_elsewhere()
        go_on.set()
        assert await getting == joined


async def test_clocks_of_other_tables_are_left_alone(tmp_path: Path) -> None:
    async with world(tmp_path / "db") as here:
        mine, theirs = await here.started(2), await here.started(3)
        duties = Some(mine.id)
        tables = second(here, duties)
        scheduler = Scheduler(tables, here.store, here.clock, duties=duties)
        await scheduler.start()
        here.clock.move(3 * 24 * 3600 * 1000)
        await settle()
        await scheduler.stop()
        assert (await tables.get(mine.id)).seq > mine.seq
        assert (await tables.get(theirs.id)).seq == theirs.seq
        assert theirs.id in duties.wanted


async def test_a_step_of_another_process_is_never_overwritten(tmp_path: Path) -> None:
    async with world(tmp_path / "db") as here:
        table = await here.started()
        other = second(here, Some(table.id))
        await other.get(table.id)
        after = await here.tables.submit(table.id, bid(table, 3), interaction_id=1)
        assert await other.submit(table.id, bid(table, 3), interaction_id=1) == after  # the same press, delivered twice
        with pytest.raises(Rejected):
            await other.submit(table.id, bid(table, 4), interaction_id=2)
        assert (await other.get(table.id)).seq == after.seq
