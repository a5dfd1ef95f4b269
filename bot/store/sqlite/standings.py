"""Keeps the boards: totals, pairs, and who is ranked where. Every function runs inside its caller's transaction."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, Final, NamedTuple

import msgspec

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import Preferences
from bot.stats.adding import NOTHING, added, scorer
from bot.stats.figures import SHARED_RANKINGS, figures_of
from bot.stats.model import DEFAULT_MINIMUM_GAMES, Board, GameRecord, SeatRecord, Totals
from bot.stats.rating import Skill, rate

COLUMNS: Final = ", ".join(Totals._fields)
"""The columns of `totals` that `read_totals` reads."""
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in (*Totals._fields, "ranked"))
_UPSERT: Final = (
    f"INSERT INTO totals (board, user, {COLUMNS}, ranked) VALUES ({', '.join('?' * (len(Totals._fields) + 3))})"  # noqa: S608
    f" ON CONFLICT (board, user) DO UPDATE SET {_SET}"
)
_VISIBLE: Final = (
    "user NOT IN (SELECT id FROM users WHERE stats_off = 1)"
    " AND user NOT IN (SELECT user FROM absent WHERE guild = :guild)"
)

_TABLES_OF_BOARDS: Final = ("totals", "scores", "ladder", "pairs")
_DEFAULT_PREFERENCES: Final = (Preferences().slow, Preferences().pinged)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(dict[str, int]).decode


class Person(NamedTuple):
    """A person in a match whose totals are kept."""

    seat: Seat
    user: UserId
    played: SeatRecord


class BoardRow(NamedTuple):
    """A row of `boards`."""

    id: int
    minimum: int
    ranked: int


class ScoreChange(NamedTuple):
    """A person whose scores change; None: not ranked before, or not ranked any more."""

    user: UserId
    before: Totals | None
    after: Totals | None


def read_totals(values: Sequence[Any]) -> Totals:
    """Return the totals that a row of `COLUMNS` holds."""
    return Totals._make([*values[:-1], _decode(values[-1])])


def write_figures(figures: Mapping[str, int]) -> str:
    """Return a game's own figures as the column `figures` holds them."""
    return _encode(figures).decode()


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
    before = _totals_of(connection, row.id, [person.user for person in people])
    old = [before.get(person.user, (NOTHING, False)) for person in people]
    rated = len(people) > 1
    skills = rate([Skill(totals.mu, totals.sigma) for totals, _ in old], [person.played.place for person in people])
    new = [
        added(totals, person.played, record.rounds, skill if rated else None)
        for person, (totals, _), skill in zip(people, old, skills, strict=True)
    ]
    ranked = [rank and totals.games >= row.minimum for totals in new]
    connection.executemany(
        _UPSERT,
        [
            (row.id, person.user, *totals[:-1], _encode(totals.figures).decode(), is_ranked)
            for person, totals, is_ranked in zip(people, new, ranked, strict=True)
        ],
    )
    if rank:
        moves = [
            ScoreChange(person.user, was if was_ranked else None, now if is_ranked else None)
            for person, (was, was_ranked), now, is_ranked in zip(people, old, new, ranked, strict=True)
        ]
        _move(connection, row.id, record.game, moves)
    _add_pairs(connection, row.id, people, record)
    return {person.seat: totals.rating if rated else None for person, totals in zip(people, new, strict=True)}


def _insert_board(connection: sqlite3.Connection, board: Board) -> BoardRow:
    sql = "INSERT INTO boards (guild, game, edition, period, minimum, ranked) VALUES (?, ?, ?, ?, ?, 0) RETURNING id"
    id_ = connection.execute(sql, (*board, DEFAULT_MINIMUM_GAMES)).fetchone()[0]
    return BoardRow(id_, DEFAULT_MINIMUM_GAMES, 0)


def _totals_of(
    connection: sqlite3.Connection, board: int, users: Sequence[UserId]
) -> dict[UserId, tuple[Totals, bool]]:
    """Return people's totals on a board, and whether they are ranked there."""
    marks = ", ".join("?" * len(users))
    sql = f"SELECT user, ranked, {COLUMNS} FROM totals WHERE board = ? AND user IN ({marks})"  # noqa: S608
    found = connection.execute(sql, (board, *users)).fetchall()
    return {UserId(user): (read_totals(values), bool(ranked)) for user, ranked, *values in found}


def _move(connection: sqlite3.Connection, board: int, game: str, moves: Iterable[ScoreChange]) -> None:
    """Move people from the scores that they had to those that they have, in `scores` and on the ladder."""
    names, values = scorer(figures_of(game).rankings)
    steps: defaultdict[tuple[str, int], int] = defaultdict(int)
    changed: list[tuple[int, int, str, int, int]] = []
    came: list[tuple[int, str, int, int]] = []
    went: list[tuple[int, str, int, int]] = []
    newly_ranked = 0
    for user, before, after in moves:
        if before and after:
            for by, was, now in zip(names, values(before), values(after), strict=True):
                if was != now:
                    steps[by, was] -= 1
                    steps[by, now] += 1
                    changed.append((now, board, by, was, user))
        elif before:
            newly_ranked -= 1
            for by, was in zip(names, values(before), strict=True):
                steps[by, was] -= 1
                went.append((board, by, was, user))
        elif after:
            newly_ranked += 1
            for by, now in zip(names, values(after), strict=True):
                steps[by, now] += 1
                came.append((board, by, now, user))
    _write_scores(connection, changed, came, went)
    _write_ladder(connection, board, steps)
    if newly_ranked:
        connection.execute("UPDATE boards SET ranked = ranked + ? WHERE id = ?", (newly_ranked, board))


def _write_scores(
    connection: sqlite3.Connection,
    changed: Sequence[tuple[int, int, str, int, int]],
    came: Sequence[tuple[int, str, int, int]],
    went: Sequence[tuple[int, str, int, int]],
) -> None:
    if changed:
        sql = "UPDATE scores SET score = ? WHERE board = ? AND by = ? AND score = ? AND user = ?"
        connection.executemany(sql, changed)
    if came:
        connection.executemany("INSERT INTO scores (board, by, score, user) VALUES (?, ?, ?, ?)", came)
    if went:
        connection.executemany("DELETE FROM scores WHERE board = ? AND by = ? AND score = ? AND user = ?", went)


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
    duels = {(giver, taker): amount for giver, taker, amount in record.duels}
    connection.executemany(
        "INSERT INTO pairs (board, user, other, games, ahead, behind, given, taken) VALUES (?, ?, ?, 1, ?, ?, ?, ?)"
        " ON CONFLICT (board, user, other) DO UPDATE SET games = games + 1, ahead = ahead + excluded.ahead,"
        " behind = behind + excluded.behind, given = given + excluded.given, taken = taken + excluded.taken",
        [
            (
                board,
                one.user,
                other.user,
                one.played.place < other.played.place,
                one.played.place > other.played.place,
                duels.get((one.seat, other.seat), 0),
                duels.get((other.seat, one.seat), 0),
            )
            for one, other in permutations(people, 2)
        ],
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
            _move(connection, board, game, [move])


def welcome_back(connection: sqlite3.Connection, guild: int, table: TableId) -> None:
    """Note that everybody who finished a game in a guild is in it again."""
    back = connection.execute(
        "DELETE FROM absent WHERE guild = ? AND user IN (SELECT user FROM seats WHERE table_id = ?) RETURNING user",
        (guild, table),
    ).fetchall()
    for (user,) in back:
        show(connection, UserId(user), guild, shown=not is_off(connection, user))


def set_off(connection: sqlite3.Connection, user: UserId, off: bool) -> None:
    """Store whether a person opted out of statistics; what was counted before is hidden, not deleted."""
    connection.execute(
        "INSERT INTO users (id, slow, pinged, stats_off) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET stats_off = excluded.stats_off",
        (user, *_DEFAULT_PREFERENCES, off),
    )
    show(connection, user, shown=not off)
    if not off:
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
    show(connection, user, guild, shown=not absent and not is_off(connection, user))


def is_off(connection: sqlite3.Connection, user: UserId) -> bool:
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
        "DELETE FROM ends WHERE guild = ?",
    ):
        connection.execute(sql, (guild,))
