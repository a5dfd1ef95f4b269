"""Remembers for some days who was erased, so that a restored backup does not bring them back.

Only a keyed hash of their id is kept, in the transaction that erases them. Someone who has the database could find out
whether a certain person is among them, but no row names anybody; and the hashes are deleted together with the last
backup that could hold these people.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final, NamedTuple

from bot.host.model import UserId

DAY_SECONDS: Final = 86_400
"""One day, in seconds."""
NAMED_BY: Final = ("visits", "totals", "absent", "guesses", "lessons", "house_log")
"""The tables with a column `user`; together with `users` they name everybody of whom anything is stored."""


class Erasures(NamedTuple):
    """Who was erased when, as hashes, and the key to recognise them."""

    key: str
    moments: dict[str, int]


def new_key() -> str:
    """Return a key for the hashes of one database."""
    return secrets.token_hex(16)


def hashed(key: str, user: UserId) -> str:
    """Return a person's hash."""
    return hashlib.blake2b(str(user).encode(), key=bytes.fromhex(key), digest_size=16).hexdigest()
