"""Group commit: one writer owns the writing connection, and all waiting units share one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Final

from bot import metrics
from bot.host.ports import Conflict, Fault, StoreFault
from bot.store.sqlite.batch import Batch
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.faults import translate
from bot.store.sqlite.statements import OneCall, Statement
from bot.store.units import Counters, Promise, Unit, UnitSource

MAX_UNITS_PER_COMMIT: Final = 250
"""Cap on units per transaction, so that the next batch is judged while this one is written."""
UNITS_WORTH_A_COMMIT: Final = 12
"""This many gathered units are written at once if they are at least half of all unanswered ones: while the thread
writes them, the host judges the others. Fewer units wait for those that other tasks are about to add."""
CHANGES_WORTH_A_CHECKPOINT: Final = 500
"""Changed rows after which SQLite's write-ahead log is copied into the file, as soon as nobody writes."""
IDLE_SECONDS: Final = 0.02
"""How long nobody must have written for such a checkpoint. It takes about ten milliseconds, and if SQLite chose the
moment by itself, the next player to act would wait for it."""
MAX_CHANGES_BEFORE_CHECKPOINT: Final = 20_000
"""Changed rows after which the checkpoint no longer waits for an idle moment."""

Results = Sequence[Exception | None]
"""For each unit, why it was not written; None: it was."""


class Writer:
    """Takes units and answers each one when it is on the disk, or with the reason why it is not.

    While the connection's thread writes one transaction, the next units gather. The thread fetches them itself when it
    is done, without waiting for the event loop.
    """

    def __init__(self, connection: Connection, statements: Sequence[Statement]) -> None:
        self.counters = Counters()
        self._connection = connection
        self._statements = statements
        self._single = [statement.single() for statement in statements]
        self._one_call = OneCall.of("batch", statements, range(len(statements)))
        self._short_call = OneCall.of("steps", statements, [kind for kind, each in enumerate(statements) if each.often])
        self._rare = [kind for kind in self._one_call.kinds if not statements[kind].often]
        self._works = [kind for kind, each in enumerate(statements) if not each.sql]
        self._prepared = False
        self._gathered: list[tuple[UnitSource, Promise]] = []
        self._batches: deque[Batch] = deque()
        self._lock = threading.Lock()
        """Held while a waiting batch grows, and while the thread takes one."""
        self._loop = asyncio.get_running_loop()
        self._unanswered = 0
        """Units whose futures are not done yet."""
        self._thread_called = False
        """The thread has been called and has not yet taken a batch."""
        self._idle_timer: asyncio.TimerHandle | None = None
        self._closing = False
        self._changes = 0
        self._changes_at_checkpoint = 0

    def write(self, unit: UnitSource) -> asyncio.Future[None]:
        """Put a unit into the next transaction; the future is done once that is committed or has failed."""
        future = Promise(loop=self._loop)
        if self._closing:
            future.set_exception(StoreFault(Fault.CLOSED, "the bot is stopping"))
            return future
        self._gathered.append((unit, future))
        self._unanswered += 1
        if len(self._gathered) >= UNITS_WORTH_A_COMMIT and 2 * len(self._gathered) >= self._unanswered:
            self._hand_over()
        elif len(self._gathered) == 1:
            self._loop.call_soon(self._hand_over)
        return future

    async def close(self) -> None:
        """Write all waiting units, and take no more."""
        self._closing = True
        self._hand_over()
        while self._batches:
            await self._connection.run(self._write_next)
        await self._connection.run(_nothing)  # the thread may still write a batch that it has taken
        if self._idle_timer is not None:
            self._idle_timer.cancel()

    def _hand_over(self) -> None:
        """Make the gathered units, and call the thread."""
        gathered, self._gathered = self._gathered, []
        made: list[tuple[Unit, Promise]] = []
        for unit, future in gathered:
            try:
                made.append((unit() if callable(unit) else unit, future))
            except Exception as error:  # a unit that cannot be made concerns nobody else
                future.set_exception(_settable(error))
                self._unanswered -= 1
        with self._lock:
            for each in made:
                if not self._batches or len(self._batches[-1].units) >= MAX_UNITS_PER_COMMIT:
                    self._batches.append(Batch(self._statements))
                self._batches[-1].add(*each)
        if self._batches and not self._thread_called:
            self._thread_called = True
            self._connection.call(self._write_next)

    def _write_next(self, connection: sqlite3.Connection) -> None:
        """Write the oldest waiting batch; runs in the thread."""
        self._thread_called = False
        with self._lock:
            if not self._batches:
                return
            batch = self._batches.popleft()
        if self._changes - self._changes_at_checkpoint >= MAX_CHANGES_BEFORE_CHECKPOINT:
            self._checkpoint(connection)
        began = time.perf_counter()
        try:
            if connection.in_transaction:  # left open by a fault: nothing may be committed as a part of it
                connection.execute("ROLLBACK")
            results = self._write(connection, batch)
        except BaseException as error:  # no future may be left without an answer
            results = [StoreFault(Fault.BROKEN, repr(error))] * len(batch.units)
        self._loop.call_soon_threadsafe(self._answer, batch, results)
        metrics.COMMIT.observe(time.perf_counter() - began)
        metrics.COMMITTED.inc(results.count(None))

    def _answer(self, batch: Batch, results: Results) -> None:
        """Answer all units of a batch; make sure that waiting ones are written and that a checkpoint comes.

        The units are handed back although they are not needed: freeing them here lets the next ones reuse their memory.
        """
        self._unanswered -= len(batch.units)
        for (_, future), result in zip(batch.units, results, strict=True):
            if result is None:
                future.set_result(None)
            else:
                future.set_exception(_settable(result))
        if self._batches:
            self._loop.call_soon(self._hand_over)
        changes = self._changes - self._changes_at_checkpoint
        if self._idle_timer is None and changes >= CHANGES_WORTH_A_CHECKPOINT and not self._closing:
            self._wait_until_idle()

    def _wait_until_idle(self) -> None:
        self._idle_timer = self._loop.call_later(IDLE_SECONDS, self._checkpoint_if_idle, self.counters.commits)

    def _checkpoint_if_idle(self, commits: int) -> None:
        """Run a checkpoint if nothing was written since the timer was set; otherwise wait again."""
        self._idle_timer = None
        if self._closing:
            return
        if self.counters.commits == commits:
            self._connection.call(self._checkpoint)
        else:
            self._wait_until_idle()

    def _checkpoint(self, connection: sqlite3.Connection) -> None:
        """Copy SQLite's write-ahead log into the file; pages that a reader still needs wait for the next time."""
        self._changes_at_checkpoint = self._changes
        with contextlib.suppress(sqlite3.Error):  # a full disk is reported to the next who writes
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _write(self, connection: sqlite3.Connection, batch: Batch) -> Results:
        """Write all units in one transaction; if one of them fails, the others are still written."""
        try:
            return self._try_to_write(connection, batch)
        finally:
            self._changes = connection.total_changes

    def _try_to_write(self, connection: sqlite3.Connection, batch: Batch) -> Results:
        units = [unit for unit, _ in batch.units]
        try:
            if len(units) == 1:
                self._write_one(connection, units[0])
            else:
                self._write_many(connection, batch)
        except Exception as error:  # the writer must go on for the other units
            fault = _roll_back(connection, error)
            if len(units) == 1 or (isinstance(fault, StoreFault) and fault.fault is Fault.BUSY):
                return [fault] * len(units)  # no unit caused a busy database: trying each would only wait again
            return self._write_one_by_one(connection, units)
        self.counters.commits += 1
        self._count(units)
        return [None] * len(units)

    def _write_one(self, connection: sqlite3.Connection, unit: Unit) -> None:
        connection.execute("BEGIN IMMEDIATE")
        self._write_rows(connection, unit)
        connection.execute("COMMIT")

    def _write_many(self, connection: sqlite3.Connection, batch: Batch) -> None:
        """Write all rows in one call, which is a transaction by itself unless there are functions to run as well."""
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

    def _write_one_by_one(self, connection: sqlite3.Connection, units: Sequence[Unit]) -> Results:
        """Write the units in one transaction, with a savepoint around each, so that a failing unit affects no other."""
        results: list[Exception | None] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for unit in units:
                results.append(self._write_in_savepoint(connection, unit))
            connection.execute("COMMIT")
            self.counters.commits += 1
            self._count([unit for unit, result in zip(units, results, strict=True) if result is None])
        except Exception as error:
            fault = _roll_back(connection, error)
            return [result or fault for result in results] + [fault] * (len(units) - len(results))
        return results

    def _write_in_savepoint(self, connection: sqlite3.Connection, unit: Unit) -> Exception | None:
        connection.execute("SAVEPOINT unit")
        try:
            self._write_rows(connection, unit)
        except Exception as error:
            if not connection.in_transaction:
                raise  # a full disk has rolled back the whole transaction
            connection.execute("ROLLBACK TO unit")
            connection.execute("RELEASE unit")
            return translate(error)
        connection.execute("RELEASE unit")
        return None

    def _count(self, units: Sequence[Unit]) -> None:
        self.counters.units += len(units)
        self.counters.rows += sum(map(len, units))

    def _write_rows(self, connection: sqlite3.Connection, unit: Unit) -> None:
        """Write the rows of one unit, each with a statement of its own."""
        for kind, values in unit:
            if not self._single[kind]:
                values[0](connection)
            elif connection.execute(self._single[kind], values).rowcount != 1 and self._statements[kind].guarded:
                raise Conflict


def _roll_back(connection: sqlite3.Connection, error: Exception) -> Exception:
    """Roll back an open transaction, which some errors have done already; return the error as the host knows it."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    return translate(error)


def _settable(error: Exception) -> Exception:
    """Return an error that a future accepts. It refuses StopIteration, and the caller would wait for ever."""
    return StoreFault(Fault.BROKEN, repr(error)) if isinstance(error, StopIteration) else error


def _nothing(_connection: sqlite3.Connection) -> None:
    """Do nothing: when it returns, the thread has finished everything queued before it."""
