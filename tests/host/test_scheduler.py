from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from bot.host.commands import Stop, Tick
from bot.host.deadlines import GRACE_MILLIS
from bot.host.model import House, Stage, TableId
from bot.host.ports import Fault, StoreFault
from bot.host.steady_clock import SteadyClock
from bot.host.timers import Timers
from tests.host.evening import BEGIN
from tests.host.world import HOST, bid, settle, world


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


def test_a_busy_table_has_one_entry() -> None:
    timers, table = Timers(), TableId("a")
    for due in range(100, 200):
        timers.note(table, due)
    assert timers.next() == 100
    assert timers.take(150) == []
    assert timers.next() == 199
    assert timers.take(199) == [table]
    assert timers.next() is None
    timers.note(table, 300)
    timers.note(table, 250)
    assert timers.take(260) == [table]
    assert timers.take(400) == []
    timers.note(table, 500)
    timers.note(table, None)
    assert timers.take(600) == []


async def test_turns_end_at_their_deadlines(path: Path) -> None:
    async with world(path) as here:
        await here.scheduler.start()
        table = await here.started(house=House(turn_seconds=60))
        here.clock.move(59_999)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq
        here.clock.move(1)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq + 1
        await here.scheduler.stop()


async def test_deadlines_survive_a_restart_with_the_time_that_was_left(path: Path) -> None:
    async with world(path) as here:
        await here.scheduler.start()
        table = await here.started(house=House(turn_seconds=60))
        here.clock.move(20_000)
        await settle()
        await here.scheduler.stop()
    night = 8 * 3_600_000
    async with world(path, BEGIN + 20_000 + night) as here:
        assert here.store.downtime == night
        await here.scheduler.start()
        await settle()
        loaded = await here.tables.get(table.id)
        assert loaded.seq == table.seq, "no turn ends because the bot was down"
        assert loaded.deadlines[0].due == here.clock.now() + 40_000 + GRACE_MILLIS
        here.clock.move(40_000 + GRACE_MILLIS - 1)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq
        here.clock.move(1)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq + 1
        await here.scheduler.stop()
    async with world(path, BEGIN - 3_600_000) as here:  # the system clock was set back
        await here.scheduler.start()
        again = await here.tables.get(table.id)
        assert again.deadlines[0].due == here.clock.now() + 60_000 + GRACE_MILLIS
        assert dict(await here.store.due())[table.id] == again.deadlines[0].due
        after = await here.tables.submit(table.id, bid(again, 500))
        assert after.deadlines[0].due == here.clock.now() + 60_000
        await here.scheduler.stop()


async def test_a_crash_may_give_players_time_but_never_takes_any(path: Path) -> None:
    async with world(path) as here:
        await here.scheduler.start()
        table = await here.started(house=House(turn_seconds=60))
        here.clock.move(3_000)  # the crash comes less than a heartbeat later
        await settle()
        here.scheduler._task.cancel()  # type: ignore[union-attr]
    async with world(path, BEGIN + 100_000) as here:
        left = (await here.tables.get(table.id)).deadlines[0].due - here.clock.now()
        assert 57_000 <= left <= 60_000 + GRACE_MILLIS


async def test_a_table_that_fails_does_not_stop_the_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(path) as here:
        broken, well = await here.started(channel=2), await here.started(channel=3)
        submit = here.tables.submit
        failures = [RuntimeError("a bug"), StoreFault(Fault.BUSY, "wait")]

        async def sometimes(table_id: TableId, command: Tick) -> object:
            if table_id == broken.id and failures:
                raise failures.pop()
            return await submit(table_id, command)

        monkeypatch.setattr(here.tables, "submit", sometimes)
        await here.scheduler.start()
        here.clock.move(90_000)
        await settle()
        assert (await here.tables.get(well.id)).seq == well.seq + 1
        assert (await here.tables.get(broken.id)).seq == broken.seq
        here.clock.move(2_000)
        await settle()
        here.clock.move(120_000)
        await settle()
        assert not failures
        assert (await here.tables.get(broken.id)).seq > broken.seq
        await here.scheduler.stop()


async def test_an_ended_table_is_left_alone(path: Path) -> None:
    async with world(path) as here:
        await here.scheduler.start()
        table = await here.started()
        ended = await here.tables.submit(table.id, Stop(HOST))
        here.clock.move(10**8)
        await settle()
        assert await here.tables.get(table.id) is ended
        assert ended.stage is Stage.CLOSED
        await here.scheduler.stop()


async def test_setting_the_machines_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SteadyClock()
    before, real = clock.now(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 3_600 * 10**9)
    assert 0 <= clock.now() - before < 1_000
    due = clock.now() + 41_000
    shown = clock.shown(due) - time.time_ns() // 1_000_000
    assert 40_000 < shown <= 41_000, "the displayed time follows the machine's clock"


async def test_a_scaled_clock_runs_faster_and_shows_real_times() -> None:
    clock = SteadyClock(scale=100)
    begin, started = clock.now(), time.monotonic()
    await clock.wait(begin + 5_000, asyncio.Event())
    assert clock.now() >= begin + 5_000
    assert time.monotonic() - started < 2
    assert 80 <= clock.shown(clock.now() + 10_000) - time.time_ns() // 1_000_000 <= 101
    woken = asyncio.Event()
    woken.set()
    await clock.wait(None, woken)
