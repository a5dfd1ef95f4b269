"""A process that serves the only shard of a database until another one does."""

from __future__ import annotations

import asyncio
import sys

from bot.store.postgres.store import PostgresStore
from tests.host.evening import BEGIN
from tests.store.postgres.test_membership import Watcher


async def serve(address: str) -> None:
    """Serve until the shard is lost."""
    store = await PostgresStore.open(address, BEGIN, member="serving")
    assert store.membership is not None
    await store.membership.claim(1, [0], 1)
    await store.membership.start(Watcher())
    print("serving", flush=True)
    await store.membership.lost.wait()
    print("lost", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
