"""A process that copies one database to another, in small steps, and prints each of them."""

from __future__ import annotations

import asyncio
import os
import sys
import time

from bot.store.opening import side_of
from bot.store.ports import Progress
from bot.store.transfer import transfer

ROWS_PER_CHUNK = 7
PAUSE_SECONDS = 0.005


def bar(what: str) -> Progress:
    """Report every step at once, and wait a moment, so that there is time for a kill."""

    def report(done: int, of: int) -> None:
        _say(f"{what} {done} {of}")
        time.sleep(PAUSE_SECONDS)

    return report


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def copy(source: str, target: str) -> None:
    """Copy, or go on."""
    sides = side_of(source), side_of(target)
    try:
        for copied in await transfer(*sides, bar, chunk=ROWS_PER_CHUNK):
            _say(f"= {copied.table} {copied.rows} {copied.checksum}")
    finally:
        for side in sides:
            await side.close()


if __name__ == "__main__":
    asyncio.run(copy(*sys.argv[1:]))
