"""Every interaction counts once, every step is made from the state before it, and a change is written whole or not."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from bot.host.commands import Command, Join, Leave, Start, Stop
from bot.host.deadlines import GRACE_MILLIS, next_due, shifted
from bot.host.decide import decide, open_table
from bot.host.model import Stage, Table, TableId, UserId
from bot.host.ports import Change, ChannelTaken, Conflict, Duplicate
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, THIRD, bid
from tests.store.databases import Database, host_on

FOURTH = UserId(14)


def opened(name: str, channel: int, interaction: int | None = None, guild: int = 1) -> Change:
    """Return the opening of a table."""
    decision = open_table(TableId(name), guild, channel, Join(HOST, "host"), BEGIN, game="coyote")
    table = decision.table
    return Change(None, table, decision.log, decision.outbox, BEGIN, next_due(table), interaction)


def step(before: Table, command: Command, interaction: int | None = None) -> Change:
    """Return one step of a table."""
    decision = decide(before, command, BEGIN, Random(1))
    table = decision.table
    return Change(before, table, decision.log, decision.outbox, BEGIN, next_due(table), interaction)


async def stored(store: Store, table: TableId) -> Table:
    found = await store.load(table)
    assert found is not None
    return found.table


async def test_what_was_committed_is_loaded(store: Store, database: Database) -> None:
    opening = opened("a", 2, interaction=2**62 + 1)
    await store.commit([opening])
    assert await store.load(TableId("a")) == (opening.table, (2**62 + 1,))
    joining = step(opening.table, Join(GUEST, "Zoë 🪶 \"quoted\" 'too' \\ $1 %s"), interaction=7)
    await store.commit([joining])
    assert await store.load(TableId("a")) == (joining.table, (2**62 + 1, 7))
    assert await store.load(TableId("b")) is None
    await store.close()
    again = await database.open()
    assert await again.load(TableId("a")) == (shifted(joining.table, GRACE_MILLIS), (2**62 + 1, 7))
    await again.close()


async def test_an_interaction_counts_once_at_whichever_table_and_after_a_restart(
    store: Store, database: Database
) -> None:
    one, two = opened("a", 2, interaction=5), opened("b", 3)
    await store.commit([one])
    await store.commit([two])
    with pytest.raises(Duplicate):
        await store.commit([step(one.table, Join(GUEST, "x"), interaction=5)])
    await store.close()
    again = await database.open()
    with pytest.raises(Duplicate):
        await again.commit([step(two.table, Join(GUEST, "x"), interaction=5)])
    assert await stored(again, TableId("b")) == shifted(two.table, GRACE_MILLIS)
    assert await again.open_of(GUEST) == ()
    await again.commit([step(two.table, Join(GUEST, "x"), interaction=6)])
    assert await again.open_of(GUEST) == (TableId("b"),)
    await again.close()


async def test_a_step_with_several_entries_in_the_log_uses_its_interaction_once(store: Store) -> None:
    table = opened("a", 2)
    await store.commit([table])
    commands: list[Command] = [Join(GUEST, "x"), Join(THIRD, "x"), Start(HOST)]
    for interaction, command in enumerate(commands, 5):
        table = step(table.table, command, interaction)
        await store.commit([table])
    assert len(table.log) > 1
    assert await store.load(TableId("a")) == (table.table, (5, 6, 7))


async def test_of_one_interaction_delivered_many_times_at_once_one_counts(store: Store) -> None:
    openings = [opened(f"t{number}", 10 + number, interaction=5) for number in range(8)]
    others = [opened(f"o{number}", 100 + number, interaction=100 + number) for number in range(8)]
    mixed = [change for pair in zip(openings, others, strict=True) for change in pair]
    answers = await asyncio.gather(*[store.commit([change]) for change in mixed], return_exceptions=True)
    assert [type(answer) for answer in answers[::2]].count(Duplicate) == 7
    assert answers[::2].count(None) == 1
    assert set(answers[1::2]) == {None}, "a change that shares a transaction with a duplicate is still written"
    assert len(await store.open_in(1)) == 9


async def test_a_step_from_an_older_state_is_refused(store: Store) -> None:
    opening = opened("a", 2)
    await store.commit([opening])
    one, other = step(opening.table, Join(GUEST, "x"), 1), step(opening.table, Join(THIRD, "x"), 2)
    await store.commit([one])
    told = await store.outbox(TableId("a"))
    with pytest.raises(Conflict):
        await store.commit([other])
    assert await store.load(TableId("a")) == (one.table, (1,)), "nothing of the refused step was written"
    assert await store.open_of(THIRD) == ()
    assert await store.outbox(TableId("a")) == told
    await store.commit([step(one.table, Join(THIRD, "x"), 2)])
    assert await store.open_of(THIRD) == (TableId("a"),)


async def test_of_many_steps_from_one_state_at_once_one_is_written(store: Store) -> None:
    tables = [opened(f"t{number}", number) for number in range(6)]
    await asyncio.gather(*[store.commit([each]) for each in tables])
    attempts = [
        (each.table.id, store.commit([step(each.table, Join(UserId(20 + nth), "x"), 100 * number + nth)]))
        for nth in range(4)
        for number, each in enumerate(tables)
    ]
    answers = await asyncio.gather(*[attempt for _, attempt in attempts], return_exceptions=True)
    assert {type(answer) for answer in answers} == {type(None), Conflict}
    for each in tables:
        won = [answer for (table, _), answer in zip(attempts, answers, strict=True) if table == each.table.id]
        assert won.count(None) == 1
        assert (await stored(store, each.table.id)).seq == each.table.seq + 1
        assert len((await stored(store, each.table.id)).players) == 2


async def test_a_step_that_changes_the_stage_is_guarded_as_well(store: Store) -> None:
    opening = opened("a", 2)
    await store.commit([opening])
    joined = step(opening.table, Join(GUEST, "x"))
    await store.commit([joined])
    with pytest.raises(Conflict):
        await store.commit([step(opening.table, Stop(HOST))])
    assert (await stored(store, TableId("a"))).stage is Stage.LOBBY
    await store.commit([step(joined.table, Stop(HOST))])
    assert (await stored(store, TableId("a"))).stage is Stage.CLOSED


async def test_a_table_that_does_not_exist_cannot_be_changed(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.commit([step(opened("a", 2).table, Join(GUEST, "x"), 5)])
    await store.commit([opened("a", 2, interaction=5)])  # the interaction was not used up


async def test_a_channel_has_one_open_table(store: Store) -> None:
    first = opened("a", 2)
    await store.commit([first])
    with pytest.raises(ChannelTaken):
        await store.commit([opened("b", 2, interaction=5)])
    assert await store.load(TableId("b")) is None
    assert await store.at(2) == TableId("a")
    await store.commit([step(first.table, Stop(HOST))])
    assert await store.at(2) == TableId("a"), "the newest one, if none is open"
    await store.commit([opened("b", 2, interaction=5)])
    assert await store.at(2) == TableId("b")
    answers = await asyncio.gather(
        *[store.commit([opened(f"t{number}", 3)]) for number in range(4)], return_exceptions=True
    )
    assert [type(answer) for answer in answers].count(ChannelTaken) == 3
    assert await store.at(4) is None


async def test_changes_of_several_tables_are_written_together_or_not_at_all(store: Store) -> None:
    one, two = opened("a", 2), opened("b", 3)
    await store.commit([one, two])
    moved = step(one.table, Join(GUEST, "x"), 5)
    with pytest.raises(Conflict):
        await store.commit([moved, step(step(two.table, Join(THIRD, "x")).table, Join(FOURTH, "x"))])
    assert await stored(store, TableId("a")) == one.table
    assert await store.open_of(GUEST) == ()
    with pytest.raises(ChannelTaken):
        await store.commit([moved, opened("c", 3)])
    assert await store.load(TableId("c")) is None
    await store.commit([moved, opened("c", 4)])
    assert {await store.at(2), await store.at(4)} == {TableId("a"), TableId("c")}
    assert await store.open_of(GUEST) == (TableId("a"),)


async def test_open_tables_are_found_by_people_and_servers(store: Store) -> None:
    await store.commit([opened("a", 2), opened("b", 3, guild=9)])
    here = step((await stored(store, TableId("a"))), Join(GUEST, "x"))
    await store.commit([here])
    more = step(here.table, Join(THIRD, "x"))
    await store.commit([more])
    playing = step(more.table, Start(HOST))
    await store.commit([playing])
    assert await store.open_of(HOST) == (TableId("a"), TableId("b"))
    assert await store.open_in(1) == (TableId("a"),)
    assert await store.open_in(2) == ()
    assert await store.playing_in() == {1, 9}
    left = step(playing.table, Leave(GUEST))
    await store.commit([left])
    assert await store.open_of(GUEST) == (), "they have left the match, but the table still names them"
    assert await store.visited(GUEST) == {TableId("a"): True}
    await store.commit([step((await stored(store, TableId("b"))), Stop(HOST))])
    assert await store.visited(HOST) == {TableId("a"): True, TableId("b"): False}
    assert await store.playing_in() == {1}


async def test_a_caller_is_cancelled_only_once_the_result_is_known(store: Store) -> None:
    async def commit(change: Change) -> None:
        await store.commit([change])

    changes = [opened(f"t{number}", number) for number in range(40)]
    tasks = [asyncio.create_task(commit(change)) for change in changes]
    for number, task in enumerate(tasks):
        if number % 3 == 0:
            await asyncio.sleep(0)
            task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    begun = [change for change, answer in zip(changes, answers, strict=True) if answer is None]
    found = set(await store.open_in(1))
    assert {change.table.id for change in begun} <= found
    for change in changes:  # each has written either nothing, if cancelled before it began, or everything
        assert (change.table.id in found) == (await store.load(change.table.id) is not None)
    await store.commit([opened("last", 99)])


async def test_a_commit_that_nobody_waits_for_is_written(store: Store) -> None:
    writing = store.commit([opened("a", 2)])
    assert not writing.cancel()
    while not writing.done():  # noqa: ASYNC110 - nobody may wait for it here
        await asyncio.sleep(0.001)
    assert writing.exception() is None
    assert await store.at(2) == TableId("a")


async def test_the_log_names_seats_and_no_people(database: Database) -> None:
    huge = UserId(987654321987654321)
    async with host_on(database) as here:
        table = await here.lobby()
        for user in (GUEST, huge):
            await here.tables.submit(table.id, Join(user, "guest"), interaction_id=user)
        table = await here.tables.submit(table.id, Start(HOST))
        await here.tables.submit(table.id, bid(table, 5), interaction_id=77)
        await here.tables.submit(table.id, Stop(huge, manager=True))
        log = await database.rows("actions", "seq", "part", "at", "actor", "thought", "interaction_id", "action")
    assert not any(str(huge) in str(action) for *_, action in log)
    assert (table.seq + 1, 0, BEGIN, "user", 0, 77) in [row[:-1] for row in log]
    assert {seq for seq, *_ in log} == set(range(1, table.seq + 3))
