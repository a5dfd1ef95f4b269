"""Erases a person in one transaction: deletes everything that names them, or names a former player instead.

The log of moves is left alone, because it names seats and no people.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from bot.host.erasure import forget_in, forget_in_payload
from bot.host.model import TableId, UserId
from bot.host.ports import EraseConflict
from bot.store.erasures import NAMED_BY, hashed, new_key
from bot.store.keys import ERASED, ERASURES
from bot.store.postgres import standings
from bot.store.postgres.connections import Connection

DOCUMENTS_AT_ONCE: Final = 200
"""How many tables' documents are read and written together."""
_OPEN: Final = "stage IN ('lobby', 'playing')"


async def visited(connection: Connection, user: UserId) -> dict[TableId, bool]:
    """Return the tables that ever named a person, and whether each is open."""
    sql = f"SELECT id, {_OPEN} FROM visits JOIN tables ON id = table_id WHERE user_id = $1"  # noqa: S608
    return {TableId(table): is_open for table, is_open in await connection.fetch(sql, user)}


async def names(connection: Connection, user: UserId) -> list[str]:
    """Return the names under which a person has sat at tables."""
    sql = "SELECT document FROM visits JOIN tables ON tables.id = table_id WHERE user_id = $1"
    documents = [document for (document,) in await connection.fetch(sql, user)]
    return await asyncio.to_thread(_names_in, documents, user)


def _names_in(documents: Iterable[str], user: UserId) -> list[str]:
    players = [player for document in documents for player in json.loads(document)["players"]]
    return list(dict.fromkeys(player["name"] for player in players if player["user"] == user and player["name"]))


async def erase(connection: Connection, user: UserId, former_id: UserId, held: Collection[TableId]) -> None:
    """Erase a person. Open tables must be in `held`: the caller has changed them in memory."""
    tables = await _leave(connection, user)
    if any(is_open and table not in held for table, is_open in tables.items()):
        raise EraseConflict
    await standings.erase(connection, user)
    await _forget_at(connection, sorted(set(tables) - set(held)), user, former_id)
    await _forget_messages(connection, list(tables), user, former_id)
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


async def _forget_at(connection: Connection, tables: Sequence[TableId], user: UserId, former_id: UserId) -> None:
    """Take a person out of the documents of tables, many at a time: others wait for this transaction."""
    for first in range(0, len(tables), DOCUMENTS_AT_ONCE):
        found = await connection.fetch(
            "SELECT id, document FROM tables WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE",
            tables[first : first + DOCUMENTS_AT_ONCE],
        )
        ids, documents = [id_ for id_, _ in found], [document for _, document in found]
        written = await asyncio.to_thread(lambda each: [forget_in(one, user, former_id) for one in each], documents)
        # The step goes up, so that a copy of the table read before this cannot be written back.
        await connection.execute(
            "UPDATE tables SET document = written, seq = seq + 1"
            " FROM unnest($1::text[], $2::text[]) AS row (wanted, written) WHERE id = wanted",
            ids,
            written,
        )


async def _forget_messages(connection: Connection, tables: Sequence[TableId], user: UserId, former_id: UserId) -> None:
    """Take a person out of what was sent and of what is still to be sent for tables."""
    for name in ("messages", "outbox"):
        await connection.execute(f"DELETE FROM {name} WHERE table_id = ANY($1::text[]) AND user_id = $2", tables, user)  # noqa: S608
    waiting = await connection.fetch(
        "SELECT id, payload FROM outbox WHERE table_id = ANY($1::text[]) AND kind IN ('notice', 'record')", tables
    )
    if waiting:
        await connection.execute(
            "UPDATE outbox SET payload = written FROM unnest($1::bigint[], $2::text[]) AS row (wanted, written)"
            " WHERE id = wanted",
            [id_ for id_, _ in waiting],
            [forget_in_payload(payload, user, former_id) for _, payload in waiting],
        )


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
