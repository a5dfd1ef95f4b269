"""Keeps the presses at one table whose tokens can still be used, so that fewer requests need the bot's own token."""

from __future__ import annotations

from typing import Final

from bot.discord_ui.wire.press_requests import LentPress

MAX_MESSAGES: Final = 50
"""How many messages are remembered before those are forgotten whose press has expired."""


class LentPresses:
    """Knows through which press to post at a table, and through which to edit or delete each of its messages.

    Only what everybody may see goes through a lent press. They are kept in memory alone: after a restart, the bot's own
    token is used until somebody presses something.
    """

    def __init__(self) -> None:
        self._public: LentPress | None = None
        self._other: LentPress | None = None
        self._by_message: dict[int, LentPress] = {}

    def lend(self, press: LentPress) -> None:
        """Keep the newest press, and use it for the public message to which it belongs, if any."""
        if press.original is None:
            self._other = press
        else:
            self._public = press
            self.posted(press.original, press)

    def for_posts(self, channel: int) -> LentPress | None:
        """Return the newest press through which a message can be posted in a channel.

        A post is shown as a reply to the message that was pressed. So one on a public message comes first: a reply to
        what only one person sees looks broken to everybody else.
        """
        for press in (self._public, self._other):
            if press is not None and press.is_alive and press.channel == channel:
                return press
        return None

    def for_message(self, message: int) -> LentPress | None:
        """Return the newest press to which a message belongs; it can edit and delete it."""
        press = self._by_message.get(message)
        return press if press is not None and press.is_alive else None

    def posted(self, message: int, press: LentPress) -> None:
        """Record through which press a message was posted."""
        if len(self._by_message) >= MAX_MESSAGES:
            self._by_message = {each: known for each, known in self._by_message.items() if known.is_alive}
        self._by_message[message] = press

    def lost(self, message: int) -> None:
        """Stop using a press for this message, which is gone, or which it could not change."""
        self._by_message.pop(message, None)

    def returned(self, press: LentPress) -> None:
        """Stop using a press, because Discord has refused it."""
        self._public = None if self._public is press else self._public
        self._other = None if self._other is press else self._other
        self._by_message = {each: known for each, known in self._by_message.items() if known is not press}
