"""Counts a finished match, inside the transaction that ends it; a rebuild of the statistics does the same.

The match is read from the log that the same transaction has written, so live and rebuilt statistics cannot differ.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.host.decision import Actor
from bot.host.former_players import GHOSTS
from bot.host.model import TableId, UserId
from bot.stats.model import Board, GameRecord
from bot.stats.periods import boards_of
from bot.stats.record import Entry, Log, tally
from bot.store.sqlite import standings
from bot.store.sqlite.standings import Person

log = logging.getLogger(__name__)

_ACTORS: Final = {actor.value: actor for actor in Actor}


class End(NamedTuple):
    """A row of `ends`."""

    nth: int
    table: TableId
    guild: int
    number: int
    off: int
    """The seats whose people opted out of statistics, as bits."""


def ended(connection: sqlite3.Connection, table: TableId, guild: int) -> None:
    """Record that a match was played to its end, and count it; do nothing if it was recorded before."""
    if connection.execute("SELECT 1 FROM ends WHERE table_id = ?", (table,)).fetchone():
        return
    # A person who was deleted during the match has no totals to add to, neither now nor in a rebuild.
    off = connection.execute(
        "SELECT seat FROM seats LEFT JOIN users ON id = user WHERE table_id = ? AND (stats_off = 1 OR user <= ?)",
        (table, GHOSTS),
    ).fetchall()
    mask = sum(1 << seat for (seat,) in off)
    nth, number = connection.execute(
        "INSERT INTO ends (table_id, guild, number, off)"
        " SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3 FROM ends WHERE guild = ?2 RETURNING nth, number",
        (table, guild, mask),
    ).fetchone()
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
        log.exception("table %s is not counted; `python -m bot stats rebuild` does it once that is mended", end.table)
    connection.execute("RELEASE counting")


def count(connection: sqlite3.Connection, end: End, *, rank: bool = True) -> None:
    """Write everything that statistics say of one match; with `rank` false nobody is ranked yet."""
    record = tally(read_log(connection, end.table))
    season = _season(connection, end)
    people = _people(record, end.off)
    counted = record.counts and bool(people)
    ratings: dict[Board, dict[Seat, int | None]] = {}
    for board in boards_of(record, end.guild, season) if counted else ():
        ratings[board] = standings.add(connection, board, people, record, rank=rank)
    _write_game(connection, end, record, season, counted=counted)
    overall = ratings.get(Board(end.guild, record.game), {})
    edition = ratings.get(Board(end.guild, record.game, record.edition), {}) if record.edition else {}
    _write_seats(connection, end, record, overall, edition)


def read_log(connection: sqlite3.Connection, table: TableId) -> Log:
    """Read everything that is needed to replay a match; LookupError if there is no such table."""
    found = connection.execute("SELECT setup FROM tables WHERE id = ?", (table,)).fetchone()
    if found is None:
        raise LookupError(table)
    users = connection.execute("SELECT seat, user FROM seats WHERE table_id = ?", (table,)).fetchall()
    entries = connection.execute(
        "SELECT at, actor, action, thought FROM actions WHERE table_id = ? ORDER BY seq, part", (table,)
    ).fetchall()
    return Log(
        {Seat(seat): UserId(user) for seat, user in users},
        json.loads(found[0])["house"],
        [Entry(at, _ACTORS[actor], json.loads(action), thought) for at, actor, action, thought in entries],
    )


def _season(connection: sqlite3.Connection, end: End) -> int:
    sql = "SELECT count(*) + 1 FROM seasons WHERE guild = ? AND until < ?"
    season: int = connection.execute(sql, (end.guild, end.nth)).fetchone()[0]
    return season


def _people(record: GameRecord, off: int) -> list[Person]:
    """Return the people whose totals are kept: no AI, and nobody who opted out."""
    return [
        Person(Seat(seat), played.user, played)
        for seat, played in enumerate(record.seats)
        if played.user is not None and not off >> seat & 1
    ]


def _write_game(connection: sqlite3.Connection, end: End, record: GameRecord, season: int, *, counted: bool) -> None:
    connection.execute(
        f"INSERT INTO games VALUES ({', '.join('?' * 13)})",  # noqa: S608
        (
            end.nth,
            end.guild,
            end.number,
            end.table,
            record.game,
            record.edition,
            len(record.seats),
            record.rounds,
            record.started,
            record.ended,
            record.ai,
            counted,
            season,
        ),
    )


def _write_seats(
    connection: sqlite3.Connection,
    end: End,
    record: GameRecord,
    overall: dict[Seat, int | None],
    edition: dict[Seat, int | None],
) -> None:
    rows: list[Sequence[object]] = []
    for number, played in enumerate(record.seats):
        seat = Seat(number)
        user = None if end.off >> seat & 1 else played.user
        rows.append(
            (
                end.nth,
                seat,
                user,
                end.guild,
                played.user is None,
                played.place,
                played.thought,
                played.thoughts,
                overall.get(seat),
                edition.get(seat),
                standings.write_figures(played.figures),
            )
        )
    connection.executemany(f"INSERT INTO game_seats VALUES ({', '.join('?' * 11)})", rows)  # noqa: S608
