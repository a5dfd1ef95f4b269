"""Group commit: one writer owns the writing connection, and whatever waits shares one transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from bot.host.ports import Conflict, Fault, StoreFault
from bot.store.connection import Connection
from bot.store.faults import understood

MOST: Final = 500
"""So many units share a transaction at most, so that nobody waits for long."""


SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""So many rows can go into one statement; few sizes, so that SQLite's work of reading it is done once."""
ENOUGH: Final = 24
"""So many units are worth a transaction at once; fewer wait until everybody who is about to has asked."""


class Statement(NamedTuple):
    """Something that is written. The order in `STATEMENTS` is the order within a transaction.

    `sql` takes its rows where it says `{rows}`; the first value of a row is never NULL. Many rows are one call, during
    which the interpreter is free for others: after every call the thread waits for the interpreter's lock again.
    """

    sql: str
    width: int
    """The number of values in a row."""
    guarded: bool = False
    """Every row must hit exactly one; otherwise it was made for something that is no longer so."""
    # Without `sql` a row holds one function, which is called with the connection: for what must read before it writes.

    def text(self, count: int) -> str:
        """Return the statement for so many rows; with room for several, rows of NULL are not written."""
        rows = "VALUES " + ", ".join([f"({', '.join('?' * self.width)})"] * count)
        several = f"SELECT * FROM ({rows}) WHERE column1 IS NOT NULL"  # noqa: S608 - placeholders and nothing else
        return self.sql.format(rows=rows if count == 1 else several)


Row = tuple[int, tuple[Any, ...]]
"""The number of a statement, and its values."""
Unit = Sequence[Row]
"""Rows that are written together or not at all."""
Answers = Sequence[Exception | None]
"""For each unit why it was not written; None: it was."""


class Promise(asyncio.Future[None]):
    """The answer to a unit. A write that is under way is not undone, so it cannot be cancelled."""

    def cancel(self, msg: object = None) -> bool:
        """Refuse: asyncio then cancels the waiting task as soon as the answer is there."""
        return False


class Counters:
    """What the writer has done so far."""

    def __init__(self) -> None:
        self.commits = 0
        self.units = 0
        self.rows = 0


class Writer:
    """Takes units and answers each when it is on the disk, or with the reason why it is not.

    While one transaction is written, in the connection's thread, the next units gather. No task stands in between.
    """

    def __init__(self, connection: Connection, statements: Sequence[Statement]) -> None:
        self.counters = Counters()
        self._connection = connection
        self._statements = statements
        self._texts = [{count: statement.text(count) for count in SIZES} for statement in statements]
        self._waiting: list[tuple[Unit, Promise]] = []
        self._loop = asyncio.get_running_loop()
        self._writing: asyncio.Future[Answers] | None = None
        self._closing = False

    def write(self, unit: Unit) -> asyncio.Future[None]:
        """Put a unit into the next transaction; the future answers once that is decided."""
        future = Promise(loop=self._loop)
        if self._closing:
            future.set_exception(StoreFault(Fault.CLOSED, "the bot is stopping"))
            return future
        self._waiting.append((unit, future))
        if self._writing is None:
            if len(self._waiting) == 1:
                self._loop.call_soon(self._start)
            elif len(self._waiting) == ENOUGH:
                self._start()
        return future

    async def close(self) -> None:
        """Write what waits, then take nothing more."""
        self._closing = True
        self._start()
        while self._writing is not None:
            await asyncio.wait([self._writing])

    def _start(self) -> None:
        """Have what waits written, unless a transaction is under way: then it is its end that starts the next."""
        if self._writing is not None or not self._waiting:
            return
        batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        self._writing = self._connection.start(partial(self._write, units=[unit for unit, _ in batch]))
        self._writing.add_done_callback(partial(self._answer, batch))

    def _answer(self, batch: Sequence[tuple[Unit, Promise]], written: asyncio.Future[Answers]) -> None:
        self._writing = None
        self._start()
        fault = written.exception()
        answers = written.result() if fault is None else [StoreFault(Fault.BROKEN, repr(fault))] * len(batch)
        for (_, future), answer in zip(batch, answers, strict=True):
            if answer is None:
                future.set_result(None)
            else:
                future.set_exception(answer)

    def _write(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> Answers:
        """Write all units in one transaction; if one of them cannot be, the others still are."""
        try:
            self._begin(connection)
        except Exception as error:  # nobody's fault in particular, so nobody need try alone and wait as long again
            return [_undone(connection, error)] * len(units)
        try:
            self._write_rows(connection, [row for unit in units for row in unit])
            self._commit(connection, units)
        except Exception as error:  # whatever it is, the writer must go on for the others
            fault = _undone(connection, error)
            return [fault] if len(units) == 1 else self._write_one_by_one(connection, units)
        return [None] * len(units)

    def _write_one_by_one(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> Answers:
        """Still one transaction, with a savepoint around each unit: a poisoned one spoils nobody else's."""
        answers: list[Exception | None] = []
        try:
            self._begin(connection)
            for unit in units:
                answers.append(self._write_alone(connection, unit))
            self._commit(connection, [unit for unit, answer in zip(units, answers, strict=True) if answer is None])
        except Exception as error:
            fault = _undone(connection, error)
            return [answer or fault for answer in answers] + [fault] * (len(units) - len(answers))
        return answers

    def _write_alone(self, connection: sqlite3.Connection, unit: Unit) -> Exception | None:
        connection.execute("SAVEPOINT unit")
        try:
            self._write_rows(connection, unit)
        except Exception as error:
            if not connection.in_transaction:
                raise  # a full disk has rolled everything back
            connection.execute("ROLLBACK TO unit")
            connection.execute("RELEASE unit")
            return understood(error)
        connection.execute("RELEASE unit")
        return None

    def _begin(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")

    def _commit(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
        connection.execute("COMMIT")
        self.counters.commits += 1
        self.counters.units += len(units)
        self.counters.rows += sum(map(len, units))

    def _write_rows(self, connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
        """Write rows statement by statement, as many as possible with one call."""
        kinds: list[list[tuple[Any, ...]]] = [[] for _ in self._statements]
        for kind, values in rows:
            kinds[kind].append(values)
        for statement, texts, many in zip(self._statements, self._texts, kinds, strict=True):
            if not statement.sql:
                for (work,) in many:
                    work(connection)
                continue
            first = hit = 0
            while first < len(many):
                some = many[first : first + SIZES[-1]]
                size = SIZES[(len(some) - 1).bit_length()]
                flat = [value for row in some for value in row]
                flat += [None] * ((size - len(some)) * statement.width)
                hit += connection.execute(texts[size], flat).rowcount
                first += len(some)
            if statement.guarded and hit != len(many):
                raise Conflict


def _undone(connection: sqlite3.Connection, error: Exception) -> Exception:
    """Undo what is open, which some errors have done already, and return the error as the host knows it."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    return understood(error)
