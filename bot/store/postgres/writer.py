"""Group commit: all units that wait share one transaction, and nearly always one statement.

While one batch is written, the next units gather. Units that run functions of their own, such as the end of a match, go
another way, one transaction each, so that no move waits for them.

If the connection breaks, nobody knows whether the last commit has happened. Each commit writes its id, so the batch is
simply written again: if the id is there, it has happened.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import asyncpg

from bot import metrics
from bot.host.ports import Fault, StoreFault
from bot.store.postgres.connections import MAX_RECONNECTING_SECONDS, Connection, Connections, Pauses
from bot.store.postgres.elections import close_quietly
from bot.store.postgres.faults import away, is_clash, is_lost, translate
from bot.store.postgres.statements import COMMITTED, EARLY, LATE, STATEMENTS, columns, together
from bot.store.rows import WORK
from bot.store.units import Counters, Promise, Row, Unit, UnitSource

MAX_UNITS_PER_COMMIT: Final = 100
"""Cap on units per transaction, so that the next batch is judged while this one is written. Their 200 KB also fit into
a socket's buffer (`connections.SEND_BUFFER_BYTES`): the rest of a larger batch would wait until the judging is done."""
MAX_CLASHES: Final = 5
"""How many times a batch is written again after another transaction got in its way."""
COMMITS_BETWEEN_CLEANING: Final = 2_000
"""After this many commits the notes of old ones are deleted."""
_CLEAN: Final = "DELETE FROM commits WHERE at < clock_timestamp() - interval '10 minutes'"

Results = Sequence[Exception | None]
"""For each unit, why it was not written; None: it was."""
Work = Callable[[Connection], Awaitable[None]]


class Batch:
    """Units that are written together."""

    def __init__(self) -> None:
        self.id = uuid.uuid4()
        self.units: list[tuple[Unit, Promise]] = []
        self.kinds: list[list[Sequence[Any]]] = [[] for _ in STATEMENTS]
        self.results: Results | None = None
        """What became of the units when they were last written one by one; None: they were written together."""
        self.tried = False
        """It was written before, and perhaps committed, when the connection broke."""
        self._keys: set[tuple[Any, ...]] = set()

    def add(self, unit: Unit, future: Promise) -> bool:
        """Add a unit, unless it writes something that another unit of the batch writes as well."""
        keys: dict[tuple[Any, ...], int] = {}
        for kind, values in unit:
            if (key := _key(kind, values)) is not None:
                if key in self._keys or (key in keys and (keys[key] != kind or not STATEMENTS[kind].replaces)):
                    # Twice within the unit: it is written alone.
                    return not self.units and self._add_alone(unit, future)
                keys[key] = kind
        self._keys.update(keys)
        self.units.append((unit, future))
        for kind, values in unit:
            self.kinds[kind].append(values)
        return True

    def _add_alone(self, unit: Unit, future: Promise) -> bool:
        self.units.append((unit, future))
        self._keys.add(())
        return True

    @property
    def outcome(self) -> Results:
        """What becomes of the units if the commit has happened."""
        return [None] * len(self.units) if self.results is None else self.results

    @property
    def is_full(self) -> bool:
        """Whether no other unit may be added."""
        return len(self.units) >= MAX_UNITS_PER_COMMIT or self.is_alone

    @property
    def is_alone(self) -> bool:
        """Whether its only unit writes something twice, so that one statement does not do."""
        return () in self._keys


class Writer:
    """Takes units and answers each one when it is on the server's disk, or with the reason why it is not."""

    def __init__(self, connections: Connections) -> None:
        self.counters = Counters()
        self._closing = False
        self._moves = _Lane(connections, self.counters, "writer")
        self._works = _Lane(connections, self.counters, "writer of results", grouped=False)

    def write(self, unit: UnitSource) -> asyncio.Future[None]:
        """Put a unit into the next transaction; the future is done once that is committed or has failed."""
        future = Promise(loop=asyncio.get_running_loop())
        if self._closing:
            future.set_exception(StoreFault(Fault.CLOSED, "the bot is stopping"))
            return future
        try:
            made = unit() if callable(unit) else unit
        except Exception as error:  # a unit that cannot be made concerns nobody else
            future.set_exception(_settable(error))
            return future
        (self._works if any(kind == WORK for kind, _ in made) else self._moves).put(made, future)
        return future

    async def close(self) -> None:
        """Write all waiting units, and take no more."""
        self._closing = True
        await self._moves.close()
        await self._works.close()


class _Lane:
    """One connection that writes batches one after the other."""

    def __init__(self, connections: Connections, counters: Counters, name: str, *, grouped: bool = True) -> None:
        self._connections = connections
        self._counters = counters
        self._name = name
        self._grouped = grouped
        self._connection: Connection | None = None
        self._waiting: deque[tuple[Unit, Promise]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    def put(self, unit: Unit, future: Promise) -> None:
        """Queue a unit. A task is started only if none runs; it takes what others add before its first turn."""
        self._waiting.append((unit, future))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def close(self) -> None:
        self._closing = True
        while self._task is not None:
            await asyncio.wait((self._task,))
        await self._drop()

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = self._next_batch()
                if not batch.units:
                    continue
                began = time.perf_counter()
                try:
                    results = await self._write(batch)
                except BaseException as error:  # no future may be left without an answer
                    _answer(batch, [StoreFault(Fault.BROKEN, repr(error))] * len(batch.units))
                    raise
                metrics.COMMIT.observe(time.perf_counter() - began)
                metrics.COMMITTED.inc(results.count(None))
                _answer(batch, results)
                if len(self._waiting) < len(batch.units) // 2:
                    await asyncio.sleep(0)  # those who were answered may add their next units
                # Otherwise the next batch is sent at once, and they do so while the server writes it.
        finally:
            self._task = None
            if self._waiting:  # only after a bug
                self._task = asyncio.create_task(self._run(), name=self._name)

    def _next_batch(self) -> Batch:
        batch = Batch()
        while self._waiting and not batch.is_full and (self._grouped or not batch.units):
            unit, future = self._waiting[0]
            try:
                if not batch.add(unit, future):
                    break
            except Exception as error:  # a row that is none concerns nobody else
                future.set_exception(_settable(error))
            self._waiting.popleft()
        return batch

    async def _write(self, batch: Batch) -> Results:
        """Write a batch, and again if the connection breaks; give up when those who wait must be told."""
        loop, pauses = asyncio.get_running_loop(), Pauses()
        until = loop.time() + (0.0 if self._connections.is_away else MAX_RECONNECTING_SECONDS)
        clashes = 0
        while True:
            try:
                connection = await self._connected()
                if batch.tried and await _is_committed(connection, batch):
                    return batch.outcome
                return await self._write_once(connection, batch)
            except Exception as error:
                if _says_committed(error):
                    return batch.outcome
                if is_clash(error) and clashes < MAX_CLASHES:
                    clashes += 1
                elif not is_lost(error):
                    return [_settable(translate(error))] * len(batch.units)
                else:
                    await self._drop()
                    if loop.time() >= until:
                        return [away(error)] * len(batch.units)
            await pauses.wait()

    async def _write_once(self, connection: Connection, batch: Batch) -> Results:
        again = batch.tried
        if batch.results is None:  # otherwise it is known that they cannot be written together
            try:
                await self._write_together(connection, batch)
                self._count(batch)
                return batch.outcome
            except Exception as error:
                if is_lost(error) or is_clash(error) or _says_committed(error):
                    raise
                if again and await _is_committed(connection, batch):
                    return batch.outcome  # the first attempt was slower than our question
                fault = translate(error)
                if len(batch.units) == 1 or isinstance(fault, StoreFault):
                    return [_settable(fault)] * len(batch.units)
        return await self._write_one_by_one(connection, batch)

    async def _write_together(self, connection: Connection, batch: Batch) -> None:
        """Write all rows; a single statement is a transaction by itself."""
        if batch.is_alone:
            ((unit, _),) = batch.units
            batch.tried = True
            async with connection.transaction():
                await connection.execute(COMMITTED, batch.id)
                await _write_rows(connection, unit)
            return
        calls = _calls(batch.kinds, batch.id)
        works = batch.kinds[WORK]
        batch.tried = True
        if len(calls) == 1 and not works:
            (sql, values), *_ = calls
            await connection.execute(sql, *values)
            return
        async with connection.transaction():
            for sql, values in calls:
                await connection.execute(sql, *values)
            if not calls:
                await connection.execute(COMMITTED, batch.id)
            for (work,) in works:
                await work(connection)

    async def _write_one_by_one(self, connection: Connection, batch: Batch) -> Results:
        """Write the units in one transaction, with a savepoint around each, so that a failing unit affects no other."""
        results: list[Exception | None] = []
        async with connection.transaction():
            await connection.execute(COMMITTED, batch.id)  # waits for an attempt that is still on its way
            for unit, _ in batch.units:
                try:
                    async with connection.transaction():
                        await _write_rows(connection, unit)
                    results.append(None)
                except Exception as error:
                    if is_lost(error) or is_clash(error):
                        raise
                    results.append(_settable(translate(error)))
            batch.results = results
        self._count(batch)
        return results

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await self._connections.connect(slow=not self._grouped)
        return self._connection

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await close_quietly(connection)

    def _count(self, batch: Batch) -> None:
        written = [unit for (unit, _), result in zip(batch.units, batch.outcome, strict=True) if result is None]
        self._counters.commits += 1
        self._counters.units += len(written)
        self._counters.rows += sum(map(len, written))
        if self._counters.commits % COMMITS_BETWEEN_CLEANING == 0 and not self._closing:
            future = Promise(loop=asyncio.get_running_loop())
            future.add_done_callback(asyncio.Future.exception)  # nobody waits for it
            self._waiting.append(([(WORK, (_clean,))], future))


def _calls(kinds: Sequence[Sequence[Sequence[Any]]], commit: uuid.UUID | None) -> list[tuple[str, list[Any]]]:
    """Return the statements that write all rows, each with its values; the first one notes the commit."""
    calls = []
    for phase in (EARLY, LATE):
        present = tuple(kind for kind in phase if kinds[kind])
        if present:
            values: list[Any] = [] if commit is None else [commit]
            for kind in present:
                values += columns(kind, kinds[kind] if not STATEMENTS[kind].replaces else _newest(kind, kinds[kind]))
            calls.append((together(present, noted=commit is not None), values))
            commit = None
    return calls


def _newest(kind: int, rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    """Return the last row for each key."""
    key = STATEMENTS[kind].key
    return list({tuple([row[place] for place in key]): row for row in rows}.values())


async def _write_rows(connection: Connection, unit: Sequence[Row]) -> None:
    """Write the rows of one unit. Where it writes something a second time, another statement begins."""
    kinds: list[list[Sequence[Any]]] = [[] for _ in STATEMENTS]
    keys: set[tuple[Any, ...]] = set()

    async def write() -> None:
        for sql, values in _calls(kinds, None):
            await connection.execute(sql, *values)
        keys.clear()
        for rows in kinds:
            rows.clear()

    for kind, values in unit:
        key = _key(kind, values)
        if kind == WORK or (key is not None and key in keys):
            await write()
        if kind == WORK:
            await values[0](connection)
            continue
        if key is not None:
            keys.add(key)
        kinds[kind].append(values)
    await write()


def _key(kind: int, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return what a row writes; None if every such row is a new one."""
    statement = STATEMENTS[kind]
    return (statement.target, *[values[place] for place in statement.key]) if statement.key else None


async def _is_committed(connection: Connection, batch: Batch) -> bool:
    return bool(await connection.fetchval("SELECT 1 FROM commits WHERE id = $1", batch.id))


def _says_committed(error: Exception) -> bool:
    """Return whether a batch that is written again was committed the first time, perhaps only just now."""
    return isinstance(error, asyncpg.UniqueViolationError) and error.constraint_name == "commits_pkey"


async def _clean(connection: Connection) -> None:
    await connection.execute(_CLEAN)


def _answer(batch: Batch, results: Results) -> None:
    for (_, future), result in zip(batch.units, results, strict=True):
        if result is None:
            future.set_result(None)
        else:
            future.set_exception(result)


def _settable(error: Exception) -> Exception:
    """Return an error that a future accepts. It refuses StopIteration, and the caller would wait for ever."""
    return StoreFault(Fault.BROKEN, repr(error)) if isinstance(error, StopIteration) else error
