"""Records which guilds the bot is in, and deletes the data of guilds that removed it, a little at a time."""

from __future__ import annotations

import sqlite3

from bot.host.model import Millis, TableId
from bot.store.keys import FILES, IN, LEFT, after
from bot.store.ports import TABLES_PER_TRANSACTION
from bot.store.sqlite import postings, standings


def bot_added(connection: sqlite3.Connection, guilds: list[int]) -> None:
    """Record that the bot is in these guilds, perhaps again."""
    # A function instead of rows: within one transaction, functions keep their order, and rows are sorted by kind.
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, '1')", [(f"{IN}{guild}",) for guild in guilds])
    connection.executemany("DELETE FROM meta WHERE key = ?", [(f"{LEFT}{guild}",) for guild in guilds])


def bot_removed(connection: sqlite3.Connection, guild: int, at: Millis) -> None:
    """Record that the bot is no longer in a guild, and since when."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{LEFT}{guild}", str(at)))
    connection.execute("DELETE FROM meta WHERE key = ?", (f"{IN}{guild}",))


def departed(connection: sqlite3.Connection, before: Millis) -> list[int]:
    """Return the guilds that removed the bot before a moment."""
    found = connection.execute(
        "SELECT substr(key, length(?1) + 1) FROM meta WHERE key >= ?1 AND key < ?2 AND CAST(value AS INTEGER) <= ?3",
        (LEFT, after(LEFT), before),
    ).fetchall()
    return [int(guild) for (guild,) in found]


def clear(connection: sqlite3.Connection, guild: int, before: Millis, gone: list[TableId]) -> None:
    """Delete some tables of a guild and list them in `gone`; once there are none, delete the rest of its data.

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
    postings.drop(connection, gone)
    if len(found) == TABLES_PER_TRANSACTION:
        return
    standings.erase_guild(connection, guild)
    connection.execute("DELETE FROM house_rules WHERE guild = ?", (guild,))
    connection.execute("DELETE FROM house_log WHERE guild = ?", (guild,))
    connection.executemany("DELETE FROM meta WHERE key = ?", [(f"{LEFT}{guild}",), (f"{FILES}{guild}",)])
