"""The server dies, or the connection to it: nothing acknowledged is lost, nothing happens twice, and play goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bot.host.commands import Join, OutboxKind
from bot.host.model import UserId
from bot.host.ports import Fault, StoreFault
from bot.house_rules.repository import HouseLogRow
from bot.store.postgres import connections
from bot.store.postgres import writer as writing
from bot.store.postgres.store import PostgresStore
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, FakeClock, World, bid
from tests.stats.evenings import keep, play
from tests.store.contract.test_exactly_once import opened
from tests.store.databases import PostgresBase
from tests.store.postgres import server
from tests.store.postgres.proxy import Cut, proxy_to

pytestmark = server.needs_own_server


@pytest.fixture
def running() -> Iterator[None]:
    """Make sure that the server runs again after the test."""
    yield
    server.start()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a lost connection at once."""
    for module in (connections, writing):
        monkeypatch.setattr(module, "MAX_RECONNECTING_SECONDS", 0.05)


@pytest.mark.parametrize("cut", ["request", "answer"])
@pytest.mark.parametrize("after", [b"threshold", b"COMMIT"])
async def test_a_commit_whose_answer_is_lost_happens_once(address: str, cut: Cut, after: bytes) -> None:
    database = PostgresBase(Path(), address)
    async with proxy_to(address) as proxy:
        store = await PostgresStore.open(proxy.address, BEGIN)
        await store.commit([opened("t1", 1, 5)])
        proxy.cut(cut, after)
        rows = [HouseLogRow(6, BEGIN, UserId(5), "threshold", None, "4")]
        match = play("whole", 1, [UserId(7), UserId(8), UserId(9)], Random(4), BEGIN)
        written = [store.keep_house(6, 1, "{}", rows), store.commit([opened("t2", 2, 6)]), keep(store, match)]
        await asyncio.gather(*written)
        assert proxy.cuts == 1
        assert len(await store.house_log(6, None, 9)) == 1
        assert (await store.stats.history(1)).games == 1
        await store.close()
    interactions = [number for (number,) in await database.rows("actions", "interaction_id") if number is not None]
    assert sorted(interactions) == [5, 6]


async def test_reading_goes_on_after_the_connection_broke(address: str) -> None:
    async with proxy_to(address) as proxy:
        store = await PostgresStore.open(proxy.address, BEGIN)
        await store.set_meta("key", "value")
        for cut in ("request", "answer"):
            proxy.cut(cut)
            assert await store.meta("key") == "value"
        assert proxy.cuts == 2
        await store.close()


@pytest.mark.usefixtures("running")
async def test_a_short_restart_is_waited_for(store: PostgresStore) -> None:
    here = World(store, FakeClock())
    table = await here.lobby()
    server.crash()
    joining = asyncio.create_task(here.tables.submit(table.id, Join(GUEST, "guest"), interaction_id=5))
    await asyncio.sleep(0.05)
    await asyncio.to_thread(server.start)
    assert len((await joining).players) == 2
    assert await store.at(table.channel) == table.id


@pytest.mark.usefixtures("running", "impatient")
async def test_while_the_server_is_away_everybody_is_told_and_then_play_goes_on(store: PostgresStore) -> None:
    here = World(store, FakeClock())
    table = await here.started()
    server.crash()
    for _ in range(2):
        for asked in (here.tables.submit(table.id, bid(table, 1)), store.unsent(), store.stats.history(1)):
            with pytest.raises(StoreFault) as fault:
                await asked
            assert fault.value.fault is Fault.AWAY
    await here.scheduler._write_heartbeat()
    assert here.scheduler.fault is not None
    server.start()
    moved = await here.tables.submit(table.id, bid(table, 1), interaction_id=6)
    assert moved.seq == table.seq + 1
    assert OutboxKind.TABLE in {row.kind for row in await store.outbox(table.id)}
    await here.scheduler._write_heartbeat()
    assert here.scheduler.fault is None


@pytest.mark.usefixtures("impatient")
async def test_a_step_that_was_written_unnoticed_is_found_and_told(address: str) -> None:
    async with proxy_to(address) as proxy:
        here = World(await PostgresStore.open(proxy.address, BEGIN), FakeClock())
        table = await here.lobby()
        here.publisher.woken.clear()
        proxy.cut("answer")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(writing, "MAX_RECONNECTING_SECONDS", -1.0)  # nobody asks what became of it
            with pytest.raises(StoreFault):
                await here.tables.submit(table.id, Join(GUEST, "guest"), interaction_id=5)
        assert here.publisher.woken == [table.id], "its messages are looked for"
        assert here.tables.timers.next() is not None
        again = await here.tables.submit(table.id, Join(GUEST, "guest"), interaction_id=5)
        assert [player.user for player in again.players] == [HOST, GUEST]
        assert again.seq == table.seq + 1
        await here.store.close()


@pytest.mark.usefixtures("running")
async def test_nothing_acknowledged_is_lost_when_the_server_dies_again_and_again(store: PostgresStore) -> None:
    acknowledged: list[int] = []
    faults: set[Fault] = set()
    stopped = asyncio.Event()

    async def play_on(channel: int) -> None:
        for number in range(10_000):
            if stopped.is_set():
                return
            interaction = channel * 100_000 + number
            try:
                await store.commit([opened(f"c{channel}n{number}", interaction, interaction)])
                acknowledged.append(interaction)
            except StoreFault as fault:
                faults.add(fault.fault)
            await asyncio.sleep(0.002)

    players = [asyncio.create_task(play_on(channel)) for channel in range(1, 9)]
    for _ in range(2):
        await asyncio.sleep(0.2)
        await asyncio.to_thread(server.crash)
        await asyncio.to_thread(server.start)
    await asyncio.sleep(0.2)
    stopped.set()
    await asyncio.gather(*players)
    found = [row[0] for row in await store.fetch("SELECT interaction_id FROM actions")]
    assert set(acknowledged) <= set(found)
    assert len(found) == len(set(found))
    assert len(acknowledged) > 100
    assert faults <= {Fault.AWAY}
