"""When tables are due, and how the time during which the bot was down is given back."""

from __future__ import annotations

from bot.host.commands import Stop
from bot.host.deadlines import GRACE_MILLIS, next_due
from bot.host.model import House
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.host.world import HOST, bid
from tests.store.databases import Database, host_on

HOUR = 3_600_000


async def test_every_open_table_is_due_at_its_next_deadline(database: Database) -> None:
    async with host_on(database) as here:
        late = await here.started(channel=2, house=House(turn_seconds=600))
        soon = await here.started(channel=3, house=House(turn_seconds=60))
        ended = await here.started(channel=4)
        await here.tables.submit(ended.id, Stop(HOST))
        assert dict(await here.store.due()) == {
            late.id: next_due(late),
            soon.id: next_due(soon),
        }
        assert list(await here.store.ticking()) == [(soon.id, 1), (late.id, 1)], "the most urgent first"
        here.clock.move(5_000)
        after = await here.tables.submit(soon.id, bid(soon, 4))
        assert dict(await here.store.due())[soon.id] == next_due(after)


async def test_clocks_stand_still_while_the_bot_is_down(database: Database) -> None:
    async with host_on(database) as here:
        assert here.store.downtime is None, "it never ran on this database"
        table = await here.started()
        await here.store.write_heartbeat(BEGIN + 20_000)
    async with host_on(database, BEGIN + 20_000 + 8 * HOUR) as here:
        assert here.store.downtime == 8 * HOUR
        loaded = await here.tables.get(table.id)
        assert loaded.deadlines[0].due == table.deadlines[0].due + 8 * HOUR + GRACE_MILLIS
        assert dict(await here.store.due())[table.id] == loaded.deadlines[0].due
        other = await here.started(channel=3)
        here.clock.move(1_000)
        moved = await here.tables.submit(table.id, bid(loaded, 4))
        await here.store.write_heartbeat(here.clock.now())
    async with host_on(database, BEGIN - HOUR) as here:  # somebody has set the machine's clock back
        assert here.store.downtime == 0
        back = (BEGIN - HOUR) - (BEGIN + 20_000 + 8 * HOUR + 1_000) + GRACE_MILLIS
        assert (await here.tables.get(table.id)).deadlines[0].due == moved.deadlines[0].due + back
        assert (await here.tables.get(other.id)).deadlines[0].due == other.deadlines[0].due + back
        assert dict(await here.store.due()) == {
            table.id: moved.deadlines[0].due + back,
            other.id: other.deadlines[0].due + back,
        }


async def test_downtime_can_be_added_before_tables_are_loaded(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
    async with host_on(database, BEGIN + 1_000) as here:
        await here.store.add_downtime(BEGIN + 1_000 + HOUR)
        assert here.store.downtime == 1_000 + HOUR
        loaded = await here.tables.get(table.id)
        assert loaded.deadlines[0].due == table.deadlines[0].due + 1_000 + GRACE_MILLIS + HOUR


async def test_lost_shards_are_remembered_in_the_time_of_the_clocks(store: Store, database: Database) -> None:
    assert await store.lost() == (0, {})
    await store.note_lost(4, {1: BEGIN - 5_000, 3: BEGIN})
    assert await store.lost() == (4, {1: BEGIN - 5_000, 3: BEGIN})
    await store.close()
    again = await database.open(BEGIN + HOUR)
    shift = HOUR + GRACE_MILLIS
    assert await again.lost() == (4, {1: BEGIN - 5_000 + shift, 3: BEGIN + shift})
    await again.note_lost(4, {})
    assert await again.lost() == (4, {})
    await again.close()
