"""Clocks stop while a shard is lost, and resume with the time that was left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from bot.discord_ui.gateway.outages import SHORT_LOSS_MILLIS, Outages
from bot.host.commands import Join, Start
from bot.host.deadlines import GRACE_MILLIS
from bot.host.model import House, Table, TableId, UserId
from bot.host.ports import Fault, StoreFault
from tests.host.world import GUEST, HOST, THIRD, FileWorld, World, bid, settle, world

TURN = 60_000
HOUSE = House(turn_seconds=60)
HERE, THERE = 4 << 22, 5 << 22
"""Ids of a guild on shard 0 and one on shard 1."""


class FakeConnections:
    """Fake shard connections; `silent` has each shard's seconds of silence, or None if it is cut."""

    def __init__(self) -> None:
        self.silent: list[float | None] = [0.0, 0.0]

    @property
    def count(self) -> int:
        return len(self.silent)

    @property
    def ids(self) -> range:
        return range(self.count)

    def silence(self, shard: int) -> float | None:
        return self.silent[shard]


class FakeRedraws:
    """Records the requests to redraw tables."""

    def __init__(self) -> None:
        self.requested: list[tuple[set[TableId], int]] = []

    async def refresh(self, only: Collection[TableId], absent: int) -> None:
        self.requested.append((set(only), absent))


class Scene:
    """The host with two connected shards; a test calls `outages.check` itself."""

    def __init__(self, here: FileWorld) -> None:
        self.world = here
        self.clock = here.clock
        self.connections = FakeConnections()
        self.redraws = FakeRedraws()
        self.outages = Outages(self.connections, here.tables, here.store, cast(Any, self.redraws), clock=here.clock)
        for shard in range(2):
            self.outages.shard_connected(shard)
        assert self.outages.last_reachable() == here.clock.now()
        here.scheduler.set_outages(self.outages)
        self._channel = 100

    async def table(self, guild: int = HERE, house: House = HOUSE) -> Table:
        """Start a game in a guild."""
        self._channel += 1
        table = await self.world.tables.open(guild, self._channel, Join(HOST, "host"), game="coyote", house=house)
        for user in (GUEST, THIRD):
            await self.world.tables.submit(table.id, Join(UserId(user), "guest"))
        return await self.world.tables.submit(table.id, Start(HOST))

    async def passes(self, milliseconds: int) -> None:
        """Let time pass; check the connections before and after."""
        await self.outages.check()
        self.clock.move(milliseconds)
        await settle()
        await self.outages.check()
        await settle()

    async def seq(self, table: Table) -> int:
        return (await self.world.tables.get(table.id)).seq

    async def left(self, table: Table) -> int:
        """Return the milliseconds left on the only clock."""
        return (await self.world.tables.get(table.id)).deadlines[0].due - self.clock.now()

    def back(self, shard: int = 0) -> None:
        """Reconnect a shard, and report its session as ready."""
        self.connections.silent[shard] = 0.0
        self.outages.shard_connected(shard)


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with world(tmp_path / "coyote.sqlite3") as here:
        await here.scheduler.start()
        scene = Scene(here)
        await scene.outages.check()
        yield scene
        await here.scheduler.stop()


async def test_clocks_resume_with_the_time_left_and_a_grace_period(scene: Scene) -> None:
    near, far = await scene.table(), await scene.table(house=House(turn_seconds=3600))
    await scene.passes(20_000)
    scene.connections.silent[0] = None
    await scene.passes(10 * TURN)
    assert (await scene.seq(near), await scene.seq(far)) == (near.seq, far.seq), "nothing is written meanwhile"
    scene.back()
    await scene.passes(0)
    assert await scene.left(near) == TURN - 20_000 + GRACE_MILLIS
    assert await scene.left(far) == 60 * TURN - 20_000 + GRACE_MILLIS, "tables where nothing fell due gain the time too"
    assert scene.redraws.requested == [({near.id, far.id}, 10 * TURN)]
    await scene.passes(TURN - 20_000 + GRACE_MILLIS - 1)
    assert await scene.seq(near) == near.seq + 1
    await scene.passes(1)
    assert await scene.seq(near) == near.seq + 2, "and then the clock goes on"


async def test_a_connection_counts_as_back_only_once_its_session_is_ready(scene: Scene) -> None:
    table = await scene.table()
    scene.connections.silent[0] = None
    await scene.passes(2 * TURN)
    scene.connections.silent[0] = 0.0
    await scene.passes(2 * TURN)
    assert await scene.seq(table) == table.seq
    scene.back()
    await scene.passes(0)
    assert await scene.left(table) == TURN + GRACE_MILLIS
    assert len(scene.redraws.requested) == 1


async def test_a_short_loss_costs_nobody_a_turn_and_goes_unnoticed(scene: Scene) -> None:
    due, later = await scene.table(), await scene.table(house=House(turn_seconds=120))
    await scene.passes(TURN - 1000)
    scene.connections.silent[0] = None
    await scene.passes(SHORT_LOSS_MILLIS - 1)
    scene.back()
    await scene.passes(GRACE_MILLIS - 1)
    assert (await scene.seq(due), await scene.seq(later)) == (due.seq, later.seq)
    assert scene.redraws.requested == []
    await scene.passes(1)
    assert (await scene.seq(due), await scene.seq(later)) == (due.seq + 1, later.seq)


async def test_a_press_after_a_short_loss_is_in_time(scene: Scene) -> None:
    table = await scene.table()
    await scene.passes(TURN - 1000)
    scene.connections.silent[0] = None
    await scene.passes(SHORT_LOSS_MILLIS - 1)
    scene.back()
    await scene.passes(GRACE_MILLIS - 1)
    moved = await scene.world.tables.submit(table.id, bid(table, 5))
    await scene.passes(TURN - 1)
    assert await scene.seq(table) == moved.seq


async def test_other_shards_go_on(scene: Scene) -> None:
    here, there = await scene.table(HERE), await scene.table(THERE)
    scene.connections.silent[0] = None
    await scene.passes(TURN)
    assert (await scene.seq(here), await scene.seq(there)) == (here.seq, there.seq + 1)
    left = await scene.left(there)
    scene.back()
    await scene.passes(0)
    assert await scene.left(here) == TURN + GRACE_MILLIS
    assert await scene.left(there) == left
    assert scene.redraws.requested == [({here.id}, TURN)]


async def test_a_silent_connection_counts_as_lost_since_it_was_last_heard(scene: Scene) -> None:
    table = await scene.table()
    await scene.passes(30_000)
    scene.connections.silent[0] = 25.0
    await scene.passes(2 * TURN)
    assert await scene.seq(table) == table.seq
    scene.connections.silent[0] = 0.0  # the answer came late, and there is no new session
    await scene.passes(0)
    assert await scene.left(table) == TURN - 30_000 + 25_000 + GRACE_MILLIS


async def test_a_turn_that_began_during_a_loss_gets_back_only_the_time_it_lost(scene: Scene) -> None:
    table = await scene.table()
    scene.connections.silent[0] = None
    await scene.passes(30_000)
    moved = await scene.world.tables.submit(table.id, bid(table, 5))  # a press that arrived despite the loss
    await scene.passes(20_000)
    scene.back()
    await scene.passes(0)
    assert await scene.left(moved) == TURN + GRACE_MILLIS


async def test_a_write_to_a_busy_database_is_repeated(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await scene.table()
    scene.connections.silent[0] = None
    await scene.passes(2 * TURN)
    scene.back()
    submit = scene.world.tables.submit
    failed: list[Any] = []

    async def fails_once(id_: TableId, command: Any) -> Table:
        if not failed:
            failed.append(command)
            raise StoreFault(Fault.BUSY, "for a test")
        return await submit(id_, command)

    monkeypatch.setattr(scene.world.tables, "submit", fails_once)
    await scene.passes(0)
    assert len(failed) == 1
    assert await scene.left(table) == TURN + GRACE_MILLIS


async def test_downtime_counts_from_the_last_moment_when_players_could_press(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        await here.scheduler.start()
        scene = Scene(here)
        table = await scene.table()
        await scene.passes(10_000)
        scene.connections.silent = [None, None]
        await scene.passes(5 * TURN)
        assert scene.outages.last_reachable() == scene.clock.now() - 5 * TURN
        await here.scheduler.stop()
        later = scene.clock.now() + 1000
    async with world(path, later) as here:
        loaded = await here.tables.get(table.id)
        assert loaded.deadlines[0].due - later == TURN - 10_000 + GRACE_MILLIS


async def test_before_the_first_connection_no_clock_runs(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        table = await Scene(here).table()
    async with world(path) as here:
        connections, redraws = FakeConnections(), FakeRedraws()
        connections.silent = []  # the number of shards is not known yet
        outages = Outages(connections, here.tables, here.store, cast(Any, redraws), clock=here.clock)
        here.scheduler.set_outages(outages)
        await here.scheduler.start()
        begun = here.clock.now()
        here.clock.move(3 * TURN)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq
        assert outages.last_reachable() == begun
        connections.silent = [None, None]
        await outages.check()
        connections.silent = [0.0, None]
        outages.shard_connected(0)
        await outages.check()
        assert (await here.tables.get(table.id)).deadlines[0].due - here.clock.now() >= TURN
        assert redraws.requested == [({table.id}, 0)], "the downtime was already announced at the start"
        assert outages.last_reachable() == here.clock.now()
        await here.scheduler.stop()


async def test_a_table_that_fell_due_before_the_first_check_still_moves(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as here:
        table = await Scene(here).table()
    async with world(path) as here:
        connections = FakeConnections()
        connections.silent = []
        outages = Outages(connections, here.tables, here.store, cast(Any, FakeRedraws()), clock=here.clock)
        here.scheduler.set_outages(outages)
        await here.scheduler.start()
        here.clock.move(3 * TURN)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq
        connections.silent = [0.0, 0.0]  # connected at once, so no check found the shard lost
        outages.shard_connected(0)
        await outages.check()
        assert (await here.tables.get(table.id)).deadlines[0].due - here.clock.now() >= TURN, "nobody could press"
        here.clock.move(2 * TURN)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq + 2, "and then the clock goes on"
        await here.scheduler.stop()


@asynccontextmanager
async def restarted(
    path: Path, now: int, silent: list[float | None]
) -> AsyncIterator[tuple[World, Outages, FakeConnections]]:
    """Start the next process on the same database, with the connections in this state."""
    async with world(path, now) as here:
        connections = FakeConnections()
        connections.silent = silent
        outages = Outages(connections, here.tables, here.store, cast(Any, FakeRedraws()), clock=here.clock)
        await outages.recall()
        here.scheduler.set_outages(outages)
        await here.scheduler.start()
        for shard, silence in enumerate(silent):
            if silence is not None:
                outages.shard_connected(shard)
        await outages.check()
        yield here, outages, connections
        await here.scheduler.stop()


async def left(here: World, table: Table) -> int:
    return (await here.tables.get(table.id)).deadlines[0].due - here.clock.now()


async def test_a_shard_that_does_not_connect_at_the_start_gets_its_time_back(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as first:
        scene = Scene(first)
        near, far = await scene.table(HERE), await scene.table(THERE)
    async with restarted(path, first.clock.now(), [0.0, None]) as (here, outages, connections):
        here.clock.move(10 * TURN)
        await settle()
        assert (await here.tables.get(near.id)).seq > near.seq
        assert (await here.tables.get(far.id)).seq == far.seq
        connections.silent[1] = 0.0
        outages.shard_connected(1)
        await outages.check()
        assert TURN + GRACE_MILLIS <= await left(here, far) <= TURN + 2 * GRACE_MILLIS


@pytest.mark.parametrize("after", [0, 4 * TURN])
async def test_a_shard_that_was_lost_before_a_restart_gets_its_time_back(tmp_path: Path, after: int) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as first:
        await first.scheduler.start()
        scene = Scene(first)
        near, far = await scene.table(HERE, House(turn_seconds=3600)), await scene.table(THERE)
        await scene.passes(20_000)
        scene.connections.silent[1] = None
        await scene.passes(10 * TURN)
        assert await scene.seq(far) == far.seq
        await first.scheduler.stop()
    async with restarted(path, scene.clock.now() + 1000, [0.0, None]) as (here, outages, connections):
        here.clock.move(after)
        await settle()
        connections.silent[1] = 0.0
        outages.shard_connected(1)
        await outages.check()
        assert await left(here, near) == 60 * TURN - 20_000 - 10 * TURN - after + GRACE_MILLIS, "nothing was lost there"
        assert TURN - 20_000 + GRACE_MILLIS <= await left(here, far) <= TURN - 20_000 + 2 * GRACE_MILLIS
        await outages.check()
        assert await here.store.lost() == (2, {})
        wanted = await left(here, far)
    async with restarted(path, here.clock.now(), [0.0, 0.0]) as (again, outages, _):
        assert await left(again, far) == wanted + GRACE_MILLIS, "once"


async def test_losses_are_dropped_when_the_number_of_shards_changes(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    async with world(path) as first:
        await first.scheduler.start()
        scene = Scene(first)
        table = await scene.table(THERE)
        scene.connections.silent[1] = None
        await scene.passes(2 * TURN)
        await first.scheduler.stop()
    async with restarted(path, scene.clock.now(), [0.0, 0.0, 0.0]) as (here, _, _):
        assert await left(here, table) == TURN - 2 * TURN + GRACE_MILLIS
        assert await here.store.lost() == (3, {})


async def test_a_long_loss_is_recorded_once_and_a_short_one_never(scene: Scene) -> None:
    scene.connections.silent[1] = None
    await scene.passes(SHORT_LOSS_MILLIS - 1)
    assert await scene.world.store.lost() == (2, {})
    await scene.passes(1)
    assert await scene.world.store.lost() == (2, {1: scene.clock.now() - SHORT_LOSS_MILLIS})
    written = scene.world.store.counters.rows
    await scene.passes(1)
    await scene.passes(1)
    assert scene.world.store.counters.rows == written
    scene.back(1)
    await scene.passes(0)
    assert await scene.world.store.lost() == (2, {})
