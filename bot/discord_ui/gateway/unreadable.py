"""Keeps the connection when Discord sends an event that discord.py cannot read: logs it, and apologises if it can.

discord.py reads events in the task of the shard. Whatever it raises there ends the whole process.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import aiohttp
import discord
from discord import InteractionType
from discord.http import HTTPClient, Route

from bot.screens.answers import failure_text
from bot.text.catalogue import catalogue

log = logging.getLogger(__name__)

Parser = Callable[[Any], None]
INTERACTION: Final = "INTERACTION_CREATE"
INDISPENSABLE: Final = ("READY", "RESUMED")
"""Events without which a connection is useless: if they cannot be read, the bot ends."""
MESSAGE, CHOICES = 4, 8
"""Discord's types of a first answer: a message, and suggestions for an option."""
EPHEMERAL: Final = 1 << 6
"""Discord's flag of a message that one person sees."""


class EventGuard:
    """Wraps a client's parsers so that they raise nothing. `start` runs an apology in the background."""

    def __init__(self, parsers: dict[str, Parser], http: HTTPClient, start: Callable[[Any], object]) -> None:
        self._http = http
        self._start = start
        self._known: set[str] = set()
        for kind, parse in parsers.items():
            if kind not in INDISPENSABLE:
                parsers[kind] = partial(self._read, kind, parse)

    def _read(self, kind: str, parse: Parser, data: Any) -> None:
        try:
            if kind == INTERACTION:
                check_sender(data)
            parse(data)
        except Exception as fault:
            record = secrets.token_hex(2).upper()
            is_new, self._known = kind not in self._known, self._known | {kind}
            log.error("record %s: %s cannot be read (%r)", record, kind, fault, exc_info=is_new)
            if kind == INTERACTION and isinstance(data, dict):
                self._start(self._apologise(data, record))

    async def _apologise(self, data: dict[str, Any], record: str) -> None:
        """Answer an interaction about which nothing is known except how to answer it."""
        id_, token, locale = data.get("id"), data.get("token"), data.get("locale")
        if not isinstance(id_, str) or not id_.isdigit() or not isinstance(token, str):
            return
        say = catalogue(locale if isinstance(locale, str) else "")
        answer: dict[str, Any] = {
            "type": MESSAGE,
            "data": {"content": failure_text(say, record), "flags": EPHEMERAL, "allowed_mentions": {"parse": []}},
        }
        if data.get("type") == InteractionType.autocomplete.value:
            answer = {"type": CHOICES, "data": {"choices": []}}
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        try:
            await self._http.request(Route("POST", path, webhook_id=id_, webhook_token=token), json=answer)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as unreachable:
            log.info("record %s: no apology possible (%s)", record, type(unreachable).__name__)


def check_sender(data: Any) -> None:
    """Raise if an interaction has no token, an unknown type or no sender; discord.py would let it pass."""
    if not isinstance(data["token"], str):
        raise TypeError("an interaction that cannot be answered")
    if data["type"] not in [each.value for each in InteractionType]:
        raise ValueError("an interaction of an unknown type")
    if "user" not in data and "user" not in data["member"]:
        raise ValueError("an interaction from nobody")
