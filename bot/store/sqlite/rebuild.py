"""Counts everything anew from the log. One transaction: whoever is killed in the middle leaves the old statistics."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.host.former_players import GHOSTS
from bot.host.model import UserId
from bot.stats.model import DEFAULT_MINIMUM, Board
from bot.store.sqlite import standings
from bot.store.sqlite.counting import End, attempt
from bot.store.sqlite.faults import Refused, understood
from bot.store.sqlite.owner import Owner
from bot.store.sqlite.schema import migrate

Progress = Callable[[int, int], None]
"""Told every now and then how many games are counted, and of how many."""
OFTEN: Final = 500
REBUILT: Final = ("ladder", "pairs", "totals", "boards", "game_seats", "games")
"""What is forgotten and made again. Everything else is the log, or somebody's decision."""


def rebuild(path: Path, progress: Progress) -> int:
    """Rebuild the statistics of a database that no bot has open; return the number of games."""
    if not path.is_file():
        raise Refused(f"{path} does not exist: there is nothing to rebuild.")
    owner = Owner(path)
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=2.0, cached_statements=256)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            migrate(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            games = _count_all(connection, progress)
            connection.execute("COMMIT")
            return games
    except sqlite3.Error as error:
        raise Refused(f"{path} cannot be used: {understood(error)}.") from error
    finally:
        owner.release()


def _count_all(connection: sqlite3.Connection, progress: Progress) -> int:
    boards = connection.execute("SELECT guild, edition, period, minimum FROM boards").fetchall()
    minima = {Board(*board): minimum for *board, minimum in boards}
    for table in REBUILT:
        connection.execute(f"DELETE FROM {table}")  # noqa: S608
    ends = connection.execute("SELECT nth, table_id, guild, number, off FROM ends ORDER BY nth").fetchall()
    for done, end in enumerate(ends, 1):
        attempt(connection, End(*end), rank=False)
        if done % OFTEN == 0 or done == len(ends):
            progress(done, len(ends))
    # People who were deleted had to be there for their opponents' ratings, and now are nobody again.
    for (ghost,) in connection.execute("SELECT DISTINCT user FROM totals WHERE user <= ?", (GHOSTS,)).fetchall():
        standings.erase(connection, UserId(ghost))
    # None of their games may have counted: then they have seats, and no totals.
    connection.execute("UPDATE game_seats SET user = NULL WHERE user <= ?", (GHOSTS,))
    for board, *what in connection.execute("SELECT id, guild, edition, period FROM boards").fetchall():
        standings.mark(connection, board, what[0], minima.get(Board(*what), DEFAULT_MINIMUM))
    return len(ends)
