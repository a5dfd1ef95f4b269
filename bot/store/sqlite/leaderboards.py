"""Reads the boards: pages of a leaderboard, somebody's card, two people head to head."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.host.model import UserId
from bot.stats.adding import NOTHING
from bot.stats.model import (
    DEFAULT_MINIMUM,
    EVERY_EDITION,
    Board,
    By,
    Card,
    Line,
    Page,
    Point,
    Rival,
    Side,
    Totals,
    Versus,
)
from bot.store.sqlite import history as past
from bot.store.sqlite.standings import COLUMNS, Held, held, is_off

CURVE: Final = 200
"""So many of the newest games make the curve of a rating."""
TOGETHER: Final = 5


def page(connection: sqlite3.Connection, board: Board, by: By, number: int, *, size: int, asker: UserId | None) -> Page:
    """Return one page; the time that it takes does not depend on how many people there are."""
    kept = held(connection, board)
    if kept is None:
        return Page(board, by, 1, 1, 0, DEFAULT_MINIMUM, ())
    pages = max(1, -(-kept.ranked // size))
    number = min(max(1, number), pages)
    lines = _lines(connection, kept.id, by, (number - 1) * size, size)
    own = None if asker is None else _own(connection, kept.id, by, asker)
    return Page(board, by, number, pages, kept.ranked, kept.minimum, lines, own)


def _lines(connection: sqlite3.Connection, board: int, by: By, skipped: int, size: int) -> tuple[Line, ...]:
    """Return the lines after so many others. The ladder leads to the score, so that only equals are passed over."""
    start = above = equals = 0
    steps = connection.execute(
        "SELECT score, people FROM ladder WHERE board = ? AND by = ? ORDER BY score DESC", (board, by.value)
    )
    for score, people in steps:
        if above + people > skipped:
            start, equals = score, people
            break
        above += people
    # First who it is, which the index alone can say: passing over equals must not fetch their totals.
    among = f"SELECT user FROM totals INDEXED BY totals_by_{by.value} WHERE board = ? AND ranked = 1 AND {by.value}"  # noqa: S608
    passed, left = skipped - above, above + equals - skipped
    if passed <= left:
        sql, values = f"{among} <= ? ORDER BY {by.value} DESC, user LIMIT ? OFFSET ?", (board, start, size, passed)
        users = connection.execute(sql, values).fetchall()
    else:  # the way from behind is shorter
        some = min(size, left)
        sql, values = f"{among} = ? ORDER BY user DESC LIMIT ? OFFSET ?", (board, start, some, left - some)
        users = connection.execute(sql, values).fetchall()
        sql = f"{among} < ? ORDER BY {by.value} DESC, user LIMIT ?"
        users += connection.execute(sql, (board, start, size - some)).fetchall()
    found = connection.execute(
        f"SELECT user, {COLUMNS} FROM totals WHERE board = ? AND user IN ({', '.join('?' * len(users))})"  # noqa: S608
        f" ORDER BY {by.value} DESC, user",
        (board, *[user for (user,) in users]),
    ).fetchall()
    lines: list[Line] = []
    rank = above + 1
    for place, (user, *values) in enumerate(found, skipped + 1):
        totals = Totals(*values)
        score = getattr(totals, by)
        if lines and score != lines[-1].score:
            rank = place
        lines.append(Line(rank, UserId(user), score, totals))
    return tuple(lines)


def _own(connection: sqlite3.Connection, board: int, by: By, user: UserId) -> Line | None:
    totals, ranked = totals_of(connection, board, user)
    if not totals.games:
        return None
    score = getattr(totals, by)
    return Line(_rank(connection, board, by, score) if ranked else None, user, score, totals)


def _rank(connection: sqlite3.Connection, board: int, by: By, score: int) -> int:
    """Return the rank of a score: one more than there are people above it."""
    sql = "SELECT coalesce(sum(people), 0) + 1 FROM ladder WHERE board = ? AND by = ? AND score > ?"
    rank: int = connection.execute(sql, (board, by.value, score)).fetchone()[0]
    return rank


def totals_of(connection: sqlite3.Connection, board: int, user: UserId) -> tuple[Totals, bool]:
    """Return somebody's totals on a board, and whether they are ranked there."""
    sql = f"SELECT ranked, {COLUMNS} FROM totals WHERE board = ? AND user = ?"  # noqa: S608
    found = connection.execute(sql, (board, user)).fetchone()
    return (NOTHING, False) if found is None else (Totals(*found[1:]), bool(found[0]))


def card(connection: sqlite3.Connection, board: Board, user: UserId) -> Card:
    """Return everything about one person on one board."""
    kept = held(connection, board) or Held(0, DEFAULT_MINIMUM, 0)
    totals, ranked = totals_of(connection, kept.id, user)
    return Card(
        board=board,
        user=user,
        totals=totals,
        rank=_rank(connection, kept.id, By.RATING, totals.rating) if ranked else None,
        ranked=kept.ranked,
        minimum=kept.minimum,
        victim=_rival(connection, kept.id, user, "dealt"),
        nemesis=_rival(connection, kept.id, user, "taken"),
        curve=_curve(connection, board, user),
        off=is_off(connection, user),
    )


def _rival(connection: sqlite3.Connection, board: int, user: UserId, what: str) -> Rival | None:
    """Return the one with the most coins dealt out to, or taken from; nobody who keeps out is named."""
    found = connection.execute(
        f"SELECT other, {what} FROM pairs WHERE board = ? AND user = ? AND {what} > 0"  # noqa: S608
        f" AND other NOT IN (SELECT id FROM users WHERE stats_off = 1) ORDER BY {what} DESC, other LIMIT 1",
        (board, user),
    ).fetchone()
    return None if found is None else Rival(UserId(found[0]), found[1])


def _curve(connection: sqlite3.Connection, board: Board, user: UserId) -> tuple[Point, ...]:
    every = board.edition == EVERY_EDITION
    column = "rating" if every else "edition_rating"
    found = connection.execute(
        f"SELECT number, ended, {column} FROM game_seats JOIN games USING (nth)"  # noqa: S608
        f" WHERE user = ?1 AND game_seats.guild = ?2 AND {column} IS NOT NULL AND (?3 OR edition = ?4)"
        " ORDER BY game_seats.nth DESC LIMIT ?5",
        (user, board.guild, every, board.edition, CURVE),
    ).fetchall()
    return tuple(Point(*point) for point in reversed(found))


def versus(connection: sqlite3.Connection, board: Board, a: UserId, b: UserId) -> Versus:
    """Compare two people; everything is zero if they never met."""
    kept = held(connection, board) or Held(0, DEFAULT_MINIMUM, 0)
    sql = "SELECT games, ahead, behind, dealt, taken FROM pairs WHERE board = ? AND user = ? AND other = ?"
    found = connection.execute(sql, (kept.id, a, b)).fetchone()
    games, ahead, behind, dealt, taken = found or (0, 0, 0, 0, 0)
    return Versus(
        board,
        games,
        Side(a, totals_of(connection, kept.id, a)[0], ahead, dealt),
        Side(b, totals_of(connection, kept.id, b)[0], behind, taken),
        past.together(connection, board.guild, a, b, TOGETHER) if games else (),
    )
