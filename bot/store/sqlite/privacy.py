"""Exports people's data, and deletes the data of people and guilds."""

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
from bot.host.former_players import is_former_id
from bot.host.model import Millis, TableId, UserId
from bot.host.ports import StoreFault
from bot.store.erasures import DAY_SECONDS
from bot.store.sqlite import departed, erasing, erasures
from bot.store.sqlite.backup import usual_names
from bot.store.sqlite.export import export
from bot.store.sqlite.schema import copies_of
from bot.store.sqlite.wiping import needles

log = logging.getLogger(__name__)

T = TypeVar("T")
MAX_WIPE_ATTEMPTS: Final = 3
"""How many times wiping is tried while another process reads the file."""


class Access(Protocol):
    """How this module reaches the database; `SqliteStore` implements it."""

    path: Path

    async def look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function that only reads."""

    def work(self, work: Callable[[sqlite3.Connection], None]) -> asyncio.Future[None]:
        """Run a function in a transaction."""

    async def wipe(self, wanted: Sequence[bytes] = ()) -> bool:
        """Overwrite the remains of deleted rows."""


class Privacy:
    """Exports and deletes a person's data, and deletes the data of departed guilds."""

    reaches_files = True

    def __init__(self, access: Access) -> None:
        self._access = access

    async def export(self, user: UserId) -> dict[str, Any]:
        """Return everything that is stored about a person."""
        # On a connection of its own: the export of a thousand games must not delay other reads.
        return await asyncio.to_thread(_export, self._access.path, user)

    async def games(self, user: UserId) -> int:
        """Return how many tables name a person."""
        sql = "SELECT count(*) FROM visits WHERE user = ?"
        return await self._access.look(lambda connection: int(connection.execute(sql, (user,)).fetchone()[0]))

    async def knows(self, user: UserId) -> bool:
        """Return whether anything is stored about a person."""
        return await self._access.look(partial(erasing.knows, user=user))

    async def names(self, user: UserId) -> list[str]:
        """Return the names under which a person has sat at tables."""
        return await self._access.look(partial(erasing.names, user=user))

    async def wipe(self, user: UserId, former_id: UserId, names: Sequence[str] = ()) -> bool:
        """Overwrite the remains of an erased person; return False if that has to wait."""
        if not is_former_id(former_id):
            raise ValueError("nobody has been erased")
        # As UTF-8 and as ASCII escapes: a text that contains a name which UTF-8 cannot encode is escaped.
        spelled = {written for name in names for written in (encode(name), json.dumps(name))}
        wanted = (*needles(user), *[written.encode() for written in spelled])
        try:
            for _ in range(MAX_WIPE_ATTEMPTS):
                if await self._access.wipe(wanted):
                    await self._access.work(partial(erasing.record_wiped, former_id=former_id))
                    return True
            log.warning("another process reads the database; remains of deleted rows are wiped later")
        except StoreFault as fault:  # the rows are deleted; only their remains are left
            log.warning("remains of deleted rows are wiped later: %s", fault)
        return False

    async def wipe_again(self) -> None:
        """Wipe what `wipe` could not."""
        if await self._access.look(erasing.unwiped) and await self._access.wipe():
            await self._access.work(erasing.record_wiped)

    async def departed(self, before: Millis) -> list[int]:
        """Return the guilds that removed the bot before a moment."""
        return await self._access.look(partial(departed.departed, before=before))

    async def clear(self, guild: int, before: Millis) -> list[TableId]:
        """Delete some data of a departed guild; return the deleted tables, none if nothing is left."""
        gone: list[TableId] = []
        await self._access.work(partial(departed.clear, guild=guild, before=before, gone=gone))
        return gone

    async def requested(self) -> list[UserId]:
        """Return the people whom a restored backup has brought back, and who are to be erased again."""
        return await self._access.look(erasures.requested)

    async def settle(self, user: UserId) -> None:
        """Record that somebody is erased again."""
        await self._access.work(partial(erasures.settle, user=user))

    async def forget_erasures(self, days: float) -> None:
        """Forget who was erased before that many days: no backup can hold them any more."""
        await self._access.work(partial(erasures.drop, before=int(time.time() - days * DAY_SECONDS)))

    async def prune(self, days: float, backups: Path | None = None) -> list[str]:
        """Delete copies and backups of the database once they are this many days old; return their names."""
        return await asyncio.to_thread(_prune, self._access.path, days, backups)


def _export(path: Path, user: UserId) -> dict[str, Any]:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2.0)) as connection:
        connection.execute("BEGIN")
        return export(connection, user)


def _prune(path: Path, days: float, backups: Path | None) -> list[str]:
    pruned = []
    made = [] if backups is None else backups.glob(f"{usual_names(path)}*")
    for copy in (*copies_of(path), *made):
        if copy.stat().st_mtime <= time.time() - days * DAY_SECONDS:
            copy.unlink()
            pruned.append(copy.name)
    return pruned
