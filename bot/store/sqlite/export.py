"""Reads everything that is stored about one person; see `bot.store.export`."""

from __future__ import annotations

import sqlite3
from typing import Any

from bot.host.model import UserId
from bot.store.export import Found, VisitedTable, document

_MOVES = (
    "SELECT at, action, thought, interaction_id FROM actions AS each"
    " WHERE table_id = ? AND actor = 'user' AND action ->> 'do' IS NOT NULL AND action ->> 'seat' = ?"
    # Being voted out is not a move of their own: that step begins with another player's vote.
    " AND NOT EXISTS (SELECT 1 FROM actions WHERE table_id = each.table_id AND seq = each.seq"
    " AND action ->> 'host' = 'vote_out')"
    " ORDER BY seq, part"
)


def export(connection: sqlite3.Connection, user: UserId) -> dict[str, Any]:
    """Return what is stored about a person."""
    connection.row_factory = sqlite3.Row

    def rows(sql: str, *values: Any) -> list[Any]:
        return connection.execute(sql, values).fetchall()

    def table(row: Any) -> dict[str, Any]:
        visited = VisitedTable(row, user)
        return visited.exported(
            moves=[] if visited.seat is None else rows(_MOVES, row["id"], visited.seat),
            messages=rows(
                "SELECT kind, channel_id, message_id, sent_at FROM messages WHERE table_id = ? AND user = ?",
                row["id"],
                user,
            ),
            waiting=rows("SELECT kind, made_at FROM outbox WHERE table_id = ? AND user = ?", row["id"], user),
        )

    visits = rows(
        "SELECT id, guild, channel, stage, opened, setup, document FROM visits JOIN tables ON id = table_id"
        " WHERE user = ? ORDER BY opened, id",
        user,
    )
    found = Found(
        settings=rows("SELECT * FROM users WHERE id = ?", user),
        tables=map(table, visits),
        totals=rows(
            "SELECT guild, game, edition, period, totals.* FROM totals JOIN boards ON id = board WHERE user = ?", user
        ),
        opponents=rows(
            "SELECT guild, game, edition, period, pairs.* FROM totals JOIN boards ON id = totals.board"
            " JOIN pairs ON pairs.board = id AND pairs.user = totals.user WHERE totals.user = ?",
            user,
        ),
        games=rows(
            "SELECT games.guild, number, game, edition, started, ended, game_seats.*"
            " FROM game_seats JOIN games USING (nth) WHERE user = ? ORDER BY nth",
            user,
        ),
        guesses=rows(
            "SELECT guild, number, made, right FROM guesses JOIN ends USING (nth) WHERE user = ? ORDER BY nth", user
        ),
        missed_in=rows("SELECT guild, at FROM absent WHERE user = ?", user),
        lessons=rows("SELECT game, step, moves, interaction_id FROM lessons WHERE user = ? ORDER BY game", user),
        house_rules=rows("SELECT guild, at, key, old, new FROM house_log WHERE user = ?", user),
    )
    return document(user, found)
