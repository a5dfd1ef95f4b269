"""Durable actions through the host, compared with the sqlite3 module writing the same rows, one commit each."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from bench.figures import Figure
from bot.host import codec
from bot.host.commands import Command, Join, Play, Start
from bot.host.deadlines import next_due
from bot.host.decide import decide, open_table
from bot.host.model import House, Stage, Table, TableId, UserId
from bot.host.ports import Change, TableStore
from bot.host.scheduler import Scheduler
from bot.host.steady_clock import SteadyClock
from bot.host.tables import Tables
from bot.store.rows import WORK, of_changes
from bot.store.sqlite import rows
from bot.store.sqlite.schema import migrate
from bot.store.sqlite.store import PRAGMAS, SqliteStore
from bot.store.units import Counters, Unit
from bot.tuning import tune

BUSY = ((50, 44), (500, 24))
"""How many tables play, and how many actions each: too few to end a match, so that none is counted for statistics."""
WHOLE = (50, 240)
"""The same, with about three whole matches at each table, which are counted for statistics."""
TURNS = 11
PLAYERS = 6
OPEN = 10_000
HOUSE = House(pause_seconds=0, tables_at_once=1000)

LOG_BYTES = 45_000_000
"""The size of SQLite's log after a few minutes of such load. While the file still grows, each sync takes longer."""


class SilentPublisher:
    """A publisher that sends nothing."""

    def wake(self, table: TableId) -> None:
        """Do nothing; all messages stay in the outbox."""


class CountingStore(TableStore, Protocol):
    """A store that counts what it writes."""

    @property
    def counters(self) -> Counters:
        """What was written so far."""


async def _at_once(_: Sequence[Table]) -> None:
    """Wait for nothing."""


class Recording(SqliteStore):
    """A store that records what it writes, so that the same rows can be written in another way."""

    units: list[Unit]

    def commit(self, changes: Sequence[Change]) -> asyncio.Future[None]:
        """Record the rows, then write them."""
        self.units.append(of_changes(changes, 0, rows.of_end))
        return super().commit(changes)


class Run(NamedTuple):
    """The result of one run."""

    rate: float
    waits: list[float]
    rows: float
    commits: float
    opening: int
    """How many decisions were written before the first action."""


def _next(table: Table, rng: Random) -> Command:
    """Call with probability ¼, else raise by 1 to 5."""
    (asked,) = table.deadlines
    bid = table.match.bidding.bid
    user = table.players[asked.seat].user
    if bid is not None and rng.random() < 0.25:
        return Play(user, "call", {}, asked.prompt)
    return Play(user, "bid", {"number": (bid or 0) + 1 + int(rng.random() * 5)}, asked.prompt)


async def _start_game(tables: Tables, place: int, game: int) -> Table:
    users = [UserId(10**17 + place * 100 + number) for number in range(PLAYERS)]
    table = await tables.open(place, place * 1000 + game, Join(users[0], "Player 0"), game="coyote", house=HOUSE)
    for number, user in enumerate(users[1:], 1):
        await tables.submit(table.id, Join(user, f"Player {number}"))
    return await tables.submit(table.id, Start(users[0]))


async def play(  # noqa: PLR0917
    store: CountingStore,
    clock: SteadyClock,
    busy: int,
    each: int,
    first: int = 0,
    begin_when: Callable[[Sequence[Table]], Awaitable[None]] = _at_once,
) -> Run:
    """Let `busy` tables play at once, `each` actions per table.

    `first` is the number of the first table, if several processes play. `begin_when` is awaited once all are open.
    """
    tables = Tables(store, SilentPublisher(), clock, Random(7))
    waits: list[float] = []
    interactions = count(10**18 + first * 10**6)  # ascending, as Discord's are
    begun = await asyncio.gather(*[_start_game(tables, place, 0) for place in range(first, first + busy)])
    await begin_when(begun)
    counters = store.counters
    commits, written = counters.commits, counters.rows

    async def at_table(place: int, table: Table) -> None:
        rng, game = Random(place), 0
        for _ in range(each):
            if table.stage is not Stage.PLAYING:
                game += 1
                table = await _start_game(tables, place, game)
            command = _next(table, rng)
            begin = time.perf_counter()
            table = await tables.submit(table.id, command, interaction_id=next(interactions))
            waits.append(time.perf_counter() - begin)

    units, opening = counters.units, len(getattr(store, "units", ()))
    begin = time.perf_counter()
    await asyncio.gather(*[at_table(place, table) for place, table in enumerate(begun, first)])
    took = time.perf_counter() - begin
    done = counters.units - units
    per = (counters.rows - written) / done, (counters.commits - commits) / done
    return Run(done / took, sorted(waits), *per, opening)


async def _host(busy: int, each: int, kind: type[SqliteStore] = SqliteStore) -> tuple[Run, list[Unit]]:
    with TemporaryDirectory() as folder:
        clock = SteadyClock()
        store = await kind.open(Path(folder) / "bench.sqlite3", clock.now())
        if isinstance(store, Recording):
            store.units = []
        await store._writing.run(_grow)
        try:
            return await play(store, clock, busy, each), getattr(store, "units", [])
        finally:
            await store.close()


async def record(busy: int, each: int) -> tuple[Run, list[Unit]]:
    """Play, and return the rows of every decision as well."""
    return await _host(busy, each, Recording)


def _grow(connection: sqlite3.Connection) -> None:
    """Grow the log to its full size; rows that are rolled back have still been written to it."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE large (bytes BLOB)")
    connection.execute("INSERT INTO large VALUES (zeroblob(?))", (LOG_BYTES,))
    connection.execute("ROLLBACK")


def _one_by_one(opening: Sequence[Unit], units: Sequence[Unit]) -> float:
    """Write the same rows with the sqlite3 module, the same settings and one commit per action; return the rate."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite3"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            migrate(connection, path)
            _grow(connection)
            _write_each(connection, [[row for unit in opening for row in unit]])
            begin = time.perf_counter()
            _write_each(connection, units)
            return len(units) / (time.perf_counter() - begin)


def _write_each(connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
    one = [statement.single() for statement in rows.STATEMENTS]
    for unit in units:
        connection.execute("BEGIN IMMEDIATE")
        for kind, values in unit:
            if kind == WORK:
                values[0](connection)
            else:
                connection.execute(one[kind], values)
        connection.execute("COMMIT")


def _busy(busy: int, each: int, what: str = "durable actions", wanted: str = "at least 3") -> Iterator[Figure]:
    recorded, units = asyncio.run(record(busy, each))
    # The same rows, split into those that open the tables and those of the actions.
    same = units[: recorded.opening], units[recorded.opening :]
    turns = []
    before = _one_by_one(*same)
    for _ in range(TURNS):
        # The speed of a machine varies over seconds: each run is compared with the better of the baselines around it.
        run = asyncio.run(_host(busy, each))[0]
        after = _one_by_one(*same)
        baseline, before = max(before, after), after
        turns.append((run.rate / baseline, baseline, run))
    ratio, baseline, run = sorted(turns)[TURNS // 2]
    yield Figure(
        f"{what}, {busy} busy tables, the median of {TURNS}",
        f"{run.rate:,.0f}/s",
        ratio,
        f"sqlite3, one commit each ({baseline:,.0f}/s)",
        wanted,
    )
    median, late = (run.waits[int(len(run.waits) * part)] * 1000 for part in (0.5, 0.99))
    yield Figure("  p50 and p99", f"{median:.1f}, {late:.1f} ms")
    yield Figure("  rows and commits per action", f"{run.rows:.1f}, {run.commits:.3f}")


async def fill(path: Path, places: Sequence[tuple[int, int]]) -> None:
    """Open a table in each of these places (guild, channel), all in the middle of their first round."""
    clock, rng = SteadyClock(), Random(7)
    store = await SqliteStore.open(path, clock.now())
    for first in range(0, len(places), 500):
        some = enumerate(places[first : first + 500], first)
        await asyncio.gather(*[store.commit([_in_play(number, *place, clock.now(), rng)]) for number, place in some])
    await store.close()


def _in_play(number: int, guild: int, channel: int, now: int, rng: Random) -> Change:
    users = [UserId(10**17 + number * 100 + seat) for seat in range(PLAYERS)]
    table = open_table(
        TableId(f"t{number}"), guild, channel, Join(users[0], "Player 0"), now, game="coyote", house=HOUSE
    ).table
    for user in users[1:]:
        table = decide(table, Join(user, "Player"), now, rng).table
    table = decide(table, Start(users[0]), now, rng).table
    for _ in range(3):
        table = decide(table, _next(table, rng), now, rng).table
    return Change(None, table, (), (), now, next_due(table))


async def _start(path: Path) -> tuple[float, int]:
    """Start host and store; return the seconds it took, and the memory in KiB once every table is loaded."""
    begin = time.perf_counter()
    clock = SteadyClock()
    store = await SqliteStore.open(path, clock.now())
    tables = Tables(store, SilentPublisher(), clock, max_loaded=OPEN)  # more than the bot itself loads
    scheduler = Scheduler(tables, store, clock)
    await scheduler.start()
    await store.unsent()
    took = time.perf_counter() - begin
    for guild in range(OPEN // 10):
        for table in await tables.open_in(guild):
            codec.dump(await tables.get(table))  # fills the tables' caches of written JSON, as a step would
    memory = _memory()
    await scheduler.stop()
    await store.close()
    return took, memory


def _memory() -> int:
    """Return this process's memory in KiB. `ru_maxrss` would not do: it starts with the parent's memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


def _best_start(path: Path) -> tuple[float, float]:
    """Start in a separate process, three times; return the best time and memory."""
    command = [sys.executable, "-m", "bench.host", str(path)]
    printed = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]  # noqa: S603
    return min(float(took) for took, _ in printed), min(float(memory) for _, memory in printed)


def _many() -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        empty, full = Path(folder) / "empty.sqlite3", Path(folder) / "full.sqlite3"
        asyncio.run(fill(full, [(place // 10, place) for place in range(OPEN)]))
        without, with_tables = _best_start(empty), _best_start(full)
    yield Figure(
        f"{OPEN:,} open tables: host and store start",
        f"{with_tables[0] * 1000:.0f} ms",
        with_tables[0] / without[0],
        f"an empty one ({without[0] * 1000:.0f} ms)",
    )
    each = (with_tables[1] - without[1]) / OPEN
    yield Figure("  memory per table, with all of them in memory", f"{each:.1f} KiB", wanted="less than 20 KiB")


def figures() -> list[Figure]:
    """Measure everything alternately with its baseline."""
    tune()  # as the bot does when it starts
    whole = _busy(*WHOLE, "with whole games and their statistics", "")
    return [*(figure for each in BUSY for figure in _busy(*each)), *whole, *_many()]


def main(arguments: list[Any]) -> None:
    """Start once, for `_best_start`."""
    took, memory = asyncio.run(_start(Path(arguments[0])))
    print(took, memory)


if __name__ == "__main__":
    main(sys.argv[1:])
