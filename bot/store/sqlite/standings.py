"""Keeps the boards: totals, pairs, and who is ranked where. Everything here runs inside somebody's transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import Preferences
from bot.stats.adding import NOTHING, SCORED, added, scores
from bot.stats.model import DEFAULT_MINIMUM, Board, GameRecord, SeatRecord, Totals
from bot.stats.rating import Skill, rate

COLUMNS: Final = ", ".join(Totals._fields)
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in (*Totals._fields, "ranked"))
_UPSERT: Final = (
    f"INSERT INTO totals (board, user, {COLUMNS}, ranked) VALUES ({', '.join('?' * (len(Totals._fields) + 3))})"  # noqa: S608
    f" ON CONFLICT (board, user) DO UPDATE SET {_SET}"
)
_UNHIDDEN: Final = (
    "user NOT IN (SELECT id FROM users WHERE stats_off = 1)"
    " AND user NOT IN (SELECT user FROM absent WHERE guild = :guild)"
)

_ON_BOARDS: Final = ("totals", "ladder", "pairs")
_USUAL: Final = (Preferences().slow, Preferences().pinged)


class Person(NamedTuple):
    """Somebody in a match whose totals are kept."""

    seat: Seat
    user: UserId
    played: SeatRecord


class Held(NamedTuple):
    """A board as it is kept."""

    id: int
    minimum: int
    ranked: int


def held(connection: sqlite3.Connection, board: Board) -> Held | None:
    """Return the board, if anything was counted on it."""
    sql = "SELECT id, minimum, ranked FROM boards WHERE guild = ? AND edition = ? AND period = ?"
    found = connection.execute(sql, board).fetchone()
    return None if found is None else Held(*found)


def add(
    connection: sqlite3.Connection, board: Board, people: Sequence[Person], record: GameRecord, *, rank: bool
) -> dict[Seat, int | None]:
    """Count a match on one board; return the ratings after it, None for everybody if it was not rated."""
    kept = held(connection, board) or _opened(connection, board)
    before = _totals(connection, kept.id, [person.user for person in people])
    old = [before.get(person.user, (NOTHING, False)) for person in people]
    rated = len(people) > 1
    skills = rate([Skill(totals.mu, totals.sigma) for totals, _ in old], [person.played.place for person in people])
    new = [
        added(totals, person.played, record.rounds, skill if rated else None)
        for person, (totals, _), skill in zip(people, old, skills, strict=True)
    ]
    ranked = [rank and totals.games >= kept.minimum for totals in new]
    connection.executemany(
        _UPSERT,
        [
            (kept.id, person.user, *totals, is_ranked)
            for person, totals, is_ranked in zip(people, new, ranked, strict=True)
        ],
    )
    if rank:
        gone = [totals for totals, was_ranked in old if was_ranked]
        come = [totals for totals, is_ranked in zip(new, ranked, strict=True) if is_ranked]
        _climb(connection, kept.id, gone, come)
    _pair(connection, kept.id, people, record)
    return {person.seat: totals.rating if rated else None for person, totals in zip(people, new, strict=True)}


def _opened(connection: sqlite3.Connection, board: Board) -> Held:
    sql = "INSERT INTO boards (guild, edition, period, minimum, ranked) VALUES (?, ?, ?, ?, 0) RETURNING id"
    return Held(connection.execute(sql, (*board, DEFAULT_MINIMUM)).fetchone()[0], DEFAULT_MINIMUM, 0)


def _totals(connection: sqlite3.Connection, board: int, users: Sequence[UserId]) -> dict[UserId, tuple[Totals, bool]]:
    marks = ", ".join("?" * len(users))
    sql = f"SELECT user, ranked, {COLUMNS} FROM totals WHERE board = ? AND user IN ({marks})"  # noqa: S608
    found = connection.execute(sql, (board, *users)).fetchall()
    return {UserId(user): (Totals(*values), bool(ranked)) for user, ranked, *values in found}


def _climb(connection: sqlite3.Connection, board: int, gone: Iterable[Totals], come: Iterable[Totals]) -> None:
    """Move people on the ladder: from the scores that they had, if they were ranked, to those that they have."""
    moved: Counter[tuple[str, int]] = Counter()
    for people, sign in ((gone, -1), (come, 1)):
        for totals in people:
            for step in zip(SCORED, scores(totals), strict=True):
                moved[step] += sign
    steps = [(board, by, score, change) for (by, score), change in moved.items() if change]
    if not steps:
        return
    connection.executemany(
        "INSERT INTO ladder (board, by, score, people) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (board, by, score) DO UPDATE SET people = people + excluded.people",
        steps,
    )
    connection.executemany(
        "DELETE FROM ladder WHERE board = ? AND by = ? AND score = ? AND people = 0",
        [step[:3] for step in steps if step[3] < 0],
    )
    newly = sum(change for (by, _), change in moved.items() if by == "games")
    if newly:
        connection.execute("UPDATE boards SET ranked = ranked + ? WHERE id = ?", (newly, board))


def _pair(connection: sqlite3.Connection, board: int, people: Sequence[Person], record: GameRecord) -> None:
    coins = {(dealer, taker): number for dealer, taker, number in record.coins}
    connection.executemany(
        "INSERT INTO pairs (board, user, other, games, ahead, behind, dealt, taken) VALUES (?, ?, ?, 1, ?, ?, ?, ?)"
        " ON CONFLICT (board, user, other) DO UPDATE SET games = games + 1, ahead = ahead + excluded.ahead,"
        " behind = behind + excluded.behind, dealt = dealt + excluded.dealt, taken = taken + excluded.taken",
        [
            (
                board,
                one.user,
                other.user,
                one.played.place < other.played.place,
                one.played.place > other.played.place,
                coins.get((one.seat, other.seat), 0),
                coins.get((other.seat, one.seat), 0),
            )
            for one, other in permutations(people, 2)
        ],
    )


def mark(connection: sqlite3.Connection, board: int, guild: int, minimum: int) -> None:
    """Say anew who is ranked on a board, and build its ladder from nothing."""
    connection.execute(
        "UPDATE totals SET ranked = NOT ranked WHERE board = :board"  # noqa: S608
        f" AND ranked != (games >= :minimum AND {_UNHIDDEN})",
        {"board": board, "guild": guild, "minimum": minimum},
    )
    connection.execute("DELETE FROM ladder WHERE board = ?", (board,))
    for by in SCORED:
        connection.execute(
            f"INSERT INTO ladder SELECT board, ?, {by}, count(*) FROM totals"  # noqa: S608
            f" WHERE board = ? AND ranked = 1 GROUP BY {by}",
            (by, board),
        )
    connection.execute(
        "UPDATE boards SET minimum = ?2,"
        " ranked = (SELECT coalesce(sum(people), 0) FROM ladder WHERE board = ?1 AND by = 'games') WHERE id = ?1",
        (board, minimum),
    )


def show(connection: sqlite3.Connection, user: UserId, guild: int | None = None, *, shown: bool) -> None:
    """Take somebody off the boards, or put them back on those where they have played enough."""
    found = connection.execute(
        f"SELECT id, minimum, totals.ranked, {COLUMNS} FROM totals JOIN boards ON id = board"  # noqa: S608
        " WHERE user = ?1 AND (?2 IS NULL OR guild = ?2)",
        (user, guild),
    ).fetchall()
    for board, minimum, was_ranked, *values in found:
        totals = Totals(*values)
        is_ranked = shown and totals.games >= minimum
        if is_ranked != bool(was_ranked):
            connection.execute("UPDATE totals SET ranked = ? WHERE board = ? AND user = ?", (is_ranked, board, user))
            _climb(connection, board, [] if is_ranked else [totals], [totals] if is_ranked else [])


def welcome_back(connection: sqlite3.Connection, guild: int, table: TableId) -> None:
    """Whoever finishes a game in a server is there again."""
    back = connection.execute(
        "DELETE FROM absent WHERE guild = ? AND user IN (SELECT user FROM seats WHERE table_id = ?) RETURNING user",
        (guild, table),
    ).fetchall()
    for (user,) in back:
        show(connection, UserId(user), guild, shown=not is_off(connection, user))


def set_off(connection: sqlite3.Connection, user: UserId, off: bool) -> None:
    """Keep whether somebody keeps out of statistics; what was counted before is hidden, not forgotten."""
    connection.execute(
        "INSERT INTO users (id, slow, pinged, stats_off) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET stats_off = excluded.stats_off",
        (user, *_USUAL, off),
    )
    show(connection, user, shown=not off)
    if not off:
        for (guild,) in connection.execute("SELECT guild FROM absent WHERE user = ?", (user,)).fetchall():
            show(connection, user, guild, shown=False)


def set_absent(connection: sqlite3.Connection, guild: int, user: UserId, now: Millis, *, absent: bool) -> None:
    """Keep whether somebody was looked for in a server in vain."""
    if absent:
        # Only whom the boards know: somebody may have been deleted while they were looked for.
        connection.execute(
            "INSERT OR REPLACE INTO absent (guild, user, at) SELECT ?1, ?2, ?3"
            " WHERE EXISTS (SELECT 1 FROM totals JOIN boards ON id = board WHERE user = ?2 AND guild = ?1)",
            (guild, user, now),
        )
    else:
        connection.execute("DELETE FROM absent WHERE guild = ? AND user = ?", (guild, user))
    show(connection, user, guild, shown=not absent and not is_off(connection, user))


def is_off(connection: sqlite3.Connection, user: UserId) -> bool:
    """Tell whether somebody keeps out of statistics."""
    return connection.execute("SELECT 1 FROM users WHERE id = ? AND stats_off = 1", (user,)).fetchone() is not None


def erase(connection: sqlite3.Connection, user: UserId) -> None:
    """Take everything that statistics know of somebody out of them; other people's records stay as they are."""
    show(connection, user, shown=False)
    boards = connection.execute("SELECT board FROM totals WHERE user = ?", (user,)).fetchall()
    for (board,) in boards:
        others = connection.execute("SELECT other FROM pairs WHERE board = ? AND user = ?", (board, user)).fetchall()
        pairs = [(board, one, two) for (other,) in others for one, two in ((user, other), (other, user))]
        connection.executemany("DELETE FROM pairs WHERE board = ? AND user = ? AND other = ?", pairs)
    connection.execute("DELETE FROM totals WHERE user = ?", (user,))
    connection.execute("DELETE FROM absent WHERE user = ?", (user,))
    connection.execute("UPDATE game_seats SET user = NULL WHERE user = ?", (user,))


def erase_guild(connection: sqlite3.Connection, guild: int) -> None:
    """Take everything of a server out of statistics; the tables and their log are somebody else's to delete."""
    for sql in (
        "DELETE FROM game_seats WHERE nth IN (SELECT nth FROM games WHERE guild = ?)",
        "DELETE FROM games WHERE guild = ?",
        *[f"DELETE FROM {what} WHERE board IN (SELECT id FROM boards WHERE guild = ?)" for what in _ON_BOARDS],  # noqa: S608
        "DELETE FROM boards WHERE guild = ?",
        "DELETE FROM seasons WHERE guild = ?",
        "DELETE FROM absent WHERE guild = ?",
        "DELETE FROM ends WHERE guild = ?",
    ):
        connection.execute(sql, (guild,))
