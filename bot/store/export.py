"""Writes everything that is stored about one person as plain data, with ids and times as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from msgspec.structs import fields

from bot.host.model import Player, UserId

FORMAT: Final = 1
"""The version of the exported file."""
_TIMES: Final = ("opened", "at", "made_at", "sent_at", "started", "ended")
_IDS: Final = ("id", "guild", "channel", "channel_id", "message_id", "user", "other", "interaction_id")
_JSON: Final = ("figures", "moves", "action")
_OURS: Final = ("board", "nth")
"""Columns that only the database understands."""

Rows = Iterable[Mapping[str, Any]]
"""Rows of the database, by the names of their columns."""


class Found(NamedTuple):
    """What a store has found about a person."""

    settings: Rows
    """Of `users`."""
    tables: Iterable[dict[str, Any]]
    """What `VisitedTable.exported` returned for each, the oldest table first."""
    totals: Rows
    """Of `boards` and `totals`."""
    opponents: Rows
    """Of `boards` and `pairs`."""
    games: Rows
    """Of `games` and `game_seats`, the oldest first."""
    guesses: Rows
    """The guild, its number of the game, `made` and `right`, the oldest first."""
    missed_in: Rows
    """Of `absent`: the guild, and since when."""
    lessons: Rows
    """The game, `step`, `moves` and the interaction."""
    house_rules: Rows
    """Of `house_log`."""


def document(user: UserId, found: Found) -> dict[str, Any]:
    """Return the exported file. Of a running match that is the person's own moves, and nothing hidden."""
    return {
        "format": FORMAT,
        "user": str(user),
        "settings": _plain_rows(found.settings),
        "tables": list(found.tables),
        "statistics": {
            "totals": _plain_rows(found.totals),
            "opponents": _plain_rows(found.opponents),
            "games": _plain_rows(found.games),
            "guesses": _plain_rows(found.guesses),
            "missed_in": _plain_rows(found.missed_in),
        },
        "lessons": _plain_rows(found.lessons),
        "house_rules": _plain_rows(found.house_rules),
    }


class VisitedTable:
    """A table that names the person; `row` is its id, guild, channel, stage, opened, setup and document."""

    def __init__(self, row: Mapping[str, Any], user: UserId) -> None:
        self._row = row
        self._user = user
        self._document = json.loads(row["document"])
        players = enumerate(self._document["players"])
        self.seat: int | None = next((seat for seat, player in players if player["user"] == user), None)
        """Where the person sits."""

    def exported(self, moves: Rows, messages: Rows, waiting: Rows) -> dict[str, Any]:
        """Return the table as the file has it.

        `moves` are the person's own: the moment, the action, the thinking time and the interaction. Nothing is among
        them from before the start of the match, when seats could still change, and no step that began with another
        player's vote to put them out.
        """
        row, seat = self._row, self.seat
        setup = json.loads(row["setup"])
        return {
            "id": row["id"],
            "server": str(row["guild"]),
            "channel": str(row["channel"]),
            "stage": row["stage"],
            "opened": _moment(row["opened"]),
            "game": setup["game"],
            "options": setup["options"],
            "roles": self._roles(),
            "seat": seat,
            "player": None if seat is None else _player(self._document["players"][seat]),
            "moves": _plain_rows(moves),
            "messages": _plain_rows(messages),
            "waiting": _plain_rows(waiting),
        }

    def _roles(self) -> list[str]:
        document, user = self._document, self._user
        roles = [name for name in ("host", "starter", "ended_by") if document.get(name) == user]
        roles += [name for name in ("kicked", "pause_votes") if user in document.get(name, ())]
        votes = [vote for vote in document.get("out_votes", ()) if user in vote]
        paused = "pause" in document and document["pause"]["asked_by"] == user
        guesses = any(each["user"] == user for each in document.get("guessers", ()))
        found = (("out_votes", votes), ("pause", paused), ("guessers", guesses))
        return [*roles, *[name for name, is_so in found if is_so]]


def _player(written: dict[str, Any]) -> dict[str, Any]:
    return {each.name: written.get(each.name, each.default) for each in fields(Player) if each.name != "user"}


def _plain_rows(rows: Rows) -> list[dict[str, Any]]:
    return [{name: _plain(name, row[name]) for name in row.keys() if name not in _OURS} for row in rows]  # noqa: SIM118


def _plain(name: str, value: Any) -> Any:
    """Write ids as text, so that no JSON reader rounds them, and times so that people can read them."""
    if value is None:
        return None
    if name in _TIMES:
        return _moment(value)
    if name in _JSON:
        return json.loads(value)
    return str(value) if name in _IDS else value


def _moment(millis: int) -> str:
    return datetime.fromtimestamp(millis / 1000, UTC).isoformat(timespec="milliseconds")
