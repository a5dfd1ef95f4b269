"""The keys under which a store keeps facts about the bot itself, in `meta`; those with a colon are prefixes."""

from __future__ import annotations

from typing import Final

HEARTBEAT: Final = "heartbeat"
"""When the bot was last alive, in milliseconds since 1970."""
AWAY: Final = "away"
"""When the first of many processes started while no other was alive, and how long the bot had been down; JSON."""
SHIFT: Final = "shift"
"""By how much all clocks have been put off, summed over all times that the bot was down."""
LOST: Final = "lost"
"""Which shards are out of reach, and since when, minus `SHIFT`; JSON."""
SERVED: Final = "served:"
"""A shard, among many processes: the number of shards, and when it was last in reach, minus `SHIFT`; JSON."""
LOGIN: Final = "login:"
"""A group of shards of which only one may log in at a time; the value is when one last did, in milliseconds."""
IN: Final = "in:"
"""A guild that the bot is in."""
LEFT: Final = "left:"
"""A guild that the bot is no longer in; the value is since when."""
FILES: Final = "files:"
"""A guild in which somebody who can help was told that the bot may not attach files."""
POSTING: Final = "posting:"
"""A table whose message is about to be sent; the value is a `Posting` as JSON."""
REFUSED: Final = "refused:"
"""An interaction that was refused."""
WIPE: Final = "wipe:"
"""A former player's id: remains of this erased person may still be on the disk."""
ERASURES: Final = "erasures"
"""The key of the hashes under `ERASED`."""
ERASED: Final = "erased:"
"""The hash of a person who was erased; the value is the moment, in seconds since 1970."""
AGAIN: Final = "erase:"
"""A person whom a restored backup has brought back, and who is to be erased again."""
COPYING: Final = "copying:"
"""Notes of a copy into this database that is not finished; see `bot.store.transfer`."""


def after(prefix: str) -> str:
    """Return the first key behind all those with a prefix, so that a range of an index finds them."""
    return f"{prefix[:-1]};"  # the semicolon follows the colon
