"""Writing many units in one call leaves the same rows as writing each of them alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.store.rows import KINDS as NAMES
from bot.store.sqlite.batch import Batch
from bot.store.sqlite.rows import STATEMENTS
from bot.store.sqlite.store import SqliteStore
from bot.store.units import Promise, Row, Unit

KINDS = {name: number for number, name in enumerate(NAMES)}
TEXTS = ["", "plain", "Zoë", "🪶" * 300, '{"quoted":"\\" \\\\ \\u0000"}', "a\x00b", "\n\u2028", "null", "7"]
NOW = 1_794_843_673_530


def row(kind: str, *values: Any) -> Row:
    return KINDS[kind], values


def opened(table: int, text: str) -> Unit:
    id_, user = f"t{table}", 10**17 + table
    return [
        row("open", id_, 1, table, "lobby", 0, None, 0, NOW, f'{{"ü":{table}}}', text * 2),
        row("seat", id_, 0, user, True),
        row("visit", user, id_),
        row("log", id_, 0, 0, NOW, "user", None, 2**62 + table, text),
        row("log", id_, 0, 1, NOW, "dealer", 24, None, text * 3),
        row("outbox", id_, "table", 0, 0, NOW, 0, None),
        row("outbox", id_, "notice", user, 101, NOW, 0, text),
        row("house", table, 1, text),
        row("house_log", table, NOW, user, "threshold", None, "17"),
        row("user", user, 2, 1, "de", 1),
        row("meta", f"k{table}", "ü\\"),
    ]


def stepped(table: int, text: str) -> Unit:
    id_, user = f"t{table}", 10**17 + table
    even = table % 2 == 0
    return [
        row("step", 1, NOW + 1, -5, id_, 0, text)
        if even
        else row("stage", "playing", -table, 1, None, 0, id_, 0, text),
        row("rules", id_, text),
        row("unseat", id_),
        row("seat", id_, 1, user, False),
        row("outbox", id_, "table", 0, 0, NOW + 1, 1, None),
        row("outbox", id_, "notice", user, 101, NOW + 1, 1, None if even else text),
        row("message", id_, "table", 0, 5, 6, NOW, None),
        row("message", id_, "ping", user, 5, 7, NOW, 9),
        row("message", id_, "ping", 4, 5, 8, NOW, 9),
        row("house", table, 2, text),
    ]


def bid(table: int, text: str) -> Unit:
    """Return the kinds of rows that most transactions consist of."""
    id_, user = f"t{table}", 10**17 + table
    return [
        row("step", 2, NOW + 2, 7, id_, 1, text),
        row("log", id_, 2, 0, NOW + 2, "user", 5, 2**61 + table, text),
        row("outbox", id_, "ping", user, 0, NOW + 2, 2, None),
    ]


def tidied(table: int, _text: str) -> Unit:
    id_ = f"t{table}"

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO meta SELECT 'step' || id, document FROM tables WHERE id = ?", (id_,))

    return [row("sent", 2 * table + 1, id_, 1), row("forget", id_, "table", 0, 6), row("work", work)]


BATCHES: Sequence[Sequence[Unit]] = [
    [make(table, text) for table, text in enumerate(TEXTS)] for make in (opened, stepped, bid, tidied)
]


def content(connection: sqlite3.Connection) -> dict[str, list[tuple[str, ...]]]:
    """Return everything in the file, with the types and bytes that are stored."""
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {}
    for table in tables:
        columns = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")]
        exact = ", ".join(f"typeof({column}) || ' ' || hex({column})" for column in columns)
        sql = f"SELECT {exact} FROM {table} ORDER BY {', '.join(columns)}"  # noqa: S608 - the names come from the file itself
        found[table] = connection.execute(sql).fetchall()
    return found


async def written(path: Path, batches: Sequence[Sequence[Unit]]) -> dict[str, list[tuple[str, ...]]]:
    store = await SqliteStore.open(path, 0)
    try:
        commits = store.counters.commits
        for units in batches:
            batch = Batch(STATEMENTS)
            for unit in units:
                batch.add(unit, Promise())
            answers = await store._writing.run(partial(store._writer._write, batch=batch))
            assert set(answers) == {None}
        assert store.counters.commits == commits + len(batches)
        return await store._writing.run(content)
    finally:
        await store.close()


def test_the_batches_contain_every_kind_of_row() -> None:
    assert {kind for batch in BATCHES for unit in batch for kind, _ in unit} == set(KINDS.values())
    widths = {kind: len(values) for batch in BATCHES for unit in batch for kind, values in unit}
    assert widths == {kind: statement.width for kind, statement in enumerate(STATEMENTS)}


async def test_units_written_together_leave_the_same_rows_as_units_written_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    single = [[unit] for batch in BATCHES for unit in batch]
    alone = await written(tmp_path / "alone.sqlite3", single)
    monkeypatch.setattr("bot.store.sqlite.writer.Writer._write_one_by_one", None)  # the fallback must not be needed
    together = await written(tmp_path / "together.sqlite3", BATCHES)
    assert together == alone
    documents = {document for (*_, document) in together["tables"]}
    assert documents == {f"text {text.encode().hex().upper()}" for text in TEXTS}
