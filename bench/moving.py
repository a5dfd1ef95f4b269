"""Copies a database with a million games to PostgreSQL and back: `python -m bench.moving [GAMES]`; takes many minutes.

Every game has its table, seats, visits, an end, statistics and the beginning of a log. To save room, the log is a tenth
and the table's document a fifth of a real one: count rows and bytes rather than games.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.crowd import SEATS, fill, filling
from bench.postgres import server
from bot.host.model import UserId
from bot.store.opening import side_of
from bot.store.ports import Progress
from bot.store.sqlite.store import SqliteStore
from bot.store.transfer import transfer
from tests.host.evening import BEGIN
from tests.stats.evenings import keep, play

GUILD, LOG_ROWS, DOCUMENT = 2, 6, 250


def grow(path: Path, games: int) -> None:
    """Make a database with many finished games, all of which look like one that was really played."""
    with filling(path) as connection:
        fill(connection, GUILD, max(100, games // 10), games * SEATS)
        asyncio.run(_one_game(sample := path.with_name("sample.sqlite3")))
        with closing(sqlite3.connect(sample)) as other:
            (document,) = other.execute("SELECT document FROM tables").fetchone()
            log = other.execute("SELECT seq, part, at, actor, action, thought FROM actions").fetchmany(LOG_ROWS)
        connection.execute(
            "INSERT INTO tables SELECT table_id, guild, number, 'over', 9, NULL, 0, started, '{}', ?"
            " FROM games ORDER BY nth",
            (document[:DOCUMENT],),
        )
        connection.execute("INSERT INTO ends SELECT nth, table_id, guild, number, 0 FROM games ORDER BY nth")
        connection.execute("INSERT INTO seats SELECT table_id, seat, user, 1 FROM game_seats JOIN games USING (nth)")
        connection.execute(
            "INSERT INTO visits SELECT user, table_id FROM game_seats JOIN games USING (nth) ORDER BY 1, 2"
        )
        connection.execute("CREATE TEMP TABLE log (seq, part, at, actor, action, thought)")
        connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", log)
        connection.execute(
            "INSERT INTO actions SELECT table_id, seq, part, log.at, actor, action, thought, NULL FROM games, log"
            " ORDER BY 1, 2, 3"
        )


async def _one_game(path: Path) -> None:
    store = await SqliteStore.open(path, BEGIN)
    await keep(store, play("one", GUILD, [UserId(10**17 + seat) for seat in range(SEATS)], Random(3)))
    await store.close()


async def _copy(source: str, target: str) -> None:
    phases: list[tuple[str, float]] = []

    def bar(what: str) -> Progress:
        phases.append((what, time.perf_counter()))
        return lambda done, of: None

    sides = side_of(source), side_of(target)
    try:
        copied = await transfer(*sides, bar)
    finally:
        for side in sides:
            await side.close()
    rows = sum(table.rows for table in copied)
    ends = [*[began for _, began in phases[1:]], time.perf_counter()]
    for (what, began), end in zip(phases, ends, strict=True):
        print(f"    {what:<16}{end - began:8.1f} s  {rows / (end - began):12,.0f} rows/s")
    whole = ends[-1] - phases[0][1]
    print(f"    all of it       {whole / 60:8.1f} min{rows / whole:12,.0f} rows/s, {rows:,} rows, {_peak():.0f} MiB")


def _peak() -> float:
    """Return the most memory that this process has had, in MiB."""
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1]) / 1024


def main(games: int) -> None:
    """Make the database, and copy it in a process of its own in either direction."""
    with TemporaryDirectory() as folder, server(Path(folder)) as url:
        path, back = Path(folder) / "big.sqlite3", Path(folder) / "back.sqlite3"
        began = time.perf_counter()
        grow(path, games)
        print(
            f"{games:,} games, {path.stat().st_size / 1e9:.1f} GB, made in {time.perf_counter() - began:.0f} s",
            flush=True,
        )
        for what, source, target in (("to PostgreSQL", str(path), url), ("to SQLite", url, str(back))):
            print(f"  {what}", flush=True)
            command = [sys.executable, "-m", "bench.moving", source, target]
            subprocess.run(command, check=True)  # noqa: S603
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        asyncio.run(_copy(*sys.argv[1:]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
