"""What people may ask about their data, and what is cleared up after people and servers."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from bot.engine.frozen import encode
from bot.host.former_players import is_ghost
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import StoreFault
from bot.store.sqlite import departed, erasing
from bot.store.sqlite.export import export
from bot.store.sqlite.wiping import needles

log = logging.getLogger(__name__)

T = TypeVar("T")
TRIES: Final = 3
DAY: Final = 86_400


class Access(Protocol):
    """How this reaches the database: `SqliteStore` lets it."""

    path: Path

    async def look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function that only reads."""

    def work(self, work: Callable[[sqlite3.Connection], None]) -> asyncio.Future[None]:
        """Run a function in a transaction."""

    async def wipe(self, wanted: Sequence[bytes] = ()) -> bool:
        """Overwrite what deleting left behind."""


class Privacy:
    """A person's data as they may see them, and the ends of things."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def export(self, user: UserId) -> dict[str, Any]:
        """Return everything that is kept of somebody."""
        # A connection of its own: whoever has played a thousand games must not keep others from their tables.
        return await asyncio.to_thread(_export, self._access.path, user)

    async def games(self, user: UserId) -> int:
        """Return how many tables know somebody."""
        sql = "SELECT count(*) FROM visits WHERE user = ?"
        return await self._access.look(lambda connection: int(connection.execute(sql, (user,)).fetchone()[0]))

    async def knows(self, user: UserId) -> bool:
        """Tell whether anything is kept of somebody."""
        return await self._access.look(partial(erasing.knows, user=user))

    async def names(self, user: UserId) -> list[str]:
        """Return the names under which somebody has sat at tables."""
        return await self._access.look(partial(erasing.names, user=user))

    async def wipe(self, user: UserId, ghost: UserId, names: Sequence[str] = ()) -> bool:
        """Overwrite what is left of somebody who was erased; False if it has to be done later."""
        if not is_ghost(ghost):
            raise ValueError("nobody has been erased")
        # As they are, or spelled out in ASCII: so is whatever is written together with a name that UTF-8 cannot hold.
        spelled = {written for name in names for written in (encode(name), json.dumps(name))}
        wanted = (*needles(user), *[written.encode() for written in spelled])
        try:
            for _ in range(TRIES):
                if await self._access.wipe(wanted):
                    await self._access.work(partial(erasing.wiped, ghost=ghost))
                    return True
            log.warning("the database is being read by somebody else; leftovers are wiped later")
        except StoreFault as fault:  # what was asked for is done; this is only the sweeping up
            log.warning("leftovers are wiped later: %s", fault)
        return False

    async def wipe_again(self) -> None:
        """Finish what `wipe` could not."""
        if await self._access.look(erasing.unwiped) and await self._access.wipe():
            await self._access.work(erasing.wiped)

    async def departed(self, before: Millis) -> list[int]:
        """Return the servers that have removed the bot before a moment."""
        return await self._access.look(partial(departed.departed, before=before))

    async def clear(self, guild: int, before: Millis) -> list[TableId]:
        """Delete some of what such a server left behind; return the tables that are gone, none: nothing is left."""
        gone: list[TableId] = []
        await self._access.work(partial(departed.clear, guild=guild, before=before, gone=gone))
        return gone

    def prune(self, days: float) -> list[str]:
        """Delete the copies that migrations have made of the database, once they are so many days old."""
        path, pruned = self._access.path, []
        for copy in path.parent.glob(f"{path.name}.schema-*.backup*"):
            if copy.stat().st_mtime <= time.time() - days * DAY:
                copy.unlink()
                pruned.append(copy.name)
        return pruned


def _export(path: Path, user: UserId) -> dict[str, Any]:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2.0)) as connection:
        connection.execute("BEGIN")
        return export(connection, user)
