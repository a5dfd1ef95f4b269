"""Everything is answered within Discord's three seconds, however big the database is.

`make test` uses a small database; `make soak` one of 5 GB, or of BIG_MB megabytes.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from bench.crowd import FIRST_USER_ID, fill
from bot.engine.registry import RULES
from bot.host.commands import Command, Join, Play, Start
from bot.host.model import House, Stage, UserId
from bot.stats.figures import figures_of
from bot.stats.model import Board
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import World, world
from tests.stats.evenings import HOUR, keep, play
from tests.store.sqlite.leftovers import leftovers

MEGABYTES = int(os.environ.get("BIG_MB", "50"))
PLAYERS = 2_000 + MEGABYTES * 20
SEAT_ROWS = PLAYERS * 10
ANSWER_SECONDS = 3.0
DELETE_SECONDS = 5.0
MAX_COPIES_WITH_SAME_PEOPLE = 60
"""Cap on copies of the games in which the original people play again; in all further copies, others play."""
CROWD, CIRCLE = 2, 1
USERS = [UserId(FIRST_USER_ID + number) for number in range(4)]


async def some_games(path: Path) -> None:
    store = await SqliteStore.open(path, BEGIN)
    for number in range(8):
        options = {"edition": ("feathers", "peek")[number % 2], "variant": True}
        await keep(store, play(f"t{number}", CIRCLE, USERS, Random(number), BEGIN + number * HOUR, options=options))
    await store.close()


def grow(path: Path) -> None:
    """Add a crowd's totals, a user who has met everybody, and copies of finished tables, until the file is big."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        fill(connection, CROWD, PLAYERS, SEAT_ROWS)
        for pair in ("?1, user", "user, ?1"):
            connection.execute(
                f"INSERT INTO pairs SELECT board, {pair}, 3, 1, 2, user % 7, user % 5 FROM totals"  # noqa: S608
                " WHERE user != ?1 AND board = (SELECT id FROM boards WHERE guild = ?2)",
                (USERS[0], CROWD),
            )
        connection.execute("COMMIT")
        tables = [id_ for (id_,) in connection.execute("SELECT id FROM tables").fetchall()]
        copies = 0
        while size(path) < MEGABYTES:
            connection.execute("BEGIN")
            for _ in range(40):
                copies += 1
                for table in tables:
                    copy(connection, table, copies * 1000)
            connection.execute("COMMIT")


def size(path: Path) -> float:
    return sum(file.stat().st_size for file in path.parent.glob(path.name + "*")) / 1e6


def copy(connection: sqlite3.Connection, table: str, number: int) -> None:
    """Add a copy of a game, in most cases with other people."""
    name = f"{table}-{number}"
    others = 0 if number % 25_000 == 0 and number <= MAX_COPIES_WITH_SAME_PEOPLE * 25_000 else number
    (document,) = connection.execute("SELECT document FROM tables WHERE id = ?", (table,)).fetchone()
    for user in USERS if others else ():
        document = document.replace(str(user), str(user + others)).replace('"x"', f'"Player {others}"')
    connection.execute(
        "INSERT INTO tables SELECT ?1, guild, channel + ?2, stage, seq, next_due, shift, opened, setup, ?4"
        " FROM tables WHERE id = ?3",
        (name, number, table, document),
    )
    for there in ("seats SELECT ?1, seat, user + ?3, still", "visits SELECT user + ?3, ?1"):
        connection.execute(f"INSERT INTO {there} FROM seats WHERE table_id = ?2", (name, table, others))
    connection.execute(
        "INSERT INTO actions SELECT ?, seq, part, at, actor, action, thought, NULL FROM actions WHERE table_id = ?",
        (name, table),
    )


async def answered(what: str, took: dict[str, float], question: Awaitable[Any]) -> Any:
    begin = perf_counter()
    async with asyncio.timeout(ANSWER_SECONDS):
        answer = await question
    took[what] = max(took.get(what, 0.0), perf_counter() - begin)
    return answer


async def ask_everything(here: World, took: dict[str, float]) -> None:
    stats, board, user = here.store.stats, Board(CROWD, "coyote"), USERS[0]
    for by in figures_of("coyote").rankings:
        for page in (1, 7, PLAYERS // 25, 10**9):
            shown = await answered("leaderboard", took, stats.leaderboard(board, by, page, asker=user))
            assert shown.lines
            assert shown.own is not None
            assert shown.own.rank is not None
    for minimum in (1, 5):
        await answered("another minimum", took, stats.leaderboard(board, minimum=minimum))
    card = await answered("card", took, stats.card(board, user))
    assert card.victim is not None
    assert card.rank is not None
    assert (await answered("versus", took, stats.versus(board, user, USERS[1]))).games
    for page in (1, 5, 10**9):
        assert (await answered("history", took, stats.history(CROWD, page))).lines
        assert (await answered("own history", took, stats.history(CROWD, page, user=user))).lines
    assert len(await answered("replay", took, stats.replay(CIRCLE, 3)))
    assert await answered("editions", took, stats.editions(CROWD)) == (("coyote", ""),)
    await answered("seasons", took, stats.close_season(CROWD, BEGIN))
    await answered("seasons", took, stats.seasons(CROWD))
    for value in (True, False):
        await answered("opt out", took, stats.set_opted_out(user, value))
        await answered("left the server", took, stats.set_absent(CROWD, user, BEGIN, absent=value))


async def play_a_game(here: World, took: dict[str, float]) -> None:
    rules, rng = RULES["coyote"], Random(9)
    do: Callable[[Command], Awaitable[Any]] = lambda command: answered(  # noqa: E731
        "a command at a table", took, here.tables.submit(table.id, command)
    )
    opening = here.tables.open(CROWD, 77, Join(USERS[0], "x"), game="coyote", house=House(pause_seconds=0))
    table = await answered("open", took, opening)
    for user in USERS[1:]:
        await do(Join(user, "x"))
    table = await do(Start(USERS[0]))
    while table.stage is Stage.PLAYING:
        prompt = rules.prompts(table.match)[0]
        action = dict(rules.dump_action(prompt.pick(rng)))
        del action["seat"]
        table = await do(Play(table.players[prompt.seat].user, action.pop("do"), action, prompt.id))
    assert (await here.store.stats.history(CROWD, user=USERS[0])).lines[0].table == table.id


async def test_everything_is_answered_in_time(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    try:
        await ask_and_play(path)
    finally:
        path.unlink()  # pytest keeps folders, and this may be 5 GB


async def ask_and_play(path: Path) -> None:
    await some_games(path)
    grow(path)
    took: dict[str, float] = {}
    async with world(path) as here:
        # The crowd's games have no rows in `ends`; without this, the next game would get a number that is taken.
        await here.store.work(_reserve_numbers)
        await ask_everything(here, took)
        await play_a_game(here, took)
        visited = await here.store.privacy.games(USERS[0])
        await delete(here, took)
        assert not (await here.store.stats.history(CROWD, user=USERS[0])).lines
    assert not leftovers(path, USERS[0])
    longest = ", ".join(f"{what} {seconds * 1000:.0f} ms" for what, seconds in sorted(took.items()))
    print(f"{size(path):,.0f} MB, {visited} tables of the deleted user: {longest}")


async def delete(here: World, took: dict[str, float]) -> None:
    """Delete a user as `/privacy delete` does: first their rows, then what is left of them between the rows."""
    async with asyncio.timeout(DELETE_SECONDS):
        names = await here.store.privacy.names(USERS[0])
        former_id = await answered("delete", took, here.tables.forget(USERS[0]))
        begin = perf_counter()
        assert await here.store.privacy.wipe(USERS[0], former_id, names)
        took["wipe"] = perf_counter() - begin


def _reserve_numbers(connection: sqlite3.Connection) -> None:
    connection.execute(
        "INSERT INTO ends SELECT max(nth), 't0-1000', guild, max(number), 0 FROM games WHERE guild = ?", (CROWD,)
    )
