"""How far people have come in the lessons."""

from __future__ import annotations

import json

from bot.host.lessons import Progress
from bot.host.model import UserId
from bot.store.postgres.connections import Connection


async def read(connection: Connection, user: UserId, game: str) -> Progress | None:
    """Return how far somebody has come; None if they have not begun."""
    found = await connection.fetchrow("SELECT step, moves FROM lessons WHERE user_id = $1 AND game = $2", user, game)
    return None if found is None else Progress(found[0], tuple(json.loads(found[1])))


async def write(
    connection: Connection,
    user: UserId,
    game: str,
    *,
    before: Progress | None,
    after: Progress,
    interaction_id: int,
) -> None:
    """Write how far somebody has come, unless another press was faster or this one has been counted."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", user)
    if await read(connection, user, game) != before:
        return
    sql = "SELECT 1 FROM lessons WHERE user_id = $1 AND game = $2 AND interaction_id = $3"
    if await connection.fetchval(sql, user, game, interaction_id) is None:
        await connection.execute(
            "INSERT INTO lessons VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, game) DO UPDATE"
            " SET step = excluded.step, moves = excluded.moves, interaction_id = excluded.interaction_id",
            user,
            game,
            after.step,
            json.dumps(after.moves),
            interaction_id,
        )
