"""A table as JSON and back, with a version. What is malformed is refused by ValueError.

A table is two texts: the setup, which never changes after opening, and the document, which is written after
every step. What the store needs in columns (id, channel, stage, step) is in neither.
"""

from __future__ import annotations

import json
from json.encoder import c_make_encoder, encode_basestring_ascii  # type: ignore[attr-defined]
from operator import itemgetter
from typing import Any, Final, NamedTuple, get_type_hints

from bot.games.packing import reader
from bot.games.registry import GAMES
from bot.host.model import Deadline, House, Pause, Player, Remark, Stage, Table, TableId

VERSION: Final = 1

# ASCII only: a hostile name may hold half of a surrogate pair, which SQLite would refuse.
_encoder: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_chunks: Final[Any] = (
    c_make_encoder(None, _encoder.default, encode_basestring_ascii, None, ":", ",", False, False, True)
    if c_make_encoder
    else _encoder.iterencode
)


def encode(value: Any) -> str:
    """Write plain data and named tuples as JSON, without spaces."""
    # What JSONEncoder.encode does, without making a new encoder each time, which costs more than a small action.
    return "".join(_chunks(value, 0))


class Columns(NamedTuple):
    """What the store keeps beside the two texts."""

    id: TableId
    guild: int
    channel: int
    stage: Stage
    seq: int


_player: Final = reader(Player)
_BEFORE_AI: Final = len(Player._fields) - 2
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
_OPTIONAL: Final = tuple(name for name in _FIELDS if name in Table._field_defaults)
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
    # Named, and only where it is not the default: most of a table is, most of the time.
    small = [
        f',"{name}":{_value(value)}'
        for name, value in zip(_OPTIONAL, _optional(table), strict=True)
        if value is not None and value is not False and value != ()
    ]
    match = "null" if table.match is None else _match(GAMES[table.game].dump(table.match))
    head = f'{{"version":{VERSION},"host":{table.host}{"".join(small)}'
    return f'{head},"players":{_part(table.players)},"match":{match}}}'


def dump_payload(payload: dict[str, Any]) -> str:
    """Write what a telling brings. The match before a round's end was written a step ago."""
    if "before" not in payload:
        return encode(payload)
    rest = encode({name: value for name, value in payload.items() if name != "before"})
    return f'{rest[:-1]},"before":{_match(payload["before"])}}}'


_optional: Final = itemgetter(*[Table._fields.index(name) for name in _OPTIONAL])
_young: dict[int, tuple[object, str]] = {}
_old: dict[int, tuple[object, str]] = {}
_MOST_WRITTEN: Final = 4096


def _match(values: dict[str, Any]) -> str:
    """Write a match. Most of its parts are what they were at the last step: a bid moves no card."""
    parts = [
        f'"{name}":{_part(value) if isinstance(value, tuple) else _value(value)}' for name, value in values.items()
    ]
    return f"{{{','.join(parts)}}}"


def _value(value: Any) -> Any:
    """Write a small value; a number writes itself."""
    if type(value) is int:
        return value
    return "null" if value is None else encode(value)


def _part(value: tuple[Any, ...]) -> str:
    """Write an immutable part; one that was written before, and is still the same object, is not written again."""
    global _young, _old  # a memory of two ages: what is asked for stays, the rest goes
    key = id(value)
    known = _young.get(key)
    if known is not None and known[0] is value:
        return known[1]
    known = _old.get(key)
    if known is None or known[0] is not value:
        known = value, encode(value)  # holding the object keeps its id from becoming another's
    if len(_young) >= _MOST_WRITTEN:
        _young, _old = {}, _young
    _young[key] = known
    return known[1]


def load(columns: Columns, setup: str, document: str) -> Table:
    """Read a table; raise ValueError if a text is damaged or of another version."""
    begun, now = json.loads(setup), json.loads(document)
    for text in (begun, now):
        if not isinstance(text, dict) or text.get("version") != VERSION:
            raise ValueError(f"not a table in version {VERSION}")
    try:
        game = GAMES[begun["game"]]
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
