"""Counts every finished game again, from the log alone."""

from __future__ import annotations

from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import UserId
from bot.stats.model import DEFAULT_MINIMUM_GAMES, Board
from bot.store import counted
from bot.store.counted import REBUILT_TABLES, End
from bot.store.ports import Progress
from bot.store.postgres import standings
from bot.store.postgres.connections import Connection
from bot.store.postgres.counting import attempt


async def count_all(connection: Connection, progress: Progress) -> int:
    """Count every finished game again; return their number. Runs inside the caller's transaction."""
    boards = await connection.fetch("SELECT guild, game, edition, period, minimum FROM boards")
    minima = {Board(*board): minimum for *board, minimum in boards}
    await connection.execute(f"TRUNCATE {', '.join(REBUILT_TABLES)} RESTART IDENTITY")
    ends = await connection.fetch("SELECT nth, table_id, guild, number, off FROM ends ORDER BY nth")
    for done, end in enumerate(ends, 1):
        await attempt(connection, End(*end), rank=False)
        if done % counted.GAMES_PER_REPORT == 0 or done == len(ends):
            progress(done, len(ends))
    # Deleted people were counted for their opponents' ratings only. Now they are removed again.
    former = await connection.fetch("SELECT DISTINCT user_id FROM totals WHERE user_id <= $1", FIRST_FORMER_ID)
    for (former_id,) in former:
        await standings.erase(connection, UserId(former_id))
    # Deleted people without a counted game have seats, but no totals.
    await connection.execute("UPDATE game_seats SET user_id = NULL WHERE user_id <= $1", FIRST_FORMER_ID)
    for id_, *board in await connection.fetch("SELECT id, guild, game, edition, period FROM boards"):
        await standings.mark(connection, id_, minima.get(Board(*board), DEFAULT_MINIMUM_GAMES))
    return len(ends)
