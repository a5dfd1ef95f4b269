"""The statements that write rows. All rows of a batch, of whatever kinds, are one statement wherever possible.

Every kind of row is a part of that statement (a `WITH` clause) and takes its rows as arrays, one per column. A
statement without a transaction around it is one by itself, so a batch takes a single round trip to the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from bot.store.rows import KINDS

UNMETA: Final = len(KINDS)
"""The kind of row that deletes a fact about the bot; SQLite's store has a function for it."""


class Statement(NamedTuple):
    """One kind of row. `sql` has `{rows}` where its rows belong, and calls their values c1, c2, …"""

    sql: str
    types: Sequence[str]
    """The types of the values."""
    target: str
    """What is written. Within one statement, no two rows may write the same thing: PostgreSQL would carry out one of
    them, or none."""
    key: Sequence[int]
    """The places of the values that say which row of the target is written; none: every row is a new one."""
    guarded: bool = False
    """Every row must change exactly one row; otherwise it was made for an older state."""
    late: bool = False
    """It needs what other kinds write, or writes the same rows, and comes in a second statement."""
    replaces: bool = False
    """Of several such rows in one unit the last one counts."""


_TEXT, _INT, _BOOL = "text", "bigint", "boolean"
_SQL: Final[dict[str, Statement]] = {
    "open": Statement(
        "INSERT INTO tables (id, guild, channel, stage, seq, next_due, shift, opened, setup, document) {rows}",
        (_TEXT, _INT, _INT, _TEXT, _INT, _INT, _INT, _INT, _TEXT, _TEXT),
        "tables",
        (0,),
    ),
    "step": Statement(
        "UPDATE tables SET seq = c1, next_due = c2, shift = c3, document = c6"
        " FROM ({rows}) AS row WHERE id = c4 AND seq = c5",
        (_INT, _INT, _INT, _TEXT, _INT, _TEXT),
        "tables",
        (3,),
        guarded=True,
    ),
    "stage": Statement(
        "UPDATE tables SET stage = c1, channel = c2, seq = c3, next_due = c4, shift = c5, document = c8"
        " FROM ({rows}) AS row WHERE id = c6 AND seq = c7",
        (_TEXT, _INT, _INT, _INT, _INT, _TEXT, _INT, _TEXT),
        "tables",
        (5,),
        guarded=True,
    ),
    "rules": Statement(
        "UPDATE tables SET setup = c2 FROM ({rows}) AS row WHERE id = c1", (_TEXT, _TEXT), "setups", (0,), late=True
    ),
    "unseat": Statement("DELETE FROM seats WHERE table_id IN ({rows})", (_TEXT,), "seats", (0,)),
    "seat": Statement(
        "INSERT INTO seats (table_id, seat, user_id, still) {rows}",
        (_TEXT, "integer", _INT, _BOOL),
        "seat",
        (0, 1),
        late=True,
    ),
    "visit": Statement(
        "INSERT INTO visits (user_id, table_id) {rows} ON CONFLICT DO NOTHING", (_INT, _TEXT), "visits", ()
    ),
    "log": Statement(
        "INSERT INTO actions (table_id, seq, part, at, actor, thought, interaction_id, action) {rows}",
        (_TEXT, _INT, "integer", _INT, _TEXT, _INT, _INT, _TEXT),
        "actions",
        (),
    ),
    "outbox": Statement(
        "INSERT INTO outbox (table_id, kind, user_id, nth, made_at, seq, payload) {rows}"
        " ON CONFLICT (table_id, kind, user_id, nth)"
        " DO UPDATE SET payload = excluded.payload, made_at = excluded.made_at, seq = excluded.seq",
        (_TEXT, _TEXT, _INT, _INT, _INT, _INT, _TEXT),
        "outbox",
        (0, 1, 2, 3),
        replaces=True,
    ),
    # Only the row that was sent: a newer one that replaced it in the meantime stays.
    "sent": Statement(
        "DELETE FROM outbox USING ({rows}) AS row WHERE id = c1 AND table_id = c2 AND seq = c3",
        (_INT, _TEXT, _INT),
        "sent",
        (),
        late=True,
    ),
    # Only for people with a seat: a DM that is on its way must not bring back a person who was deleted in the meantime.
    "message": Statement(
        "INSERT INTO messages (table_id, kind, user_id, channel_id, message_id, sent_at, prompt)"
        " SELECT * FROM ({rows}) AS row"
        " WHERE c3 = 0 OR EXISTS (SELECT 1 FROM seats WHERE table_id = c1 AND user_id = c3)"
        " ON CONFLICT (table_id, kind, user_id) DO UPDATE SET channel_id = excluded.channel_id,"
        " message_id = excluded.message_id, sent_at = excluded.sent_at, prompt = excluded.prompt",
        (_TEXT, _TEXT, _INT, _INT, _INT, _INT, _INT),
        "messages",
        (0, 1, 2),
        late=True,
        replaces=True,
    ),
    "forget": Statement(
        "DELETE FROM messages USING ({rows}) AS row"
        " WHERE table_id = c1 AND kind = c2 AND user_id = c3 AND message_id = c4",
        (_TEXT, _TEXT, _INT, _INT),
        "messages",
        (0, 1, 2),
        late=True,
    ),
    "user": Statement(
        "INSERT INTO users (id, slow, pinged, language, text_only)"
        " SELECT c1, c2, c3 <> 0, c4, c5 <> 0 FROM ({rows}) AS row"
        " ON CONFLICT (id) DO UPDATE SET slow = excluded.slow, pinged = excluded.pinged, language = excluded.language,"
        " text_only = excluded.text_only",
        (_INT, "integer", _INT, _TEXT, _INT),
        "users",
        (0,),
        replaces=True,
    ),
    "meta": Statement(
        "INSERT INTO meta (key, value) {rows} ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_TEXT, _TEXT),
        "meta",
        (0,),
        replaces=True,
    ),
    "house": Statement(
        "INSERT INTO house_rules (guild, seq, document) {rows}"
        " ON CONFLICT (guild) DO UPDATE SET seq = excluded.seq, document = excluded.document"
        " WHERE house_rules.seq = excluded.seq - 1",
        (_INT, _INT, _TEXT),
        "house_rules",
        (0,),
        guarded=True,
    ),
    "house_log": Statement(
        "INSERT INTO house_log (guild, at, user_id, key, old, new) {rows}",
        (_INT, _INT, _INT, _TEXT, _TEXT, _TEXT),
        "house_log",
        (),
    ),
    "work": Statement("", (), "", ()),
    "unmeta": Statement("DELETE FROM meta WHERE key IN ({rows})", (_TEXT,), "meta", (0,), late=True),
}
STATEMENTS: Final = (*[_SQL[kind] for kind in KINDS], _SQL["unmeta"])
"""By the number of the kind."""
EARLY: Final = tuple(kind for kind, each in enumerate(STATEMENTS) if each.sql and not each.late)
LATE: Final = tuple(kind for kind, each in enumerate(STATEMENTS) if each.late)
COMMITTED: Final = "INSERT INTO commits (id) VALUES ($1)"
"""Notes a commit, so that it is recognised if its answer is lost."""


@cache
def together(kinds: Sequence[int], *, noted: bool) -> str:
    """Return one statement that writes rows of these kinds; with `noted`, the first value is the id of the commit."""
    parts = [f"noted AS ({COMMITTED})"] if noted else []
    missed = []
    first = 1 + len(parts)
    for kind in kinds:
        statement = STATEMENTS[kind]
        arrays = ", ".join(f"${first + place}::{type_}[]" for place, type_ in enumerate(statement.types))
        names = ", ".join(f"c{place}" for place, _ in enumerate(statement.types, 1))
        rows = f"SELECT * FROM unnest({arrays}) AS values_ ({names})"  # noqa: S608 - made of constants
        written = statement.sql.format(rows=rows)
        if statement.guarded:
            written += " RETURNING 1"
            missed.append(f"(SELECT count(*) FROM rows{kind}) <> cardinality(${first})")  # noqa: S608
        parts.append(f"rows{kind} AS ({written})")
        first += len(statement.types)
    check = f"made_for_an_older_state() WHERE {' OR '.join(missed)}" if missed else "1"
    return f"WITH {', '.join(parts)} SELECT {check}"


def columns(kind: int, rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return rows of one kind as one array for each column."""
    arrays = [list(values) for values in zip(*rows, strict=True)]
    if len(arrays) != len(STATEMENTS[kind].types):
        raise ValueError(f"{len(arrays)} values where {len(STATEMENTS[kind].types)} expected")
    return arrays
