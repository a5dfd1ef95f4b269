"""How far people have come in the lessons."""

from __future__ import annotations

import json
import sqlite3

from bot.host.lessons import Progress
from bot.host.model import UserId


def read(connection: sqlite3.Connection, user: UserId, game: str) -> Progress | None:
    """Return how far somebody has come; None if they have not begun."""
    sql = "SELECT step, moves FROM lessons WHERE user = ? AND game = ?"
    found = connection.execute(sql, (user, game)).fetchone()
    return None if found is None else Progress(found[0], tuple(json.loads(found[1])))


def write(
    connection: sqlite3.Connection,
    user: UserId,
    game: str,
    *,
    before: Progress | None,
    after: Progress,
    interaction_id: int,
) -> None:
    """Write how far somebody has come, unless another press was faster or this one has been counted."""
    if read(connection, user, game) != before:
        return
    sql = "SELECT 1 FROM lessons WHERE user = ? AND game = ? AND interaction_id = ?"
    if connection.execute(sql, (user, game, interaction_id)).fetchone() is None:
        connection.execute(
            "INSERT OR REPLACE INTO lessons VALUES (?, ?, ?, ?, ?)",
            (user, game, after.step, json.dumps(after.moves), interaction_id),
        )
