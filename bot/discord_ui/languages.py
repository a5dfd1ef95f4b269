"""Knows who reads which language in private: the one they chose in their settings, or else that of their Discord."""

from __future__ import annotations

from collections.abc import Mapping

from bot.host.model import UserId
from bot.text.catalogue import code_of, languages


class Languages:
    """The languages that people chose, in memory: an interaction needs its reader's before anything is read."""

    def __init__(self, chosen: Mapping[UserId, str] | None = None) -> None:
        self._chosen = dict(chosen or {})

    def of(self, user: UserId, locale: str) -> str:
        """Return the code of a user's language; `locale` is that of their Discord."""
        chosen = self._chosen.get(user)
        return chosen if chosen in languages() else code_of(locale)

    def choose(self, user: UserId, language: str | None) -> None:
        """Record which language a user chose; None: that of their Discord."""
        if language is None:
            self.forget(user)
        else:
            self._chosen[user] = language

    def replace(self, chosen: Mapping[UserId, str]) -> None:
        """Take over what everybody chose."""
        self._chosen = dict(chosen)

    def forget(self, user: UserId) -> None:
        """Forget what a user chose."""
        self._chosen.pop(user, None)
