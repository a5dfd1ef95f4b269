"""A real database of the previous generation is taken over: nothing is lost, and games go on."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.registry import RULES
from bot.host.commands import Join, OutboxKind, Play, Start, Tick
from bot.host.model import Stage, Table, TableId, UserId
from bot.host.ports import Preferences, StoreFault
from bot.house_rules.repository import HouseRulesRepository
from bot.stats.figures import figures_of
from bot.stats.model import Board
from bot.store.sqlite.rebuild import rebuild
from bot.store.sqlite.store import SqliteStore
from tests.host.world import World, world
from tests.stats.evenings import contents
from tests.store.databases import SqliteFile

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[3]
SAID = json.loads(gzip.decompress((DATA / "schema_5.json.gz").read_bytes()))
GUILD, OTHER_GUILD = 7001, 7002
ANA, BEN, CLEO, DAN, EVE, FAY = (UserId(10**17 + number) for number in range(6))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    old = tmp_path / "coyote.sqlite3"
    old.write_bytes(gzip.decompress((DATA / "schema_5.sqlite3.gz").read_bytes()))
    return old


def marks(path: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(path)) as connection:
        return tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))


def new_board(old: list[Any]) -> Board:
    """Return the present form of an old board, where a game without editions had an edition of its own name."""
    guild, edition, period = old
    if edition == "plenty-coups":
        return Board(guild, "plenty-coups", "", period)
    return Board(guild, "coyote", edition, period)


async def test_statistics_stay_the_same(path: Path) -> None:
    async with world(path, SAID["now"]) as here:
        stats = here.store.stats
        for board, user, totals, rank, ranked, victim, nemesis, curve, off in SAID["cards"]:
            card = await stats.card(new_board(board), user, minimum=3)
            expected = {name: value for name, value in totals.items() if name in card.totals._fields}
            if card.board.game == "plenty-coups":  # its rounds were not counted yet
                expected["rounds"] = card.totals.rounds
            assert {**card.totals._asdict(), "figures": None} == pytest.approx({**expected, "figures": None})
            own = figures_of(card.board.game).names if card.board.game == "coyote" else ()
            assert {name: card.totals.own(name) for name in own} == {name: totals[name] for name in own}
            assert (card.rank, card.ranked, card.opted_out) == (rank, ranked, off)
            if card.board.game == "coyote":  # of other games it was not counted who gave what to whom
                assert [rival and list(rival) for rival in (card.victim, card.nemesis)] == [victim, nemesis]
            assert [list(point) for point in card.curve] == curve
        for board, by, ranked, lines in SAID["pages"]:
            if by in figures_of(new_board(board).game).rankings:
                page = await stats.leaderboard(new_board(board), by, minimum=3)
                assert (page.ranked, [[line.rank, line.user, line.score] for line in page.lines]) == (ranked, lines)
        for board, games, *rest in SAID["versus"]:
            found = await stats.versus(new_board(board), ANA, BEN)
            sides = (found.a, found.b)
            given = [s.given for s in sides] if new_board(board).game == "coyote" else rest[2:]  # not counted then
            assert [found.games, *[s.ahead for s in sides], *given] == [games, *rest]


async def test_the_history_stays_the_same(path: Path) -> None:
    async with world(path, SAID["now"]) as here:
        for guild, games in SAID["history"]:
            found = (await here.store.stats.history(guild, size=100)).lines
            assert len(found) == len(games)
            for game, (number, table, name, edition, *rest, seats) in zip(found, games, strict=True):
                assert (game.number, game.table, game.game) == (number, table, name)
                assert game.edition == ("" if name == "plenty-coups" else edition)
                rounds = rest[0] if name == "coyote" else game.rounds  # those of other games were not counted yet
                assert [game.rounds, game.ended, game.ai, game.counted, game.season] == [rounds, *rest[1:]]
                assert [[seat.user, seat.ai, seat.place] for seat in game.seats] == [seat[:3] for seat in seats]
                if name == "coyote":  # the old schema did not store ratings of other games
                    assert [seat.rating for seat in game.seats] == [seat[3] for seat in seats]
            replay = await here.store.stats.replay(guild, found[0].number)
            assert replay is not None
            assert len(replay)


async def test_everything_else_is_kept(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        outbox = Counter(kind for (kind,) in connection.execute("SELECT kind FROM outbox"))
        actions = connection.execute("SELECT * FROM actions ORDER BY 1, 2, 3").fetchall()
    async with world(path, SAID["now"]) as here:
        rules = await HouseRulesRepository(here.store, here.clock.now).rules_for(GUILD)
        assert rules.ranked_after == 3
        assert len(await here.store.house_log(GUILD, None, 10)) == 2
        assert await here.store.preferences(BEN) == Preferences(2, False)
        assert await here.store.servers() == {GUILD, OTHER_GUILD}
        assert here.store.downtime == 0
        (message,) = await here.store.messages(SAID["playing"])
        assert message.message == 90210
        rows = [row for table in await here.store.unsent() for row in await here.store.outbox(table)]
        assert Counter(row.kind.value for row in rows) == outbox
        assert all(row.payload for row in rows if row.kind is OutboxKind.RECORD)
        assert await here.store.visited(EVE) == {}
        assert await here.store._read("SELECT * FROM actions ORDER BY 1, 2, 3") == actions


async def to_its_end(here: World, table: Table) -> Table:
    rng, rules = Random(3), RULES[table.game]
    while table.stage is Stage.PLAYING:
        here.clock.move(3000)
        prompts = rules.prompts(table.match)
        if prompts[0].seat < 0 or any(deadline.due <= here.clock.now() for deadline in table.deadlines):
            table = await here.tables.submit(table.id, Tick())
            continue
        action = dict(rules.dump_action(prompts[0].pick(rng)))
        del action["seat"]
        move = Play(table.players[prompts[0].seat].user, action.pop("do"), action, prompts[0].id)
        table = await here.tables.submit(table.id, move)
    return table


@pytest.mark.parametrize("which", ["playing", "second"])
async def test_a_running_match_goes_on_to_its_end_and_is_counted(path: Path, which: str) -> None:
    async with world(path, SAID["now"]) as here:
        table = await here.tables.get(TableId(SAID[which]))
        assert table.stage is Stage.PLAYING
        games = (await here.store.stats.history(table.guild)).games
        over = await to_its_end(here, table)
        assert over.stage is Stage.OVER
        found = await here.store.stats.history(table.guild)
        assert found.games == games + 1
        assert found.lines[0].table == table.id
        assert EVE not in {seat.user for seat in found.lines[0].seats}


async def test_a_lobby_fills_and_starts(path: Path) -> None:
    async with world(path, SAID["now"]) as here:
        lobby = await here.tables.get(TableId(SAID["lobby"]))
        assert lobby.stage is Stage.LOBBY
        assert [player.ai is not None for player in lobby.players] == [False, False, True]
        await here.tables.submit(lobby.id, Join(CLEO, "Cleo"))
        assert (await here.tables.submit(lobby.id, Start(ANA))).stage is Stage.PLAYING


async def test_the_file_is_copied_then_taken_over_once_and_has_the_schema_of_a_new_file(path: Path) -> None:
    fresh = path.with_name("fresh.sqlite3")
    for file in (path, fresh, path):
        await (await SqliteStore.open(file, SAID["now"])).close()
    copy = path.with_name(f"{path.name}.schema-5.backup")
    assert marks(copy) == (0, 5)
    assert marks(path) == marks(fresh) != (0, 5)
    schemas = []
    for file in (path, fresh):
        with closing(sqlite3.connect(file)) as connection:
            schemas.append(connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2").fetchall())
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert schemas[0] == schemas[1]


async def test_a_rebuild_afterwards_changes_nothing(path: Path) -> None:
    await (await SqliteStore.open(path, SAID["now"])).close()
    live = await contents(SqliteFile(path))
    rebuild(path, lambda *_: None)
    assert await contents(SqliteFile(path)) == live


def old_rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


KILLED = """
import asyncio, os, sys
from pathlib import Path
import bot.games.registry
from bot.store.sqlite import recount, takeover
from bot.store.sqlite.store import SqliteStore

module, name = {"copy": (takeover, "_copy"), "count": (recount, "attempt"), "check": (takeover, "_check")}[sys.argv[2]]
setattr(module, name, lambda *_, **__: os.kill(os.getpid(), 9))
asyncio.run(SqliteStore.open(Path(sys.argv[1]), 0))
"""


@pytest.mark.parametrize("where", ["copy", "count", "check"])
async def test_a_takeover_that_is_killed_leaves_the_old_database(path: Path, where: str) -> None:
    before = old_rows(path)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, str(path), where, cwd=ROOT, stderr=subprocess.DEVNULL
    )
    assert await process.wait() == -signal.SIGKILL
    assert marks(path) == (0, 5)
    assert old_rows(path) == before
    async with world(path, SAID["now"]) as here:
        assert (await here.store.stats.history(GUILD)).games == len(SAID["history"][0][1])


async def test_a_damaged_table_does_not_affect_other_tables(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        sql = """UPDATE tables SET document = replace(document, '"version":1', '"version":99') WHERE id = ?"""
        assert connection.execute(sql, (SAID["lobby"],)).rowcount == 1
    async with world(path, SAID["now"]) as here:
        with pytest.raises(StoreFault, match="damaged"):
            await here.tables.get(TableId(SAID["lobby"]))
        assert (await here.tables.get(TableId(SAID["playing"]))).stage is Stage.PLAYING
