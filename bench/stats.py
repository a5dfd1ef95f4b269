"""Leaderboard pages: compared with counting the games on each request, and with many people compared with few."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from bench.crowd import FIRST_USER_ID, GAME, fill, filling
from bench.figures import Figure
from bot.host.model import UserId
from bot.host.steady_clock import SteadyClock
from bot.stats.figures import figures_of
from bot.stats.model import Board
from bot.store.sqlite.statistics import Statistics
from bot.store.sqlite.store import SqliteStore

ROWS = 1_000_000
MANY, FEW = 100_000, 100
FEW_ROWS = 5_000
CROWD, CIRCLE = 2, 1
"""The guilds with many and with few people."""
TURNS = 200
# Computes a page by wins from the games themselves; the index covers every column that it reads.
GROUPED = (
    "SELECT user, count(*), sum(place = 1) AS wins FROM game_seats INDEXED BY bench WHERE guild = ?"
    " GROUP BY user HAVING count(*) >= 5 ORDER BY wins DESC, user LIMIT 10"
)


def _fill(path: Path) -> None:
    with filling(path) as connection:
        fill(connection, CIRCLE, FEW, FEW_ROWS)
        fill(connection, CROWD, MANY, ROWS)
        connection.execute("CREATE INDEX bench ON game_seats (guild, user, place)")


def _time_group_by(path: Path) -> float:
    """Return the time of the fastest of three runs, in seconds."""
    with closing(sqlite3.connect(path)) as connection:
        took = []
        for _ in range(3):
            begin = time.perf_counter()
            connection.execute(GROUPED, (CROWD,)).fetchall()
            took.append(time.perf_counter() - begin)
    return min(took)


async def _times(*asked: Callable[[Random], Awaitable[object]]) -> list[float]:
    """Return the median time of each query, in seconds; the queries take turns."""
    took: list[list[float]] = [[] for _ in asked]
    rng = Random(7)
    for _ in range(TURNS):
        for each, ask in zip(took, asked, strict=True):
            begin = time.perf_counter()
            await ask(rng)
            each.append(time.perf_counter() - begin)
    return [median(each) for each in took]


def _page(stats: Statistics, guild: int, by: str, *, deep: bool = False) -> Callable[[Random], Awaitable[object]]:
    """Return a query by a random member of this guild: for the first page or, if `deep`, for any page."""
    people = MANY if guild == CROWD else FEW

    async def ask(rng: Random) -> object:
        asker = UserId(FIRST_USER_ID + int(rng.random() * people))
        return await stats.leaderboard(
            Board(guild, GAME), by, int(rng.random() * people / 20) if deep else 1, asker=asker
        )

    return ask


async def _pages(path: Path) -> dict[str, tuple[float, float]]:
    """Return the seconds that a page takes with many people and with few, for each possible order."""
    store = await SqliteStore.open(path, SteadyClock().now())
    try:
        found = {}
        for by in figures_of(GAME).rankings:
            many, few = await _times(_page(store.stats, CROWD, by), _page(store.stats, CIRCLE, by))
            found[by] = (many, few)
        deep = [_page(store.stats, guild, "wins", deep=True) for guild in (CROWD, CIRCLE)]
        many, few = await _times(*deep)
        found["deep"] = (many, few)
        return found
    finally:
        await store.close()


def figures() -> list[Figure]:
    """Fill a database, then measure everything alternately with its baseline."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite3"
        _fill(path)
        pages = asyncio.run(_pages(path))
        grouped = _time_group_by(path)
    deep = pages.pop("deep")
    wins = pages["wins"][0]
    lines = [
        Figure(
            f"a page by wins with the asker's own line, {ROWS:,} game rows",
            f"{wins * 1000:.2f} ms",
            grouped / wins,
            f"the rate of GROUP BY on a covering index ({grouped * 1000:.0f} ms)",
            "at least 50",
        )
    ]
    for by, (many, few) in pages.items():
        name = f"a page by {by.replace('_', ' ')}, {MANY:,} people"
        lines.append(
            Figure(name, f"{many * 1000:.2f} ms", many / few, f"{FEW} people ({few * 1000:.2f} ms)", "at most 2")
        )
    many, few = deep
    lines.append(Figure("any page by wins, however deep", f"{many * 1000:.2f} ms", many / few, f"{FEW} people"))
    return lines
