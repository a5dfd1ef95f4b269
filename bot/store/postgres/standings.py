"""Keeps the boards: totals, pairs, and who is ranked where. Every function runs inside its caller's transaction.

Totals are read, added to and written back, so two processes must not do that for the same guild at the same time: every
function that changes a guild's boards holds the guild's lock until its transaction ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import Preferences
from bot.stats import standings
from bot.stats.figures import SHARED_RANKINGS, figures_of
from bot.stats.model import DEFAULT_MINIMUM_GAMES, Board, GameRecord
from bot.stats.standings import NEWCOMER, Moves, Person, ScoreChange, Standing, moves_of, pairs_of
from bot.store.counted import TOTALS, BoardRow, read_totals, write_totals
from bot.store.postgres.connections import Connection
from bot.store.postgres.elections import key_of

COLUMNS: Final = ", ".join(TOTALS)
"""The columns of `totals` that `read_totals` reads."""
_TYPES: Final = {"mu": "double precision", "sigma": "double precision", "figures": "jsonb"}
_ARRAYS: Final = ", ".join(
    f"${place}::{type_}[]"
    for place, type_ in enumerate(("bigint", "bigint", *[_TYPES.get(name, "bigint") for name in TOTALS], "boolean"), 1)
)
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in (*TOTALS, "ranked"))
_UPSERT: Final = (
    f"INSERT INTO totals (board, user_id, {COLUMNS}, ranked) SELECT * FROM unnest({_ARRAYS})"  # noqa: S608
    f" ON CONFLICT (board, user_id) DO UPDATE SET {_SET}"
)
_TABLES_OF_BOARDS: Final = ("totals", "scores", "ladder", "pairs")
_DEFAULT_PREFERENCES: Final = (Preferences().slow, Preferences().pinged)


async def lock(connection: Connection, guilds: Iterable[int]) -> None:
    """Hold the locks of some guilds until the transaction ends, in an order that is the same for everybody."""
    for key in sorted({key_of(f"guild:{guild}") for guild in guilds}):
        await connection.execute("SELECT pg_advisory_xact_lock($1)", key)


async def find_board(connection: Connection, board: Board) -> BoardRow | None:
    """Return the row of a board; None if nothing was ever counted on it."""
    sql = "SELECT id, minimum, ranked FROM boards WHERE guild = $1 AND game = $2 AND edition = $3 AND period = $4"
    found = await connection.fetchrow(sql, *board)
    return None if found is None else BoardRow(*found)


async def add(
    connection: Connection, boards: Sequence[Board], people: Sequence[Person], record: GameRecord, *, rank: bool
) -> dict[Board, dict[Seat, int | None]]:
    """Count a match on some boards of its guild; return the ratings after it, None for all if it was not rated.

    Without `rank` nobody is ranked: the caller runs `mark` later. The statements are the same for one board and for
    many, because each of them takes the way to the server and back.
    """
    users = [person.user for person in people]
    found = await _find_boards(connection, boards)
    before = await _standings_of(connection, found, users)
    after = {
        board: standings.after_match(people, record, before[board], row.minimum, rank=rank)
        for board, row in found.items()
    }
    await _write(connection, found, users, before, after, rank=rank)
    await _add_pairs(connection, [row.id for row in found.values()], people, record)
    return {board: standings.ratings_after(people, each) for board, each in after.items()}


async def add_guesses(
    connection: Connection, boards: Sequence[Board], guesses: Sequence[tuple[UserId, int, int]], *, rank: bool
) -> None:
    """Count on some boards how people guessed along in a match: its `games` are matches in which they did."""
    users = [user for user, *_ in guesses]
    found = await _find_boards(connection, boards)
    before = await _standings_of(connection, found, users)
    after = {
        board: standings.after_guesses(guesses, before[board], row.minimum, rank=rank) for board, row in found.items()
    }
    await _write(connection, found, users, before, after, rank=rank)


async def _find_boards(connection: Connection, boards: Sequence[Board]) -> dict[Board, BoardRow]:
    """Return the rows of boards of one guild, and make those that are missing."""
    guild, keys = boards[0].guild, [board[1:] for board in boards]
    sql = (
        "SELECT game, edition, period, id, minimum, ranked FROM boards WHERE guild = $1"
        " AND (game, edition, period) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))"
    )
    found = {Board(guild, *row[:3]): BoardRow(*row[3:]) for row in await _fetch(connection, sql, guild, keys)}
    if missing := [board[1:] for board in boards if board not in found]:
        sql = (
            "INSERT INTO boards (guild, game, edition, period, minimum, ranked)"
            " SELECT $1, row.*, $5, 0 FROM unnest($2::text[], $3::text[], $4::text[]) AS row (game, edition, period)"
            " RETURNING game, edition, period, id, minimum, ranked"
        )
        made = await _fetch(connection, sql, guild, missing, DEFAULT_MINIMUM_GAMES)
        found |= {Board(guild, *row[:3]): BoardRow(*row[3:]) for row in made}
    return {board: found[board] for board in boards}


async def _fetch(
    connection: Connection, sql: str, guild: int, keys: Sequence[Sequence[Any]], *more: Any
) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await connection.fetch(sql, guild, *_columns(keys), *more)]


async def _standings_of(
    connection: Connection, boards: Mapping[Board, BoardRow], users: Sequence[UserId]
) -> dict[Board, list[Standing]]:
    """Return people's totals on each board, and whether they are ranked there."""
    found = await connection.fetch(
        f"SELECT board, user_id, ranked, {COLUMNS} FROM totals"  # noqa: S608
        " WHERE board = ANY($1::bigint[]) AND user_id = ANY($2::bigint[])",
        [row.id for row in boards.values()],
        list(users),
    )
    known = {(board, user): Standing(read_totals(values), ranked) for board, user, ranked, *values in found}
    return {board: [known.get((row.id, user), NEWCOMER) for user in users] for board, row in boards.items()}


async def _write(
    connection: Connection,
    boards: Mapping[Board, BoardRow],
    users: Sequence[UserId],
    before: Mapping[Board, Sequence[Standing]],
    after: Mapping[Board, Sequence[Standing]],
    *,
    rank: bool,
) -> None:
    """Write what people have on each board now; with `rank`, their scores as well."""
    rows = [
        (row.id, user, *write_totals(totals), ranked)
        for board, row in boards.items()
        for user, (totals, ranked) in zip(users, after[board], strict=True)
    ]
    if rows:
        await connection.execute(_UPSERT, *_columns(rows))
    if rank:
        moves = {
            row.id: moves_of(board.game, standings.changes(users, before[board], after[board]))
            for board, row in boards.items()
        }
        await _move(connection, moves)


async def _move(connection: Connection, moves: Mapping[int, Moves]) -> None:
    """Move people from their old scores to their new ones, in `scores` and on the ladder; `moves` are by board."""
    if changed := [(board, *each) for board, some in moves.items() for each in some.changed]:
        await connection.execute(
            "UPDATE scores SET score = row.new FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[],"
            " $5::bigint[]) AS row (board, user_id, by, old, new) WHERE scores.board = row.board"
            " AND scores.by = row.by AND score = row.old AND scores.user_id = row.user_id",
            *_columns(changed),
        )
    if came := [(board, *each) for board, some in moves.items() for each in some.came]:
        await connection.execute(
            "INSERT INTO scores (board, user_id, by, score)"
            " SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[])",
            *_columns(came),
        )
    if went := [(board, *each) for board, some in moves.items() for each in some.went]:
        await connection.execute(
            "DELETE FROM scores USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[])"
            " AS row (board, user_id, by, old) WHERE scores.board = row.board"
            " AND scores.by = row.by AND score = row.old AND scores.user_id = row.user_id",
            *_columns(went),
        )
    steps = [(board, *step, change) for board, some in moves.items() for step, change in some.steps.items() if change]
    await _write_ladder(connection, steps)
    if ranked := [(board, some.newly_ranked) for board, some in moves.items() if some.newly_ranked]:
        await connection.execute(
            "UPDATE boards SET ranked = ranked + row.more FROM unnest($1::bigint[], $2::bigint[]) AS row (board, more)"
            " WHERE id = row.board",
            *_columns(ranked),
        )


def _columns(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return rows as one array for each column."""
    return [list(column) for column in zip(*rows, strict=True)]


async def _write_ladder(connection: Connection, steps: Sequence[tuple[int, str, int, int]]) -> None:
    """Let more or fewer people stand on some steps: the board, the figure, the score, how many more."""
    if not steps:
        return
    await connection.execute(
        "INSERT INTO ladder (board, by, score, people)"
        " SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])"
        " ON CONFLICT (board, by, score) DO UPDATE SET people = ladder.people + excluded.people",
        *_columns(steps),
    )
    if fewer := [step[:3] for step in steps if step[3] < 0]:
        await connection.execute(
            "DELETE FROM ladder USING unnest($1::bigint[], $2::text[], $3::bigint[]) AS row (board, by, score)"
            " WHERE ladder.board = row.board AND ladder.by = row.by AND ladder.score = row.score AND people = 0",
            *_columns(fewer),
        )


async def _add_pairs(
    connection: Connection, boards: Sequence[int], people: Sequence[Person], record: GameRecord
) -> None:
    rows = [
        (one, other, int(ahead), int(behind), *duel) for one, other, ahead, behind, *duel in pairs_of(people, record)
    ]
    if rows:
        await connection.execute(
            "INSERT INTO pairs (board, user_id, other, games, ahead, behind, given, taken)"
            " SELECT board, user_id, other, 1, ahead, behind, given, taken FROM unnest($1::bigint[]) AS each (board),"
            " unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])"
            " AS row (user_id, other, ahead, behind, given, taken)"
            " ON CONFLICT (board, user_id, other) DO UPDATE SET games = pairs.games + 1,"
            " ahead = pairs.ahead + excluded.ahead, behind = pairs.behind + excluded.behind,"
            " given = pairs.given + excluded.given, taken = pairs.taken + excluded.taken",
            list(boards),
            *_columns(rows),
        )


async def mark(connection: Connection, board: int, minimum: int) -> None:
    """Decide again who is ranked on a board, and write its scores and its ladder from scratch."""
    guild, game = await connection.fetchrow("SELECT guild, game FROM boards WHERE id = $1", board)
    await lock(connection, [guild])
    await connection.execute(
        "UPDATE totals SET ranked = NOT ranked WHERE board = $1 AND ranked <> (games >= $3"
        " AND NOT EXISTS (SELECT 1 FROM users WHERE id = totals.user_id AND stats_off)"
        " AND NOT EXISTS (SELECT 1 FROM absent WHERE guild = $2 AND absent.user_id = totals.user_id))",
        board,
        guild,
        minimum,
    )
    await connection.execute("DELETE FROM scores WHERE board = $1", board)
    await connection.execute("DELETE FROM ladder WHERE board = $1", board)
    for by in figures_of(game).rankings:
        score = by if by in SHARED_RANKINGS else "coalesce((figures ->> $2)::bigint, 0)"
        await connection.execute(
            f"INSERT INTO scores (board, by, score, user_id) SELECT board, $2, {score}, user_id FROM totals"  # noqa: S608
            " WHERE board = $1 AND ranked",
            board,
            by,
        )
    await connection.execute(
        "INSERT INTO ladder (board, by, score, people)"
        " SELECT board, by, score, count(*) FROM scores WHERE board = $1 GROUP BY board, by, score",
        board,
    )
    await connection.execute(
        "UPDATE boards SET minimum = $2, ranked = (SELECT count(*) FROM totals WHERE board = $1 AND ranked)"
        " WHERE id = $1",
        board,
        minimum,
    )


async def show(connection: Connection, user: UserId, guild: int | None = None, *, shown: bool) -> None:
    """Take a person off the boards, or put them back on those where they have played enough; the caller has locked."""
    found = await connection.fetch(
        f"SELECT id, game, minimum, totals.ranked, {COLUMNS} FROM totals JOIN boards ON id = board"  # noqa: S608
        " WHERE user_id = $1 AND ($2::bigint IS NULL OR guild = $2)",
        user,
        guild,
    )
    moves: dict[int, Moves] = {}
    ranked: dict[int, bool] = {}
    for board, game, minimum, was_ranked, *values in found:
        totals = read_totals(values)
        is_ranked = shown and totals.games >= minimum
        if is_ranked != was_ranked:
            ranked[board] = is_ranked
            change = ScoreChange(user, None, totals) if is_ranked else ScoreChange(user, totals, None)
            moves[board] = moves_of(game, [change])
    if ranked:
        await connection.execute(
            "UPDATE totals SET ranked = row.ranked FROM unnest($1::bigint[], $2::boolean[]) AS row (board, ranked)"
            " WHERE totals.board = row.board AND user_id = $3",
            list(ranked),
            list(ranked.values()),
            user,
        )
        await _move(connection, moves)


async def lock_all_of(connection: Connection, user: UserId) -> None:
    """Hold the locks of all guilds on whose boards a person is."""
    found = await connection.fetch(
        "SELECT DISTINCT guild FROM totals JOIN boards ON id = board WHERE user_id = $1", user
    )
    await lock(connection, [guild for (guild,) in found])


async def welcome_back(connection: Connection, guild: int, table: TableId) -> None:
    """Record that everybody who finished a game in a guild is in it again."""
    back = await connection.fetch(
        "DELETE FROM absent WHERE guild = $1 AND user_id IN (SELECT user_id FROM seats WHERE table_id = $2)"
        " RETURNING user_id",
        guild,
        table,
    )
    for (user,) in back:
        await show(connection, UserId(user), guild, shown=not await is_opted_out(connection, user))


async def set_opted_out(connection: Connection, user: UserId, opted_out: bool) -> None:
    """Store whether a person opted out of statistics; what was counted before is hidden, not deleted."""
    await lock_all_of(connection, user)
    await connection.execute(
        "INSERT INTO users (id, slow, pinged, stats_off) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (id) DO UPDATE SET stats_off = excluded.stats_off",
        user,
        *_DEFAULT_PREFERENCES,
        opted_out,
    )
    await show(connection, user, shown=not opted_out)
    if not opted_out:
        for (guild,) in await connection.fetch("SELECT guild FROM absent WHERE user_id = $1", user):
            await show(connection, user, guild, shown=False)


async def set_absent(connection: Connection, guild: int, user: UserId, now: Millis, *, absent: bool) -> None:
    """Store whether a person was found in a guild."""
    await lock(connection, [guild])
    if absent:
        # Only people with totals: this person may have been deleted while the bot was looking for them.
        await connection.execute(
            "INSERT INTO absent (guild, user_id, at) SELECT $1, $2, $3"
            " WHERE EXISTS (SELECT 1 FROM totals JOIN boards ON id = board WHERE user_id = $2 AND guild = $1)"
            " ON CONFLICT (guild, user_id) DO UPDATE SET at = excluded.at",
            guild,
            user,
            now,
        )
    else:
        await connection.execute("DELETE FROM absent WHERE guild = $1 AND user_id = $2", guild, user)
    await show(connection, user, guild, shown=not absent and not await is_opted_out(connection, user))


async def is_opted_out(connection: Connection, user: UserId) -> bool:
    """Return whether a person opted out of statistics."""
    return await connection.fetchval("SELECT 1 FROM users WHERE id = $1 AND stats_off", user) is not None


async def erase(connection: Connection, user: UserId) -> None:
    """Delete everything that statistics know of a person; other people's records stay as they are."""
    await lock_all_of(connection, user)
    await show(connection, user, shown=False)
    await connection.execute(
        "DELETE FROM pairs USING (SELECT board, user_id, other FROM pairs AS own WHERE user_id = $1"
        " AND board IN (SELECT board FROM totals WHERE user_id = $1)) AS own WHERE pairs.board = own.board AND"
        " (pairs.user_id, pairs.other) IN ((own.user_id, own.other), (own.other, own.user_id))",
        user,
    )
    await connection.execute("DELETE FROM totals WHERE user_id = $1", user)
    await connection.execute("DELETE FROM absent WHERE user_id = $1", user)
    await connection.execute("UPDATE game_seats SET user_id = NULL WHERE user_id = $1", user)


async def erase_guild(connection: Connection, guild: int) -> None:
    """Delete a guild's statistics; the caller deletes its tables and their log."""
    await lock(connection, [guild])
    for sql in (
        "DELETE FROM game_seats WHERE nth IN (SELECT nth FROM games WHERE guild = $1)",
        "DELETE FROM games WHERE guild = $1",
        *[f"DELETE FROM {name} WHERE board IN (SELECT id FROM boards WHERE guild = $1)" for name in _TABLES_OF_BOARDS],  # noqa: S608
        "DELETE FROM boards WHERE guild = $1",
        "DELETE FROM seasons WHERE guild = $1",
        "DELETE FROM absent WHERE guild = $1",
        "DELETE FROM guesses WHERE nth IN (SELECT nth FROM ends WHERE guild = $1)",
        "DELETE FROM ends WHERE guild = $1",
    ):
        await connection.execute(sql, guild)
