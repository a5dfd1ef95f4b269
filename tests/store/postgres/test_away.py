"""The server dies, or the connection to it: nothing acknowledged is lost, nothing happens twice, and play goes on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit, urlunsplit

import pytest

from bot.host.commands import Join, OutboxKind
from bot.host.model import UserId
from bot.host.ports import Fault, StoreFault
from bot.house_rules.repository import HouseLogRow
from bot.store.postgres import connections
from bot.store.postgres import writer as writing
from bot.store.postgres.hosts import hosts_of
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


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect answers sooner than the bot does."""
    monkeypatch.setattr(connections, "MAX_ANSWER_SECONDS", 0.4)
    monkeypatch.setattr(connections, "MAX_LONG_ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 0.4)


@pytest.mark.usefixtures("hasty", "impatient")
async def test_a_server_that_says_nothing_is_away(address: str) -> None:
    async with proxy_to(address) as proxy:
        here = World(await PostgresStore.open(proxy.address, BEGIN, member="a"), FakeClock())
        table = await here.started()
        await here.store.unsent()
        proxy.silent = True

        async def nothing(connection: connections.Connection) -> None:
            await connection.execute("SELECT 1")

        assert isinstance(here.store, PostgresStore)
        for asked in (
            here.tables.submit(table.id, bid(table, 1), interaction_id=5),
            here.store.meta("key"),
            here.store.write_heartbeat(BEGIN),
            here.store.work(nothing),
            here.store.stats.history(1),
        ):
            with pytest.raises(StoreFault) as fault:
                async with asyncio.timeout(10):
                    await asked
            assert fault.value.fault is Fault.AWAY
        assert here.store._connections.is_away
        async with asyncio.timeout(10):
            assert not await here.store.elections.win("emojis")
        proxy.silent = False
        moved = await here.tables.submit(table.id, bid(table, 1), interaction_id=6)
        assert moved.seq == table.seq + 1
        assert await here.store.elections.win("emojis")
        await here.store.close()


async def test_a_short_statement_has_less_time_than_a_long_one_before_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_LONG_ANSWER_SECONDS", 60.0)
    async with proxy_to(address) as proxy:
        store = await PostgresStore.open(proxy.address, BEGIN)
        await store.unsent()
        monkeypatch.setattr(connections, "MAX_ANSWER_SECONDS", 0.2)
        monkeypatch.setattr(connections, "CONNECT_SECONDS", 0.2)
        proxy.silent = True
        with pytest.raises(StoreFault):
            async with asyncio.timeout(20):
                await store.meta("key")
        proxy.silent = False
        await store.close()


async def test_the_system_notices_that_the_servers_machine_has_vanished() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    with socket.create_connection(listening.sockets[0].getsockname()) as used:
        connections.watch(used)
        assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 4_000
    listening.close()


@pytest.mark.usefixtures("hasty")
async def test_when_all_who_may_read_do_so_the_database_is_busy_and_not_away(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_RECONNECTING_SECONDS", 0.05)
    monkeypatch.setattr(connections, "MAX_LONG_ANSWER_SECONDS", 9)
    slow = [asyncio.create_task(store.scan("SELECT pg_sleep(1)")) for _ in range(connections.MAX_READERS)]
    await asyncio.sleep(0.3)
    with pytest.raises(StoreFault) as fault:
        await store.meta("key")
    assert fault.value.fault is Fault.BUSY
    assert not store._connections.is_away
    await asyncio.gather(*slow)
    assert await store.meta("key") is None


# Many servers


@asynccontextmanager
async def silent_server() -> AsyncIterator[tuple[int, list[int]]]:
    """Yield the port of a server that accepts connections and says nothing, and a list that grows with each of them."""
    asked: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(1)
        with suppress(ConnectionError):
            await reader.read(-1)
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield listening.sockets[0].getsockname()[1], asked
    finally:
        listening.close()


@pytest.mark.usefixtures("hasty")
async def test_a_server_that_says_nothing_does_not_hide_the_one_behind_it(address: str) -> None:
    parts = urlsplit(address)
    (folder,) = parse_qs(parts.query)["host"]
    async with silent_server() as (port, asked):
        both = urlunsplit(parts._replace(query=f"host=127.0.0.1,{folder}&port={port},5432"))
        reached = await connections.Connections.open(both)
        connection = await reached.connect()
        assert await connection.fetchval("SELECT 1") == 1
        assert len(asked) == 1
        assert (await reached.fetch("SELECT 2"))[0][0] == 2
        assert len(asked) == 1, "the one that has answered comes first"
        await connection.close()
        await reached.close()


def test_an_address_may_name_many_servers() -> None:
    def found(url: str) -> list[tuple[object, object, object]]:
        return [(host.get("host"), host.get("port"), host.get("target_session_attrs")) for host in hosts_of(url)]

    assert found("postgresql://bot:a,b@one/coyote") == [(None, None, None)]
    assert found("postgresql://bot@one,two:7/coyote") == [("one", 5432, "read-write"), ("two", 7, "read-write")]
    assert found("postgresql://bot@[::1]:6,%2Frun%2Fpg/x?target_session_attrs=any") == [
        ("::1", 6, None),
        ("/run/pg", 5432, None),
    ]
    assert found("postgresql:///x?host=one,two&port=5,6") == [("one", 5, "read-write"), ("two", 6, "read-write")]
    with pytest.raises(ValueError, match="ports"):
        hosts_of("postgresql:///x?host=one,two&port=5,6,7")


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
