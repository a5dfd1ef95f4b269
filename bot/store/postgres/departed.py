"""Records which guilds the bot is in, and deletes the data of guilds that removed it, a little at a time."""

from __future__ import annotations

from collections.abc import Sequence

from bot.host.model import Millis, TableId
from bot.store.keys import FILES, IN, LEFT, POSTING, after
from bot.store.ports import TABLES_PER_TRANSACTION
from bot.store.postgres import standings
from bot.store.postgres.connections import Connection

_SET = "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


async def bot_added(connection: Connection, guilds: Sequence[int]) -> None:
    """Record that the bot is in these guilds, perhaps again."""
    await connection.execute(
        "INSERT INTO meta (key, value) SELECT key, '1' FROM unnest($1::text[]) AS row (key)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        sorted({f"{IN}{guild}" for guild in guilds}),
    )
    await connection.execute("DELETE FROM meta WHERE key = ANY($1::text[])", [f"{LEFT}{guild}" for guild in guilds])


async def bot_removed(connection: Connection, guild: int, at: Millis) -> None:
    """Record that the bot is no longer in a guild, and since when."""
    await connection.execute(_SET, f"{LEFT}{guild}", str(at))
    await connection.execute("DELETE FROM meta WHERE key = $1", f"{IN}{guild}")


async def departed(connection: Connection, before: Millis) -> list[int]:
    """Return the guilds that removed the bot before a moment."""
    found = await connection.fetch("SELECT key, value FROM meta WHERE key >= $1 AND key < $2", LEFT, after(LEFT))
    return [int(key.removeprefix(LEFT)) for key, value in found if int(value) <= before]


async def clear(connection: Connection, guild: int, before: Millis, gone: list[TableId]) -> None:
    """Delete some tables of a guild and list them in `gone`; once there are none, delete the rest of its data.

    A guild that has added the bot again in the meantime keeps what it still has.
    """
    gone.clear()  # this runs again if the connection breaks
    await connection.execute("SELECT 1 FROM meta WHERE key = $1 FOR UPDATE", f"{LEFT}{guild}")
    if guild not in await departed(connection, before):
        return
    found = await connection.fetch("SELECT id FROM tables WHERE guild = $1 LIMIT $2", guild, TABLES_PER_TRANSACTION)
    ids = [id_ for (id_,) in found]
    await connection.execute("DELETE FROM tables WHERE id = ANY($1::text[])", ids)  # and the rows that refer to them
    gone += [TableId(id_) for id_ in ids]
    await connection.execute("DELETE FROM meta WHERE key = ANY($1::text[])", [f"{POSTING}{id_}" for id_ in ids])
    if len(ids) == TABLES_PER_TRANSACTION:
        return
    await standings.erase_guild(connection, guild)
    await connection.execute("DELETE FROM house_rules WHERE guild = $1", guild)
    await connection.execute("DELETE FROM house_log WHERE guild = $1", guild)
    await connection.execute("DELETE FROM meta WHERE key = ANY($1::text[])", [f"{LEFT}{guild}", f"{FILES}{guild}"])
