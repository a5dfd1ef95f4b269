"""Reads everything that is stored about one person; see `bot.store.export`."""

from __future__ import annotations

import json
from typing import Any, Final

from bot.host.model import UserId
from bot.store.export import Found, VisitedTable, document
from bot.store.postgres.connections import Connection

_NAMES: Final = {"user_id": "user", "correct": "right"}
"""Columns whose names mean something else in PostgreSQL."""


async def export(connection: Connection, user: UserId) -> dict[str, Any]:
    """Return what is stored about a person."""

    async def rows(sql: str, *values: Any) -> list[dict[str, Any]]:
        return [_row(each) for each in await connection.fetch(sql, *values)]

    async def table(row: dict[str, Any]) -> dict[str, Any]:
        visited = VisitedTable(row, user)
        return visited.exported(
            moves=[] if visited.seat is None else await _moves(connection, row["id"], visited.seat),
            messages=await rows(
                "SELECT kind, channel_id, message_id, sent_at FROM messages WHERE table_id = $1 AND user_id = $2",
                row["id"],
                user,
            ),
            waiting=await rows(
                "SELECT kind, made_at FROM outbox WHERE table_id = $1 AND user_id = $2", row["id"], user
            ),
        )

    visits = await rows(
        "SELECT id, guild, channel, stage, opened, setup, document FROM visits JOIN tables ON id = table_id"
        " WHERE user_id = $1 ORDER BY opened, id",
        user,
    )
    found = Found(
        settings=await rows("SELECT * FROM users WHERE id = $1", user),
        tables=[await table(each) for each in visits],
        totals=await rows(
            "SELECT guild, game, edition, period, totals.* FROM totals JOIN boards ON id = board WHERE user_id = $1"
            " ORDER BY id",
            user,
        ),
        opponents=await rows(
            "SELECT guild, game, edition, period, pairs.* FROM totals JOIN boards ON id = totals.board"
            " JOIN pairs ON pairs.board = id AND pairs.user_id = totals.user_id WHERE totals.user_id = $1"
            " ORDER BY id, other",
            user,
        ),
        games=await rows(
            "SELECT games.guild, number, game, edition, started, ended, game_seats.*"
            " FROM game_seats JOIN games USING (nth) WHERE user_id = $1 ORDER BY nth",
            user,
        ),
        guesses=await rows(
            "SELECT guild, number, made, correct FROM guesses JOIN ends USING (nth) WHERE user_id = $1 ORDER BY nth",
            user,
        ),
        missed_in=await rows("SELECT guild, at FROM absent WHERE user_id = $1", user),
        lessons=await rows(
            "SELECT game, step, moves, interaction_id FROM lessons WHERE user_id = $1 ORDER BY game", user
        ),
        house_rules=await rows("SELECT guild, at, key, old, new FROM house_log WHERE user_id = $1 ORDER BY id", user),
    )
    return document(user, found)


async def _moves(connection: Connection, table: str, seat: int) -> list[dict[str, Any]]:
    """Return a person's own moves; the actions are read here, because a text may be none that PostgreSQL can read."""
    found = await connection.fetch(
        "SELECT seq, actor, at, action, thought, interaction_id FROM actions WHERE table_id = $1 ORDER BY seq, part",
        table,
    )
    entries = [(row, json.loads(row["action"])) for row in found]
    # Being voted out is not a move of their own: that step begins with another player's vote.
    votes = {row["seq"] for row, action in entries if action.get("host") == "vote_out"}
    return [
        {name: row[name] for name in ("at", "action", "thought", "interaction_id")}
        for row, action in entries
        if row["actor"] == "user" and action.get("do") is not None and action.get("seat") == seat
        if row["seq"] not in votes
    ]


def _row(row: Any) -> dict[str, Any]:
    """Return a row as SQLite's store would: with its names, and with 0 and 1."""
    return {_NAMES.get(name, name): int(value) if isinstance(value, bool) else value for name, value in row.items()}
