"""Counts a finished match, inside the transaction that ends it; a rebuild of the statistics does the same.

The match is read from the log that the same transaction has written, so live and rebuilt statistics cannot differ.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

import asyncpg

from bot.engine.core import Seat
from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import TableId, UserId
from bot.stats.model import Board
from bot.stats.record import Log
from bot.store import counted
from bot.store.counted import End, Match
from bot.store.postgres import standings
from bot.store.postgres.connections import Connection
from bot.store.postgres.faults import is_lost

log = logging.getLogger(__name__)


async def record_end(
    connection: Connection, table: TableId, guild: int, guesses: Sequence[tuple[UserId, int, int]] = ()
) -> None:
    """Record that a match was played to its end, and count it; do nothing if it was recorded before.

    `guesses` are the people who guessed along, with the number of their guesses and of the right ones.
    """
    await standings.lock(connection, [guild])
    if await connection.fetchval("SELECT 1 FROM ends WHERE table_id = $1", table):
        return
    # A person who was deleted during the match has no totals to add to, neither now nor in a rebuild.
    off = await connection.fetch(
        "SELECT seat FROM seats LEFT JOIN users ON id = user_id WHERE table_id = $1 AND (stats_off OR user_id <= $2)",
        table,
        FIRST_FORMER_ID,
    )
    mask = sum(1 << seat for (seat,) in off)
    nth, number = await connection.fetchrow(
        "INSERT INTO ends (table_id, guild, number, off)"
        " SELECT $1, $2, coalesce(max(number), 0) + 1, $3 FROM ends WHERE guild = $2 RETURNING nth, number",
        table,
        guild,
        mask,
    )
    if guesses:
        users, made, correct = ([each[place] for each in guesses] for place in range(3))
        await connection.execute(
            "INSERT INTO guesses (nth, user_id, made, correct) SELECT $1, row.* FROM"
            " unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS row (user_id, made, correct)"
            " WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = row.user_id AND stats_off)",
            nth,
            users,
            made,
            correct,
        )
    await attempt(connection, End(nth, table, guild, number, mask))
    await standings.welcome_back(connection, guild, table)


async def attempt(connection: Connection, end: End, *, rank: bool = True) -> None:
    """Count a match. If our code fails, nothing of it is counted, and the game still ends."""
    try:
        async with connection.transaction():
            await count(connection, end, rank=rank)
    except Exception as fault:
        if is_lost(fault) or (
            isinstance(fault, asyncpg.PostgresError)
            and not isinstance(fault, asyncpg.IntegrityConstraintViolationError)
        ):
            raise  # a fault of the server, not of the counting
        log.exception("table %s was not counted; run `python -m bot stats rebuild` once this is fixed", end.table)


async def count(connection: Connection, end: End, *, rank: bool = True) -> None:
    """Write everything that statistics say about one match; with `rank` false nobody is ranked yet."""
    season = await connection.fetchval(
        "SELECT count(*) + 1 FROM seasons WHERE guild = $1 AND until < $2", end.guild, end.nth
    )
    written = await read_log(connection, end.table)
    match = await asyncio.to_thread(Match, end, written, season)  # replaying takes milliseconds
    ratings: Mapping[Board, Mapping[Seat, int | None]] = {}
    if match.counted:
        ratings = await standings.add(connection, match.boards, match.people, match.record, rank=rank)
        await _count_guesses(connection, match, rank=rank)
    places = ", ".join(f"${place}" for place in range(1, 14))
    await connection.execute(f"INSERT INTO games VALUES ({places})", *match.game_row())  # noqa: S608
    seats = match.seat_rows(ratings)
    places = ", ".join(f"${place}" for place in range(1, 12))
    await connection.executemany(f"INSERT INTO game_seats VALUES ({places})", seats)  # noqa: S608


async def _count_guesses(connection: Connection, match: Match, *, rank: bool) -> None:
    """Count the guesses of people who did not play."""
    found = await connection.fetch("SELECT user_id, made, correct FROM guesses WHERE nth = $1", match.end.nth)
    guesses = [(UserId(user), made, correct) for user, made, correct in found]
    if guesses:
        await standings.add_guesses(connection, match.guess_boards, guesses, rank=rank)


async def read_log(connection: Connection, table: TableId) -> Log:
    """Read everything that is needed to replay a match; LookupError if there is no such table."""
    setup = await connection.fetchval("SELECT setup FROM tables WHERE id = $1", table)
    if setup is None:
        raise LookupError(table)
    users = await connection.fetch("SELECT seat, user_id FROM seats WHERE table_id = $1", table)
    entries = await connection.fetch(
        "SELECT at, actor, action, thought FROM actions WHERE table_id = $1 ORDER BY seq, part", table
    )
    return counted.read_log(setup, [tuple(each) for each in users], [tuple(each) for each in entries])
