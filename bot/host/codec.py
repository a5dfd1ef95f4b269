"""A table as JSON and back, with a version. What is malformed is refused by ValueError.

A table is two texts: the setup, which never changes after opening, and the document, which is written after
every step. What the store needs in columns (id, channel, stage, step) is in neither.
"""

from __future__ import annotations

import json
from operator import attrgetter
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import asdict, fields

from bot.engine.frozen import encode
from bot.engine.packing import reader
from bot.engine.registry import RULES
from bot.host.model import Deadline, House, Pause, Player, Remark, Stage, Table, TableId

VERSION: Final = 1


class Columns(NamedTuple):
    """What the store keeps beside the two texts."""

    id: TableId
    guild: int
    channel: int
    stage: Stage
    seq: int


_player: Final = reader(Player)
_BEFORE_AI: Final = len(Player.__struct_fields__) - 2
"""So many fields a player had before there were AI seats; such tables are still read."""


def _players(values: Any) -> tuple[Player, ...]:
    return tuple([_player([*each, None, None] if len(each) == _BEFORE_AI else each) for each in values])


_FIELDS: Final[dict[str, Any]] = {
    "host": reader(int),
    "players": _players,
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
    "ai_played": reader(bool),
    "remarks": reader(tuple[Remark, ...]),
    "explained": reader(tuple[Remark, ...]),
    "secret": reader(int | None),  # type: ignore[arg-type]
}
_DEFAULTS: Final = {field.name: field.default for field in fields(Table) if field.default is not msgspec.NODEFAULT}
_OPTIONAL: Final = tuple(name for name in _FIELDS if name in _DEFAULTS)
_HOUSE: Final = {name: reader(kind) for name, kind in get_type_hints(House).items()}


def dump_setup(table: Table) -> str:
    """Write what stays as it was at the opening. House rules are written by name: they will multiply."""
    return encode(
        {
            "version": VERSION,
            "game": table.game,
            "options": table.options,
            "house": asdict(table.house),
            "opened": table.opened,
        }
    )


def dump(table: Table) -> str:
    """Write what changes."""
    players = [player.written for player in table.players]
    match = None if table.match is None else RULES[table.game].dump(table.match)
    return encode(_Document(VERSION, table.host, players, match, *_optional(table)))


_optional: Final = attrgetter(*_OPTIONAL)
# Named, and only where it is not the default: most of a table is, most of the time.
_Document: Final[Any] = msgspec.defstruct(
    "_Document",
    ["version", "host", "players", "match", *[(name, Any, _DEFAULTS[name]) for name in _OPTIONAL]],
    omit_defaults=True,
    gc=False,
)


def load(columns: Columns, setup: str, document: str) -> Table:
    """Read a table; raise ValueError if a text is damaged or of another version."""
    begun, now = json.loads(setup), json.loads(document)
    for text in (begun, now):
        if not isinstance(text, dict) or text.get("version") != VERSION:
            raise ValueError(f"not a table in version {VERSION}")
    try:
        game = RULES[begun["game"]]
        values = {name: read(now[name]) for name, read in _FIELDS.items() if name in now or name not in _OPTIONAL}
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
