"""Decides which process serves which shard: the one that holds the shard's advisory lock.

The server releases the locks of a process as soon as its connection is gone, so another process can take its place at
once. The connection asks for quick keepalives, so that the server also notices a machine that has vanished.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bot.store.postgres.connections import KEEPALIVE, Connection, Connections
from bot.store.postgres.elections import close_quietly, key_of, try_lock
from bot.store.postgres.faults import is_lost

log = logging.getLogger(__name__)

RETURN_SECONDS: Final = 2.0
"""How long others leave shards alone after the server was away, so that those who serve them can claim them again."""
CLAIMING: Final = "claiming"
"""The lock of a process while it claims shards."""
_UP_SECONDS: Final = "SELECT extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())"


def _name(shard: int, of: int) -> str:
    return f"shard {shard} of {of}"


class Claims:
    """The shards that this process serves."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._connection: Connection | None = None
        self._claimed: set[int] = set()
        self._of = 0
        self._locked: set[str] = set()
        """The locks that this connection certainly has."""
        self._not_before = float("-inf")
        """When new shards may be claimed, by the event loop's clock."""

    @property
    def claimed(self) -> list[int]:
        """The shards that this process serves."""
        return sorted(self._claimed)

    async def claim(self, of: int, ids: Sequence[int], most: int) -> list[int]:
        """Claim free shards until this process has `most`, if it can; return all that it has."""
        self._of = of
        if not await self._lock(CLAIMING):
            return self.claimed
        if asyncio.get_running_loop().time() >= self._not_before:
            # One process after the other: otherwise those who start together would get a few each, and none would be
            # left over as a spare.
            for id_ in ids:
                if len(self._claimed) < most and id_ not in self._claimed and await self._lock(_name(id_, of)):
                    self._claimed.add(id_)
        await self._unlock(CLAIMING)
        return self.claimed

    async def keep(self) -> bool:
        """Claim again what this process serves; return False if another process serves some of it by now."""
        names = [_name(id_, self._of) for id_ in self.claimed]
        missing = [name for name in names if name not in self._locked]
        return False not in [await self._lock(name) for name in missing or names[:1]]

    async def close(self) -> None:
        """Give back all shards."""
        self._claimed.clear()
        await self._drop()

    async def _lock(self, name: str) -> bool | None:
        """Return whether this process has a lock; None if that cannot be known yet."""
        try:
            connection = await self._connected()
            if name in self._locked:
                await connection.execute("SELECT 1")  # does it still stand?
            elif (ours := await try_lock(connection, self._connections.name, name)) is None:
                return None
            elif ours:
                self._locked.add(name)
        except Exception as error:
            if not is_lost(error):
                raise
            await self._drop()
            self._not_before = asyncio.get_running_loop().time() + RETURN_SECONDS
            return None
        return name in self._locked

    async def _unlock(self, name: str) -> None:
        if name in self._locked and self._connection is not None:
            self._locked.discard(name)
            with suppress(Exception):  # without the connection the lock is gone, too
                await self._connection.execute("SELECT pg_advisory_unlock($1)", key_of(name))

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._locked.clear()
            self._connection = None
            connection = await self._connections.connect()
            await connection.execute(KEEPALIVE)
            up_seconds = float(await connection.fetchval(_UP_SECONDS))
            not_before = asyncio.get_running_loop().time() + RETURN_SECONDS - up_seconds
            self._not_before = max(self._not_before, not_before)
            self._connection = connection
        return self._connection

    async def _drop(self) -> None:
        self._locked.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            await close_quietly(connection)
