"""Which guilds the bot is in, and how the data of guilds that removed it are deleted, a little at a time."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.host.model import Millis, TableId
from bot.store.sqlite import standings

TABLES_PER_TRANSACTION: Final = 20
"""Tables that are deleted in one transaction, so that others can write in between."""
LEFT: Final = "left:"
"""Prefix of the keys in `meta` that say since when the bot is no longer in a guild."""


def entered(connection: sqlite3.Connection, guilds: list[int]) -> None:
    """Record that the bot is in these guilds, perhaps again."""
    # A function instead of rows: within one transaction, functions keep their order, and rows are sorted by kind.
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, '1')", [(f"in:{guild}",) for guild in guilds])
    connection.executemany("DELETE FROM meta WHERE key = ?", [(f"{LEFT}{guild}",) for guild in guilds])


def left(connection: sqlite3.Connection, guild: int, at: Millis) -> None:
    """Record that the bot is no longer in a guild, and since when."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{LEFT}{guild}", str(at)))
    connection.execute("DELETE FROM meta WHERE key = ?", (f"in:{guild}",))


def departed(connection: sqlite3.Connection, before: Millis) -> list[int]:
    """Return the guilds that removed the bot before a moment."""
    found = connection.execute(
        "SELECT substr(key, 6) FROM meta WHERE key >= 'left:' AND key < 'left;' AND CAST(value AS INTEGER) <= ?",
        (before,),
    ).fetchall()
    return [int(guild) for (guild,) in found]


def clear(connection: sqlite3.Connection, guild: int, before: Millis, gone: list[TableId]) -> None:
    """Delete some tables of a guild and list them in `gone`; once there are none, delete everything else of it.

    A guild that has added the bot again in the meantime keeps what it still has.
    """
    gone.clear()  # this runs again if another unit of the same transaction fails
    if guild not in departed(connection, before):
        return
    found = connection.execute(
        "SELECT id FROM tables WHERE guild = ? LIMIT ?", (guild, TABLES_PER_TRANSACTION)
    ).fetchall()
    connection.executemany("DELETE FROM tables WHERE id = ?", found)  # rows that refer to them are deleted as well
    gone += [TableId(id_) for (id_,) in found]
    if len(found) == TABLES_PER_TRANSACTION:
        return
    standings.erase_guild(connection, guild)
    connection.execute("DELETE FROM house_rules WHERE guild = ?", (guild,))
    connection.execute("DELETE FROM house_log WHERE guild = ?", (guild,))
    connection.execute("DELETE FROM meta WHERE key = ?", (f"{LEFT}{guild}",))
