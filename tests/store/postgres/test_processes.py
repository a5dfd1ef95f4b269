"""Many processes on one database: leases, wake-ups, elections, and tables that all of them change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

import pytest

from bot.engine.core import Rejected
from bot.host.commands import Join, Start
from bot.host.model import TableId, UserId
from bot.host.ports import StoreFault
from bot.host.tables import Tables
from bot.stats.model import Board
from bot.store.faults import DatabaseRefused
from bot.store.postgres import leases
from bot.store.postgres import store as stores
from bot.store.postgres import writer as writing
from bot.store.postgres.elections import Elections
from bot.store.postgres.leases import Leases, Shards
from bot.store.postgres.store import PostgresStore
from bot.store.postgres.wakeups import Wakeups
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, THIRD, FakeClock, RecordingPublisher, World, bid
from tests.stats.evenings import keep, play
from tests.store.contract.test_exactly_once import opened
from tests.store.postgres.proxy import proxy_to
from tests.store.postgres.server import connect, needs_own_server


class Nothing:
    """The duties of a process that looks after no table."""

    def holds(self, _: TableId) -> bool:
        return False

    def want(self, table: TableId) -> None:
        pass

    def wrote_late(self, table: TableId) -> None:
        pass


@asynccontextmanager
async def members(address: str, count: int = 2) -> AsyncIterator[list[PostgresStore]]:
    """Yield the stores of some processes that share a database."""
    opened_ = [await PostgresStore.open(address, BEGIN, member=f"member-{number}") for number in range(count)]
    try:
        yield opened_
    finally:
        for each in opened_:
            await each.close()


def leases_of(store: PostgresStore) -> Leases:
    assert store.leases is not None
    return store.leases


def wakeups_of(store: PostgresStore) -> Wakeups:
    assert store.wakeups is not None
    return store.wakeups


async def die(store: PostgresStore) -> None:
    """Let a process die without giving anything back."""
    task = leases_of(store)._task
    assert task is not None
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def until(question: Callable[[], object]) -> None:
    """Wait until a function returns something true."""
    async with asyncio.timeout(10):
        while not question():  # noqa: ASYNC110 - nobody here would set an event
            await asyncio.sleep(0.02)


# Who may use the database


async def test_a_bot_that_runs_alone_keeps_all_others_away(
    store: PostgresStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "PREVIOUS_OWNER_SECONDS", 0.1)
    for member in (None, "a"):
        with pytest.raises(DatabaseRefused, match="in use by another process") as refused:
            await PostgresStore.open(address, BEGIN, member=member)
        assert "\n" not in str(refused.value)
    await store.close()
    async with members(address):
        with pytest.raises(DatabaseRefused):
            await PostgresStore.open(address, BEGIN)


async def test_a_start_waits_for_the_previous_process(store: PostgresStore, address: str) -> None:
    starting = asyncio.create_task(PostgresStore.open(address, BEGIN))
    await asyncio.sleep(0.3)
    await store.close()
    await (await starting).close()


async def test_clocks_are_put_off_only_if_no_process_was_alive(address: str) -> None:
    async with members(address, 1) as (first,):
        await first.commit([opened("t1", 1)])
        (due,) = await first.ticking()
        later = await PostgresStore.open(address, BEGIN + 60_000, member="later")
        assert later.downtime == 0
        await leases_of(later).take()
        assert due[0] == TableId("t1")
        before = await first.load(TableId("t1"))
        assert before is not None
        assert await later.load(TableId("t1")) == before
        await later.close()
    again = await PostgresStore.open(address, BEGIN + 120_000, grace=0, member="again")
    assert again.downtime == 60_000
    shifted = await again.load(TableId("t1"))
    assert shifted is not None
    assert shifted.table.opened == before.table.opened
    assert shifted != before
    await again.close()


# Leases


async def test_each_table_is_looked_after_by_one_process(address: str) -> None:
    async with members(address, 3) as stores_:
        await asyncio.gather(*[stores_[0].commit([opened(f"t{number}", number)]) for number in range(60)])
        taken = await asyncio.gather(*[leases_of(each).take(most=25) for each in stores_])
        more = await asyncio.gather(*[leases_of(each).take() for each in stores_])
        all_ = [table for some in (*taken, *more) for table in some]
        assert len(all_) == len(set(all_)) == 60
        for store, *mine in zip(stores_, taken, more, strict=True):
            tables = {table for some in mine for table in some}
            assert all(map(leases_of(store).holds, tables))
            assert {table for table, _ in await store.due()} == tables
            assert set(await store.unsent()) == tables


async def test_tables_can_be_taken_by_shard_or_one_by_one_and_given_back(address: str) -> None:
    async with members(address) as (one, other):
        for guild in range(4):
            await one.commit([opened(f"t{guild}", guild, guild=guild << 22)])
        assert set(await leases_of(one).take(shards=Shards(2, [1]))) == {"t1", "t3"}
        assert await leases_of(other).take([TableId("t1"), TableId("t2")]) == ["t2"]
        assert not leases_of(other).holds(TableId("t1"))
        connection = await connect(address)
        await connection.execute("UPDATE tables SET next_due = NULL WHERE id IN ('t1', 't2')")
        await connection.execute("DELETE FROM outbox WHERE table_id IN ('t1', 't2')")
        assert await leases_of(one).give_back() == ["t1"]
        assert not leases_of(one).holds(TableId("t1"))
        assert leases_of(one).holds(TableId("t3")), "its clock runs"
        assert leases_of(other).holds(TableId("t2")), "it is another process's"
        assert await leases_of(other).take() == ["t0"]
        await connection.execute("UPDATE tables SET next_due = 1 WHERE id = 't1'")
        assert await leases_of(other).take() == ["t1"]
        await connection.close()


@needs_own_server
async def test_a_table_stays_looked_after_if_it_cannot_be_given_back(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MAX_RECONNECTING_SECONDS", -1.0)
    async with proxy_to(address) as proxy:
        one = await PostgresStore.open(proxy.address, BEGIN, member="one")
        await one.commit([opened("t1", 1)])
        assert await leases_of(one).take() == ["t1"]
        connection = await connect(address)
        await connection.execute("UPDATE tables SET next_due = NULL")
        await connection.execute("DELETE FROM outbox")
        proxy.cut("request", b"DELETE FROM leases")
        with pytest.raises(StoreFault):
            await leases_of(one).give_back()
        assert leases_of(one).holds(TableId("t1"))
        # And if only the answer is lost, it is known soon.
        proxy.cut("answer", b"COMMIT")
        with pytest.raises(StoreFault):
            await leases_of(one).give_back()
        assert await leases_of(one).follow() == []
        assert not leases_of(one).holds(TableId("t1"))
        await connection.close()
        await one.close()


@needs_own_server
async def test_a_table_that_was_taken_unnoticed_is_looked_after(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxy_to(address) as proxy:
        one = await PostgresStore.open(proxy.address, BEGIN, member="one")
        await one.commit([opened("t1", 1)])
        proxy.cut("answer", b"COMMIT")
        with monkeypatch.context() as patched:
            patched.setattr(writing, "MAX_RECONNECTING_SECONDS", -1.0)  # nobody asks what became of it
            with pytest.raises(StoreFault):
                await leases_of(one).take()
        assert not leases_of(one).holds(TableId("t1"))
        assert await leases_of(one).take() == []
        assert await leases_of(one).follow() == ["t1"]
        assert leases_of(one).holds(TableId("t1"))
        assert await leases_of(one).follow() == []
        await one.close()


@pytest.mark.parametrize("sql", ["_TAKE_THESE", "_TAKE_NEEDED"])
async def test_tables_that_were_finished_long_ago_are_not_looked_at(address: str, sql: str) -> None:
    async with members(address, 1) as (one,):
        await one.commit([opened("t1", 1)])
        connection = await connect(address)
        await connection.execute(
            "INSERT INTO tables (id, guild, channel, stage, seq, next_due, shift, opened, setup, document)"
            " SELECT 'f' || n, n << 22, n, 'over', 9, NULL, 0, n, '{}', '' FROM generate_series(1, 20000) AS n"
        )
        await connection.execute("ANALYZE")
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        types, values = ("bigint, bigint, bigint[], bigint", "1, 2, '{0, 1}', 500")
        if sql == "_TAKE_THESE":
            types, values = f"{types}, text[]", f"{values}, '{{t1}}'"
        await connection.execute(f"PREPARE taking ({types}) AS {getattr(leases, sql)}")
        plan = "\n".join(line for (line,) in await connection.fetch(f"EXPLAIN EXECUTE taking ({values})"))
        assert "Seq Scan on tables" not in plan, plan
        await connection.close()


async def test_a_dead_processs_tables_are_free_soon(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert leases.LEASE_SECONDS + 2 * leases.RENEWAL_SECONDS < 5
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.4)
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.05)
    async with members(address) as (one, other):
        await one.commit([opened("t1", 1)])
        assert await leases_of(one).take() == ["t1"]
        await asyncio.sleep(0.6)
        assert await leases_of(other).take() == [], "it is alive"
        await die(one)
        async with asyncio.timeout(10):
            while not await leases_of(other).take():  # noqa: ASYNC110 - only the server knows when
                await asyncio.sleep(0.02)
        assert not leases_of(one).holds(TableId("t1")), "it knows by itself that its time is up"


async def test_a_process_that_was_taken_for_dead_starts_over(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.05)
    async with members(address) as (one, other):
        await one.commit([opened("t1", 1)])
        await leases_of(one).take()
        told: list[bool] = []
        leases_of(one).on_lost(lambda: told.append(True))
        before = leases_of(one).id
        connection = await connect(address)
        await connection.execute("DELETE FROM processes WHERE id = $1", before)
        await connection.close()
        await until(lambda: told)
        assert leases_of(one).id != before
        assert not leases_of(one).holds(TableId("t1"))
        assert await leases_of(other).take() == ["t1"]


async def test_a_process_that_stops_gives_everything_back_at_once(address: str) -> None:
    async with members(address) as (one, other):
        await one.commit([opened("t1", 1)])
        await leases_of(one).take()
        await one.close()
        assert await leases_of(other).take() == ["t1"]
        assert await leases_of(other).others() == 0


# Wake-ups


async def test_others_hear_of_a_step_at_a_table_that_they_look_after(address: str) -> None:
    async with members(address) as (one, other):
        heard: list[TableId] = []
        again: list[bool] = []
        wakeups_of(one).subscribe(heard.extend, lambda: again.append(True))
        wakeups_of(other).subscribe(heard.extend, lambda: None)
        await other.commit([opened("t0", 100)])
        await until(lambda: heard or again)
        await other.commit([opened("t1", 1)])
        await until(lambda: TableId("t1") in heard)
        assert await leases_of(one).take([TableId("t1")]) == ["t1"]
        connection = await connect(address)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
        await connection.close()
        heard.clear()
        again.clear()
        await until(lambda: again)
        await other.commit([opened("t2", 2)])
        await until(lambda: TableId("t2") in heard)


async def test_nobody_is_told_of_tables_that_this_process_looks_after(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with members(address) as (one, _):
        told: list[TableId] = []
        monkeypatch.setattr(wakeups_of(one), "tell", told.extend)
        here = World(one, FakeClock())
        table = await here.lobby()
        await leases_of(one).take()
        told.clear()
        await here.tables.submit(table.id, Join(GUEST, "guest"))
        assert told == []


# Elections


async def test_one_of_many_is_elected_and_another_after_it(address: str) -> None:
    async with members(address) as (one, other):
        assert await one.elections.win("seasons")
        assert await one.elections.win("seasons"), "and stays so"
        assert not await other.elections.win("seasons")
        assert await other.elections.win("emojis")
        await one.elections.resign("seasons")
        assert await other.elections.win("seasons")
        await other.close()
        assert await one.elections.win("seasons")


async def test_work_of_one_process_at_a_time(address: str) -> None:
    async with members(address, 4) as stores_:
        at_work: list[int] = []

        async def work(elections: Elections) -> bool:
            async with elections.elected("clearing up") as ours:
                if ours:
                    at_work.append(1)
                    assert len(at_work) == 1
                    await asyncio.sleep(0.05)
                    at_work.pop()
                return ours

        assert sum(await asyncio.gather(*[work(each.elections) for each in stores_])) >= 1


# Tables


async def test_a_press_at_any_process_finds_the_newest_step(address: str) -> None:
    async with members(address) as (one, other):
        publisher, clock = RecordingPublisher(), FakeClock()
        first, second = (Tables(store, publisher, clock, Random(5), duties=Nothing()) for store in (one, other))
        table = await first.open(1, 2, Join(HOST, "host"), game="coyote")
        assert (await second.get(table.id)).seq == table.seq
        await first.submit(table.id, Join(GUEST, "guest"))
        await second.submit(table.id, Join(THIRD, "third"))
        with pytest.raises(Rejected):
            await first.submit(table.id, Join(THIRD, "third"))
        await first.submit(table.id, Start(HOST), interaction_id=7)
        again = await second.submit(table.id, Start(HOST), interaction_id=7)
        assert again.match is not None, "the second delivery of a press changes nothing"
        moved = await second.submit(table.id, bid(again, 1))
        assert (await first.submit(table.id, bid(moved, 2))).seq == moved.seq + 1


async def test_presses_at_the_same_moment_are_all_judged_in_some_order(address: str) -> None:
    async with members(address, 3) as stores_:
        tables = [Tables(store, RecordingPublisher(), FakeClock(), Random(5), duties=Nothing()) for store in stores_]
        table = await tables[0].open(1, 2, Join(HOST, "host"), game="coyote")
        joins = [
            host.submit(table.id, Join(UserId(100 + number), "guest"), interaction_id=900 + number)
            for number in range(5)
            for host in tables  # each press is delivered to all of them
        ]
        await asyncio.gather(*joins, return_exceptions=True)
        stored = await stores_[0].load(table.id)
        assert stored is not None
        assert sorted(player.user for player in stored.table.players) == [HOST, *range(100, 105)]
        assert stored.table.seq == table.seq + 5


async def test_games_of_one_server_that_end_in_many_processes_are_all_counted(address: str) -> None:
    async with members(address, 3) as stores_:
        users = [UserId(10**17 + number) for number in range(4)]
        matches = [play(f"t{number}", 1, users[:3], Random(number), BEGIN + number) for number in range(12)]
        await asyncio.gather(*[keep(stores_[number % 3], match) for number, match in enumerate(matches)])
        history = await stores_[0].stats.history(1, size=20)
        assert sorted(line.number for line in history.lines) == list(range(1, 13))
        for user in users[:3]:
            assert (await stores_[0].stats.card(Board(1, "coyote"), user)).totals.games == 12
