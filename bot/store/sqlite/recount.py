"""Counts every finished game again, from the log alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

from bot.host.former_players import GHOSTS
from bot.host.model import UserId
from bot.stats.model import DEFAULT_MINIMUM_GAMES, Board
from bot.store.sqlite import standings
from bot.store.sqlite.counting import End, attempt

Progress = Callable[[int, int], None]
"""Called from time to time with the number of games counted so far, and of all games."""
GAMES_PER_REPORT: Final = 500
"""Games that are counted between two reports of progress."""
REBUILT_TABLES: Final = ("scores", "ladder", "pairs", "totals", "boards", "game_seats", "games")
"""Tables that are emptied and filled again. All others are the log, or a person's decision."""


def count_all(connection: sqlite3.Connection, progress: Progress) -> int:
    """Count every finished game again; return their number. Runs inside the caller's transaction."""
    boards = connection.execute("SELECT guild, game, edition, period, minimum FROM boards").fetchall()
    minima = {Board(*board): minimum for *board, minimum in boards}
    for table in REBUILT_TABLES:
        connection.execute(f"DELETE FROM {table}")  # noqa: S608
    ends = connection.execute("SELECT nth, table_id, guild, number, off FROM ends ORDER BY nth").fetchall()
    for done, end in enumerate(ends, 1):
        attempt(connection, End(*end), rank=False)
        if done % GAMES_PER_REPORT == 0 or done == len(ends):
            progress(done, len(ends))
    # People who were deleted were needed for their opponents' ratings. Now they go again.
    for (ghost,) in connection.execute("SELECT DISTINCT user FROM totals WHERE user <= ?", (GHOSTS,)).fetchall():
        standings.erase(connection, UserId(ghost))
    # Those of whom no game counted have seats, but no totals.
    connection.execute("UPDATE game_seats SET user = NULL WHERE user <= ?", (GHOSTS,))
    for id_, *board in connection.execute("SELECT id, guild, game, edition, period FROM boards").fetchall():
        standings.mark(connection, id_, minima.get(Board(*board), DEFAULT_MINIMUM_GAMES))
    return len(ends)
