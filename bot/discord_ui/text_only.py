"""Knows who gets pictures: a server or table can switch them off, and so can each person for what only they see."""

from __future__ import annotations

from collections.abc import Collection

from bot.host.model import House, UserId


class TextOnly:
    """The people who want words alone, kept in memory because every private message asks for its reader."""

    def __init__(self, users: Collection[UserId] = ()) -> None:
        self._users = set(users)

    def __contains__(self, user: object) -> bool:
        return user in self._users

    def allows_pictures(self, house: House, reader: UserId | None = None) -> bool:
        """Return whether a message may have pictures. `reader` is its only reader; None if it is public."""
        return house.pictures and reader not in self._users

    def choose(self, user: UserId, text_only: bool) -> None:
        """Record whether a user wants words alone."""
        (self._users.add if text_only else self._users.discard)(user)

    def replace(self, users: Collection[UserId]) -> None:
        """Take over what everybody chose."""
        self._users = set(users)

    def forget(self, user: UserId) -> None:
        """Forget what a user chose."""
        self._users.discard(user)
