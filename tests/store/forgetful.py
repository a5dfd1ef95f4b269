"""A process that erases somebody, slowly enough to be killed in the midst of it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bot.host.model import UserId
from bot.host.tables import Tables
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.host.world import FakeClock, RecordingPublisher


async def main(path: Path, user: UserId) -> None:
    """Erase somebody, and say how far that is."""
    store = await SqliteStore.open(path, BEGIN)
    tables = Tables(store, RecordingPublisher(), FakeClock())
    os.write(1, b"begun\n")
    ghost = await tables.forget(user)
    os.write(1, b"erased\n")
    await store.privacy.wipe(user, ghost)
    os.write(1, b"wiped\n")
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), UserId(int(sys.argv[2]))))
