from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.engine.core import Rejected
from bot.host.commands import AskPause, DmTried, HostReason, Join, Leave, Resume, Stop, Suspend, Tick
from bot.host.model import Dm, House, Stage, TableId, UserId
from bot.host.ports import Conflict, Fault, Preferences, StoreFault
from tests.host.world import GUEST, HOST, THIRD, bid, settle, world


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


async def refused(awaitable: object) -> Rejected:
    with pytest.raises(Rejected) as refusal:
        await awaitable  # type: ignore[misc]
    return refusal.value


async def test_a_submitted_command_is_stored_and_wakes_the_publisher(path: Path) -> None:
    async with world(path) as here:
        table = await here.lobby()
        joined = await here.tables.submit(table.id, Join(GUEST, "guest"))
        assert await here.tables.get(table.id) is joined
        assert here.publisher.woken == [table.id, table.id]
        assert (await here.tables.at(2)) == joined
        assert await here.tables.at(99) is None
        loaded = await here.store.load(table.id)
        assert loaded is not None
        assert loaded.table == joined


async def test_a_refusal_changes_and_sends_nothing(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        wakes = len(here.publisher.woken)
        assert (await refused(here.tables.submit(table.id, Join(HOST, "?"), interaction_id=5))).reason
        assert await here.tables.get(table.id) is table
        assert len(here.publisher.woken) == wakes
        assert (await refused(here.tables.get(TableId("nowhere")))).reason is HostReason.NO_TABLE
        assert (await refused(here.tables.submit(TableId("nowhere"), Tick()))).reason is HostReason.NO_TABLE


async def test_the_same_interaction_is_applied_once(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        after = await here.tables.submit(table.id, bid(table, 5), interaction_id=77)
        assert await here.tables.submit(table.id, bid(table, 5), interaction_id=77) is after
        twice = await asyncio.gather(
            *[here.tables.submit(table.id, bid(after, 6), interaction_id=78) for _ in range(2)]
        )
        assert twice[0] is twice[1]
        assert twice[0].seq == after.seq + 1


async def test_an_interaction_is_recognised_after_a_restart(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        after = await here.tables.submit(table.id, bid(table, 5), interaction_id=77)
    async with world(path) as here:
        assert (await here.tables.submit(table.id, bid(table, 5), interaction_id=77)).seq == after.seq


async def test_an_interaction_that_memory_has_forgotten_is_recognised_by_the_store(path: Path) -> None:
    async with world(path) as here:
        table = await here.lobby()
        await here.tables.submit(table.id, Join(GUEST, "guest"), interaction_id=77)
        left = await here.tables.submit(table.id, Leave(GUEST), interaction_id=78)
        here.tables._loaded[table.id].interactions.clear()
        assert await here.tables.submit(table.id, Join(GUEST, "guest"), interaction_id=77) is left
        assert (await here.tables.get(table.id)) is left


async def test_of_two_simultaneous_calls_one_is_refused(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        answers = await asyncio.gather(
            *[here.tables.submit(table.id, bid(table, 5), interaction_id=n) for n in (1, 2)], return_exceptions=True
        )
        won, lost = answers
        assert not isinstance(won, BaseException)
        assert isinstance(lost, Rejected)
        assert lost.reason is HostReason.STALE


async def test_a_channel_has_one_table_and_a_guild_a_limited_number(path: Path) -> None:
    async with world(path) as here:
        table = await here.lobby(channel=2, house=House(tables_at_once=2))
        taken = await refused(here.lobby(channel=2))
        assert (taken.reason, taken.details) == (HostReason.CHANNEL_TAKEN, {"table": table.id})
        two = House(tables_at_once=2)
        tried = await asyncio.gather(*[here.lobby(channel, two) for channel in (3, 4)], return_exceptions=True)
        refusals = [refusal for refusal in tried if isinstance(refusal, Rejected)]
        assert [refusal.reason for refusal in refusals] == [HostReason.TOO_MANY_TABLES]
        await here.tables.submit(table.id, Stop(HOST))
        assert (await here.lobby(channel=2, house=two)).id != table.id


async def test_a_suspended_table_does_not_count_and_can_still_resume(path: Path) -> None:
    async with world(path) as here:
        one = House(tables_at_once=1)
        locked = await here.started(channel=2, house=one)
        full = await refused(here.lobby(channel=3, house=one))
        assert (full.reason, full.details) == (HostReason.TOO_MANY_TABLES, {"at_once": 1})
        before = await here.tables.submit(locked.id, Suspend("manage_threads"))
        other = await here.lobby(channel=3, house=one)
        assert (await refused(here.lobby(channel=4, house=one))).reason is HostReason.TOO_MANY_TABLES
        after = await here.tables.submit(locked.id, Resume())
        assert (after.match, after.pause) == (before.match, None)
        assert (await here.tables.submit(locked.id, bid(after, 4))).seq == after.seq + 1
        assert set(await here.tables.open_in(1)) == {locked.id, other.id}
        await here.tables.submit(other.id, Stop(HOST))
        assert (await refused(here.lobby(channel=3, house=one))).reason is HostReason.TOO_MANY_TABLES


async def test_a_table_in_an_agreed_pause_counts(path: Path) -> None:
    async with world(path) as here:
        one = House(tables_at_once=1)
        table = await here.started(channel=2, house=one)
        for user in (HOST, GUEST, THIRD):
            paused = await here.tables.submit(table.id, AskPause(user))
        assert paused.pause is not None
        assert (await refused(here.lobby(channel=3, house=one))).reason is HostReason.TOO_MANY_TABLES


async def test_one_interaction_opens_one_table(path: Path) -> None:
    async with world(path) as here:
        first = await here.tables.open(1, 2, Join(HOST, "host"), game="coyote", interaction_id=5)
        await here.tables.submit(first.id, Stop(HOST))
        again = await here.tables.open(1, 2, Join(HOST, "host"), game="coyote", interaction_id=5)
        assert again.id == first.id


async def test_one_interaction_delivered_twice_at_once_gets_the_same_table(path: Path) -> None:
    async with world(path) as here:
        one = House(tables_at_once=1)
        asked = [
            here.tables.open(1, 2, Join(HOST, "host"), game="coyote", house=one, interaction_id=5) for _ in range(2)
        ]
        first, again = await asyncio.gather(*asked)
        assert again.id == first.id
        other = here.tables.open(1, 2, Join(HOST, "host"), game="coyote", house=House(), interaction_id=6)
        assert (await refused(other)).reason is HostReason.CHANNEL_TAKEN


async def test_open_tables_can_be_found_by_user_and_by_guild(path: Path) -> None:
    async with world(path) as here:
        one, two = await here.started(channel=2), await here.lobby(channel=3)
        assert await here.tables.open_of(HOST) == (one.id, two.id)
        assert await here.tables.open_of(GUEST) == (one.id,)
        assert set(await here.tables.open_in(1)) == {one.id, two.id}
        await here.tables.submit(one.id, Leave(GUEST))
        assert await here.tables.open_of(GUEST) == ()
        await here.tables.submit(two.id, Stop(HOST))
        assert await here.tables.open_of(HOST) == (one.id,)


async def test_a_rematch_is_opened_once(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        assert (await refused(here.tables.rematch(table.id, HOST))).reason is HostReason.NOT_OVER
        await here.tables.submit(table.id, Leave(HOST))
        over = await here.tables.submit(table.id, Leave(GUEST))
        assert over.stage is Stage.OVER
        new = await here.tables.rematch(table.id, THIRD)
        assert (await here.tables.rematch(table.id, THIRD)).id == new.id
        assert (await here.tables.get(table.id)).rematch == new.id
        assert [player.user for player in new.players] == [THIRD]
        await here.tables.submit(new.id, Stop(THIRD))


async def test_a_rematch_needs_room_like_any_table(path: Path) -> None:
    async with world(path) as here:
        lobby = await here.lobby()
        assert (await refused(here.tables.rematch(lobby.id, HOST))).reason is HostReason.NOT_STARTED
        await here.tables.submit(lobby.id, Stop(HOST))
        assert (await refused(here.tables.rematch(lobby.id, HOST))).reason is HostReason.TABLE_CLOSED
        table = await here.started()
        for user in (HOST, GUEST):
            await here.tables.submit(table.id, Leave(user))
        other = await here.lobby(channel=3)
        tight = House(tables_at_once=1)
        assert (await refused(here.tables.rematch(table.id, GUEST, house=tight))).reason is HostReason.NOT_SEATED
        assert (await refused(here.tables.rematch(table.id, THIRD, house=tight))).reason is HostReason.TOO_MANY_TABLES
        assert (await here.tables.get(table.id)).rematch is None
        await here.tables.submit(other.id, Stop(HOST))
        again = await here.tables.rematch(table.id, THIRD, house=tight)
        assert again.house == table.house  # with the same house rules
        assert (await here.tables.rematch(table.id, THIRD, house=tight)).id == again.id  # the rematch exists already


async def test_a_rematch_that_waits_for_another_table_does_not_lock_the_finished_one(path: Path) -> None:
    async with world(path) as here:
        table, one = await here.started(), House(tables_at_once=1)
        for user in (HOST, GUEST):
            await here.tables.submit(table.id, Leave(user))
        other = await here.lobby(channel=3)
        entry = await here.tables._lock(other.id)  # as `forget` does before it locks the finished table
        entry.table = None
        again = asyncio.create_task(here.tables.rematch(table.id, THIRD, house=one))
        await settle()
        assert not again.done()
        await asyncio.wait_for(here.tables.submit(table.id, Tick()), 5)
        entry.unlock()
        assert (await refused(again)).reason is HostReason.TOO_MANY_TABLES


async def test_a_rematch_uses_current_private_settings(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        for user in (HOST, GUEST):
            await here.tables.submit(table.id, Leave(user))
        await here.store.save_preferences(THIRD, Preferences(slow=4, pinged=False))
        again = await here.tables.rematch(table.id, THIRD)
        assert [(player.slow, player.pinged) for player in again.players] == [(4, False)]


async def test_idle_tables_are_dropped_and_loaded_again(path: Path) -> None:
    async with world(path, max_loaded=3) as here:
        tables = [await here.started(channel=channel, house=House(tables_at_once=99)) for channel in range(2, 12)]
        assert len(here.tables._loaded) <= 3
        for table in tables:
            assert await here.tables.get(table.id) == table
        after = await asyncio.gather(*[here.tables.submit(table.id, bid(table, 4)) for table in tables])
        assert [table.seq for table in after] == [table.seq + 1 for table in tables]


async def test_a_cancelled_caller_loses_nothing(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        for number in range(3, 40):
            table = await here.tables.get(table.id)
            task = asyncio.create_task(here.tables.submit(table.id, bid(table, number)))
            for _ in range(number % 5):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            kept = await here.store.load(table.id)
            assert kept is not None
            assert kept.table == await here.tables.get(table.id)
            assert kept.table.seq - table.seq == (number % 5 > 0)


async def test_a_store_that_fails_leaves_the_table_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(path) as here:
        table = await here.started()

        def fail(_: object) -> asyncio.Future[None]:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            future.set_exception(StoreFault(Fault.FULL, "no room"))
            return future

        with monkeypatch.context() as broken:
            broken.setattr(here.store, "commit", fail)
            with pytest.raises(StoreFault, match="the database is full"):
                await here.tables.submit(table.id, bid(table, 4))
        assert await here.tables.get(table.id) is table
        assert (await here.tables.submit(table.id, bid(table, 4))).seq == table.seq + 1


async def test_if_another_process_was_faster_its_step_is_loaded_and_the_command_judged_again(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        after = await here.tables.submit(table.id, DmTried(HOST, Dm.OPEN))
        here.tables._loaded[table.id].table = table  # as if another process had written
        moved = await here.tables.submit(table.id, bid(table, 4))
        assert moved.seq == after.seq + 1
        assert [each.dm for each in moved.players] == [each.dm for each in after.players]
        here.tables._loaded[table.id].table = table
        with pytest.raises(Rejected):
            await here.tables.submit(table.id, bid(table, 4))


async def test_a_table_that_others_always_change_first_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(path) as here:
        table = await here.started()

        def conflict(_changes: object) -> asyncio.Future[None]:
            answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            answer.set_exception(Conflict())
            return answer

        with monkeypatch.context() as patched:
            patched.setattr(here.store, "commit", conflict)
            with pytest.raises(StoreFault) as fault:
                await here.tables.submit(table.id, bid(table, 4))
        assert fault.value.fault is Fault.BUSY
        assert await here.tables.get(table.id) == table


async def test_a_table_is_loaded_once_even_if_all_others_are_in_use(tmp_path: Path) -> None:
    async with world(tmp_path / "coyote.sqlite3", max_loaded=1) as here:
        one, other = await here.lobby(1), await here.lobby(2)
        held = await here.tables._lock(one.id)
        users = [UserId(number) for number in range(20, 24)]
        try:
            await asyncio.gather(*[here.tables.submit(other.id, Join(user, "x")) for user in users])
        finally:
            held.unlock()
        assert {player.user for player in (await here.tables.get(other.id)).players} == {other.host, *users}
