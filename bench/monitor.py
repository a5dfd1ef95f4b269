"""What it costs to be watched: one reading of `/metrics`, and the health command, against a bare Python."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import aiohttp

from bench.figures import Figure
from bench.host import OPEN, fill
from bot.host.steady_clock import SteadyClock
from bot.monitor import SNAPSHOT_SECONDS, Monitor
from bot.store.sqlite.backup_schedule import BackupSchedule
from bot.store.sqlite.store import SqliteStore

READINGS = 200
SCRAPE_SECONDS = 5.0
"""How often Prometheus asks."""
RUNS = 10


async def _readings(path: Path) -> tuple[float, float]:
    """Return the CPU seconds of one reading, and of one that reads the database as well."""
    clock = SteadyClock()
    store = await SqliteStore.open(path, clock.now())
    shard = SimpleNamespace(is_closed=lambda: False, latency=0.05)
    gateway: Any = SimpleNamespace(shards={0: shard}, guilds=[])
    monitor = Monitor(gateway, store, clock, BackupSchedule(path, path.parent / "backups", 0, 1), list)
    await monitor.start("127.0.0.1", 0)
    address = f"http://127.0.0.1:{monitor.addresses[0][1]}/metrics"
    async with aiohttp.ClientSession() as session:
        costs = []
        for fresh in (False, True):
            begin = time.process_time()
            for _ in range(READINGS // 10 if fresh else READINGS):
                if fresh:
                    monitor._read_at = float("-inf")
                async with session.get(address) as answer:
                    await answer.read()
            costs.append((time.process_time() - begin) / (READINGS // 10 if fresh else READINGS))
    await monitor.stop()
    await store.close()
    return costs[0], costs[1]


def _cost(*arguments: str, path: Path) -> tuple[float, float]:
    """Return the least CPU milliseconds and megabytes of a command."""
    code = (
        "import os, resource, subprocess, sys\n"
        "subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print((used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024)"
    )
    env = os.environ | {"DATABASE_PATH": str(path)}
    printed = [
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code, *arguments], env=env, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(RUNS)
    ]
    return min(float(cpu) for cpu, _ in printed), min(float(memory) for _, memory in printed)


def figures() -> list[Figure]:
    """Measure a reading with many open tables, and the health command."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite3"
        asyncio.run(fill(path, [(place // 10, place) for place in range(OPEN)]))
        plain, fresh = asyncio.run(_readings(path))
        bare, (cpu, memory) = _cost("-c", "pass", path=path), _cost("-m", "bot", "health", path=path)
    each = plain + (fresh - plain) * min(1.0, SCRAPE_SECONDS / SNAPSHOT_SECONDS)
    return [
        Figure("one reading of /metrics, its reader included", f"{plain * 1000:.1f} ms"),
        Figure(f"  with a look at {OPEN:,} open tables, every {SNAPSHOT_SECONDS:.0f} s", f"{fresh * 1000:.1f} ms"),
        Figure("  share of a core if read every 5 s", f"{each / SCRAPE_SECONDS:.2%}", wanted="below 1 %"),
        Figure("the health command, CPU", f"{cpu:.0f} ms", cpu / bare[0], f"a bare Python ({bare[0]:.0f} ms)"),
        Figure("  its memory", f"{memory:.0f} MB", memory / bare[1], f"a bare Python ({bare[1]:.0f} MB)"),
    ]
