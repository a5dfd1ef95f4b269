"""What must still be sent, and which messages are in Discord."""

from __future__ import annotations

import asyncio

from bot.host.commands import Join, OutboxKind
from bot.host.model import TableId, UserId
from bot.host.ports import Message, Posting
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, bid
from tests.store.contract.test_exactly_once import opened, step
from tests.store.databases import Database, host_on


async def test_only_the_newest_table_message_waits_in_the_outbox(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        for number in (5, 6, 7):
            table = await here.tables.submit(table.id, bid(table, number))
        rows = await here.store.outbox(table.id)
        (told,) = [row for row in rows if row.kind is OutboxKind.TABLE]
        assert told.seq == table.seq
        assert [row.id for row in rows] == sorted(row.id for row in rows), "the oldest first"
        assert all(len(row.nonce) <= 25 for row in rows)
        assert len({row.nonce for row in rows}) == len(rows)
        assert list(await here.store.unsent()) == [table.id]


async def test_rows_with_content_are_all_kept_in_their_order(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        lines = ["Zoë 🪶", 'say "it" \\ $1 %s', "third"]
        for number, line in enumerate(lines):
            table = await here.tables.submit(table.id, bid(table, number)._replace(line=line))
            here.clock.move(1)
        rows = [row for row in await here.store.outbox(table.id) if row.payload and row.payload.get("key") == "spoken"]
        assert [row.payload["line"] for row in rows] == lines
        assert [row.seq for row in rows] == [table.seq - 2, table.seq - 1, table.seq]
        assert [row.made_at for row in rows] == [BEGIN, BEGIN + 1, BEGIN + 2]


async def test_sent_rows_leave_the_outbox_unless_newer_ones_replaced_them(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        before = await here.store.outbox(table.id)
        table = await here.tables.submit(table.id, bid(table, 5))
        message = Message(table.id, "table", None, 2, 555, BEGIN)
        await here.store.mark_done(before, placed=[message])
        left = await here.store.outbox(table.id)
        assert [(row.kind, row.seq) for row in left] == [(OutboxKind.TABLE, table.seq), (OutboxKind.PING, table.seq)]
        assert list(await here.store.messages(table.id)) == [message]
        newer = message._replace(message=556)
        await here.store.mark_done(left, placed=[newer])
        assert list(await here.store.unsent()) == []
        await here.store.forget(message)
        assert list(await here.store.messages(table.id)) == [newer], "a newer message has taken its place"
        await here.store.forget(newer)
        assert list(await here.store.messages(table.id)) == []


async def test_noting_a_message_as_sent_twice_does_not_affect_another_table(database: Database) -> None:
    async with host_on(database) as here:
        one = await here.tables.open(1, 1, Join(HOST, "host"), game="coyote")
        told = await here.store.outbox(one.id)
        await here.store.mark_done(told)
        other = await here.tables.open(1, 2, Join(HOST, "host"), game="coyote")
        waiting = await here.store.outbox(other.id)
        assert waiting
        await here.store.mark_done(told)
        await here.store.mark_done([row._replace(id=mine.id) for row, mine in zip(told, waiting, strict=True)])
        assert await here.store.outbox(other.id) == waiting, "a row is deleted only for its own table"


async def test_a_crash_between_commit_and_publishing_loses_no_message(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        waiting = await here.store.outbox(table.id)
    assert waiting
    async with host_on(database) as here:
        assert list(await here.store.unsent()) == [table.id]
        assert await here.store.outbox(table.id) == waiting


async def test_messages_are_kept_by_kind_and_person(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        there = [
            Message(table.id, "table", None, 2**62, 2**62 + 1, BEGIN),
            Message(table.id, "dm", HOST, 3, 11, BEGIN),
            Message(table.id, "dm", GUEST, 4, 12, BEGIN),
            Message(table.id, "ping", GUEST, 2, 13, BEGIN, prompt=9),
        ]
        stranger = Message(table.id, "dm", UserId(99), 5, 14, BEGIN)
        await here.store.mark_done([], placed=[*there, stranger])
        assert set(await here.store.messages(table.id)) == set(there), "nothing is kept of people without a seat"
        newer = there[1]._replace(message=21)
        await here.store.mark_done([], placed=[newer])
        assert set(await here.store.messages(table.id)) == {there[0], newer, *there[2:]}
        assert list(await here.store.messages(TableId("other"))) == []


async def test_a_posting_is_noted_until_it_is_known_what_became_of_it(store: Store, database: Database) -> None:
    opening = opened("a", 2)
    await store.commit([opening])
    await store.mark_done(await store.outbox(TableId("a")))
    assert await store.posting(TableId("a")) is None
    assert list(await store.unsent()) == []
    noted = Posting("a.1.1", "", BEGIN)
    await store.note_posting(TableId("a"), noted)
    await store.note_posting(TableId("a"), noted._replace(webhook="w/x"))
    await store.close()
    again = await database.open()
    assert await again.posting(TableId("a")) == noted._replace(webhook="w/x")
    assert list(await again.unsent()) == [TableId("a")], "it may have been sent unnoticed"
    await again.mark_done([], placed=[Message(TableId("a"), "table", None, 2, 3, BEGIN)], settles=TableId("a"))
    assert await again.posting(TableId("a")) is None
    await again.note_posting(TableId("a"), noted)
    await again.note_posting(TableId("a"), None)
    assert list(await again.unsent()) == []
    await again.close()


async def test_a_row_that_is_replaced_while_it_is_marked_as_sent_stays(store: Store) -> None:
    openings = [opened(f"t{number}", number) for number in range(6)]
    await store.commit(openings)
    told = {each.table.id: await store.outbox(each.table.id) for each in openings}
    moves = [step(each.table, Join(GUEST, "x")) for each in openings]
    both = [work for move in moves for work in (store.commit([move]), store.mark_done(told[move.table.id]))]
    await asyncio.gather(*both)
    for move in moves:
        left = [row for row in await store.outbox(move.table.id) if row.kind is OutboxKind.TABLE]
        assert [row.seq for row in left] == [move.table.seq]
