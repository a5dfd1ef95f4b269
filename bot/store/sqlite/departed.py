"""Which servers the bot is in; and clearing up after those that have removed it, a little at a time."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.host.model import Millis, TableId
from bot.store.sqlite import standings

AT_ONCE: Final = 20
"""So many tables go in one transaction."""
LEFT: Final = "left:"
"""Facts about the bot that begin so: since when it is no longer in a server."""


def entered(connection: sqlite3.Connection, servers: list[int]) -> None:
    """Note that the bot is in these servers, perhaps again."""
    # Each as one function, and not as rows of a kind: what happens within one transaction keeps its order.
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, '1')", [(f"in:{server}",) for server in servers])
    connection.executemany("DELETE FROM meta WHERE key = ?", [(f"{LEFT}{server}",) for server in servers])


def left(connection: sqlite3.Connection, server: int, at: Millis) -> None:
    """Note that the bot is no longer in a server, and since when."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{LEFT}{server}", str(at)))
    connection.execute("DELETE FROM meta WHERE key = ?", (f"in:{server}",))


def departed(connection: sqlite3.Connection, before: Millis) -> list[int]:
    """Return the servers that have removed the bot before a moment."""
    found = connection.execute(
        "SELECT substr(key, 6) FROM meta WHERE key >= 'left:' AND key < 'left;' AND CAST(value AS INTEGER) <= ?",
        (before,),
    ).fetchall()
    return [int(server) for (server,) in found]


def clear(connection: sqlite3.Connection, guild: int, before: Millis, gone: list[TableId]) -> None:
    """Delete some tables of a server, noting them in `gone`; once there are none left, everything else of it.

    A server that has added the bot again in the meantime keeps what it still has.
    """
    gone.clear()  # it is done again if somebody else's work in the same transaction fails
    if guild not in departed(connection, before):
        return
    found = connection.execute("SELECT id FROM tables WHERE guild = ? LIMIT ?", (guild, AT_ONCE)).fetchall()
    connection.executemany("DELETE FROM tables WHERE id = ?", found)  # and with them whatever belongs to them
    gone += [TableId(id_) for (id_,) in found]
    if len(found) == AT_ONCE:
        return
    standings.erase_guild(connection, guild)
    connection.execute("DELETE FROM house_rules WHERE guild = ?", (guild,))
    connection.execute("DELETE FROM house_log WHERE guild = ?", (guild,))
    connection.execute("DELETE FROM meta WHERE key = ?", (f"{LEFT}{guild}",))
