"""Deleting a user: from a large file compared with a small one, and wiping a file compared with searching it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.crowd import filling
from bench.figures import Figure
from bot.engine.frozen import encode
from bot.host.former_players import new_ghost
from bot.host.model import Player, UserId
from bot.host.steady_clock import SteadyClock
from bot.store.sqlite.store import SqliteStore

SMALL, LARGE = 1_000, 20_000
"""Finished tables in the file."""
OWN: Final = 200
"""Tables of the user who is deleted."""
LOG: Final = 60
"""Rows of the log for each table."""
USER = UserId(803_511_102_246_789_127)
BLOCK: Final = 1 << 18


def _filled(path: Path, tables: int) -> None:
    with filling(path) as connection:
        for number in range(tables):
            user = USER if number % (tables // OWN) == 0 else USER + 1 + number
            _table(connection, f"t{number}", number, [user, *[USER + tables * seat + number for seat in range(2, 5)]])


def _table(connection: sqlite3.Connection, name: str, channel: int, users: list[int]) -> None:
    players = [Player(UserId(user), "Somebody") for user in users]
    document = encode({"players": players, "host": users[0], "match": "x" * 1500})
    connection.execute("INSERT INTO tables VALUES (?, 1, ?, 'over', 9, NULL, 0, 1, '{}', ?)", (name, channel, document))
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?, 1)", [(name, *seat) for seat in enumerate(users)])
    connection.executemany("INSERT INTO visits VALUES (?, ?)", [(user, name) for user in users])
    action = json.dumps({"do": "bid", "seat": 1, "number": 17, "plus": None, "target": None})
    rows = [(name, seq, 0, seq, "user", action, 900, None) for seq in range(LOG)]
    connection.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


async def _deleted(path: Path) -> tuple[float, float]:
    """Return the seconds of CPU time for erasing the user, and for wiping the file after it."""
    store = await SqliteStore.open(path, SteadyClock().now())
    try:
        begin, ghost = time.process_time(), new_ghost()
        await store.erase(USER, ghost, [], [])
        erased = time.process_time()
        if not await store.privacy.wipe(USER, ghost, ["Zaphod"]):
            raise RuntimeError("another process reads the file")
        return erased - begin, time.process_time() - erased
    finally:
        await store.close()


def _searched(path: Path) -> float:
    """Return the seconds of CPU time for searching the whole file for the user's id."""
    begin, wanted = time.process_time(), str(USER).encode()
    with path.open("rb") as file:
        found = sum(block.count(wanted) for block in iter(lambda: file.read(BLOCK), b""))
    if found:
        raise RuntimeError("the user was not deleted")
    return time.process_time() - begin


def figures() -> list[Figure]:
    """Delete the same user from both files."""
    with TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.sqlite3", Path(folder) / "large.sqlite3"
        _filled(small, SMALL)
        _filled(large, LARGE)
        few, _ = asyncio.run(_deleted(small))
        many, swept = asyncio.run(_deleted(large))
        searched, size = _searched(large), large.stat().st_size
    return [
        Figure(
            f"erasing somebody from {OWN} of {LARGE:,} tables",
            f"{many * 1000:.0f} ms",
            many / few,
            f"{OWN} of {SMALL:,} tables ({few * 1000:.0f} ms)",
            "at most 2",
        ),
        Figure(
            f"sweeping a file of {size / 1e6:.0f} MB",
            f"{swept / size * 1e12:.0f} ms a GB",
            swept / searched,
            "searching it once",
        ),
    ]
