"""Clears up after servers that have removed the bot, a little at a time, so that nobody waits for it."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.host.model import Millis, TableId
from bot.store import standings

AT_ONCE: Final = 20
"""So many tables go in one transaction."""
LEFT: Final = "left:"
"""Facts about the bot that begin so: since when it is no longer in a server."""


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
