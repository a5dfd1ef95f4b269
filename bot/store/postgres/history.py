"""Reads finished games, and the seasons to which they belong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from bot.host.model import Millis, TableId, UserId
from bot.stats.model import Ending, History, PastGame, Season
from bot.stats.rating import START
from bot.store.pages import fit, past_game, seasons_of
from bot.store.postgres import standings
from bot.store.postgres.connections import Connection

_GAME: Final = "nth, number, table_id, game, edition, rounds, started, ended, ai, counted, season"


async def history(connection: Connection, guild: int, number: int, size: int, user: UserId | None) -> History:
    """Return one page of a guild's games, or of those that one person played in, newest first."""
    if user is not None:
        return await _history_of(connection, guild, number, size, user)
    newest = await connection.fetchval("SELECT coalesce(max(number), 0) FROM games WHERE guild = $1", guild)
    pages, number = fit(newest, number, size)
    upper = newest - (number - 1) * size
    # Game numbers have gaps only where games were deleted. So a page may be short, but no rows need to be counted.
    found = await connection.fetch(
        f"SELECT {_GAME} FROM games WHERE guild = $1 AND number > $2 AND number <= $3 ORDER BY number DESC",  # noqa: S608
        guild,
        upper - size,
        upper,
    )
    return History(number, pages, newest, await _games(connection, found))


async def _history_of(connection: Connection, guild: int, number: int, size: int, user: UserId) -> History:
    where = "FROM game_seats WHERE user_id = $1 AND guild = $2"
    games = await connection.fetchval(f"SELECT count(*) {where}", user, guild)
    pages, number = fit(games, number, size)
    found = await connection.fetch(
        f"SELECT {_GAME} FROM games"  # noqa: S608
        f" WHERE nth IN (SELECT nth {where} ORDER BY nth DESC LIMIT $3 OFFSET $4) ORDER BY nth DESC",
        user,
        guild,
        size,
        (number - 1) * size,
    )
    return History(number, pages, games, await _games(connection, found))


async def game(connection: Connection, guild: int, number: int) -> PastGame | None:
    """Return a game by its number in the guild."""
    sql = f"SELECT {_GAME} FROM games WHERE guild = $1 AND number = $2"  # noqa: S608
    found = await _games(connection, await connection.fetch(sql, guild, number))
    return found[0] if found else None


async def ending(connection: Connection, table: TableId) -> Ending | None:
    """Return the game that was played at a table, and the ratings before it; None if it is not finished."""
    found = await connection.fetchrow("SELECT guild, number, nth FROM ends WHERE table_id = $1", table)
    played = None if found is None else await game(connection, found[0], found[1])
    if played is None:
        return None
    before = [
        None
        if seat.user is None or seat.rating is None
        else await _rating_before(connection, found[0], played.game, seat.user, found[2])
        for seat in played.seats
    ]
    return Ending(played, tuple(before))


async def _rating_before(connection: Connection, guild: int, game: str, user: UserId, nth: int) -> int:
    found = await connection.fetchval(
        "SELECT rating FROM game_seats JOIN games USING (nth)"
        " WHERE user_id = $1 AND game_seats.guild = $2 AND game_seats.nth < $3 AND rating IS NOT NULL AND game = $4"
        " ORDER BY game_seats.nth DESC LIMIT 1",
        user,
        guild,
        nth,
        game,
    )
    return START if found is None else int(found)


async def together(connection: Connection, guild: int, a: UserId, b: UserId, most: int) -> tuple[PastGame, ...]:
    """Return the newest games that two people have played in together."""
    found = await connection.fetch(
        f"SELECT {_GAME} FROM games WHERE nth IN"  # noqa: S608
        " (SELECT one.nth FROM game_seats AS one JOIN game_seats AS other"
        " ON other.user_id = $2 AND other.guild = $3 AND other.nth = one.nth"
        " WHERE one.user_id = $1 AND one.guild = $3 ORDER BY one.nth DESC LIMIT $4) ORDER BY nth DESC",
        a,
        b,
        guild,
        most,
    )
    return await _games(connection, found)


async def _games(connection: Connection, rows: Sequence[Sequence[Any]]) -> tuple[PastGame, ...]:
    """Return games with their seats. People who opted out of statistics are not named, not even in earlier games."""
    found = await connection.fetch(
        "SELECT nth, seat, CASE WHEN coalesce(stats_off, false) THEN NULL ELSE user_id END, ai, place, rating"
        " FROM game_seats LEFT JOIN users ON users.id = user_id WHERE nth = ANY($1::bigint[]) ORDER BY nth, seat",
        [nth for nth, *_ in rows],
    )
    tables = {nth: table for nth, _, table, *_ in rows}
    with_ai = {tables[nth] for nth, _, _, ai, *_ in found if ai}
    documents = await connection.fetch("SELECT id, document FROM tables WHERE id = ANY($1::text[])", list(with_ai))
    players = {table: json.loads(document)["players"] for table, document in documents}
    seats: dict[int, list[tuple[Any, ...]]] = {nth: [] for nth in tables}
    for nth, seat, user, ai, place, rating in found:
        name = _ai_name(players.get(tables[nth], ()), seat) if ai else None
        seats[nth].append((seat, user, ai, place, rating, name))
    return tuple(past_game(row, seats[nth]) for nth, *row in rows)


def _ai_name(players: Sequence[dict[str, Any]], seat: int) -> str | None:
    ai = players[seat].get("ai") if seat < len(players) else None
    return None if ai is None else ai.get("name")


async def seasons(connection: Connection, guild: int) -> tuple[Season, ...]:
    """Return the seasons of a guild, newest first; the first one is running."""
    closed = await connection.fetch("SELECT number, closed FROM seasons WHERE guild = $1 ORDER BY number", guild)
    return seasons_of([(number, at) for number, at in closed])


async def close_season(connection: Connection, guild: int, now: Millis, number: int | None = None) -> None:
    """Close the running season: every game that has ended belongs to it or to an earlier one.

    With a `number`, only if that season is running, so that two people acting at once do not close two seasons.
    """
    await standings.lock(connection, [guild])
    await connection.execute(
        "INSERT INTO seasons (guild, number, until, closed)"
        " SELECT $1, next, (SELECT coalesce(max(nth), 0) FROM ends WHERE guild = $1), $2"
        " FROM (SELECT coalesce(max(number), 0) + 1 AS next FROM seasons WHERE guild = $1) AS running"
        " WHERE $3::bigint IS NULL OR next = $3",
        guild,
        now,
        number,
    )
