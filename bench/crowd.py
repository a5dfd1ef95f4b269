"""Fills a database quickly with many finished games: game rows by SQL, and totals and ladders made from them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Final

from bot.host.clock import SteadyClock
from bot.stats.adding import NOTHING
from bot.stats.model import ALL_TIME, DEFAULT_MINIMUM, EVERY_EDITION
from bot.store.sqlite import standings
from bot.store.sqlite.store import SqliteStore

FIRST: Final = 10**17
"""The lowest user id; the others follow."""
SEATS: Final = 5


@contextmanager
def filling(path: Path) -> Iterator[sqlite3.Connection]:
    """Create a database as the bot does, and write to it in one transaction, without waiting for the disk."""

    async def made() -> None:
        await (await SqliteStore.open(path, SteadyClock().now())).close()

    asyncio.run(made())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")


def fill(connection: sqlite3.Connection, guild: int, players: int, seat_rows: int, seed: int = 1) -> None:
    """Add games of `players` users until there are `seat_rows` seats; a few users play often, most rarely."""
    rng = Random(seed)
    (last,) = connection.execute("SELECT coalesce(max(nth), 0) FROM games").fetchone()
    games = seat_rows // SEATS
    connection.executemany(
        "INSERT INTO games VALUES (?, ?, ?, ?, 'coyote', 'feathers', 0, 5, 9, ?, ?, 0, 1, 1)",
        ((last + n, guild, n, f"g{guild}-{n}", n * 1000, n * 1000 + 500) for n in range(1, games + 1)),
    )
    connection.executemany(
        f"INSERT INTO game_seats VALUES ({', '.join('?' * 18)})",  # noqa: S608
        (row for n in range(1, games + 1) for row in _seats(last + n, guild, players, rng)),
    )
    board = connection.execute(
        "INSERT INTO boards (guild, edition, period, minimum, ranked) VALUES (?, ?, ?, ?, 0) RETURNING id",
        (guild, EVERY_EDITION, ALL_TIME, DEFAULT_MINIMUM),
    ).fetchone()[0]
    # Ratings spread like real ones: around the start value, and wider the more a user has played.
    connection.execute(
        f"INSERT INTO totals (board, user, {standings.COLUMNS}, ranked)"  # noqa: S608
        " SELECT ?, user, count(*), sum(place = 1), sum(place = 2), sum(place = 3), sum(place), 9 * count(*),"
        " sum(survived), sum(taken), sum(dealt), sum(calls), sum(calls_right), sum(bids), sum(caught), sum(exact),"
        " sum(thought), sum(thoughts), 0, max(place = 1) + sum(place = 1) / 4, count(*), ?, ?,"
        " 1000 + (3 * count(*) - sum(place)) * 12 + user % 97, 1000 * sum(place = 1) / count(*), 0"
        " FROM game_seats WHERE guild = ? GROUP BY user",
        (board, NOTHING.mu, NOTHING.sigma, guild),
    )
    standings.mark(connection, board, guild, DEFAULT_MINIMUM)


def _seats(nth: int, guild: int, players: int, rng: Random) -> list[tuple[int | None, ...]]:
    users: set[int] = set()
    while len(users) < SEATS:
        users.add(FIRST + int(players * rng.random() ** 1.5))
    places = rng.sample(range(1, SEATS + 1), SEATS)
    rows: list[tuple[int | None, ...]] = []
    for seat, (user, place) in enumerate(zip(users, places, strict=True)):
        calls = int(rng.random() * 4)
        figures = (9 - place, 3, 4 - place // 2, calls, calls // 2, 12, 2, int(rng.random() < 0.1), 30_000, 14)
        rows.append((nth, seat, user, guild, 0, place, *figures, 1000, 1000))
    return rows
