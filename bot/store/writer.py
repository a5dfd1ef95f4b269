"""Group commit: one writer owns the writing connection, and whatever waits shares one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from bot.host.ports import Conflict, Fault, StoreFault
from bot.store.connection import Connection
from bot.store.faults import understood
from bot.store.statements import OneCall, Statement

MOST: Final = 250
"""So many units share a transaction at most: while they are written, others are judged."""
NUL: Final = r"\u0000"
ENOUGH: Final = 24
"""So many units are worth a transaction at once; fewer wait until everybody who is about to has asked."""


Row = tuple[int, tuple[Any, ...]]
"""The number of a statement, and its values."""
Unit = Sequence[Row]
"""Rows that are written together or not at all."""
Answers = Sequence[Exception | None]
"""For each unit why it was not written; None: it was."""


LAZY: Final = 500
LATEST: Final = 4_000
"""After so many changes SQLite's log is folded into the file: when nobody waits, and at the latest. It takes some ten
milliseconds, which SQLite by itself would let the next one wait for who acts."""


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
        self._texts = [statement.single() for statement in statements]
        self._one_call = OneCall.of(statements)
        self._encode = msgspec.json.Encoder().encode
        self._prepared = False
        self._waiting: list[tuple[Unit, Promise]] = []
        self._loop = asyncio.get_running_loop()
        self._writing: asyncio.Future[Any] | None = None
        self._closing = False
        self._folded = self._changes = 0

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
        """Have what waits written, unless the thread is busy: then it is the end of that which starts the next."""
        if self._writing is not None:
            return
        unfolded = self._changes - self._folded
        if unfolded >= LATEST or (unfolded >= LAZY and not self._waiting):
            self._folded = self._changes
            folding = self._connection.start(_fold)
            self._writing = folding
            folding.add_done_callback(self._go_on)
        elif self._waiting:
            batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            writing = self._connection.start(partial(self._write, units=[unit for unit, _ in batch]))
            self._writing = writing
            writing.add_done_callback(partial(self._answer, batch))

    def _go_on(self, folding: asyncio.Future[None]) -> None:
        self._writing = None
        self._start()

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
            return self._written(connection, units)
        finally:
            self._changes = connection.total_changes

    def _written(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> Answers:
        try:
            if len(units) == 1:
                self._write_one(connection, units[0])
            else:
                self._write_many(connection, units)
        except Exception as error:  # whatever it is, the writer must go on for the others
            fault = _undone(connection, error)
            if len(units) == 1 or (isinstance(fault, StoreFault) and fault.fault is Fault.BUSY):
                return [fault] * len(units)  # busy is nobody's fault in particular: nobody need wait as long again
            return self._write_one_by_one(connection, units)
        self.counters.commits += 1
        self._count(units)
        return [None] * len(units)

    def _write_one(self, connection: sqlite3.Connection, unit: Unit) -> None:
        connection.execute("BEGIN IMMEDIATE")
        self._write_rows(connection, unit)
        connection.execute("COMMIT")

    def _write_many(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
        """Write all rows with one call, which is a transaction by itself unless there is work to do besides."""
        if not self._prepared:
            connection.execute(self._one_call.view)
            connection.execute(self._one_call.trigger)
            self._prepared = True
        kinds: list[list[tuple[Any, ...]]] = [[] for _ in self._statements]
        for unit in units:
            for kind, values in unit:
                kinds[kind].append(values)
        arrays, works = [], []
        for statement, many in zip(self._statements, kinds, strict=True):
            if statement.sql:
                arrays.append(self._encode(many).decode() if many else "[]")
            else:
                works += [work for (work,) in many]
        if any(NUL in array for array in arrays):
            raise ValueError("to SQLite's JSON a text ends there, but not if it is bound alone")
        if works:
            connection.execute("BEGIN IMMEDIATE")
        connection.execute(self._one_call.insert, arrays)
        for work in works:
            work(connection)
        if works:
            connection.execute("COMMIT")

    def _write_one_by_one(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> Answers:
        """Still one transaction, with a savepoint around each unit: a poisoned one spoils nobody else's."""
        answers: list[Exception | None] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for unit in units:
                answers.append(self._write_alone(connection, unit))
            connection.execute("COMMIT")
            self.counters.commits += 1
            self._count([unit for unit, answer in zip(units, answers, strict=True) if answer is None])
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

    def _count(self, units: Sequence[Unit]) -> None:
        self.counters.units += len(units)
        self.counters.rows += sum(map(len, units))

    def _write_rows(self, connection: sqlite3.Connection, unit: Unit) -> None:
        """Write the rows of one unit, one by one."""
        for kind, values in unit:
            if not self._texts[kind]:
                values[0](connection)
            elif connection.execute(self._texts[kind], values).rowcount != 1 and self._statements[kind].guarded:
                raise Conflict


def _undone(connection: sqlite3.Connection, error: Exception) -> Exception:
    """Undo what is open, which some errors have done already, and return the error as the host knows it."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    return understood(error)


def _fold(connection: sqlite3.Connection) -> None:
    """Bring what SQLite's log holds into the file; what somebody is reading meanwhile stays for the next time."""
    with contextlib.suppress(sqlite3.Error):  # a disk that is full says so to whoever writes
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
