"""Deleting a person: everything that names them goes, everybody else keeps what they have, and games go on."""

from __future__ import annotations

import asyncio
from random import Random
from typing import get_type_hints

import pytest

from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host import codec
from bot.host.commands import DmTried, Forget, Join, Leave, OutboxKind, Play, Start, Watch
from bot.host.decide import decide
from bot.host.erasure import forget_in
from bot.host.former_players import is_former_id, new_former_id
from bot.host.model import Dm, Pause, Player, Stage, Table, UserId
from bot.host.ports import Change, Conflict, EraseConflict, Message
from bot.stats.model import Board
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, THIRD, bid
from tests.stats.evenings import contents, keep, play
from tests.store.databases import Database, host_on
from tests.store.traces import GUILD, IDS, NAME, forget, leave_traces, store_matches


@pytest.mark.parametrize("number", IDS)
async def test_nothing_is_left_of_a_deleted_user(database: Database, number: int) -> None:
    user = UserId(number)
    async with host_on(database) as here:
        await store_matches(here.store, user)
        await leave_traces(here, user)
        assert set(await here.store.privacy.names(user)) == {NAME, "x"}
        assert await database.remains(user, NAME)
        assert await here.store.privacy.knows(user)
        await forget(here, user)
        assert await database.remains(user, NAME) == []
        assert not await here.store.privacy.knows(user)
        assert await here.store.privacy.games(user) == 0
        assert await here.store.privacy.names(user) == []
    assert await database.remains(user, NAME) == []


async def test_somebody_at_an_open_table_that_nobody_holds_is_not_erased(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        match = play("finished", GUILD, [HOST, GUEST, THIRD], Random(1))
        await keep(here.store, match)
        before = await contents(database)
        assert await here.store.visited(HOST) == {table.id: True, match.over.id: False}
        with pytest.raises(EraseConflict):
            await here.store.erase(HOST, new_former_id(), [], [])
        assert await here.store.visited(HOST) == {table.id: True, match.over.id: False}
        assert await contents(database) == before
        assert await here.store.load(table.id) == (table, ())


async def test_a_table_that_was_loaded_before_an_erasure_cannot_be_written_back(store: Store) -> None:
    match = play("finished", GUILD, [HOST, GUEST, THIRD], Random(1))
    await keep(store, match)
    held = await store.load(match.over.id)
    assert held is not None
    await store.erase(HOST, new_former_id(), [], [])
    again = held.table._replace(seq=held.table.seq + 1)
    with pytest.raises(Conflict):
        await store.commit([Change(held.table, again, (), (), BEGIN, None)])
    assert not await store.privacy.knows(HOST)


async def test_what_somebody_said_is_deleted_if_it_was_not_told_yet(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        (prompt,) = RULES["coyote"].prompts(table.match)
        user = table.players[prompt.seat].user
        await here.tables.submit(table.id, Play(user, "bid", {"number": 1}, line=NAME))
        assert await database.remains(IDS[0], NAME)
        assert await here.store.privacy.wipe(user, await here.tables.forget(user), [NAME])
        assert await database.remains(IDS[0], NAME) == []
        spoken = [row.payload for row in await here.store.outbox(table.id) if row.kind is OutboxKind.NOTICE]
        assert any(payload["key"] == "spoken" and payload["line"] is None for payload in spoken)


async def test_the_data_of_other_users_stays(database: Database) -> None:
    user = UserId(IDS[1])
    async with host_on(database) as here:
        others = await store_matches(here.store, user, 30)
        before = {other: await here.store.stats.card(Board(GUILD, "coyote"), other) for other in others}
        history = await here.store.stats.history(GUILD, size=100)
        rows = await contents(database)
        await forget(here, user)
        for other in others:
            after = await here.store.stats.card(Board(GUILD, "coyote"), other)
            assert after.totals == before[other].totals
            assert after.curve == before[other].curve
            assert user not in {rival.user for rival in (after.victim, after.nemesis) if rival is not None}
        mine = await here.store.stats.card(Board(GUILD, "coyote"), user)
        assert (mine.totals.games, mine.curve) == (0, ())
        assert (await here.store.stats.history(GUILD, user=user)).games == 0
        again = await here.store.stats.history(GUILD, size=100)
        assert [game.number for game in again.lines] == [game.number for game in history.lines]
        assert [[seat.place for seat in game.seats] for game in again.lines] == [
            [seat.place for seat in game.seats] for game in history.lines
        ]
        replay = await here.store.stats.replay(GUILD, 1)
        assert replay is not None
        assert sum(1 for each in replay.users if each is not None and is_former_id(each)) == 1
    kept = await contents(database)
    assert kept["totals"] == [row for row in rows["totals"] if row[1] != user]
    assert kept["pairs"] == [row for row in rows["pairs"] if user not in row[1:3]]
    assert kept["games"] == rows["games"]
    await database.rebuild()
    assert await contents(database) == kept, "a rebuild gives the same statistics as the deletion left"


async def test_a_deleted_user_who_returns_is_a_new_user(database: Database) -> None:
    user = UserId(IDS[0])
    async with host_on(database) as here:
        await store_matches(here.store, user)
        await forget(here, user)
        await forget(here, user)  # nothing is left to delete, so nothing happens
        await store_matches(here.store, user, 9, seed=6)
        card = await here.store.stats.card(Board(GUILD, "coyote"), user)
        assert 0 < card.totals.games < 9
    kept = await contents(database)
    await database.rebuild()
    assert {name: rows for name, rows in (await contents(database)).items() if name != "boards"} == {
        name: rows for name, rows in kept.items() if name != "boards"
    }
    async with host_on(database) as here:
        await forget(here, user)
    assert await database.remains(user) == []


async def test_a_deleted_user_leaves_the_table_and_the_game_goes_on(database: Database) -> None:
    user = UserId(IDS[0])
    async with host_on(database) as here:
        await leave_traces(here, user)
        running = await here.tables.at(102)
        assert running is not None
        await forget(here, user)
        table = await here.tables.get(running.id)
        assert table.stage is Stage.PLAYING
        assert is_former_id(table.players[1].user)
        assert table.players[1].left
        assert table.players[1].name == ""
        assert table.pause_votes == ()
        hosted = await here.tables.at(101)
        assert hosted is not None
        assert hosted.host == GUEST
        after = await here.tables.submit(running.id, bid(table, 5) if table.next_deal is None else Leave(THIRD))
        assert after.seq == table.seq + 1
        assert await database.remains(user, NAME) == []
        assert await here.store.open_of(user) == ()


async def test_if_a_watching_host_is_deleted_a_player_becomes_host(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.lobby()
        for user in (GUEST, THIRD, UserId(14)):
            await here.tables.submit(table.id, Join(user, "guest"))
        await here.tables.submit(table.id, Watch(HOST))
        await here.tables.forget(HOST)
        assert (await here.tables.get(table.id)).host == GUEST
        assert (await here.tables.submit(table.id, Start(GUEST))).stage is Stage.PLAYING


async def test_work_in_progress_does_not_bring_a_deleted_user_back(database: Database) -> None:
    user = UserId(IDS[0])
    async with host_on(database) as here:
        await leave_traces(here, user)
        running = await here.tables.at(102)
        assert running is not None
        await forget(here, user)
        await here.store.mark_done([], placed=[Message(running.id, "dm", user, 4, 6, BEGIN)])
        await here.store.mark_done([], placed=[Message(running.id, "table", None, 4, 7, BEGIN)])
        await here.tables.submit(running.id, DmTried(user, Dm.OPEN))
        await here.store.stats.set_absent(GUILD, user, BEGIN)
        assert [each.kind for each in await here.store.messages(running.id)] == ["table"]
    assert await database.remains(user, NAME) == []


async def test_cached_finished_tables_are_reloaded_and_a_rematch_leaves_deleted_users_out(database: Database) -> None:
    user = UserId(IDS[0])
    async with host_on(database) as here:
        match = play("finished", 9, [user, HOST, GUEST], Random(1))
        await keep(here.store, match)
        held = await here.tables.get(match.over.id)
        assert user in {player.user for player in held.players}
        await forget(here, user)
        table = await here.tables.get(match.over.id)
        assert user not in {player.user for player in table.players}
        staying = next(player.user for player in table.players if not player.left and not is_former_id(player.user))
        again = await here.tables.rematch(table.id, staying)
        assert all(not is_former_id(player.user) and player.user != user for player in again.players)
    assert await database.remains(user) == []


async def test_a_rematch_during_a_deletion_opens_without_the_deleted_user(database: Database) -> None:
    user = UserId(IDS[0])
    async with host_on(database) as here:
        match = play("finished", 9, [user, HOST, GUEST], Random(1))
        await keep(here.store, match)
        held = await here.tables.get(match.over.id)
        staying = next(each.user for each in held.players if not each.left and each.user != user)
        await here.store.erase(user, new_former_id(), [], [])  # the table in memory is not updated yet
        again = await here.tables.rematch(held.id, staying, interaction_id=77)
        assert again.players
        assert all(not is_former_id(player.user) and player.user != user for player in again.players)
        assert (await here.tables.get(held.id)).rematch == again.id
        assert (await here.tables.rematch(held.id, staying, interaction_id=77)).id == again.id


async def test_a_user_can_be_deleted_while_they_keep_joining_tables(database: Database) -> None:
    user = UserId(IDS[0])
    async with host_on(database) as here:
        await leave_traces(here, user)

        async def keep_joining() -> None:
            for channel in range(200, 230):
                table = await here.tables.open(channel, channel, Join(HOST, "host"), game="coyote")
                await here.tables.submit(table.id, Join(user, NAME))

        await asyncio.gather(keep_joining(), here.tables.forget(user))
        former_id = await here.tables.forget(user)
        assert await here.store.privacy.wipe(user, former_id)
    assert await database.remains(user, NAME) == []


def test_every_field_that_holds_a_person_is_known() -> None:
    """If a new field of a table names people, add it here and to `bot/host/erasure.py`."""
    named = {
        (kind.__name__, name)
        for kind in (Table, Player, Pause)
        for name, hint in get_type_hints(kind).items()
        if "UserId" in str(hint)
    }
    assert named == {
        *[("Table", name) for name in ("host", "kicked", "starter", "pause_votes", "out_votes", "ended_by")],
        ("Player", "user"),
        ("Pause", "asked_by"),
    }


async def test_a_table_and_its_document_are_erased_alike(database: Database) -> None:
    user, former_id = UserId(IDS[1]), new_former_id()
    async with host_on(database) as here:
        await leave_traces(here, user)
        running = await here.tables.at(102)
    assert running is not None
    players = running.players
    full = running._replace(
        stage=Stage.CLOSED,  # in a closed table the document is changed; an open one would also get another host
        kicked=(GUEST, user),
        starter=user,
        host=user,
        pause=Pause(BEGIN, user),
        pause_votes=(user, HOST),
        out_votes=((user, HOST), (HOST, user)),
        ended_by=user,
    )
    after = decide(full, Forget(user, former_id), BEGIN, Random(1)).table
    written = codec.load(
        codec.Columns(full.id, full.guild, full.channel, full.stage, after.seq),
        codec.dump_setup(full),
        forget_in(codec.dump(full), user, former_id),
    )
    assert written == after
    assert str(user) not in codec.dump(after)
    assert codec.dump(after).count(str(former_id)) == 9
    assert [player.user for player in after.players if player.user != former_id] == [
        p.user for p in players if p.user != user
    ]


def test_former_players_have_random_ids_that_no_user_or_ai_has() -> None:
    former_ids = {new_former_id() for _ in range(200)}
    assert len(former_ids) == 200
    assert all(is_former_id(each) for each in former_ids)
    assert not any(is_former_id(user) for user in (*IDS, -1, -12, 0))


async def test_deleting_a_user_who_is_not_at_a_table_changes_nothing(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.lobby()
        with pytest.raises(Rejected):
            await here.tables.submit(table.id, Leave(UserId(IDS[0])))
        await here.tables.forget(UserId(IDS[0]))
        assert (await here.tables.get(table.id)) == table
