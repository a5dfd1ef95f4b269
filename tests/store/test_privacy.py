"""Being killed in the midst of a deletion, handing data over, and clearing up after servers."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.registry import RULES
from bot.host.commands import Leave, Tick, VoteOut
from bot.host.model import House, TableId, UserId
from bot.host.ports import Message
from bot.house_rules import repository as books
from bot.store.sqlite import departed
from bot.store.sqlite.janitor import DAY_MILLIS, Janitor
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, bid, world
from tests.stats.evenings import contents, keep, play
from tests.store.leftovers import leftovers
from tests.store.test_erasing import GUILD, IDS, NAME, everywhere, played

ROOT = Path(__file__).parents[2]
USER = UserId(IDS[1])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder / "coyote.sqlite3"


async def test_killed_in_the_midst_everything_is_there_or_nothing(path: Path, tmp_path: Path) -> None:
    async with world(path) as here:
        await played(here.store, USER, 24)
        await everywhere(here, USER)
    whole = tmp_path / "whole"
    shutil.copytree(path.parent, whole)
    rows = contents(path)
    rng = Random(4)
    ends = []
    for _ in range(8):
        shutil.rmtree(path.parent)
        shutil.copytree(whole, path.parent)
        said = await _killed(path, rng.choice(("begun", "erased")), rng.random() * 0.06)
        async with world(path) as here:  # the start finishes what was begun
            known = await here.store.privacy.knows(USER)
            assert not (known and "erased" in said), "what was acknowledged is lost"
            ends.append(known)
        if known:
            assert contents(path) == rows
        else:
            assert leftovers(path, USER, NAME) == []
            with sqlite3.connect(path) as connection:
                assert connection.execute("SELECT 1 FROM meta WHERE key LIKE 'wipe%'").fetchone() is None
            connection.close()
    assert False in ends


async def _killed(path: Path, after: str, seconds: float) -> list[str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.forgetful", str(path), str(USER), cwd=ROOT, stdout=subprocess.PIPE
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


async def test_what_could_not_be_wiped_is_wiped_later(path: Path) -> None:
    async with world(path) as here:
        await everywhere(here, USER)
        await here.store._writing.run(lambda connection: connection.execute("PRAGMA busy_timeout = 10"))
        with sqlite3.connect(path, isolation_level=None) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM visits").fetchone()
            ghost = await here.tables.forget(USER)
            assert not await here.store.privacy.wipe(USER, ghost)
            other.execute("COMMIT")
        other.close()
        assert leftovers(path, USER)
        await here.store.privacy.wipe_again()
        assert leftovers(path, USER) == []
        assert await here.store._read("SELECT 1 FROM meta WHERE key LIKE 'wipe%'") == []


async def test_other_processes_still_know_that_the_file_is_open(path: Path) -> None:
    """Whoever closes the file beside SQLite takes its locks away, and the next visitor deletes the log under us."""
    async with world(path) as here:
        await everywhere(here, USER)
        await here.store.privacy.wipe(USER, await here.tables.forget(USER))
        table = await here.lobby()
        visit = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM meta'); c.close()"
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", visit, str(path))
        assert await process.wait() == 0
        assert path.with_name(f"{path.name}-wal").exists()
        await here.tables.get(table.id)
    async with world(path) as here:
        assert (await here.tables.get(table.id)).id == table.id


async def test_everything_is_handed_over_and_nothing_hidden(path: Path) -> None:
    async with world(path) as here:
        await played(here.store, USER, 8)
        await everywhere(here, USER)
        running = await here.tables.at(102)
        assert running is not None
        await here.store.told([], stands=[Message(running.id, "dm", USER, 4, 5, BEGIN)])
        found = await here.store.privacy.export(USER)
        assert found == json.loads(json.dumps(found))
    assert found["user"] == str(USER)
    assert found["settings"][0]["slow"] == 2
    assert len(found["tables"]) == 6 + 5
    by_channel = {table["channel"]: table for table in found["tables"]}
    assert by_channel["101"]["roles"] == ["host"]
    assert by_channel["103"]["roles"] == ["kicked"]
    assert by_channel["104"]["roles"] == ["ended_by"]
    assert [row["key"] for row in found["house_rules"]] == ["threshold"]
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
    assert "guest" not in text, "nobody else's name"


async def test_what_others_did_to_somebody_is_not_handed_over_as_theirs(path: Path) -> None:
    async with world(path) as here:
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


async def test_getting_up_is_ones_own_move(path: Path) -> None:
    async with world(path) as here:
        table = await here.started()
        await here.tables.submit(table.id, Leave(GUEST), interaction_id=70)
        found = await here.store.privacy.export(GUEST)
        assert [(move["action"]["do"], move["interaction_id"]) for move in found["tables"][0]["moves"]] == [
            ("leave", "70")
        ]


def _interactions(found: dict[str, Any]) -> list[str]:
    return [move["interaction_id"] for table in found["tables"] for move in table["moves"] if move["interaction_id"]]


async def test_nothing_is_handed_over_of_nobody(path: Path) -> None:
    async with world(path) as here:
        found = await here.store.privacy.export(USER)
        assert not await here.store.privacy.knows(USER)
        await here.store.stats.set_off(USER, True)
        assert await here.store.privacy.knows(USER)
    assert (found["settings"], found["tables"], found["statistics"]["totals"]) == ([], [], [])


# Servers


async def left_behind(store: SqliteStore, games: int = 45) -> None:
    rng = Random(7)
    for number in range(games):
        await keep(store, play(f"gone{number}", 900, [HOST, GUEST, USER], rng, BEGIN))
    await keep(store, play("stays", GUILD, [HOST, GUEST, USER], rng, BEGIN))


def rows_of(path: Path, guild: int) -> dict[str, int]:
    with sqlite3.connect(path) as connection:
        found = {
            table: connection.execute(f"SELECT count(*) FROM {table} WHERE guild = ?", (guild,)).fetchone()[0]  # noqa: S608
            for table in (
                "house_rules",
                "house_log",
                "tables",
                "ends",
                "games",
                "game_seats",
                "boards",
                "seasons",
                "absent",
            )
        }
        for table in ("actions", "seats", "visits", "outbox", "messages"):
            sql = f"SELECT count(*) FROM {table} WHERE table_id NOT IN (SELECT id FROM tables)"  # noqa: S608
            found[f"stray {table}"] = connection.execute(sql).fetchone()[0]
    connection.close()
    return found


async def test_a_server_is_forgotten_after_its_time_and_no_other(path: Path) -> None:
    async with world(path) as here:
        await left_behind(here.store)
        await here.store.keep_house(900, 1, "{}", [books.Row(900, BEGIN, USER, "threshold", None, "4")])
        await here.store.left(900, BEGIN)
        gone: list[TableId] = []

        async def note(tables: list[TableId]) -> None:
            gone.extend(tables)
            await here.tables.drop(tables)

        janitor = Janitor(here.store.privacy, here.clock, 30, note)  # type: ignore[arg-type]
        here.clock.move(30 * DAY_MILLIS - 1)
        await janitor.clear_up()
        assert gone == []
        here.clock.move(1)
        await janitor.clear_up()
        assert len(gone) == 45
        assert set(rows_of(path, 900).values()) == {0}
        assert rows_of(path, GUILD)["tables"] == 1
        assert await here.store.meta("left:900") is None
        await janitor.clear_up()
    assert b"gone7" not in path.read_bytes()  # noqa: ASYNC240


async def test_seasons_stay_closed_when_another_server_is_forgotten(path: Path) -> None:
    rng = Random(7)
    async with world(path) as here:
        await keep(here.store, play("first", GUILD, [HOST, GUEST, USER], rng, BEGIN))
        for number in range(3):
            await keep(here.store, play(f"gone{number}", 900, [HOST, GUEST, USER], rng, BEGIN))
        await here.store.stats.close_season(GUILD, BEGIN, 1)
        await here.store.left(900, BEGIN - 31 * DAY_MILLIS)
        assert len(await here.store.privacy.clear(900, BEGIN)) == 3
        await keep(here.store, play("second", GUILD, [HOST, GUEST, USER], rng, BEGIN))
        assert [game.season for game in (await here.store.stats.history(GUILD)).lines] == [2, 1]


async def test_a_server_that_comes_back_keeps_what_it_still_has(path: Path) -> None:
    async with world(path) as here:
        await left_behind(here.store)
        await here.store.left(900, BEGIN - 31 * DAY_MILLIS)
        assert len(await here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS)) == departed.TABLES_PER_TRANSACTION
        await here.store.entered([900])
        assert await here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS) == []
        assert await here.store.privacy.departed(BEGIN) == []
    assert rows_of(path, 900)["tables"] == 45 - departed.TABLES_PER_TRANSACTION


async def test_tables_are_named_once_though_their_transaction_had_to_be_written_again(path: Path) -> None:
    def fail(_connection: sqlite3.Connection) -> None:
        raise ZeroDivisionError

    async with world(path) as here:
        await left_behind(here.store)
        await here.store.left(900, BEGIN - 31 * DAY_MILLIS)
        clearing = asyncio.create_task(here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS))
        await asyncio.sleep(0)
        with pytest.raises(ZeroDivisionError):
            await here.store.work(fail)
        assert len(await clearing) == departed.TABLES_PER_TRANSACTION


async def test_it_goes_on_after_a_restart(path: Path) -> None:
    async with world(path) as here:
        await left_behind(here.store)
        await here.store.left(900, BEGIN - 31 * DAY_MILLIS)
        await here.store.privacy.clear(900, BEGIN - 30 * DAY_MILLIS)
    async with world(path) as here:
        janitor = Janitor(here.store.privacy, here.clock, 30, here.tables.drop)
        janitor.start()
        janitor.start()
        async with asyncio.timeout(60):
            while await here.store.privacy.departed(BEGIN):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await janitor.stop()
    assert set(rows_of(path, 900).values()) == {0}


async def test_old_copies_are_pruned(path: Path) -> None:
    async with world(path) as here:
        old, new = (path.with_name(f"{path.name}.schema-{version}.backup") for version in (1, 2))
        for copy in (old, new):
            copy.write_bytes(b"copy")
        other = path.with_name("notes.backup")
        other.write_bytes(b"mine")
        for file in (old, other):
            os.utime(file, (time.time() - 31 * 86_400,) * 2)
        assert here.store.privacy.prune(30) == [old.name]
        assert (old.exists(), new.exists(), other.exists()) == (False, True, True)


async def test_people_play_on_while_somebody_is_forgotten(path: Path) -> None:
    async with world(path) as here:
        await played(here.store, USER, 24)
        table = await here.started()

        async def bids() -> None:
            now = table
            for number in range(30):
                now = await here.tables.submit(table.id, bid(now, number))

        await asyncio.gather(bids(), here.tables.forget(USER))
        assert (await here.tables.get(table.id)).seq == table.seq + 30
