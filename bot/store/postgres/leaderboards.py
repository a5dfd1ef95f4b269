"""Reads the boards: pages of a leaderboard, a person's card, two people compared."""

from __future__ import annotations

from typing import Final

from bot.host.model import UserId
from bot.stats.adding import NOTHING
from bot.stats.figures import RATING, WHOLE_GAME
from bot.stats.model import ALL_TIME, DEFAULT_MINIMUM_GAMES, Board, Card, Line, Page, Point, Rival, Side, Totals, Versus
from bot.store.counted import BoardRow, read_totals
from bot.store.pages import MAX_CURVE_POINTS, MAX_GAMES_TOGETHER, fit, lines_of
from bot.store.postgres import history as past
from bot.store.postgres.connections import Connection
from bot.store.postgres.standings import COLUMNS, find_board, is_opted_out

_NO_BOARD: Final = BoardRow(0, DEFAULT_MINIMUM_GAMES, 0)


async def page(connection: Connection, board: Board, by: str, number: int, *, size: int, asker: UserId | None) -> Page:
    """Return one page; how long it takes does not depend on the number of people."""
    row = await find_board(connection, board)
    if row is None:
        return Page(board, by, 1, 1, 0, DEFAULT_MINIMUM_GAMES, ())
    pages, number = fit(row.ranked, number, size)
    lines = await _lines(connection, row.id, by, (number - 1) * size, size)
    own = None if asker is None else await _own_line(connection, row.id, by, asker)
    return Page(board, by, number, pages, row.ranked, row.minimum, lines, own)


async def _lines(connection: Connection, board: int, by: str, skipped: int, size: int) -> tuple[Line, ...]:
    """Return the lines after the first `skipped`. The ladder skips whole scores, so few people are walked past."""
    start, above, equals = await connection.fetchrow(
        "SELECT score, sum - people, people FROM"
        " (SELECT score, people, sum(people) OVER (ORDER BY score DESC)::bigint AS sum FROM ladder"
        " WHERE board = $1 AND by = $2) AS steps WHERE sum > $3 ORDER BY score DESC LIMIT 1",
        board,
        by,
        skipped,
    ) or (0, 0, 0)
    among = "SELECT user_id FROM scores WHERE board = $1 AND by = $2 AND score"
    passed, left = skipped - above, above + equals - skipped
    if passed <= left:
        sql = f"{among} <= $3 ORDER BY score DESC, user_id LIMIT $4 OFFSET $5"
        users = await connection.fetch(sql, board, by, start, size, passed)
    else:  # fewer to skip from the other end
        some = min(size, left)
        sql = f"{among} = $3 ORDER BY user_id DESC LIMIT $4 OFFSET $5"
        users = (await connection.fetch(sql, board, by, start, some, left - some))[::-1]
        sql = f"{among} < $3 ORDER BY score DESC, user_id LIMIT $4"
        users += await connection.fetch(sql, board, by, start, size - some)
    ids = [UserId(user) for (user,) in users]
    sql = f"SELECT user_id, {COLUMNS} FROM totals WHERE board = $1 AND user_id = ANY($2::bigint[])"  # noqa: S608
    totals = {UserId(user): read_totals(values) for user, *values in await connection.fetch(sql, board, ids)}
    return tuple(lines_of(ids, totals, by, skipped, above))


async def _own_line(connection: Connection, board: int, by: str, user: UserId) -> Line | None:
    totals, ranked = await totals_of(connection, board, user)
    if not totals.games:
        return None
    score = totals.score(by)
    return Line(await _rank(connection, board, by, score) if ranked else None, user, score, totals)


async def _rank(connection: Connection, board: int, by: str, score: int) -> int:
    """Return the rank of a score: one more than there are people above it."""
    sql = "SELECT coalesce(sum(people), 0)::bigint + 1 FROM ladder WHERE board = $1 AND by = $2 AND score > $3"
    return int(await connection.fetchval(sql, board, by, score))


async def totals_of(connection: Connection, board: int, user: UserId) -> tuple[Totals, bool]:
    """Return a person's totals on a board, and whether they are ranked there."""
    sql = f"SELECT ranked, {COLUMNS} FROM totals WHERE board = $1 AND user_id = $2"  # noqa: S608
    found = await connection.fetchrow(sql, board, user)
    return (NOTHING, False) if found is None else (read_totals(tuple(found)[1:]), found[0])


async def card(connection: Connection, board: Board, user: UserId) -> Card:
    """Return everything about one person on one board."""
    row = await find_board(connection, board) or _NO_BOARD
    totals, ranked = await totals_of(connection, row.id, user)
    return Card(
        board=board,
        user=user,
        totals=totals,
        rank=await _rank(connection, row.id, RATING, totals.rating) if ranked else None,
        ranked=row.ranked,
        minimum=row.minimum,
        victim=await _rival(connection, row.id, user, "given"),
        nemesis=await _rival(connection, row.id, user, "taken"),
        curve=await _curve(connection, board, user),
        opted_out=await is_opted_out(connection, user),
    )


async def _rival(connection: Connection, board: int, user: UserId, column: str) -> Rival | None:
    """Return the opponent with the most in a column of `pairs`; nobody who opted out is named."""
    found = await connection.fetchrow(
        f"SELECT other, {column} FROM pairs WHERE board = $1 AND user_id = $2 AND {column} > 0"  # noqa: S608
        " AND NOT EXISTS (SELECT 1 FROM users WHERE id = other AND stats_off)"
        f" ORDER BY {column} DESC, other LIMIT 1",
        board,
        user,
    )
    return None if found is None else Rival(UserId(found[0]), found[1])


async def _curve(connection: Connection, board: Board, user: UserId) -> tuple[Point, ...]:
    whole = board.edition == WHOLE_GAME
    column = "rating" if whole else "edition_rating"
    found = await connection.fetch(
        f"SELECT number, ended, {column} FROM game_seats JOIN games USING (nth)"  # noqa: S608
        f" WHERE user_id = $1 AND game_seats.guild = $2 AND {column} IS NOT NULL AND game = $3 AND ($4 OR edition = $5)"
        " ORDER BY game_seats.nth DESC LIMIT $6",
        user,
        board.guild,
        board.game,
        whole,
        board.edition,
        MAX_CURVE_POINTS,
    )
    return tuple(Point(*point) for point in reversed(found))


async def versus(connection: Connection, board: Board, a: UserId, b: UserId) -> Versus:
    """Compare two people; everything is zero if they never played together."""
    row = await find_board(connection, board) or _NO_BOARD
    sql = "SELECT games, ahead, behind, given, taken FROM pairs WHERE board = $1 AND user_id = $2 AND other = $3"
    games, ahead, behind, given, taken = await connection.fetchrow(sql, row.id, a, b) or (0, 0, 0, 0, 0)
    return Versus(
        board,
        games,
        Side(a, (await totals_of(connection, row.id, a))[0], ahead, given),
        Side(b, (await totals_of(connection, row.id, b))[0], behind, taken),
        await past.together(connection, board.guild, a, b, MAX_GAMES_TOGETHER) if games else (),
    )


async def have_met(connection: Connection, guild: int, a: UserId, b: UserId) -> bool:
    """Return whether two people have finished a counted game together, of any kind."""
    sql = (
        "SELECT 1 FROM boards JOIN pairs ON board = id WHERE guild = $1 AND edition = $2 AND period = $3"
        " AND user_id = $4 AND other = $5 LIMIT 1"
    )
    return await connection.fetchval(sql, guild, WHOLE_GAME, ALL_TIME, a, b) is not None
