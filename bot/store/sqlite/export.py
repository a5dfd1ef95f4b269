"""Everything that is stored about one person, as they receive it: plain data, with ids and times as text."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from typing import Any, Final

from msgspec.structs import fields

from bot.host.model import Player, UserId

FORMAT: Final = 1
"""The version of the exported file."""
_TIMES: Final = ("opened", "at", "made_at", "sent_at", "started", "ended")
_IDS: Final = ("id", "guild", "channel", "channel_id", "message_id", "user", "other", "interaction_id")


def export(connection: sqlite3.Connection, user: UserId) -> dict[str, Any]:
    """Return what is stored about a person. Of a running match that is their own moves, and nothing hidden."""
    connection.row_factory = sqlite3.Row
    return {
        "format": FORMAT,
        "user": str(user),
        "settings": _rows(connection, "SELECT * FROM users WHERE id = ?", user),
        "tables": [_table(connection, row, user) for row in _visited(connection, user)],
        "statistics": {
            "totals": _rows(
                connection,
                "SELECT guild, game, edition, period, totals.* FROM totals JOIN boards ON id = board WHERE user = ?",
                user,
            ),
            "opponents": _rows(
                connection,
                "SELECT guild, game, edition, period, pairs.* FROM totals JOIN boards ON id = totals.board"
                " JOIN pairs ON pairs.board = id AND pairs.user = totals.user WHERE totals.user = ?",
                user,
            ),
            "games": _rows(
                connection,
                "SELECT games.guild, number, game, edition, started, ended, game_seats.*"
                " FROM game_seats JOIN games USING (nth) WHERE user = ? ORDER BY nth",
                user,
            ),
            "missed_in": _rows(connection, "SELECT guild, at FROM absent WHERE user = ?", user),
        },
        "house_rules": _rows(connection, "SELECT guild, at, key, old, new FROM house_log WHERE user = ?", user),
    }


def _visited(connection: sqlite3.Connection, user: UserId) -> list[sqlite3.Row]:
    return connection.execute(
        "SELECT id, guild, channel, stage, opened, setup, document FROM visits JOIN tables ON id = table_id"
        " WHERE user = ? ORDER BY opened, id",
        (user,),
    ).fetchall()


def _table(connection: sqlite3.Connection, row: sqlite3.Row, user: UserId) -> dict[str, Any]:
    table = row["id"]
    setup, document = json.loads(row["setup"]), json.loads(row["document"])
    seat = next((seat for seat, player in enumerate(document["players"]) if player["user"] == user), None)
    about = {"id": table, "server": str(row["guild"]), "channel": str(row["channel"]), "stage": row["stage"]}
    return about | {
        "opened": _moment(row["opened"]),
        "game": setup["game"],
        "options": setup["options"],
        "roles": _roles(document, user),
        "seat": seat,
        "player": None if seat is None else _player(document["players"][seat]),
        "moves": [] if seat is None else _moves(connection, table, seat),
        "messages": _rows(
            connection,
            "SELECT kind, channel_id, message_id, sent_at FROM messages WHERE table_id = ? AND user = ?",
            table,
            user,
        ),
        "waiting": _rows(connection, "SELECT kind, made_at FROM outbox WHERE table_id = ? AND user = ?", table, user),
    }


def _roles(document: dict[str, Any], user: UserId) -> list[str]:
    roles = [name for name in ("host", "starter", "ended_by") if document.get(name) == user]
    roles += [name for name in ("kicked", "pause_votes") if user in document.get(name, ())]
    votes = [vote for vote in document.get("out_votes", ()) if user in vote]
    paused = "pause" in document and document["pause"]["asked_by"] == user
    return [*roles, *(["out_votes"] if votes else []), *(["pause"] if paused else [])]


def _player(written: dict[str, Any]) -> dict[str, Any]:
    return {each.name: written.get(each.name, each.default) for each in fields(Player) if each.name != "user"}


def _moves(connection: sqlite3.Connection, table: str, seat: int) -> list[dict[str, Any]]:
    """Return a person's own moves. Nothing from before the start of the match: seat numbers could still change."""
    rows = _rows(
        connection,
        "SELECT at, action, thought, interaction_id FROM actions AS each"
        " WHERE table_id = ? AND actor = 'user' AND action ->> 'do' IS NOT NULL AND action ->> 'seat' = ?"
        # Being voted out was done by the others: the step begins with the vote of one of them.
        " AND NOT EXISTS (SELECT 1 FROM actions WHERE table_id = each.table_id AND seq = each.seq"
        " AND action ->> 'host' = 'vote_out')"
        " ORDER BY seq, part",
        table,
        seat,
    )
    return [row | {"action": json.loads(row["action"])} for row in rows]


def _rows(connection: sqlite3.Connection, sql: str, *values: Any) -> list[dict[str, Any]]:
    return [
        {name: _plain(name, row[name]) for name in row.keys() if name not in ("board", "nth")}  # noqa: SIM118
        for row in connection.execute(sql, values)
    ]


def _plain(name: str, value: Any) -> Any:
    """Write ids as text, so that no JSON reader rounds them, and times so that people can read them."""
    if value is None:
        return None
    if name in _TIMES:
        return _moment(value)
    if name == "figures":
        return json.loads(value)
    return str(value) if name in _IDS else value


def _moment(millis: int) -> str:
    return datetime.fromtimestamp(millis / 1000, UTC).isoformat(timespec="milliseconds")
