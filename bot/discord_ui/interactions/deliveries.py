"""Recognises an interaction that Discord delivers again, so that it is carried out only once."""

from __future__ import annotations

import logging
import time
from typing import Final

from bot.store.ports import RefusalStore

log = logging.getLogger(__name__)

REMEMBERED_SECONDS: Final = 15 * 60.0
"""How long an interaction is remembered, at least: after that, its token has expired and nothing could answer it."""


class Deliveries:
    """Remembers the interactions of the last minutes, whatever became of them.

    Discord repeats events within a gateway session, and a session ends with the process; so memory is enough for most
    of them. Moves that were accepted are in the log. Refused ones are written down as well: after a restart, the next
    delivery of a bid that came too early would otherwise count.
    """

    def __init__(self, store: RefusalStore) -> None:
        self._store = store
        self._newer: set[int] = set()
        self._older: set[int] = set()
        self._refused: set[int] = set()
        """Those in `_newer` and `_older` that are written down."""
        self._rotated_at = time.monotonic()

    async def recall(self) -> None:
        """Take over what was written down before the start."""
        self._refused |= set(await self._store.refused())
        self._newer |= self._refused

    def is_first(self, interaction: int) -> bool:
        """Return whether an interaction has arrived for the first time, and remember it."""
        self._forget_old()
        if interaction in self._newer or interaction in self._older:
            log.info("interaction %s: delivered again", interaction)
            return False
        self._newer.add(interaction)
        return True

    def refused(self, interaction: int) -> None:
        """Record that an interaction was refused."""
        self._refused.add(interaction)
        self._store.note_refused(interaction)

    def _forget_old(self) -> None:
        if time.monotonic() - self._rotated_at < REMEMBERED_SECONDS:
            return
        self._rotated_at = time.monotonic()
        forgotten, self._older, self._newer = self._older, self._newer, set()
        if expired := self._refused & forgotten:
            self._refused -= expired
            self._store.drop_refused(expired)
