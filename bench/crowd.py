"""Fills a database quickly with many finished games: inserts the game rows by SQL and derives totals and ladders."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Final

from bot.host.steady_clock import SteadyClock
from bot.stats.adding import NOTHING
from bot.stats.figures import WHOLE_GAME, figures_of
from bot.stats.model import ALL_TIME, DEFAULT_MINIMUM_GAMES
from bot.store.counted import write_figures
from bot.store.sqlite import standings
from bot.store.sqlite.store import SqliteStore

GAME: Final = "coyote"
FIRST_USER_ID: Final = 10**17
"""The lowest user id; the other users have the ids after it."""
SEATS: Final = 5
"""Players in every game."""


@contextmanager
def filling(path: Path) -> Iterator[sqlite3.Connection]:
    """Create a database as the bot does, and write to it in one transaction, without waiting for the disk."""

    async def create() -> None:
        await (await SqliteStore.open(path, SteadyClock().now())).close()

    asyncio.run(create())
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
        "INSERT INTO games VALUES (?, ?, ?, ?, 'coyote', 'feathers', 5, 9, ?, ?, 0, 1, 1)",
        ((last + n, guild, n, f"g{guild}-{n}", n * 1000, n * 1000 + 500) for n in range(1, games + 1)),
    )
    connection.executemany(
        f"INSERT INTO game_seats VALUES ({', '.join('?' * 11)})",  # noqa: S608
        (row for n in range(1, games + 1) for row in _seats(last + n, guild, players, rng)),
    )
    board = connection.execute(
        "INSERT INTO boards (guild, game, edition, period, minimum, ranked) VALUES (?, ?, ?, ?, ?, 0) RETURNING id",
        (guild, GAME, WHOLE_GAME, ALL_TIME, DEFAULT_MINIMUM_GAMES),
    ).fetchone()[0]
    sums = ", ".join(f"'{name}', sum(figures ->> '{name}')" for name in figures_of(GAME).names)
    # Ratings spread like real ones: around the start value, and wider the more a user has played.
    connection.execute(
        f"INSERT INTO totals (board, user, {standings.COLUMNS}, ranked)"  # noqa: S608
        " SELECT ?, user, count(*), sum(place = 1), sum(place = 2), sum(place = 3), sum(place), 9 * count(*),"
        " sum(thought), sum(thoughts), 0, max(place = 1) + sum(place = 1) / 4, count(*), ?, ?,"
        " 1000 + (3 * count(*) - sum(place)) * 12 + user % 97, 1000 * sum(place = 1) / count(*),"
        f" json_object({sums}), 0"
        " FROM game_seats WHERE guild = ? GROUP BY user",
        (board, NOTHING.mu, NOTHING.sigma, guild),
    )
    standings.mark(connection, board, DEFAULT_MINIMUM_GAMES)


def _seats(nth: int, guild: int, players: int, rng: Random) -> list[tuple[object, ...]]:
    users: set[int] = set()
    while len(users) < SEATS:
        users.add(FIRST_USER_ID + int(players * rng.random() ** 1.5))
    places = rng.sample(range(1, SEATS + 1), SEATS)
    rows: list[tuple[object, ...]] = []
    for seat, (user, place) in enumerate(zip(users, places, strict=True)):
        calls = int(rng.random() * 4)
        counts = (9 - place, 3, 4 - place // 2, calls, calls // 2, 12, 2, int(rng.random() < 0.1))
        figures = write_figures(dict(zip(figures_of(GAME).names, counts, strict=True)))
        rows.append((nth, seat, user, guild, 0, place, 30_000, 14, 1000, 1000, figures))
    return rows
