"""A process that rebuilds the statistics and kills itself after a number of games."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import bot.games.registry  # noqa: F401 - importing it registers the games
from bot.store import counted
from tests.store.databases import database_at

if __name__ == "__main__":
    address, last = sys.argv[1], int(sys.argv[2])
    counted.GAMES_PER_REPORT = 10  # type: ignore[misc]

    def report(done: int, _of: int) -> None:
        """Die at once, without cleaning up."""
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(database_at(address).rebuild(report))
