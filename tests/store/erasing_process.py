"""A process that erases a user and prints its progress, so that a test can kill it halfway."""

from __future__ import annotations

import asyncio
import os
import sys

from bot.host.model import UserId
from bot.host.tables import Tables
from tests.host.evening import BEGIN
from tests.host.world import FakeClock, RecordingPublisher
from tests.store.databases import database_at


async def main(address: str, user: UserId) -> None:
    """Erase a user, and print each stage as it is reached."""
    store = await database_at(address).open(BEGIN)
    tables = Tables(store, RecordingPublisher(), FakeClock())
    os.write(1, b"begun\n")
    former_id = await tables.forget(user)
    os.write(1, b"erased\n")
    await store.privacy.wipe(user, former_id)
    os.write(1, b"wiped\n")
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], UserId(int(sys.argv[2]))))
