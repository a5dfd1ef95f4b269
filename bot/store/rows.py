"""Turns what is to be written into rows, each of a kind; every store has one statement for each kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.engine.frozen import encode
from bot.host import codec
from bot.host.commands import OutboxKind
from bot.host.model import Millis, Stage, Table, TableId, UserId
from bot.host.ports import Change, Message, OutboxRow, Preferences
from bot.house_rules.repository import HouseLogRow
from bot.store.units import Row

KINDS: Final = (
    "open",
    "step",
    "stage",
    "rules",
    "unseat",
    "seat",
    "visit",
    "log",
    "outbox",
    "sent",
    "message",
    "forget",
    "user",
    "meta",
    "house",
    "house_log",
    "work",
)
"""The kinds in the order in which a transaction writes them; `work` is last, and finds everything else written."""
(
    OPEN,
    STEP,
    STAGE,
    RULES,
    UNSEAT,
    SEAT,
    VISIT,
    LOG,
    OUTBOX,
    SENT,
    MESSAGE,
    FORGET,
    USER,
    META,
    HOUSE,
    HOUSE_LOG,
    WORK,
) = range(len(KINDS))
Guesses = Sequence[tuple[UserId, int, int]]
"""People who guessed along in a match, with the number of their guesses and of the right ones."""
_PLAYING: Final = Stage.PLAYING
_OVER: Final = Stage.OVER
MAX_OUTBOX_ROWS_PER_STEP: Final = 100
"""More rows than one step of a table can put into the outbox."""


def of_changes(changes: Sequence[Change], shift: Millis, of_end: Callable[[Table], Row]) -> list[Row]:
    """Return the rows of changes that are written together or not at all.

    `of_end` returns the row that counts a match which has come to its end.
    """
    rows: list[Row] = []
    for change in changes:
        _add(rows, change, shift, of_end)
    return rows


def _add(rows: list[Row], change: Change, shift: Millis, of_end: Callable[[Table], Row]) -> None:
    """Add the rows of one decision: the table, its log, what must be sent."""
    before, table, at = change.before, change.table, change.at
    due = None if change.due is None else change.due - shift
    document = codec.dump(table)
    # sqlite3 binds a plain str at once, but searches for adapters if it gets an enum member. `_value_` is `value`
    # without the descriptor, whose call takes as long as a whole row.
    if before is None:
        opened = (table.id, table.guild, table.channel, table.stage.value, table.seq, due, shift, table.opened)
        rows.append((OPEN, (*opened, codec.dump_setup(table), document)))
    elif before.stage is table.stage and before.channel == table.channel:
        rows.append((STEP, (table.seq, due, shift, table.id, before.seq, document)))
    else:
        moved_on = (table.stage.value, table.channel, table.seq, due, shift, table.id, before.seq, document)
        rows.append((STAGE, moved_on))
    if before is not None and (before.options is not table.options or before.house is not table.house):
        rows.append((RULES, (table.id, codec.dump_setup(table))))
    if (
        before is None
        or before.players is not table.players
        or before.guessers is not table.guessers
        or before.host != table.host
        or table.ended_by is not None
    ):
        _add_people(rows, before, table)
    id_, seq, interaction = table.id, table.seq, change.interaction_id
    for part, done in enumerate(change.log):
        rows.append((LOG, (id_, seq, part, at, done.actor._value_, done.thought, interaction, encode(done.action))))
        interaction = None
    for place, item in enumerate(change.outbox, 1):
        kind, user, payload = item.kind._value_, item.user or 0, item.payload
        if payload is None:
            rows.append((OUTBOX, (id_, kind, user, 0, at, seq, None)))
        else:
            rows.append((OUTBOX, (id_, kind, user, seq * MAX_OUTBOX_ROWS_PER_STEP + place, at, seq, encode(payload))))
    if table.stage is _OVER and before is not None and before.stage is _PLAYING:
        rows.append(of_end(table))


def guesses_of(table: Table) -> Guesses:
    """Return who guessed along in a match."""
    return tuple([(each.user, each.made, each.right) for each in table.guessers if each.made])


def _add_people(rows: list[Row], before: Table | None, table: Table) -> None:
    """Add the rows that say who sits where and whom the table names, if they have changed."""
    seats = seats_of(table)
    if before is None or seats_of(before) != seats:
        rows.append((UNSEAT, (table.id,)))
        rows += [(SEAT, (table.id, *seat)) for seat in seats]
    newcomers = _people(table) if before is None else _people(table) - _people(before)
    rows += [(VISIT, (user, table.id)) for user in newcomers]


def seats_of(table: Table) -> list[tuple[int, int, bool]]:
    """Return where people sit, without AI players."""
    return [(seat, player.user, not player.left) for seat, player in enumerate(table.players) if player.ai is None]


def _people(table: Table) -> set[int]:
    """Return all people whom the table names."""
    named = {table.host, table.ended_by or 0, *[player.user for player in table.players]}
    named |= {guesser.user for guesser in table.guessers}
    return {user for user in named if user > 0}


def outbox_row(table: TableId, found: Sequence[Any]) -> OutboxRow:
    """Read a row of the outbox: id, kind, user, payload, made_at, seq."""
    id_, kind, user, payload, made_at, seq = found
    details = None if payload is None else json.loads(payload)
    return OutboxRow(id_, table, OutboxKind(kind), UserId(user) if user else None, details, made_at, seq)


def message(table: TableId, found: Sequence[Any]) -> Message:
    """Read a message of a table: kind, user, channel, message, sent_at, prompt."""
    kind, user, channel, id_, sent_at, prompt = found
    return Message(table, kind, UserId(user) if user else None, channel, id_, sent_at, prompt)


def of_done(row: OutboxRow) -> Row:
    """Return the row that deletes something from the outbox."""
    return SENT, (row.id, row.table, row.seq)


def of_message(message: Message) -> Row:
    """Return the row that stores a message in place of the previous one."""
    table, kind, user, *rest = message
    return MESSAGE, (table, kind, user or 0, *rest)


def of_forgotten(message: Message) -> Row:
    """Return the row that deletes a message, unless another has replaced it."""
    return FORGET, (message.table, message.kind, message.user or 0, message.message)


def of_preferences(user: int, preferences: Preferences) -> Row:
    """Return the row of a person's private settings."""
    return USER, (user, preferences.slow, int(preferences.pinged), preferences.language, int(preferences.text_only))


def of_meta(key: str, value: Any) -> Row:
    """Return the row of a fact about the bot itself."""
    return META, (key, str(value))


def of_house(guild: int, seq: int, document: str) -> Row:
    """Return the row of a guild's house rules; it replaces only the previous change."""
    return HOUSE, (guild, seq, document)


def of_house_log(line: HouseLogRow) -> Row:
    """Return the row that says who changed what."""
    return HOUSE_LOG, tuple(line)
