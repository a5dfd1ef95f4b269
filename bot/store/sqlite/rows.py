"""Lists the statements that write the rows of `bot.store.rows`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from bot.host.model import Table
from bot.store.rows import KINDS, WORK, guesses_of
from bot.store.sqlite import counting
from bot.store.sqlite.statements import Statement
from bot.store.units import Row

_SQL: Final[Mapping[str, Statement]] = {
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
    "stage": Statement(
        "UPDATE tables SET stage = row.column1, channel = row.column2, seq = row.column3, next_due = row.column4,"
        " shift = row.column5, document = row.column8"
        " FROM ({rows}) AS row WHERE id = row.column6 AND seq = row.column7",
        8,
        guarded=True,
        text=True,
    ),
    "rules": Statement(
        "UPDATE tables SET setup = row.column2 FROM ({rows}) AS row WHERE id = row.column1", 2, text=True
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
    "outbox": Statement(
        "INSERT INTO outbox (table_id, kind, user, nth, made_at, seq, payload) {rows}"
        " ON CONFLICT (table_id, kind, user, nth)"
        " DO UPDATE SET payload = excluded.payload, made_at = excluded.made_at, seq = excluded.seq",
        7,
        text=True,
        often=True,
    ),
    # Only the row that was sent: a newer one that replaced it in the meantime stays. SQLite uses ids again, so the
    # table must match as well, or sending something twice could delete a row of another table.
    "sent": Statement("DELETE FROM outbox WHERE (id, table_id, seq) IN ({rows})", 3),
    # Only for people with a seat: a DM that is on its way must not bring back a person who was deleted in the meantime.
    "message": Statement(
        "INSERT OR REPLACE INTO messages (table_id, kind, user, channel_id, message_id, sent_at, prompt)"
        " SELECT * FROM ({rows}) AS row WHERE column3 = 0"
        " OR EXISTS (SELECT 1 FROM seats WHERE table_id = row.column1 AND user = row.column3)",
        7,
    ),
    "forget": Statement("DELETE FROM messages WHERE (table_id, kind, user, message_id) IN ({rows})", 4),
    "user": Statement(
        "INSERT INTO users (id, slow, pinged, language, text_only) {rows}"
        " ON CONFLICT (id) DO UPDATE SET slow = excluded.slow, pinged = excluded.pinged, language = excluded.language,"
        " text_only = excluded.text_only",
        5,
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
    "work": Statement("", 1),
}
STATEMENTS: Final = tuple(_SQL[kind] for kind in KINDS)


def of_end(table: Table) -> Row:
    """Return the row that counts a match which has come to its end."""
    return of_work(partial(counting.record_end, table=table.id, guild=table.guild, guesses=guesses_of(table)))


def of_work(work: Callable[[sqlite3.Connection], None]) -> Row:
    """Return the row that runs a function in the transaction, after all other rows are written."""
    return WORK, (work,)
