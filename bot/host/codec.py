"""Writes a table as JSON and reads it. Malformed data, or data of another version, raises ValueError.

A table is two texts: the setup, which the host can change only in the lobby, and the document, which is written after
every step. Neither contains what the store keeps in columns (id, guild, channel, stage, step).
"""

from __future__ import annotations

import json
from operator import attrgetter
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import asdict, fields

from bot.engine.core import Json
from bot.engine.frozen import encode
from bot.engine.packing import reader
from bot.engine.registry import RULES
from bot.host import version_1
from bot.host.model import House, Remark, Stage, Table, TableId

VERSION: Final = 2
"""The version of the documents that are written."""


class Columns(NamedTuple):
    """What the store keeps beside the two texts."""

    id: TableId
    guild: int
    channel: int
    stage: Stage
    seq: int


_SETUP: Final = ("game", "options", "house", "opened", "wishes")
_DEFAULTS: Final = {field.name: field.default for field in fields(Table)}
_READERS: Final = {
    name: reader(kind)
    for name, kind in get_type_hints(Table).items()
    if name not in (*Columns._fields, *_SETUP, "match")
}
"""How each field of the document is read, except the match, which its game reads."""
_OPTIONAL: Final = tuple(name for name in _READERS if _DEFAULTS[name] is not msgspec.NODEFAULT)
_SETUP_NAMES: Final = frozenset(("version", *_SETUP))
_DOCUMENT_NAMES: Final = frozenset(("version", "match", *_READERS))
_RETIRED_NAMES: Final = frozenset(("ai_played",))
"""Fields of a document that earlier code wrote; they are ignored."""
_read_house: Final = reader(House)
_read_moment: Final = reader(int)
_read_remarks: Final = reader(tuple[Remark, ...])


def dump_setup(table: Table) -> str:
    """Write what never changes after the lobby. All house rules are written, in case a default changes."""
    setup = {
        "version": VERSION,
        "game": table.game,
        "options": table.options,
        "house": asdict(table.house),
        "opened": table.opened,
    }
    return encode({**setup, "wishes": table.wishes} if table.wishes else setup)


def dump(table: Table) -> str:
    """Write what changes while the table is open."""
    players = [player.written for player in table.players]
    match = None if table.match is None else RULES[table.game].dump(table.match)
    return encode(_Document(VERSION, table.host, players, match, *_optional_values(table)))


_optional_values: Final = attrgetter(*_OPTIONAL)
# Leaves out default values: most fields of a table have theirs most of the time.
_Document: Final[Any] = msgspec.defstruct(
    "_Document",
    ["version", "host", "players", "match", *[(name, Any, _DEFAULTS[name]) for name in _OPTIONAL]],
    omit_defaults=True,
    gc=False,
)


def load(columns: Columns, setup: str, document: str) -> Table:
    """Read a table; raise ValueError if a text is damaged or of another version."""
    return _read(columns, json.loads(setup), json.loads(document))


def _read(columns: Columns, setup: Json, document: Json) -> Table:
    for text, names in ((setup, _SETUP_NAMES), (document, _DOCUMENT_NAMES | _RETIRED_NAMES)):
        if not isinstance(text, dict) or text.get("version") != VERSION:
            raise ValueError(f"not a table in version {VERSION}")
        if unknown := text.keys() - names:
            raise ValueError(f"a table has no {', '.join(sorted(unknown))}")
    try:
        game, options, match = RULES[setup["game"]], setup["options"], document["match"]
        wishes = setup.get("wishes", {})
        for each in (options, wishes):
            if not isinstance(each, dict):
                raise ValueError(f"{each!r} is not an object")
        values = {
            name: read(document[name]) for name, read in _READERS.items() if name in document or name not in _OPTIONAL
        }
        return Table(
            **columns._asdict(),
            game=game.name,
            options=options,
            house=_read_house(setup["house"]),
            opened=_read_moment(setup["opened"]),
            wishes=wishes,
            match=None if match is None else game.load(match),
            **values,
        )
    except (KeyError, AttributeError, TypeError) as damage:
        raise ValueError(f"a damaged table: {damage!r}") from None


_NO_COLUMNS: Final = Columns(TableId(""), 0, 0, Stage.CLOSED, 0)


def upgrade(setup: str, document: str) -> tuple[str, str]:
    """Return the setup and document of a table of version 1 as this version writes them, or raise ValueError."""
    new_setup = version_1.upgrade_setup(json.loads(setup))
    new_document = version_1.upgrade_document(json.loads(document), _rules(new_setup.get("game")).upgrade)
    table = _read(_NO_COLUMNS, new_setup, new_document)
    return dump_setup(table), dump(table)


def upgrade_payload(game: str, kind: str, payload: str) -> str:
    """Return a waiting outbox payload of version 1 as this version writes it, or raise ValueError.

    Only payloads of kind "record", the end of a round, hold a match and its actions; others are returned unchanged.
    """
    if kind != "record":
        return payload
    rules = _rules(game)
    record = version_1.upgrade_record(json.loads(payload), rules.upgrade)
    try:
        record["before"] = rules.dump(rules.load(record["before"]))
        record["actions"] = [rules.dump_action(rules.load_action(action)) for action in record["actions"]]
    except (KeyError, TypeError) as damage:
        raise ValueError(f"a damaged record: {damage!r}") from None
    if "remarks" in record:
        record["remarks"] = _read_remarks(record["remarks"])
    return encode(record)


def _rules(game: Any) -> Any:
    if not isinstance(game, str) or game not in RULES:
        raise ValueError(f"no game is called {game!r}")
    return RULES[game]
