"""Counts every finished game again, from the log alone."""

from __future__ import annotations

import sqlite3

from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import UserId
from bot.stats.model import DEFAULT_MINIMUM_GAMES, Board
from bot.store import counted
from bot.store.counted import REBUILT_TABLES, End
from bot.store.ports import Progress
from bot.store.sqlite import standings
from bot.store.sqlite.counting import attempt


def count_all(connection: sqlite3.Connection, progress: Progress) -> int:
    """Count every finished game again, in the caller's transaction; return their number, which is also reported."""
    boards = connection.execute("SELECT guild, game, edition, period, minimum FROM boards").fetchall()
    minima = {Board(*board): minimum for *board, minimum in boards}
    for table in REBUILT_TABLES:
        connection.execute(f"DELETE FROM {table}")  # noqa: S608
    ends = connection.execute("SELECT nth, table_id, guild, number, off FROM ends ORDER BY nth").fetchall()
    for done, end in enumerate(ends, 1):
        attempt(connection, End(*end), rank=False)
        if done % counted.GAMES_PER_REPORT == 0 or done == len(ends):
            progress(done, len(ends))
    # Deleted people were counted for their opponents' ratings only. Now they are removed again.
    for (former_id,) in connection.execute(
        "SELECT DISTINCT user FROM totals WHERE user <= ?", (FIRST_FORMER_ID,)
    ).fetchall():
        standings.erase(connection, UserId(former_id))
    # Deleted people without a counted game have seats, but no totals.
    connection.execute("UPDATE game_seats SET user = NULL WHERE user <= ?", (FIRST_FORMER_ID,))
    for id_, *board in connection.execute("SELECT id, guild, game, edition, period FROM boards").fetchall():
        standings.mark(connection, id_, minima.get(Board(*board), DEFAULT_MINIMUM_GAMES))
    return len(ends)
