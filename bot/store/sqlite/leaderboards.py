"""Reads the boards: pages of a leaderboard, a person's card, two people compared."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.host.model import UserId
from bot.stats.adding import NOTHING
from bot.stats.figures import RATING, WHOLE_GAME
from bot.stats.model import ALL_TIME, DEFAULT_MINIMUM_GAMES, Board, Card, Line, Page, Point, Rival, Side, Totals, Versus
from bot.store.counted import BoardRow, read_totals
from bot.store.pages import MAX_CURVE_POINTS, MAX_GAMES_TOGETHER, fit, lines_of
from bot.store.sqlite import history as past
from bot.store.sqlite.standings import COLUMNS, find_board, is_opted_out

_NO_BOARD: Final = BoardRow(0, DEFAULT_MINIMUM_GAMES, 0)


def page(
    connection: sqlite3.Connection, board: Board, by: str, number: int, *, size: int, asker: UserId | None
) -> Page:
    """Return one page; how long it takes does not depend on the number of people."""
    row = find_board(connection, board)
    if row is None:
        return Page(board, by, 1, 1, 0, DEFAULT_MINIMUM_GAMES, ())
    pages, number = fit(row.ranked, number, size)
    lines = _lines(connection, row.id, by, (number - 1) * size, size)
    own = None if asker is None else _own_line(connection, row.id, by, asker)
    return Page(board, by, number, pages, row.ranked, row.minimum, lines, own)


def _lines(connection: sqlite3.Connection, board: int, by: str, skipped: int, size: int) -> tuple[Line, ...]:
    """Return the lines after the first `skipped`. The ladder skips whole scores, so few people are walked past."""
    start = above = equals = 0
    steps = connection.execute(
        "SELECT score, people FROM ladder WHERE board = ? AND by = ? ORDER BY score DESC", (board, by)
    )
    for score, people in steps:
        if above + people > skipped:
            start, equals = score, people
            break
        above += people
    among = "SELECT user FROM scores WHERE board = ? AND by = ? AND score"
    passed, left = skipped - above, above + equals - skipped
    if passed <= left:
        sql = f"{among} <= ? ORDER BY score DESC, user LIMIT ? OFFSET ?"
        users = connection.execute(sql, (board, by, start, size, passed)).fetchall()
    else:  # fewer to skip from the other end
        some = min(size, left)
        sql = f"{among} = ? ORDER BY user DESC LIMIT ? OFFSET ?"
        users = connection.execute(sql, (board, by, start, some, left - some)).fetchall()[::-1]
        sql = f"{among} < ? ORDER BY score DESC, user LIMIT ?"
        users += connection.execute(sql, (board, by, start, size - some)).fetchall()
    found = connection.execute(
        f"SELECT user, {COLUMNS} FROM totals WHERE board = ? AND user IN ({', '.join('?' * len(users))})",  # noqa: S608
        (board, *[user for (user,) in users]),
    ).fetchall()
    totals = {UserId(user): read_totals(values) for user, *values in found}
    return tuple(lines_of([UserId(user) for (user,) in users], totals, by, skipped, above))


def _own_line(connection: sqlite3.Connection, board: int, by: str, user: UserId) -> Line | None:
    totals, ranked = totals_of(connection, board, user)
    if not totals.games:
        return None
    score = totals.score(by)
    return Line(_rank(connection, board, by, score) if ranked else None, user, score, totals)


def _rank(connection: sqlite3.Connection, board: int, by: str, score: int) -> int:
    """Return the rank of a score: one more than there are people above it."""
    sql = "SELECT coalesce(sum(people), 0) + 1 FROM ladder WHERE board = ? AND by = ? AND score > ?"
    rank: int = connection.execute(sql, (board, by, score)).fetchone()[0]
    return rank


def totals_of(connection: sqlite3.Connection, board: int, user: UserId) -> tuple[Totals, bool]:
    """Return a person's totals on a board, and whether they are ranked there."""
    sql = f"SELECT ranked, {COLUMNS} FROM totals WHERE board = ? AND user = ?"  # noqa: S608
    found = connection.execute(sql, (board, user)).fetchone()
    return (NOTHING, False) if found is None else (read_totals(found[1:]), bool(found[0]))


def card(connection: sqlite3.Connection, board: Board, user: UserId) -> Card:
    """Return everything about one person on one board."""
    row = find_board(connection, board) or _NO_BOARD
    totals, ranked = totals_of(connection, row.id, user)
    return Card(
        board=board,
        user=user,
        totals=totals,
        rank=_rank(connection, row.id, RATING, totals.rating) if ranked else None,
        ranked=row.ranked,
        minimum=row.minimum,
        victim=_rival(connection, row.id, user, "given"),
        nemesis=_rival(connection, row.id, user, "taken"),
        curve=_curve(connection, board, user),
        opted_out=is_opted_out(connection, user),
    )


def _rival(connection: sqlite3.Connection, board: int, user: UserId, column: str) -> Rival | None:
    """Return the opponent with the most in a column of `pairs`; nobody who opted out is named."""
    found = connection.execute(
        f"SELECT other, {column} FROM pairs WHERE board = ? AND user = ? AND {column} > 0"  # noqa: S608
        f" AND other NOT IN (SELECT id FROM users WHERE stats_off = 1) ORDER BY {column} DESC, other LIMIT 1",
        (board, user),
    ).fetchone()
    return None if found is None else Rival(UserId(found[0]), found[1])


def _curve(connection: sqlite3.Connection, board: Board, user: UserId) -> tuple[Point, ...]:
    whole = board.edition == WHOLE_GAME
    column = "rating" if whole else "edition_rating"
    found = connection.execute(
        f"SELECT number, ended, {column} FROM game_seats JOIN games USING (nth)"  # noqa: S608
        f" WHERE user = ?1 AND game_seats.guild = ?2 AND {column} IS NOT NULL AND game = ?3 AND (?4 OR edition = ?5)"
        " ORDER BY game_seats.nth DESC LIMIT ?6",
        (user, board.guild, board.game, whole, board.edition, MAX_CURVE_POINTS),
    ).fetchall()
    return tuple(Point(*point) for point in reversed(found))


def versus(connection: sqlite3.Connection, board: Board, a: UserId, b: UserId) -> Versus:
    """Compare two people; everything is zero if they never played together."""
    row = find_board(connection, board) or _NO_BOARD
    sql = "SELECT games, ahead, behind, given, taken FROM pairs WHERE board = ? AND user = ? AND other = ?"
    found = connection.execute(sql, (row.id, a, b)).fetchone()
    games, ahead, behind, given, taken = found or (0, 0, 0, 0, 0)
    return Versus(
        board,
        games,
        Side(a, totals_of(connection, row.id, a)[0], ahead, given),
        Side(b, totals_of(connection, row.id, b)[0], behind, taken),
        past.together(connection, board.guild, a, b, MAX_GAMES_TOGETHER) if games else (),
    )


def have_met(connection: sqlite3.Connection, guild: int, a: UserId, b: UserId) -> bool:
    """Return whether two people have finished a counted game together, of any kind."""
    sql = (
        "SELECT 1 FROM boards JOIN pairs ON board = id WHERE guild = ? AND edition = ? AND period = ?"
        " AND user = ? AND other = ? LIMIT 1"
    )
    return connection.execute(sql, (guild, WHOLE_GAME, ALL_TIME, a, b)).fetchone() is not None
