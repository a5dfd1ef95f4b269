"""Deleting a user: erasing from a large file compared with a small one, and wiping compared with searching."""

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
from bot.host.former_players import new_former_id
from bot.host.model import Player, UserId
from bot.host.steady_clock import SteadyClock
from bot.store.sqlite.store import SqliteStore

SMALL, LARGE = 1_000, 20_000
"""Finished tables in each of the two files."""
OWN: Final = 200
"""Tables at which the deleted user played."""
LOG: Final = 60
"""Rows of the log for each table."""
USER = UserId(803_511_102_246_789_127)
BLOCK: Final = 1 << 18


def _fill(path: Path, tables: int) -> None:
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


async def _time_deletion(path: Path) -> tuple[float, float]:
    """Return the CPU seconds spent on erasing the user, and then on wiping the file."""
    store = await SqliteStore.open(path, SteadyClock().now())
    try:
        begin, former_id = time.process_time(), new_former_id()
        await store.erase(USER, former_id, [], [])
        erased = time.process_time()
        if not await store.privacy.wipe(USER, former_id, ["Zaphod"]):
            raise RuntimeError("another process reads the file")
        return erased - begin, time.process_time() - erased
    finally:
        await store.close()


def _time_search(path: Path) -> float:
    """Return the CPU seconds spent on searching the whole file for the user's id."""
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
        _fill(small, SMALL)
        _fill(large, LARGE)
        few, _ = asyncio.run(_time_deletion(small))
        many, wiped = asyncio.run(_time_deletion(large))
        searched, size = _time_search(large), large.stat().st_size
    return [
        Figure(
            f"erasing somebody from {OWN} of {LARGE:,} tables",
            f"{many * 1000:.0f} ms",
            many / few,
            f"{OWN} of {SMALL:,} tables ({few * 1000:.0f} ms)",
            "at most 2",
        ),
        Figure(
            f"wiping a file of {size / 1e6:.0f} MB",
            f"{wiped / size * 1e12:.0f} ms a GB",
            wiped / searched,
            "searching it once",
        ),
    ]
