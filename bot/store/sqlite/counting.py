"""Counts a finished match, inside the transaction that ends it; a rebuild of the statistics does the same.

The match is read from the log that the same transaction has written, so live and rebuilt statistics cannot differ.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence

from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import TableId, UserId
from bot.stats.record import Log
from bot.store import counted
from bot.store.counted import End, Match
from bot.store.sqlite import standings

log = logging.getLogger(__name__)


def record_end(
    connection: sqlite3.Connection, table: TableId, guild: int, guesses: Sequence[tuple[UserId, int, int]] = ()
) -> None:
    """Record that a match was played to its end, and count it; do nothing if it was recorded before.

    `guesses` are the people who guessed along, with the number of their guesses and of the right ones.
    """
    if connection.execute("SELECT 1 FROM ends WHERE table_id = ?", (table,)).fetchone():
        return
    # A person who was deleted during the match has no totals to add to, neither now nor in a rebuild.
    off = connection.execute(
        "SELECT seat FROM seats LEFT JOIN users ON id = user WHERE table_id = ? AND (stats_off = 1 OR user <= ?)",
        (table, FIRST_FORMER_ID),
    ).fetchall()
    mask = sum(1 << seat for (seat,) in off)
    nth, number = connection.execute(
        "INSERT INTO ends (table_id, guild, number, off)"
        " SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3 FROM ends WHERE guild = ?2 RETURNING nth, number",
        (table, guild, mask),
    ).fetchone()
    connection.executemany(
        "INSERT INTO guesses (nth, user, made, right) SELECT ?1, ?2, ?3, ?4"
        " WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = ?2 AND stats_off = 1)",
        [(nth, *guess) for guess in guesses],
    )
    attempt(connection, End(nth, table, guild, number, mask))
    standings.welcome_back(connection, guild, table)


def attempt(connection: sqlite3.Connection, end: End, *, rank: bool = True) -> None:
    """Count a match. If our code fails, nothing of it is counted, and the game still ends."""
    connection.execute("SAVEPOINT counting")
    try:
        count(connection, end, rank=rank)
    except Exception as fault:
        if isinstance(fault, sqlite3.Error) and not isinstance(fault, sqlite3.IntegrityError):
            raise  # a fault of the disk, not of the counting
        connection.execute("ROLLBACK TO counting")
        log.exception("table %s was not counted; run `python -m bot stats rebuild` once this is fixed", end.table)
    connection.execute("RELEASE counting")


def count(connection: sqlite3.Connection, end: End, *, rank: bool = True) -> None:
    """Write everything that statistics say about one match; with `rank` false nobody is ranked yet."""
    match = Match(end, read_log(connection, end.table), _season(connection, end))
    ratings = {board: standings.add(connection, board, match.people, match.record, rank=rank) for board in match.boards}
    if match.counted:
        _count_guesses(connection, match, rank=rank)
    connection.execute(f"INSERT INTO games VALUES ({', '.join('?' * 13)})", match.game_row())  # noqa: S608
    seats = match.seat_rows(ratings)
    connection.executemany(f"INSERT INTO game_seats VALUES ({', '.join('?' * 11)})", seats)  # noqa: S608


def _count_guesses(connection: sqlite3.Connection, match: Match, *, rank: bool) -> None:
    """Count the guesses of people who did not play."""
    guesses = connection.execute("SELECT user, made, right FROM guesses WHERE nth = ?", (match.end.nth,)).fetchall()
    for board in match.guess_boards if guesses else ():
        standings.add_guesses(connection, board, guesses, rank=rank)


def read_log(connection: sqlite3.Connection, table: TableId) -> Log:
    """Read everything that is needed to replay a match; LookupError if there is no such table."""
    found = connection.execute("SELECT setup FROM tables WHERE id = ?", (table,)).fetchone()
    if found is None:
        raise LookupError(table)
    users = connection.execute("SELECT seat, user FROM seats WHERE table_id = ?", (table,)).fetchall()
    entries = connection.execute(
        "SELECT at, actor, action, thought FROM actions WHERE table_id = ? ORDER BY seq, part", (table,)
    ).fetchall()
    return counted.read_log(found[0], users, entries)


def _season(connection: sqlite3.Connection, end: End) -> int:
    sql = "SELECT count(*) + 1 FROM seasons WHERE guild = ? AND until < ?"
    season: int = connection.execute(sql, (end.guild, end.nth)).fetchone()[0]
    return season
