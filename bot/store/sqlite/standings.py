"""Keeps the boards: totals, pairs, and who is ranked where. Every function runs inside its caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import Preferences
from bot.stats import standings
from bot.stats.figures import SHARED_RANKINGS, figures_of
from bot.stats.model import DEFAULT_MINIMUM_GAMES, Board, GameRecord
from bot.stats.standings import NEWCOMER, Moves, Person, ScoreChange, Standing, moves_of, pairs_of
from bot.store.counted import TOTALS, BoardRow, read_totals, write_totals

COLUMNS: Final = ", ".join(TOTALS)
"""The columns of `totals` that `read_totals` reads."""
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in (*TOTALS, "ranked"))
_UPSERT: Final = (
    f"INSERT INTO totals (board, user, {COLUMNS}, ranked) VALUES ({', '.join('?' * (len(TOTALS) + 3))})"  # noqa: S608
    f" ON CONFLICT (board, user) DO UPDATE SET {_SET}"
)
_VISIBLE: Final = (
    "user NOT IN (SELECT id FROM users WHERE stats_off = 1)"
    " AND user NOT IN (SELECT user FROM absent WHERE guild = :guild)"
)

_TABLES_OF_BOARDS: Final = ("totals", "scores", "ladder", "pairs")
_DEFAULT_PREFERENCES: Final = (Preferences().slow, Preferences().pinged)


def find_board(connection: sqlite3.Connection, board: Board) -> BoardRow | None:
    """Return the row of a board; None if nothing was ever counted on it."""
    sql = "SELECT id, minimum, ranked FROM boards WHERE guild = ? AND game = ? AND edition = ? AND period = ?"
    found = connection.execute(sql, board).fetchone()
    return None if found is None else BoardRow(*found)


def add(
    connection: sqlite3.Connection, board: Board, people: Sequence[Person], record: GameRecord, *, rank: bool
) -> dict[Seat, int | None]:
    """Count a match on one board; return the ratings after it, None for everybody if it was not rated.

    Without `rank` nobody is ranked: the caller runs `mark` later.
    """
    row = find_board(connection, board) or _insert_board(connection, board)
    users = [person.user for person in people]
    before = _standings_of(connection, row.id, users)
    after = standings.after_match(people, record, before, row.minimum, rank=rank)
    _write_standings(connection, row.id, users, after)
    if rank:
        _move(connection, row.id, moves_of(record.game, standings.changes(users, before, after)))
    _add_pairs(connection, row.id, people, record)
    return standings.ratings_after(people, after)


def add_guesses(
    connection: sqlite3.Connection, board: Board, guesses: Sequence[tuple[UserId, int, int]], *, rank: bool
) -> None:
    """Count on one board how people guessed along in a match: its `games` are matches in which they did."""
    row = find_board(connection, board) or _insert_board(connection, board)
    users = [user for user, *_ in guesses]
    before = _standings_of(connection, row.id, users)
    after = standings.after_guesses(guesses, before, row.minimum, rank=rank)
    _write_standings(connection, row.id, users, after)
    if rank:
        _move(connection, row.id, moves_of(board.game, standings.changes(users, before, after)))


def _insert_board(connection: sqlite3.Connection, board: Board) -> BoardRow:
    sql = "INSERT INTO boards (guild, game, edition, period, minimum, ranked) VALUES (?, ?, ?, ?, ?, 0) RETURNING id"
    id_ = connection.execute(sql, (*board, DEFAULT_MINIMUM_GAMES)).fetchone()[0]
    return BoardRow(id_, DEFAULT_MINIMUM_GAMES, 0)


def _standings_of(connection: sqlite3.Connection, board: int, users: Sequence[UserId]) -> list[Standing]:
    """Return people's totals on a board, and whether they are ranked there."""
    marks = ", ".join("?" * len(users))
    sql = f"SELECT user, ranked, {COLUMNS} FROM totals WHERE board = ? AND user IN ({marks})"  # noqa: S608
    found = connection.execute(sql, (board, *users)).fetchall()
    known = {user: Standing(read_totals(values), bool(ranked)) for user, ranked, *values in found}
    return [known.get(user, NEWCOMER) for user in users]


def _write_standings(
    connection: sqlite3.Connection, board: int, users: Sequence[UserId], after: Sequence[Standing]
) -> None:
    connection.executemany(
        _UPSERT,
        [(board, user, *write_totals(totals), ranked) for user, (totals, ranked) in zip(users, after, strict=True)],
    )


def _move(connection: sqlite3.Connection, board: int, moves: Moves) -> None:
    """Move people from their old scores to their new ones, in `scores` and on the ladder."""
    if moves.changed:
        connection.executemany(
            "UPDATE scores SET score = ? WHERE board = ? AND by = ? AND score = ? AND user = ?",
            [(now, board, by, was, user) for user, by, was, now in moves.changed],
        )
    if moves.came:
        connection.executemany(
            "INSERT INTO scores (board, by, score, user) VALUES (?, ?, ?, ?)",
            [(board, by, now, user) for user, by, now in moves.came],
        )
    if moves.went:
        connection.executemany(
            "DELETE FROM scores WHERE board = ? AND by = ? AND score = ? AND user = ?",
            [(board, by, was, user) for user, by, was in moves.went],
        )
    _write_ladder(connection, board, moves.steps)
    if moves.newly_ranked:
        connection.execute("UPDATE boards SET ranked = ranked + ? WHERE id = ?", (moves.newly_ranked, board))


def _write_ladder(connection: sqlite3.Connection, board: int, steps: Mapping[tuple[str, int], int]) -> None:
    rows = [(board, by, score, change) for (by, score), change in steps.items() if change]
    if not rows:
        return
    connection.executemany(
        "INSERT INTO ladder (board, by, score, people) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (board, by, score) DO UPDATE SET people = people + excluded.people",
        rows,
    )
    connection.executemany(
        "DELETE FROM ladder WHERE board = ? AND by = ? AND score = ? AND people = 0",
        [row[:3] for row in rows if row[3] < 0],
    )


def _add_pairs(connection: sqlite3.Connection, board: int, people: Sequence[Person], record: GameRecord) -> None:
    connection.executemany(
        "INSERT INTO pairs (board, user, other, games, ahead, behind, given, taken) VALUES (?, ?, ?, 1, ?, ?, ?, ?)"
        " ON CONFLICT (board, user, other) DO UPDATE SET games = games + 1, ahead = ahead + excluded.ahead,"
        " behind = behind + excluded.behind, given = given + excluded.given, taken = taken + excluded.taken",
        [(board, *pair) for pair in pairs_of(people, record)],
    )


def mark(connection: sqlite3.Connection, board: int, minimum: int) -> None:
    """Decide again who is ranked on a board, and write its scores and its ladder from scratch."""
    guild, game = connection.execute("SELECT guild, game FROM boards WHERE id = ?", (board,)).fetchone()
    connection.execute(
        "UPDATE totals SET ranked = NOT ranked WHERE board = :board"  # noqa: S608
        f" AND ranked != (games >= :minimum AND {_VISIBLE})",
        {"board": board, "guild": guild, "minimum": minimum},
    )
    connection.execute("DELETE FROM scores WHERE board = ?", (board,))
    connection.execute("DELETE FROM ladder WHERE board = ?", (board,))
    for by in figures_of(game).rankings:
        score = by if by in SHARED_RANKINGS else "coalesce(figures ->> :by, 0)"
        connection.execute(
            f"INSERT INTO scores (board, by, score, user) SELECT board, :by, {score}, user FROM totals"  # noqa: S608
            f" WHERE board = :board AND ranked = 1 ORDER BY {score} DESC, user",
            {"by": by, "board": board},
        )
    connection.execute(
        "INSERT INTO ladder (board, by, score, people)"
        " SELECT board, by, score, count(*) FROM scores WHERE board = ? GROUP BY by, score",
        (board,),
    )
    connection.execute(
        "UPDATE boards SET minimum = ?2, ranked = (SELECT count(*) FROM totals WHERE board = ?1 AND ranked = 1)"
        " WHERE id = ?1",
        (board, minimum),
    )


def show(connection: sqlite3.Connection, user: UserId, guild: int | None = None, *, shown: bool) -> None:
    """Take a person off the boards, or put them back on those where they have played enough."""
    found = connection.execute(
        f"SELECT id, game, minimum, totals.ranked, {COLUMNS} FROM totals JOIN boards ON id = board"  # noqa: S608
        " WHERE user = ?1 AND (?2 IS NULL OR guild = ?2)",
        (user, guild),
    ).fetchall()
    for board, game, minimum, was_ranked, *values in found:
        totals = read_totals(values)
        is_ranked = shown and totals.games >= minimum
        if is_ranked != bool(was_ranked):
            connection.execute("UPDATE totals SET ranked = ? WHERE board = ? AND user = ?", (is_ranked, board, user))
            move = ScoreChange(user, None, totals) if is_ranked else ScoreChange(user, totals, None)
            _move(connection, board, moves_of(game, [move]))


def welcome_back(connection: sqlite3.Connection, guild: int, table: TableId) -> None:
    """Record that everybody who finished a game in a guild is in it again."""
    back = connection.execute(
        "DELETE FROM absent WHERE guild = ? AND user IN (SELECT user FROM seats WHERE table_id = ?) RETURNING user",
        (guild, table),
    ).fetchall()
    for (user,) in back:
        show(connection, UserId(user), guild, shown=not is_opted_out(connection, user))


def set_opted_out(connection: sqlite3.Connection, user: UserId, opted_out: bool) -> None:
    """Store whether a person opted out of statistics; what was counted before is hidden, not deleted."""
    connection.execute(
        "INSERT INTO users (id, slow, pinged, stats_off) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET stats_off = excluded.stats_off",
        (user, *_DEFAULT_PREFERENCES, opted_out),
    )
    show(connection, user, shown=not opted_out)
    if not opted_out:
        for (guild,) in connection.execute("SELECT guild FROM absent WHERE user = ?", (user,)).fetchall():
            show(connection, user, guild, shown=False)


def set_absent(connection: sqlite3.Connection, guild: int, user: UserId, now: Millis, *, absent: bool) -> None:
    """Store whether a person was found in a guild."""
    if absent:
        # Only people with totals: this person may have been deleted while the bot was looking for them.
        connection.execute(
            "INSERT OR REPLACE INTO absent (guild, user, at) SELECT ?1, ?2, ?3"
            " WHERE EXISTS (SELECT 1 FROM totals JOIN boards ON id = board WHERE user = ?2 AND guild = ?1)",
            (guild, user, now),
        )
    else:
        connection.execute("DELETE FROM absent WHERE guild = ? AND user = ?", (guild, user))
    show(connection, user, guild, shown=not absent and not is_opted_out(connection, user))


def is_opted_out(connection: sqlite3.Connection, user: UserId) -> bool:
    """Return whether a person opted out of statistics."""
    return connection.execute("SELECT 1 FROM users WHERE id = ? AND stats_off = 1", (user,)).fetchone() is not None


def erase(connection: sqlite3.Connection, user: UserId) -> None:
    """Delete everything that statistics know of a person; other people's records stay as they are."""
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
    """Delete a guild's statistics; the caller deletes its tables and their log."""
    for sql in (
        "DELETE FROM game_seats WHERE nth IN (SELECT nth FROM games WHERE guild = ?)",
        "DELETE FROM games WHERE guild = ?",
        *[f"DELETE FROM {name} WHERE board IN (SELECT id FROM boards WHERE guild = ?)" for name in _TABLES_OF_BOARDS],  # noqa: S608
        "DELETE FROM boards WHERE guild = ?",
        "DELETE FROM seasons WHERE guild = ?",
        "DELETE FROM absent WHERE guild = ?",
        "DELETE FROM guesses WHERE nth IN (SELECT nth FROM ends WHERE guild = ?)",
        "DELETE FROM ends WHERE guild = ?",
    ):
        connection.execute(sql, (guild,))
