"""A table as JSON and back, with a version. What is malformed is refused by ValueError.

A table is two texts: the setup, which never changes after opening, and the document, which is written after
every step. What the store needs in columns (id, channel, stage, step) is in neither.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple, get_type_hints

from bot.games.packing import reader
from bot.games.registry import GAMES
from bot.host.model import Deadline, House, Pause, Player, Stage, Table, TableId

VERSION: Final = 1

# ASCII only: a hostile name may hold half of a surrogate pair, which SQLite would refuse.
encode: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
"""Write plain data and named tuples as JSON, without spaces."""


class Columns(NamedTuple):
    """What the store keeps beside the two texts."""

    id: TableId
    guild: int
    channel: int
    stage: Stage
    seq: int


_FIELDS: Final[dict[str, Any]] = {
    "host": reader(int),
    "players": reader(tuple[Player, ...]),
    "kicked": reader(tuple[int, ...]),
    "starter": reader(int | None),  # type: ignore[arg-type]  # a union is as good as a type here
    "asked_at": reader(int | None),  # type: ignore[arg-type]
    "deadlines": reader(tuple[Deadline, ...]),
    "next_deal": reader(int | None),  # type: ignore[arg-type]
    "closes": reader(int | None),  # type: ignore[arg-type]
    "pause": reader(Pause | None),  # type: ignore[arg-type]
    "pause_votes": reader(tuple[int, ...]),
    "out_votes": reader(tuple[tuple[int, int], ...]),
    "ended_by": reader(int | None),  # type: ignore[arg-type]
    "rematch": reader(str | None),  # type: ignore[arg-type]
}
_HOUSE: Final = {name: reader(kind) for name, kind in get_type_hints(House).items()}


def dump_setup(table: Table) -> str:
    """Write what stays as it was at the opening. House rules are written by name: they will multiply."""
    return encode(
        {
            "version": VERSION,
            "game": table.game,
            "options": table.options,
            "house": table.house._asdict(),
            "opened": table.opened,
        }
    )


def dump(table: Table) -> str:
    """Write what changes."""
    return encode(
        {
            "version": VERSION,
            "host": table.host,
            "players": table.players,
            "kicked": table.kicked,
            "starter": table.starter,
            "asked_at": table.asked_at,
            "deadlines": table.deadlines,
            "next_deal": table.next_deal,
            "closes": table.closes,
            "pause": table.pause,
            "pause_votes": table.pause_votes,
            "out_votes": table.out_votes,
            "ended_by": table.ended_by,
            "rematch": table.rematch,
            "match": None if table.match is None else GAMES[table.game].dump(table.match),
        }
    )


def load(columns: Columns, setup: str, document: str) -> Table:
    """Read a table; raise ValueError if a text is damaged or of another version."""
    begun, now = json.loads(setup), json.loads(document)
    for text in (begun, now):
        if not isinstance(text, dict) or text.get("version") != VERSION:
            raise ValueError(f"not a table in version {VERSION}")
    try:
        game = GAMES[begun["game"]]
        values = {name: read(now[name]) for name, read in _FIELDS.items()}
        return Table(
            **columns._asdict(),
            game=game.name,
            options=begun["options"],
            house=House(**{name: _HOUSE[name](value) for name, value in begun["house"].items()}),
            opened=int(begun["opened"]),
            match=None if now["match"] is None else game.load(now["match"]),
            **values,
        )
    except (KeyError, AttributeError, TypeError) as damage:
        raise ValueError(f"a damaged table: {damage!r}") from None
