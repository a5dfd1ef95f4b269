"""Erases a person in one transaction: deletes everything that names them, or names a former player instead.

The log of moves is left alone, because it names seats and no people.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from typing import Final

from bot.host.erasure import forget_in, forget_in_payload
from bot.host.model import TableId, UserId
from bot.host.ports import EraseConflict
from bot.store.erasures import NAMED_BY, hashed, new_key
from bot.store.keys import ERASED, ERASURES
from bot.store.postgres import standings
from bot.store.postgres.connections import Connection

_OPEN: Final = "stage IN ('lobby', 'playing')"


async def visited(connection: Connection, user: UserId) -> dict[TableId, bool]:
    """Return the tables that ever named a person, and whether each is open."""
    sql = f"SELECT id, {_OPEN} FROM visits JOIN tables ON id = table_id WHERE user_id = $1"  # noqa: S608
    return {TableId(table): is_open for table, is_open in await connection.fetch(sql, user)}


async def names(connection: Connection, user: UserId) -> list[str]:
    """Return the names under which a person has sat at tables."""
    sql = "SELECT document FROM visits JOIN tables ON tables.id = table_id WHERE user_id = $1"
    found: dict[str, None] = {}
    for (document,) in await connection.fetch(sql, user):
        for player in json.loads(document)["players"]:
            if player["user"] == user and player["name"]:
                found[player["name"]] = None
    return list(found)


async def erase(connection: Connection, user: UserId, former_id: UserId, held: Collection[TableId]) -> None:
    """Erase a person. Open tables must be in `held`: the caller has changed them in memory."""
    tables = await _leave(connection, user)
    if any(is_open and table not in held for table, is_open in tables.items()):
        raise EraseConflict
    await standings.erase(connection, user)
    for table in sorted(tables):
        await _erase_at(connection, table, user, former_id, held=table in held)
    await connection.execute(
        "UPDATE seats SET user_id = $1 WHERE user_id = $2 AND table_id = ANY($3::text[])", former_id, user, list(tables)
    )
    for sql in (
        "DELETE FROM users WHERE id = $1",
        "DELETE FROM lessons WHERE user_id = $1",
        "DELETE FROM guesses WHERE user_id = $1",
    ):
        await connection.execute(sql, user)
    await connection.execute("UPDATE house_log SET user_id = $1 WHERE user_id = $2", former_id, user)
    await _remember(connection, user)


async def _leave(connection: Connection, user: UserId) -> dict[TableId, bool]:
    """Delete a person's visits, and return the tables, as `visited` does.

    Somebody who joins a table at this moment is not erased there, and must stay known there: so nothing may be deleted
    that was not also seen.
    """
    sql = "DELETE FROM visits USING tables WHERE id = table_id AND user_id = $1 RETURNING id, "
    return {TableId(table): is_open for table, is_open in await connection.fetch(f"{sql}{_OPEN}", user)}


async def _erase_at(connection: Connection, table: TableId, user: UserId, former_id: UserId, *, held: bool) -> None:
    if not held:
        document = await connection.fetchval("SELECT document FROM tables WHERE id = $1 FOR UPDATE", table)
        # The step goes up, so that a copy of the table read before this cannot be written back.
        await connection.execute(
            "UPDATE tables SET document = $1, seq = seq + 1 WHERE id = $2", forget_in(document, user, former_id), table
        )
    await connection.execute("DELETE FROM messages WHERE table_id = $1 AND user_id = $2", table, user)
    await connection.execute("DELETE FROM outbox WHERE table_id = $1 AND user_id = $2", table, user)
    waiting = await connection.fetch(
        "SELECT id, payload FROM outbox WHERE table_id = $1 AND kind IN ('notice', 'record')", table
    )
    for row, payload in waiting:
        written = forget_in_payload(payload, user, former_id)
        await connection.execute("UPDATE outbox SET payload = $1 WHERE id = $2", written, row)


async def _remember(connection: Connection, user: UserId) -> None:
    """Remember that a person is erased now; see `bot.store.erasures`."""
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", ERASURES, new_key()
    )
    key = await connection.fetchval("SELECT value FROM meta WHERE key = $1", ERASURES)
    await connection.execute(
        "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        f"{ERASED}{hashed(key, user)}",
        str(int(time.time())),
    )


async def knows(connection: Connection, user: UserId) -> bool:
    """Return whether anything is stored about a person."""
    asked = [f"SELECT 1 FROM {table} WHERE user_id = $1" for table in NAMED_BY]  # noqa: S608
    sql = " UNION ALL ".join(["SELECT 1 FROM users WHERE id = $1", *asked])
    return await connection.fetchval(f"{sql} LIMIT 1", user) is not None
