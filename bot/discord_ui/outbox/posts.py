"""Keeps track of posts until they are noted in the store: which arrived, and which may have."""

from __future__ import annotations

import time
from typing import NamedTuple

from bot.discord_ui.wire.rest import Outgoing


class LostPost(NamedTuple):
    """A post to which Discord's answer was lost, so that it may or may not be in the channel."""

    nonce: str
    message: Outgoing | None
    """None: it was sent before the bot was killed."""
    lost_at: float
    """By the monotonic clock."""


class Posts:
    """What was posted at one table, and not noted yet. The table's messages and its pings each have their own."""

    def __init__(self) -> None:
        self._posted: dict[str, int] = {}
        self._lost: dict[str, LostPost] = {}
        self._is_uncertain = True
        self._uncertain_since = 0.0

    @property
    def is_uncertain(self) -> bool:
        """Whether something may have been posted without being noted: after a start, or when a delivery broke off."""
        return self._is_uncertain

    @property
    def uncertain_since(self) -> float:
        """When that began, by the monotonic clock; 0 after a start."""
        return self._uncertain_since

    @property
    def lost_posts(self) -> list[LostPost]:
        """The posts whose answers were lost."""
        return list(self._lost.values())

    def posted_with(self, nonce: str) -> int | None:
        """Return the message posted with this nonce since the last complete delivery, if any.

        Discord forgets nonces after a few minutes, but a full database may not be able to note a post for hours.
        """
        return self._posted.get(nonce)

    def posted(self, nonce: str, message: int) -> None:
        """Record a post that Discord confirmed."""
        self._posted[nonce] = message
        self._lost.pop(nonce, None)

    def post_lost(self, nonce: str, out: Outgoing | None, age: float = 0.0) -> None:
        """Record a post whose answer was lost, `age` seconds ago."""
        self._lost[nonce] = LostPost(nonce, out, time.monotonic() - age)

    def lost_post_settled(self, nonce: str) -> None:
        """Record that a lost post is no longer in the channel, or never was."""
        self._lost.pop(nonce, None)

    def deleted(self, message: int) -> None:
        """Record that a message is gone."""
        self._posted = {nonce: posted for nonce, posted in self._posted.items() if posted != message}

    def begin_certain(self) -> None:
        """Record that nothing was about to be posted when this process started."""
        if self._uncertain_since == 0.0:
            self._is_uncertain = False

    def interrupted(self) -> None:
        """Record that a delivery broke off, so that something may have been posted without being noted."""
        self._is_uncertain = True
        self._uncertain_since = time.monotonic()

    def start_over(self) -> None:
        """Record that another process may have posted something."""
        self._posted.clear()
        self.interrupted()

    def completed(self) -> None:
        """Record that a delivery was completed, so that everything posted is noted."""
        self._is_uncertain = False
        self._posted.clear()
