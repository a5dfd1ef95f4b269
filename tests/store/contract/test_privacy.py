"""Exports, deletions that are killed halfway, and deleting the data of servers that removed the bot."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from bot.engine.registry import RULES
from bot.host.commands import Leave, Tick, VoteOut
from bot.host.model import House, TableId, UserId
from bot.host.ports import Message
from bot.house_rules.repository import HouseLogRow
from bot.store.janitor import DAY_MILLIS, Janitor
from bot.store.ports import TABLES_PER_TRANSACTION, Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, bid
from tests.stats.evenings import contents, keep, play
from tests.store.databases import Database, host_on
from tests.store.traces import GUILD, IDS, NAME, leave_traces, store_matches

ROOT = Path(__file__).parents[3]
USER = UserId(IDS[1])


async def test_a_deletion_that_is_killed_deletes_everything_or_nothing(database: Database) -> None:
    rng = Random(4)
    ends: list[bool] = []
    for attempt in range(8):
        async with host_on(database) as here:
            if attempt == 0 or not ends[-1]:
                await store_matches(here.store, USER, 12, seed=attempt)
                await leave_traces(here, USER, more=1000 * attempt)
        rows = await contents(database)
        said = await _erase_and_kill(database, rng.choice(("begun", "erased")), rng.random() * 0.06)
        async with host_on(database) as here:  # opening the store finishes a wipe that was begun
            known = await here.store.privacy.knows(USER)
            assert not (known and "erased" in said), "an acknowledged deletion was lost"
            ends.append(known)
        if known:
            assert await contents(database) == rows
        else:
            assert await database.remains(USER, NAME) == []
            assert not [key for (key,) in await database.rows("meta", "key") if key.startswith("wipe")]
    assert False in ends


async def _erase_and_kill(database: Database, after: str, seconds: float) -> list[str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.store.erasing_process", database.address, str(USER)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    said: list[str] = []
    while not said or said[-1] != after:
        said.append((await process.stdout.readline()).decode().strip())
    await asyncio.sleep(seconds)
    process.kill()
    said += (await process.stdout.read()).decode().split()
    await process.wait()
    return said


async def test_an_export_has_everything_about_a_user_and_nothing_hidden(database: Database) -> None:
    async with host_on(database) as here:
        await store_matches(here.store, USER, 8)
        await leave_traces(here, USER)
        running = await here.tables.at(102)
        assert running is not None
        await here.store.mark_done([], placed=[Message(running.id, "dm", USER, 4, 5, BEGIN)])
        found = await here.store.privacy.export(USER)
        assert found == json.loads(json.dumps(found))
    assert found["user"] == str(USER)
    assert found["settings"][0]["slow"] == 2
    assert found["settings"][0]["language"] == "en"
    assert len(found["tables"]) == 6 + 6
    by_channel = {table["channel"]: table for table in found["tables"]}
    assert by_channel["101"]["roles"] == ["host"]
    assert by_channel["103"]["roles"] == ["kicked"]
    assert by_channel["104"]["roles"] == ["ended_by"]
    assert by_channel["107"]["roles"] == ["guessers"]
    assert [row["key"] for row in found["house_rules"]] == ["threshold"]
    assert found["lessons"] == [
        {"game": "coyote", "step": "first", "moves": [{"do": "bid"}], "interaction_id": "90"},
    ]
    assert by_channel["102"]["player"]["name"] == NAME
    assert by_channel["102"]["messages"][0]["message_id"] == "5"
    finished = [table for table in found["tables"] if table["stage"] == "over"]
    assert all(move["action"]["seat"] == table["seat"] for table in finished for move in table["moves"])
    assert sum(len(table["moves"]) for table in finished) > 6
    assert len(found["statistics"]["games"]) == 6
    assert {row["user"] for row in found["statistics"]["totals"]} == {str(USER)}
    assert found["statistics"]["opponents"]
    text = json.dumps(found)
    assert not any(word in text for word in ("worn", "pile", "match", "document"))
    assert "guest" not in text, "an export contains nobody else's name"


async def test_moves_that_others_made_for_a_user_are_not_exported_as_theirs(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started(house=House(ai_for_away=False, away_after=1))
        late = await here.tables.submit(table.id, bid(table, 5), interaction_id=70)
        gone = RULES["coyote"].prompts(late.match)[0].seat
        here.clock.move(10 * 60 * 1000)
        after = await here.tables.submit(table.id, Tick())
        assert after.players[gone].away
        for number, player in enumerate([each for each in after.players if not each.away], 71):
            await here.tables.submit(table.id, VoteOut(player.user, after.players[gone].user), interaction_id=number)
        assert (await here.tables.get(table.id)).players[gone].left
        found = await here.store.privacy.export(after.players[gone].user)
        assert found["tables"][0]["moves"] == []
        assert "7" not in {id_[0] for id_ in _interactions(found)}
        mine = await here.store.privacy.export(table.players[RULES["coyote"].prompts(table.match)[0].seat].user)
        assert [move["interaction_id"] for move in mine["tables"][0]["moves"]] == ["70"]


async def test_leaving_is_exported_as_the_users_own_move(database: Database) -> None:
    async with host_on(database) as here:
        table = await here.started()
        await here.tables.submit(table.id, Leave(GUEST), interaction_id=70)
        found = await here.store.privacy.export(GUEST)
        assert [(move["action"]["do"], move["interaction_id"]) for move in found["tables"][0]["moves"]] == [
            ("leave", "70")
        ]


def _interactions(found: dict[str, Any]) -> list[str]:
    return [move["interaction_id"] for table in found["tables"] for move in table["moves"] if move["interaction_id"]]


async def test_an_export_for_an_unknown_user_is_empty(database: Database) -> None:
    async with host_on(database) as here:
        found = await here.store.privacy.export(USER)
        assert not await here.store.privacy.knows(USER)
        await here.store.stats.set_opted_out(USER, True)
        assert await here.store.privacy.knows(USER)
    assert (found["settings"], found["tables"], found["statistics"]["totals"]) == ([], [], [])


# -- servers that removed the bot


async def play_in_departed_server(store: Store, games: int = 45) -> None:
    rng = Random(7)
    for number in range(games):
        await keep(store, play(f"gone{number}", 900, [HOST, GUEST, USER], rng, BEGIN))
    await keep(store, play("stays", GUILD, [HOST, GUEST, USER], rng, BEGIN))


async def rows_of(database: Database, guild: int) -> dict[str, int]:
    """Return how many rows of each table belong to a server, and how many belong to a table that is gone."""
    of_guilds = ("house_rules", "house_log", "tables", "ends", "games", "game_seats", "boards", "seasons", "absent")
    found = {table: (await database.rows(table, "guild")).count((guild,)) for table in of_guilds}
    there = {table for (table,) in await database.rows("tables", "id")}
    for table in ("actions", "seats", "visits", "outbox", "messages"):
        found[f"stray {table}"] = len([id_ for (id_,) in await database.rows(table, "table_id") if id_ not in there])
    boards = {board for (board,) in await database.rows("boards", "id")}
    for table in ("totals", "scores", "ladder", "pairs"):
        found[f"stray {table}"] = len([id_ for (id_,) in await database.rows(table, "board") if id_ not in boards])
    return found


async def test_a_departed_servers_data_is_deleted_after_the_retention_time(database: Database) -> None:
    async with host_on(database) as here:
        await play_in_departed_server(here.store)
        await here.store.keep_house(900, 1, "{}", [HouseLogRow(900, BEGIN, USER, "threshold", None, "4")])
        for guild in (900, GUILD):
            await here.store.set_meta(f"files:{guild}", "1")
        await here.store.bot_removed(900, BEGIN)
        gone: list[TableId] = []

        async def note(tables: list[TableId]) -> None:
            gone.extend(tables)
            await here.tables.drop(tables)

        janitor = Janitor(here.store.privacy, here.clock, 30, note, erase=here.tables.forget)  # type: ignore[arg-type]
        here.clock.move(30 * DAY_MILLIS - 1)
        await janitor.clear_up()
        assert gone == []
        here.clock.move(1)
        await janitor.clear_up()
        assert len(gone) == 45
        assert set((await rows_of(database, 900)).values()) == {0}
        assert (await rows_of(database, GUILD))["tables"] == 1
        assert await here.store.meta("left:900") is None
        assert await here.store.meta("files:900") is None
        assert await here.store.meta(f"files:{GUILD}") == "1"
        await janitor.clear_up()


async def test_seasons_stay_closed_when_another_servers_data_is_deleted(database: Database) -> None:
    rng = Random(7)
    async with host_on(database) as here:
        await keep(here.store, play("first", GUILD, [HOST, GUEST, USER], rng, BEGIN))
        for number in range(3):
            await keep(here.store, play(f"gone{number}", 900, [HOST, GUEST, USER], rng, BEGIN))
        await here.store.stats.close_season(GUILD, BEGIN, 1)
        await here.store.bot_removed(900, BEGIN - 31 * DAY_MILLIS)
        assert len(await here.store.privacy.clear(900, BEGIN)) == 3
        await keep(here.store, play("second", GUILD, [HOST, GUEST, USER], rng, BEGIN))
        assert [game.season for game in (await here.store.stats.history(GUILD)).lines] == [2, 1]


async def test_a_server_that_comes_back_keeps_what_it_still_has(database: Database) -> None:
    async with host_on(database) as here:
        await play_in_departed_server(here.store)
        await here.store.bot_removed(900, BEGIN - 31 * DAY_MILLIS)
        assert len(await here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS)) == TABLES_PER_TRANSACTION
        await here.store.bot_added([900])
        assert await here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS) == []
        assert await here.store.privacy.departed(BEGIN) == []
    assert (await rows_of(database, 900))["tables"] == 45 - TABLES_PER_TRANSACTION


async def test_deleting_a_departed_server_continues_after_a_restart(database: Database) -> None:
    async with host_on(database) as here:
        await play_in_departed_server(here.store)
        await here.store.bot_removed(900, BEGIN - 31 * DAY_MILLIS)
        await here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS)
    async with host_on(database) as here:
        janitor = Janitor(here.store.privacy, here.clock, 30, here.tables.drop, erase=here.tables.forget)
        janitor.start()
        janitor.start()
        async with asyncio.timeout(60):
            while await here.store.privacy.departed(BEGIN):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await janitor.stop()
    assert set((await rows_of(database, 900)).values()) == {0}


async def test_play_goes_on_during_a_deletion(database: Database) -> None:
    async with host_on(database) as here:
        await store_matches(here.store, USER, 24)
        table = await here.started()

        async def bids() -> None:
            now = table
            for number in range(30):
                now = await here.tables.submit(table.id, bid(now, number))

        await asyncio.gather(bids(), here.tables.forget(USER))
        assert (await here.tables.get(table.id)).seq == table.seq + 30
