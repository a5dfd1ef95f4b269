"""Sends the answers to one interaction: the first within three seconds, and once more if it was lost on the way."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
import discord

from bot import metrics
from bot.discord_ui.wire.error_codes import FILTERED, INVALID_FORM
from bot.screens.layout import Form, Screen, remove_own_emojis

log = logging.getLogger(__name__)

ALREADY_ANSWERED: Final = 40060
"""Discord's error code for a second answer to an interaction."""
UNKNOWN_INTERACTION: Final = 10062
"""Discord's error code for an answer that came too late."""
EXPIRED: Final = (10003, 10015, 50027)
"""Discord's error codes after which no answer is possible: unknown channel, unknown token, expired token."""
ANSWER_WITHIN_SECONDS: Final = 2.7
"""How long the first answer may take from the interaction's arrival at the bot; Discord waits for three seconds."""
_LOST: Final = (aiohttp.ClientError, OSError, discord.DiscordServerError)
"""Raised if an answer may not have reached Discord, or its reply did not reach us; `TimeoutError` is an `OSError`."""


class AnswerSender:
    """Sends the answers to one interaction, and knows whether Discord has a first one."""

    def __init__(
        self,
        interaction: discord.Interaction[Any],
        is_closed: Callable[[], bool],
        emoji_refused: Callable[[], None] = lambda: None,
    ) -> None:
        self._interaction = interaction
        self._is_closed = is_closed
        self._emoji_refused = emoji_refused
        self._received_at = time.monotonic()
        self._arrived_unconfirmed = False
        """Whether Discord has an answer whose arrival it did not confirm when it was sent."""
        self._is_lost = False
        """Whether the last answer did not arrive."""

    @property
    def is_answered(self) -> bool:
        """Whether Discord has a first answer, so that everything else is a follow-up or an edit."""
        return self._arrived_unconfirmed or self._interaction.response.is_done()

    async def send_first(self, send: Callable[..., Awaitable[Any]], *parts: Any, **what: Any) -> Any:
        """Send the first answer by calling `send`, again if it seems to be lost; return None if it did not arrive.

        discord.py repeats an answer only after some errors, and its third try would come after Discord's three seconds.
        If the first try did arrive, Discord says so at the second.
        """
        outcome = "failed"
        self._is_lost = False
        try:
            left = ANSWER_WITHIN_SECONDS - (time.monotonic() - self._received_at)
            if left > 0:
                try:
                    async with asyncio.timeout(left / 2):
                        sent = await self._send_with_fallback(send, *parts, **what)
                    outcome = "lost" if self._is_lost else "arrived"
                    return sent
                except _LOST as fault:
                    log.info(
                        "interaction %s: the answer is sent again (%s)", self._interaction.id, type(fault).__name__
                    )
                for file in what.get("files", ()):
                    file.reset()
            sent = await self.send(send(*parts, **what))
            outcome = "lost" if self._is_lost else "repeated"
            return sent
        finally:
            took = time.monotonic() - self._received_at
            metrics.ACKNOWLEDGED.labels(self._interaction.type.name, outcome).observe(took)

    async def _send_with_fallback(self, send: Callable[..., Awaitable[Any]], *parts: Any, **what: Any) -> Any:
        """Send an answer; if Discord refuses one of the bot's own emojis on a button, send it without them."""
        try:
            return await self._send(send(*parts, **what))
        except discord.HTTPException as fault:
            if fault.code != INVALID_FORM or not any(map(_without_own_emojis, (*parts, *what.values()))):
                raise
            self._emoji_refused()
            return await self._send(send(*parts, **what))

    async def send(self, sending: Awaitable[Any]) -> Any:
        """Send an answer; return None if it came too late, or twice, or was lost; none of these is an error."""
        try:
            return await self._send(sending)
        except _LOST as fault:
            self._note_lost(type(fault).__name__)
            return None

    async def _send(self, sending: Awaitable[Any]) -> Any:
        try:
            return await sending
        except discord.DiscordServerError:
            raise
        except discord.HTTPException as fault:
            if fault.code == ALREADY_ANSWERED:
                self._arrived_unconfirmed = True
                return None
            if fault.code == UNKNOWN_INTERACTION or fault.code in (*EXPIRED, *FILTERED):
                self._note_lost(fault.code)
                return None
            raise
        except RuntimeError:
            if not self._is_closed():
                raise
            self._is_lost = True
            return None  # aiohttp raises this once the bot has closed; the outbox is delivered after the next start

    def _note_lost(self, why: object) -> None:
        self._is_lost = True
        log.info("interaction %s: the answer did not arrive (%s)", self._interaction.id, why)


def _without_own_emojis(part: object) -> bool:
    """Remove the bot's own emojis from a screen or form; return whether there were any."""
    return isinstance(part, Screen | Form) and remove_own_emojis(part)
