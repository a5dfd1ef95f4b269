"""What many processes share: shards, tables of their guilds, logins and news."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from bot.host.model import TableId, UserId
from bot.host.ports import Fault, Preferences, StoreFault
from bot.store.postgres import claims, leases, membership
from bot.store.postgres.connections import Connection
from bot.store.postgres.membership import Membership
from bot.store.postgres.store import PostgresStore
from tests.host.evening import BEGIN
from tests.store.contract.test_exactly_once import opened

SHARDS = 2


class Watcher:
    """Records what a process is told."""

    def __init__(self) -> None:
        self.tables: set[TableId] = set()
        self.heard: list[TableId] = []
        self.news: list[str] = []

    def taken(self, tables: Sequence[TableId]) -> None:
        self.tables.update(tables)

    def changed(self, tables: Sequence[TableId]) -> None:
        self.heard += tables

    def told(self, news: str) -> None:
        self.news.append(news)

    def missed(self) -> None:
        pass

    async def look_again(self) -> None:
        pass


@asynccontextmanager
async def process(address: str, name: str) -> AsyncIterator[tuple[PostgresStore, Membership]]:
    """Yield one of many processes on a database."""
    store = await PostgresStore.open(address, BEGIN, member=name)
    try:
        assert store.membership is not None
        yield store, store.membership
    finally:
        await store.close()


async def until(question: Callable[[], object]) -> None:
    """Wait until a function returns something true."""
    async with asyncio.timeout(10):
        while not question():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def guild(shard: int) -> int:
    """Return the id of a guild on a shard."""
    return (8 + shard) << 22


async def test_each_shard_is_served_by_one_process_and_a_spare_takes_its_place(address: str) -> None:
    async with process(address, "a") as (_, first), process(address, "b") as (_, second):
        assert await first.claim(SHARDS, [0, 1], 1) == [0]
        assert await second.claim(SHARDS, [0, 1], 1) == [1]
        async with process(address, "spare") as (_, spare):
            waiting = asyncio.create_task(spare.claim(SHARDS, [0, 1], 1))
            await asyncio.sleep(0.2)
            assert not waiting.done()
            await second.stop()
            assert await waiting == [1]


async def test_a_process_claims_all_that_it_may_serve_and_leaves_the_next_one_the_rest(address: str) -> None:
    async with process(address, "a") as (_, first), process(address, "b") as (_, second):
        mine, others = await asyncio.gather(first.claim(3, range(3), 2), second.claim(3, range(3), 2))
        assert sorted([*mine, *others]) == [0, 1, 2]
        assert sorted(map(len, (mine, others))) == [1, 2]


async def test_a_process_looks_after_the_tables_of_its_shards(address: str) -> None:
    async with process(address, "a") as (store, first), process(address, "b") as (_, second):
        watchers = Watcher(), Watcher()
        for member, watcher in zip((first, second), watchers, strict=True):
            await member.claim(SHARDS, range(SHARDS), 1)
            await member.start(watcher)
        for number in range(6):
            await store.commit([opened(f"t{number}", number, guild=guild(number % SHARDS))])
        await until(lambda: all(len(each.tables) == 3 for each in watchers))
        assert watchers[0].tables == {"t0", "t2", "t4"}
        assert first.holds(TableId("t0"))
        assert not first.holds(TableId("t1"))
        # A spare takes over everything, without waiting for the leases to run out.
        async with process(address, "spare") as (_, spare):
            watcher = Watcher()
            waiting = asyncio.create_task(spare.claim(SHARDS, range(SHARDS), 1))
            await second._claims.close()
            assert await waiting == [1]
            await spare.start(watcher)
            await until(lambda: watcher.tables == {"t1", "t3", "t5"})
            # The other one learns that it no longer serves the shard.
            second._claims._claimed.add(1)
            await asyncio.wait_for(second.lost.wait(), 10)


async def test_a_shard_is_not_lost_while_the_connection_is_broken(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "RETURN_SECONDS", 0.1)
    async with process(address, "a") as (store, first):
        await first.claim(SHARDS, range(SHARDS), 2)
        await store.fetch(  # only in this test's database: other tests use the same server
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        assert await first._claims.keep()  # the connection is gone, and nobody knows
        assert await first._claims.keep()
        async with process(address, "b") as (_, second):
            waiting = asyncio.create_task(second.claim(SHARDS, range(SHARDS), 1))
            await asyncio.sleep(0.3)
            assert not waiting.done()
            waiting.cancel()


async def test_a_process_does_not_lose_its_shard_to_its_own_old_connection(address: str) -> None:
    async with process(address, "a") as (store, first):
        await first.claim(SHARDS, range(SHARDS), 2)
        old, first._claims._connection = first._claims._connection, None  # the server has not noticed yet
        assert await first._claims.keep()
        assert await first._claims.keep()
        async with process(address, "b") as (_, second):
            assert await second._claims.claim(SHARDS, range(SHARDS), 2) == []
            old, store.elections._connection = store.elections._connection, old
            assert await store.elections.win("emojis")
            store.elections._connection = None
            assert await store.elections.win("emojis")
        assert old is not None
        assert await first._claims.keep()


async def test_a_process_that_hangs_is_replaced(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.1)
    hanging = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.postgres.serving_process", address, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert hanging.stdout is not None
        assert await hanging.stdout.readline() == b"serving\n"
        async with process(address, "spare") as (store, spare):
            await store.commit([opened("t1", 1)])
            waiting = asyncio.create_task(spare.claim(1, [0], 1))
            await asyncio.sleep(0.5)
            assert not waiting.done()
            hanging.send_signal(signal.SIGSTOP)
            assert await asyncio.wait_for(waiting, 20) == [0]
            watcher = Watcher()
            await spare.start(watcher)
            await until(lambda: watcher.tables == {"t1"})
            hanging.send_signal(signal.SIGCONT)
            assert await asyncio.wait_for(hanging.stdout.readline(), 20) == b"lost\n"
    finally:
        hanging.kill()
        await hanging.wait()


async def test_a_login_counts_only_once_it_is_committed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "LOGIN_CHECK_SECONDS", 0.01)
    async with process(address, "a") as (store, first):
        work, attempts = store.work, 0

        async def fails_first(each: Callable[[Connection], Awaitable[None]]) -> None:
            nonlocal attempts
            attempts += 1

            async def then_breaks(connection: Connection) -> None:
                await each(connection)
                if attempts == 1:
                    raise StoreFault(Fault.AWAY, "the commit was not answered")

            await work(then_breaks)

        monkeypatch.setattr(store, "work", fails_first)
        await first.wait_for_login(0)
        assert attempts == 2
        assert await store.meta("login:0") is not None


async def test_logins_of_a_group_are_spread_over_all_processes(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "LOGIN_MILLIS", 400)
    at: list[float] = []

    async def log_in(member: Membership, group: int) -> None:
        await member.wait_for_login(group)
        at.append(time.monotonic())

    async with process(address, "a") as (_, first), process(address, "b") as (_, second):
        began = time.monotonic()
        await asyncio.gather(log_in(first, 0), log_in(second, 0), log_in(second, 1))
        assert sorted(at)[2] - began > 0.4  # of three, two are of the same group
        assert await first.is_elected("emojis")
        assert not await second.is_elected("emojis")
        await first.resign("emojis")
        assert await second.is_elected("emojis")


async def test_other_processes_hear_what_has_changed(address: str) -> None:
    async with process(address, "a") as (store, first), process(address, "b") as (_, second):
        watchers = Watcher(), Watcher()
        for member, watcher in zip((first, second), watchers, strict=True):
            await member.claim(SHARDS, range(SHARDS), 1)
            await member.start(watcher)
        await asyncio.sleep(0.5)  # until both listen
        await store.commit([opened("t1", 1, guild=guild(1))])
        await store.save_preferences(UserId(7), Preferences(language="de"))
        await store.set_meta("emojis", "{}")
        first.wrote_late(TableId("t1"))
        await until(lambda: "t1" in watchers[1].heard and len(watchers[1].news) == 3)
        assert set(watchers[1].news) == {"user:7", "fact:emojis", "redraw:t1"}, "told together, in any order"
        assert not watchers[0].news


async def test_when_a_shard_was_last_in_reach_is_known_to_the_next_process(address: str) -> None:
    async with process(address, "a") as (first, _), process(address, "b") as (second, _):
        assert await first.lost() == (0, {})
        await first.note_lost(2, {0: BEGIN + 5_000})
        await second.note_lost(2, {1: BEGIN + 7_000})
        assert await first.lost() == (2, {0: BEGIN + 5_000, 1: BEGIN + 7_000})
        await second.note_lost(3, {2: BEGIN + 9_000})  # with another number of shards, they have other guilds
        assert await first.lost() == (3, {2: BEGIN + 9_000})


async def test_all_processes_know_how_long_the_bot_was_down(address: str) -> None:
    async with process(address, "a"):
        pass
    first = await PostgresStore.open(address, BEGIN + 60_000, grace=0, member="a")
    second = await PostgresStore.open(address, BEGIN + 61_000, grace=0, member="b")
    late = await PostgresStore.open(address, BEGIN + 600_000, grace=0, member="c")
    try:
        assert [first.downtime, second.downtime, late.downtime] == [60_000, 60_000, 0]
        assert not await second.read_shift()
    finally:
        for each in (first, second, late):
            await each.close()
