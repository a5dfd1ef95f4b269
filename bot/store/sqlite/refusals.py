"""The interactions that were refused, as keys of `meta`; see `bot.discord_ui.interactions.deliveries`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from bot.store.keys import REFUSED, after


def read(connection: sqlite3.Connection) -> list[int]:
    """Return the interactions that were refused."""
    sql = "SELECT substr(key, length(?1) + 1) FROM meta WHERE key >= ?1 AND key < ?2"
    found = connection.execute(sql, (REFUSED, after(REFUSED)))
    return [int(interaction) for (interaction,) in found]


def drop(connection: sqlite3.Connection, interactions: Sequence[int]) -> None:
    """Delete the notes on these interactions."""
    connection.executemany("DELETE FROM meta WHERE key = ?", [(f"{REFUSED}{each}",) for each in interactions])
