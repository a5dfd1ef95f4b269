"""Exports people's data, and deletes the data of people and guilds.

Rows are gone for everybody as soon as the deletion is committed. What the server keeps beneath them is its operator's:
old versions of rows until they are cleaned up, its write-ahead log, standbys, backups (docs/adr/0025-postgresql.md).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.host.former_players import is_former_id
from bot.host.model import Millis, TableId, UserId
from bot.store.erasures import DAY_SECONDS
from bot.store.keys import AGAIN, ERASED, after
from bot.store.postgres import departed, erasing
from bot.store.postgres.connections import Connection
from bot.store.postgres.export import export
from bot.store.postgres.statistics import Access


class Privacy:
    """Exports and deletes a person's data, and deletes the data of departed guilds."""

    reaches_files = False

    def __init__(self, access: Access) -> None:
        self._access = access

    async def export(self, user: UserId) -> dict[str, Any]:
        """Return everything that is stored about a person."""
        return await self._access.look(partial(export, user=user))

    async def games(self, user: UserId) -> int:
        """Return how many tables name a person."""
        ((count,),) = await self._access.fetch("SELECT count(*) FROM visits WHERE user_id = $1", user)
        return int(count)

    async def knows(self, user: UserId) -> bool:
        """Return whether anything is stored about a person."""
        return await self._access.look(partial(erasing.knows, user=user))

    async def names(self, user: UserId) -> list[str]:
        """Return the names under which a person has sat at tables."""
        return await self._access.look(partial(erasing.names, user=user))

    async def wipe(self, user: UserId, former_id: UserId, names: Sequence[str] = ()) -> bool:
        """Do nothing: the rows are gone, and what is beneath them is out of the bot's reach."""
        if not is_former_id(former_id):
            raise ValueError("nobody has been erased")
        return True

    async def wipe_again(self) -> None:
        """Do nothing; see `wipe`."""

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
        found = await self._access.fetch("SELECT key FROM meta WHERE key >= $1 AND key < $2", AGAIN, after(AGAIN))
        return [UserId(int(key.removeprefix(AGAIN))) for (key,) in found]

    async def settle(self, user: UserId) -> None:
        """Record that somebody is erased again."""
        await self._access.work(partial(_delete, key=f"{AGAIN}{user}"))

    async def forget_erasures(self, days: float) -> None:
        """Forget who was erased before that many days: no backup should hold them any more."""
        await self._access.work(partial(_forget_erasures, before=int(time.time() - days * DAY_SECONDS)))

    async def prune(self, days: float, backups: Path | None = None) -> list[str]:
        """Do nothing: the bot makes no copies of this database."""
        return []


async def _delete(connection: Connection, key: str) -> None:
    await connection.execute("DELETE FROM meta WHERE key = $1", key)


async def _forget_erasures(connection: Connection, before: int) -> None:
    await connection.execute(
        "DELETE FROM meta WHERE key >= $1 AND key < $2 AND value::bigint < $3", ERASED, after(ERASED), before
    )
