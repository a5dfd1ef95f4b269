"""All statements that write, and how a change to a table becomes their rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bot.engine.frozen import encode
from bot.host import codec
from bot.host.model import Millis, Stage, Table
from bot.host.ports import Change, Message, OutboxRow, Preferences
from bot.house_rules import repository as books
from bot.store.sqlite import counting
from bot.store.sqlite.batch import Row
from bot.store.sqlite.statements import Statement

_SQL: Final[dict[str, Statement]] = {
    "open": Statement(
        "INSERT INTO tables (id, guild, channel, stage, seq, next_due, shift, opened, setup, document) {rows}",
        10,
        text=True,
    ),
    # Leaves out indexed columns: SQLite would delete and insert the row in every index that has them.
    "step": Statement(
        "UPDATE tables SET seq = row.column1, next_due = row.column2, shift = row.column3, document = row.column6"
        " FROM ({rows}) AS row WHERE id = row.column4 AND seq = row.column5",
        6,
        guarded=True,
        text=True,
        often=True,
    ),
    "turn": Statement(
        "UPDATE tables SET stage = row.column1, channel = row.column2, seq = row.column3, next_due = row.column4,"
        " shift = row.column5, document = row.column8"
        " FROM ({rows}) AS row WHERE id = row.column6 AND seq = row.column7",
        8,
        guarded=True,
        text=True,
    ),
    "unseat": Statement("DELETE FROM seats WHERE table_id IN ({rows})", 1),
    "seat": Statement("INSERT INTO seats (table_id, seat, user, still) {rows}", 4),
    "visit": Statement("INSERT OR IGNORE INTO visits (user, table_id) {rows}", 2),
    "log": Statement(
        "INSERT INTO actions (table_id, seq, part, at, actor, thought, interaction_id, action) {rows}",
        8,
        text=True,
        often=True,
    ),
    "tell": Statement(
        "INSERT INTO outbox (table_id, kind, user, nth, made_at, seq, payload) {rows}"
        " ON CONFLICT (table_id, kind, user, nth)"
        " DO UPDATE SET payload = excluded.payload, made_at = excluded.made_at, seq = excluded.seq",
        7,
        text=True,
        often=True,
    ),
    # Only the row that was sent: a newer one that replaced it in the meantime stays. SQLite uses ids again, so the
    # table must match as well, or sending something twice could delete a row of another table.
    "told": Statement("DELETE FROM outbox WHERE (id, table_id, seq) IN ({rows})", 3),
    # Only for people with a seat: a DM that is on its way must not bring back a person who was deleted in the meantime.
    "message": Statement(
        "INSERT OR REPLACE INTO messages (table_id, kind, user, channel_id, message_id, sent_at)"
        " SELECT * FROM ({rows}) AS row WHERE column3 = 0"
        " OR EXISTS (SELECT 1 FROM seats WHERE table_id = row.column1 AND user = row.column3)",
        6,
    ),
    "forget": Statement("DELETE FROM messages WHERE (table_id, kind, user, message_id) IN ({rows})", 4),
    "user": Statement(
        "INSERT INTO users (id, slow, pinged) {rows}"
        " ON CONFLICT (id) DO UPDATE SET slow = excluded.slow, pinged = excluded.pinged",
        3,
    ),
    "meta": Statement("INSERT OR REPLACE INTO meta (key, value) {rows}", 2),
    "house": Statement(
        "INSERT INTO house_rules (guild, seq, document) {rows}"
        " ON CONFLICT (guild) DO UPDATE SET seq = excluded.seq, document = excluded.document"
        " WHERE house_rules.seq = excluded.seq - 1",
        3,
        guarded=True,
        text=True,
    ),
    "house_log": Statement("INSERT INTO house_log (guild, at, user, key, old, new) {rows}", 6),
    "work": Statement("", 1),  # last, so that it finds everything else of its transaction written
}
STATEMENTS: Final = tuple(_SQL.values())
_OPEN, _STEP, _TURN, _UNSEAT, _SEAT, _VISIT, _LOG, _TELL, _TOLD, _MESSAGE, _FORGET, *_REST = range(len(_SQL))
_USER, _META, _HOUSE, _HOUSE_LOG, WORK = _REST
_PLAYING: Final = Stage.PLAYING
_OVER: Final = Stage.OVER
MAX_OUTBOX_ROWS_PER_STEP: Final = 100
"""More rows than one step of a table can put into the outbox."""


def of_changes(changes: Sequence[Change], shift: Millis) -> list[Row]:
    """Return the rows of changes that are written together or not at all."""
    rows: list[Row] = []
    for change in changes:
        _add(rows, change, shift)
    return rows


def _add(rows: list[Row], change: Change, shift: Millis) -> None:
    """Add the rows of one decision: the table, its log, what must be told."""
    before, table, at = change.before, change.table, change.at
    due = None if change.due is None else change.due - shift
    document = codec.dump(table)
    # sqlite3 binds a plain str at once, but searches for adapters if it gets an enum member. `_value_` is `value`
    # without the descriptor, whose call takes as long as a whole row.
    if before is None:
        opened = (table.id, table.guild, table.channel, table.stage.value, table.seq, due, shift, table.opened)
        rows.append((_OPEN, (*opened, codec.dump_setup(table), document)))
    elif before.stage is table.stage and before.channel == table.channel:
        rows.append((_STEP, (table.seq, due, shift, table.id, before.seq, document)))
    else:
        turned = (table.stage.value, table.channel, table.seq, due, shift, table.id, before.seq, document)
        rows.append((_TURN, turned))
    if before is None or before.players is not table.players or before.host != table.host or table.ended_by is not None:
        _add_people(rows, before, table)
    id_, seq, interaction = table.id, table.seq, change.interaction_id
    for part, done in enumerate(change.log):
        rows.append((_LOG, (id_, seq, part, at, done.actor._value_, done.thought, interaction, encode(done.action))))
        interaction = None
    for place, telling in enumerate(change.outbox, 1):
        kind, user, payload = telling.kind._value_, telling.user or 0, telling.payload
        if payload is None:
            rows.append((_TELL, (id_, kind, user, 0, at, seq, None)))
        else:
            rows.append((_TELL, (id_, kind, user, seq * MAX_OUTBOX_ROWS_PER_STEP + place, at, seq, encode(payload))))
    if table.stage is _OVER and before is not None and before.stage is _PLAYING:
        rows.append(of_work(partial(counting.ended, table=table.id, guild=table.guild)))


def _add_people(rows: list[Row], before: Table | None, table: Table) -> None:
    """Add the rows of who sits where and of whom the table names, if they have changed."""
    seats = _seats_of(table)
    if before is None or _seats_of(before) != seats:
        rows.append((_UNSEAT, (table.id,)))
        rows += [(_SEAT, (table.id, *seat)) for seat in seats]
    newcomers = _people(table) if before is None else _people(table) - _people(before)
    rows += [(_VISIT, (user, table.id)) for user in newcomers]


def _seats_of(table: Table) -> list[tuple[int, int, bool]]:
    """Return where people sit, without AI players."""
    return [(seat, player.user, not player.left) for seat, player in enumerate(table.players) if player.ai is None]


def _people(table: Table) -> set[int]:
    """Return all people whom the table names."""
    named = {table.host, table.ended_by or 0, *[player.user for player in table.players]}
    return {user for user in named if user > 0}


def of_work(work: Callable[[sqlite3.Connection], None]) -> Row:
    """Return the row that runs a function in the transaction, after all other rows are written."""
    return WORK, (work,)


def of_told(row: OutboxRow) -> Row:
    """Return the row that deletes something from the outbox."""
    return _TOLD, (row.id, row.table, row.seq)


def of_message(message: Message) -> Row:
    """Return the row that stores a message in place of the one before."""
    user = message.user or 0
    return _MESSAGE, (message.table, message.kind, user, message.channel, message.message, message.sent_at)


def of_forgotten(message: Message) -> Row:
    """Return the row that deletes a message, unless another has replaced it."""
    return _FORGET, (message.table, message.kind, message.user or 0, message.message)


def of_preferences(user: int, preferences: Preferences) -> Row:
    """Return the row of a person's private settings."""
    return _USER, (user, preferences.slow, int(preferences.pinged))


def of_meta(key: str, value: Any) -> Row:
    """Return the row of a fact about the bot itself."""
    return _META, (key, str(value))


def of_house(guild: int, seq: int, document: str) -> Row:
    """Return the row of a guild's house rules; it only replaces the change before."""
    return _HOUSE, (guild, seq, document)


def of_house_log(line: books.Row) -> Row:
    """Return the row that says who changed what."""
    return _HOUSE_LOG, tuple(line)
