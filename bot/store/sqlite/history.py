"""Reads finished games, and the seasons to which they belong."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from bot.host.model import Millis, TableId, UserId
from bot.stats.model import Ending, History, PastGame, Season
from bot.stats.rating import START
from bot.store.pages import fit, past_game, seasons_of

_GAME: Final = "nth, number, table_id, game, edition, rounds, started, ended, ai, counted, season"


def history(connection: sqlite3.Connection, guild: int, number: int, size: int, user: UserId | None) -> History:
    """Return one page of a guild's games, or of those that one person played in, newest first."""
    if user is not None:
        return _history_of(connection, guild, number, size, user)
    newest: int = connection.execute("SELECT coalesce(max(number), 0) FROM games WHERE guild = ?", (guild,)).fetchone()[
        0
    ]
    pages, number = fit(newest, number, size)
    upper = newest - (number - 1) * size
    # Game numbers have gaps only where games were deleted. So a page may be short, but no rows need to be counted.
    found = connection.execute(
        f"SELECT {_GAME} FROM games WHERE guild = ? AND number > ? AND number <= ? ORDER BY number DESC",  # noqa: S608
        (guild, upper - size, upper),
    ).fetchall()
    return History(number, pages, newest, _games(connection, found))


def _history_of(connection: sqlite3.Connection, guild: int, number: int, size: int, user: UserId) -> History:
    where = "FROM game_seats WHERE user = ? AND guild = ?"
    games: int = connection.execute(f"SELECT count(*) {where}", (user, guild)).fetchone()[0]
    pages, number = fit(games, number, size)
    found = connection.execute(
        f"SELECT {_GAME} FROM games"  # noqa: S608
        f" WHERE nth IN (SELECT nth {where} ORDER BY nth DESC LIMIT ? OFFSET ?) ORDER BY nth DESC",
        (user, guild, size, (number - 1) * size),
    ).fetchall()
    return History(number, pages, games, _games(connection, found))


def game(connection: sqlite3.Connection, guild: int, number: int) -> PastGame | None:
    """Return a game by its number in the guild."""
    sql = f"SELECT {_GAME} FROM games WHERE guild = ? AND number = ?"  # noqa: S608
    found = _games(connection, connection.execute(sql, (guild, number)).fetchall())
    return found[0] if found else None


def ending(connection: sqlite3.Connection, table: TableId) -> Ending | None:
    """Return the game that was played at a table, and the ratings before it; None if it is not finished."""
    found = connection.execute("SELECT guild, number FROM ends WHERE table_id = ?", (table,)).fetchone()
    played = None if found is None else game(connection, *found)
    if played is None:
        return None
    nth: int = connection.execute("SELECT nth FROM ends WHERE table_id = ?", (table,)).fetchone()[0]
    before = (
        None
        if seat.user is None or seat.rating is None
        else _rating_before(connection, found[0], played.game, seat.user, nth)
        for seat in played.seats
    )
    return Ending(played, tuple(before))


def _rating_before(connection: sqlite3.Connection, guild: int, game: str, user: UserId, nth: int) -> int:
    found = connection.execute(
        "SELECT rating FROM game_seats JOIN games USING (nth)"
        " WHERE user = ? AND game_seats.guild = ? AND game_seats.nth < ? AND rating IS NOT NULL AND game = ?"
        " ORDER BY game_seats.nth DESC LIMIT 1",
        (user, guild, nth, game),
    ).fetchone()
    return START if found is None else int(found[0])


def together(connection: sqlite3.Connection, guild: int, a: UserId, b: UserId, most: int) -> tuple[PastGame, ...]:
    """Return the newest games that two people have played in together."""
    found = connection.execute(
        f"SELECT {_GAME} FROM games WHERE nth IN"  # noqa: S608
        " (SELECT one.nth FROM game_seats AS one JOIN game_seats AS other"
        " ON other.user = ?2 AND other.guild = ?3 AND other.nth = one.nth"
        " WHERE one.user = ?1 AND one.guild = ?3 ORDER BY one.nth DESC LIMIT ?4) ORDER BY nth DESC",
        (a, b, guild, most),
    ).fetchall()
    return _games(connection, found)


def _games(connection: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> tuple[PastGame, ...]:
    games = []
    for nth, *row in rows:
        # People who opted out of statistics are not named, not even in earlier games.
        seats = connection.execute(
            "SELECT seat, CASE WHEN stats_off = 1 THEN NULL ELSE user END, ai, place, rating, CASE WHEN ai THEN"
            " (SELECT json_extract(document, '$.players[' || seat || '].ai.name') FROM tables WHERE tables.id = ?) END"
            " FROM game_seats LEFT JOIN users ON users.id = user WHERE nth = ? ORDER BY seat",
            (row[1], nth),
        ).fetchall()
        games.append(past_game(row, seats))
    return tuple(games)


def seasons(connection: sqlite3.Connection, guild: int) -> tuple[Season, ...]:
    """Return the seasons of a guild, newest first; the first one is running."""
    closed = connection.execute("SELECT number, closed FROM seasons WHERE guild = ? ORDER BY number", (guild,))
    return seasons_of(closed.fetchall())


def close_season(connection: sqlite3.Connection, guild: int, now: Millis, number: int | None = None) -> None:
    """Close the running season: every game that has ended belongs to it or to an earlier one.

    With a `number`, only if that season is running, so that two people at once cannot close two seasons.
    """
    connection.execute(
        "INSERT INTO seasons (guild, number, until, closed)"
        # The guild's own last game: another guild's may be deleted, and its `nth` used again.
        " SELECT ?1, next, (SELECT coalesce(max(nth), 0) FROM ends WHERE guild = ?1), ?2"
        " FROM (SELECT coalesce(max(number), 0) + 1 AS next FROM seasons WHERE guild = ?1)"
        " WHERE ?3 IS NULL OR next = ?3",
        (guild, now, number),
    )
