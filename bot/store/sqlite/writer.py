"""Group commit: one writer owns the writing connection, and whatever waits shares one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Sequence
from typing import Final

from bot.host.ports import Conflict, Fault, StoreFault
from bot.store.sqlite.batch import Asked, Batch, Promise, Unit
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.faults import understood
from bot.store.sqlite.statements import OneCall, Statement

MOST: Final = 250
"""So many units share a transaction at most: while they are written, others are judged."""
ENOUGH: Final = 12
"""So many units, and half of all that are not answered yet, are worth a transaction at once: while the one half is
written, the other is judged. Fewer wait until everybody who is about to has asked."""


Answers = Sequence[Exception | None]
"""For each unit why it was not written; None: it was."""


LAZY: Final = 500
QUIET: Final = 0.02
LATEST: Final = 20_000
"""After so many changes SQLite's log is folded into the file: the few when nobody has written anything for so many
seconds, the many at once. It takes some ten milliseconds, which SQLite by itself would let the next one wait for who
acts."""


class Counters:
    """What the writer has done so far."""

    def __init__(self) -> None:
        self.commits = 0
        self.units = 0
        self.rows = 0


class Writer:
    """Takes units and answers each when it is on the disk, or with the reason why it is not.

    While one transaction is written, in the connection's thread, the next units gather. The thread takes them itself as
    soon as it comes to them: it need not wait until the event loop has done with everything else.
    """

    def __init__(self, connection: Connection, statements: Sequence[Statement]) -> None:
        self.counters = Counters()
        self._connection = connection
        self._statements = statements
        self._texts = [statement.single() for statement in statements]
        self._one_call = OneCall.of("batch", statements, range(len(statements)))
        self._short_call = OneCall.of("steps", statements, [kind for kind, each in enumerate(statements) if each.often])
        self._rare = [kind for kind in self._one_call.kinds if not statements[kind].often]
        self._works = [kind for kind, each in enumerate(statements) if not each.sql]
        self._prepared = False
        self._asked: list[tuple[Asked, Promise]] = []
        self._waiting: deque[Batch] = deque()
        self._lock = threading.Lock()
        """Held while a batch that waits becomes larger, or is taken."""
        self._loop = asyncio.get_running_loop()
        self._open = 0
        """So many have asked and not yet been answered."""
        self._called = False
        """The thread has been called and has not yet taken what waits."""
        self._idle: asyncio.TimerHandle | None = None
        self._closing = False
        self._folded = self._changes = 0

    def write(self, unit: Asked) -> asyncio.Future[None]:
        """Put a unit into the next transaction; the future answers once that is decided."""
        future = Promise(loop=self._loop)
        if self._closing:
            future.set_exception(StoreFault(Fault.CLOSED, "the bot is stopping"))
            return future
        self._asked.append((unit, future))
        self._open += 1
        if len(self._asked) >= ENOUGH and 2 * len(self._asked) >= self._open:
            self._call()
        elif len(self._asked) == 1:
            self._loop.call_soon(self._call)
        return future

    async def close(self) -> None:
        """Write what waits, then take nothing more."""
        self._closing = True
        self._call()
        while self._waiting:
            await self._connection.run(self._take)
        await self._connection.run(_nothing)  # the thread may still write what it has taken
        if self._idle is not None:
            self._idle.cancel()

    def _call(self) -> None:
        """Make what was asked for, and have the thread take it once it has done with what it has."""
        asked, self._asked = self._asked, []
        made: list[tuple[Unit, Promise]] = []
        for unit, future in asked:
            try:
                made.append((unit() if callable(unit) else unit, future))
            except Exception as error:  # what cannot be made is nobody else's concern
                future.set_exception(_tellable(error))
                self._open -= 1
        with self._lock:
            for each in made:
                if not self._waiting or len(self._waiting[-1].asked) >= MOST:
                    self._waiting.append(Batch(self._statements))
                self._waiting[-1].add(*each)
        if self._waiting and not self._called:
            self._called = True
            self._connection.call(self._take)

    def _take(self, connection: sqlite3.Connection) -> None:
        """Write what waits; in the thread."""
        self._called = False
        with self._lock:
            if not self._waiting:
                return
            batch = self._waiting.popleft()
        if self._changes - self._folded >= LATEST:
            self._fold(connection)
        try:
            if connection.in_transaction:  # not even undone; who comes now must not believe to be committed in it
                connection.execute("ROLLBACK")
            answers = self._write(connection, batch)
        except BaseException as error:  # whatever it is, somebody waits for an answer
            answers = [StoreFault(Fault.BROKEN, repr(error))] * len(batch.asked)
        self._loop.call_soon_threadsafe(self._answer, batch, answers)

    def _answer(self, batch: Batch, answers: Answers) -> None:
        """Tell everybody; see to it that nobody is left waiting, and that the log is folded one day.

        The units come back although nobody needs them: their memory is given back where the next are made of it.
        """
        self._open -= len(batch.asked)
        for (_, future), answer in zip(batch.asked, answers, strict=True):
            if answer is None:
                future.set_result(None)
            else:
                future.set_exception(_tellable(answer))
        if self._waiting:
            self._loop.call_soon(self._call)
        if self._idle is None and self._changes - self._folded >= LAZY and not self._closing:
            self._idle = self._loop.call_later(QUIET, self._look, self.counters.commits)

    def _look(self, commits: int) -> None:
        """Fold the log if nobody has written anything for a while; otherwise look again."""
        self._idle = None
        if self._closing:
            return
        if self.counters.commits == commits:
            self._connection.call(self._fold)
        else:
            self._idle = self._loop.call_later(QUIET, self._look, self.counters.commits)

    def _fold(self, connection: sqlite3.Connection) -> None:
        """Bring what SQLite's log holds into the file; what somebody is reading meanwhile stays for the next time."""
        self._folded = self._changes
        with contextlib.suppress(sqlite3.Error):  # a disk that is full says so to whoever writes
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _write(self, connection: sqlite3.Connection, batch: Batch) -> Answers:
        """Write all units in one transaction; if one of them cannot be, the others still are."""
        try:
            return self._written(connection, batch)
        finally:
            self._changes = connection.total_changes

    def _written(self, connection: sqlite3.Connection, batch: Batch) -> Answers:
        units = [unit for unit, _ in batch.asked]
        try:
            if len(units) == 1:
                self._write_one(connection, units[0])
            else:
                self._write_many(connection, batch)
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

    def _write_many(self, connection: sqlite3.Connection, batch: Batch) -> None:
        """Write all rows with one call, which is a transaction by itself unless there is work to do besides."""
        if not self._prepared:
            for one_call in (self._one_call, self._short_call):
                connection.execute(one_call.view)
                connection.execute(one_call.trigger)
            self._prepared = True
        call = self._one_call if any(map(batch.kinds.__getitem__, self._rare)) else self._short_call
        arrays = batch.arrays(call.kinds)
        works = [work for kind in self._works for (work,) in batch.kinds[kind]]
        if works:
            connection.execute("BEGIN IMMEDIATE")
        connection.execute(call.insert, (*arrays, batch.texts()))
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


def _tellable(error: Exception) -> Exception:
    """Return an error that a future takes: the end of an iterator is none, and others would wait for ever."""
    return StoreFault(Fault.BROKEN, repr(error)) if isinstance(error, StopIteration) else error


def _nothing(_connection: sqlite3.Connection) -> None:
    """Do nothing, after everything else."""
