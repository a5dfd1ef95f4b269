"""The bot's own requests to Discord, each tried once, and what their failures mean.

discord.py waits for buckets and repeats 500, 502, 504 and 524 itself. It repeats neither a 503 nor a connection that
broke, and it never gives up on a silent one: those come out of here as `Passing`, and whoever asked tries again with
the same nonce, so that what was carried out although the answer was lost is not seen twice.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.http import HTTPClient, MultipartParameters
from discord.webhook.async_ import async_context

from bot.discord_ui.wire.pacing import Pace
from bot.screens.layout import Screen

T = TypeVar("T")

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_USER: Final = 10013
TOO_MANY_EDITS: Final = 30046
DMS_TOO_FAST: Final = 40003
NO_ACCESS: Final = 50001
NO_PERMISSION: Final = 50013
NO_SERVER_SHARED: Final = 50278
DMS_SHUT: Final = (50007, NO_SERVER_SHARED)
UNKNOWN_MEMBER: Final = 10007
ARCHIVED: Final = 50083
LOCKED: Final = 160005
FILTERED: Final = (200000, 240000)
OF_THE_PLACE: Final = (UNKNOWN_CHANNEL, NO_ACCESS, NO_PERMISSION, ARCHIVED, LOCKED)
"""What Discord says to every message in a place, whichever it is; any other refusal is about one message alone."""
V2: Final = 1 << 15
"""The flag of a message that is made of components alone."""

TRIES: Final = 8
"""So many messages with one nonce may have been deleted one after the other."""
SILENCE: Final = 40.0
"""Seconds after which a request that got no answer is given up; discord.py waits for buckets within them."""
BAN_SECONDS: Final = 600.0
"""How long everything rests once Discord's edge has turned the address away."""


class Passing(Exception):
    """It did not work now and may work soon; it may even have been carried out."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class Refused(Exception):
    """Discord said no, with a code."""

    def __init__(self, code: int, status: int) -> None:
        super().__init__(f"Discord answered {status} with code {code}")
        self.code = code
        self.status = status


class Outgoing:
    """A message on its way: a screen or a line of text, whom it may ping, and how to say it if a filter refuses it."""

    __slots__ = ("_mark", "parts", "pings", "plain")

    def __init__(
        self, body: Screen | str, pings: Sequence[int] = (), plain: Callable[[], Screen | str] | None = None
    ) -> None:
        self.pings = pings
        self.plain = plain
        self._mark: int | None = None
        # Written once: drawing a screen into components costs more than sending it.
        self.parts: dict[str, Any] = (
            {"content": body} if isinstance(body, str) else {"components": body.to_components(), "flags": V2}
        )

    @property
    def mark(self) -> int:
        """A number that is the same for the same message."""
        if self._mark is None:
            self._mark = hash(json.dumps(self.parts))
        return self._mark

    def written(self, nonce: str | None = None) -> MultipartParameters:
        """Return what is sent: it pings nobody but those it names."""
        payload = {**self.parts, "allowed_mentions": {"parse": [], "users": [str(user) for user in self.pings]}}
        if nonce is not None:
            payload |= {"nonce": nonce, "enforce_nonce": True}
        return MultipartParameters(payload=payload, multipart=None, files=None)


class Wire:
    """Requests with the bot's token. `revoked` is called when Discord no longer knows the token."""

    def __init__(self, http: HTTPClient, pace: Pace, revoked: Callable[[], None]) -> None:
        self._http = http
        self._pace = pace
        self._revoked = revoked

    async def post(self, channel: int, message: Outgoing, nonce: str) -> int:
        """Post a message and return its id; with a nonce that was used a moment ago, that message's id.

        If that message was deleted since, Discord knows neither it nor a new one: then another nonce is made of this.
        """

        async def post(written: MultipartParameters) -> int:
            posted: Any = await self._asked(lambda: self._http.send_message(channel, params=written))
            return int(posted["id"])

        for _ in range(TRIES):
            try:
                return await self._filtered(message, nonce, post)
            except Refused as refused:
                if refused.code != UNKNOWN_MESSAGE:
                    raise
            nonce = blake2b(nonce.encode(), digest_size=12).hexdigest()
        raise Refused(UNKNOWN_MESSAGE, 404)

    async def edit(self, channel: int, message: int, changed: Outgoing) -> None:
        """Change a message; nobody is pinged by that."""

        async def edit(written: MultipartParameters) -> None:
            await self._asked(lambda: self._http.edit_message(channel, message, params=written))

        await self._filtered(changed, None, edit)

    async def _filtered(
        self, message: Outgoing, nonce: str | None, send: Callable[[MultipartParameters], Awaitable[T]]
    ) -> T:
        """Send a message; if the server's filter refuses it, say it plainly."""
        try:
            return await send(message.written(nonce))
        except Refused as refused:
            if refused.code not in FILTERED or message.plain is None:
                raise
            log.info("a filter has refused a message (%s), so it is said plainly", refused.code)
            return await send(Outgoing(message.plain()).written(nonce))

    async def edit_through(self, press: discord.Interaction, changed: Outgoing) -> None:
        """Change the message whose button was pressed, by the token of that press: no limit of the bot counts it."""
        params, session = changed.written(), press._session
        # As `press.edit_original_response` does, without drawing the screen again and without reading the answer.
        await self._asked(
            lambda: async_context.get().edit_original_interaction_response(
                press.application_id,
                press.token,
                session=session,
                proxy=self._http.proxy,
                proxy_auth=self._http.proxy_auth,
                payload=params.payload,
            ),
            paced=False,
        )

    async def delete(self, channel: int, message: int) -> None:
        """Delete a message; one that is gone is as good as deleted."""
        try:
            await self._asked(lambda: self._http.delete_message(channel, message))
        except Refused as refused:
            if refused.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
                raise

    async def open_dm(self, user: int) -> int:
        """Return the channel of the DM with somebody."""
        opened: Any = await self._asked(lambda: self._http.start_private_message(user))
        return int(opened["id"])

    async def unarchive(self, thread: int) -> None:
        """Open a thread that was archived."""
        await self._asked(lambda: self._http.edit_channel(thread, archived=False))

    async def above(self, thread: int) -> int | None:
        """Return the channel that a thread belongs to; None if it is no thread."""
        found: Any = await self._asked(lambda: self._http.get_channel(thread))
        return int(found["parent_id"]) if "thread_metadata" in found else None

    async def exists(self, channel: int) -> bool:
        """Tell whether a channel is still there, seen or unseen."""
        try:
            await self._asked(lambda: self._http.get_channel(channel))
        except Refused as refused:
            return refused.code != UNKNOWN_CHANNEL
        return True

    async def is_member(self, server: int, user: int) -> bool:
        """Tell whether somebody is still in a server, as far as Discord says."""
        try:
            return await self.has_member(server, user)
        except (Refused, Passing):
            return True

    async def has_member(self, server: int, user: int) -> bool:
        """Tell whether somebody is in a server, or raise what keeps Discord from saying so."""
        try:
            await self._asked(lambda: self._http.get_member(server, user))
        except Refused as refused:
            if refused.code not in (UNKNOWN_MEMBER, UNKNOWN_USER):
                raise
            return False
        return True

    async def _asked(self, request: Callable[[], Awaitable[T]], *, paced: bool = True) -> T:
        if paced:
            await self._pace.take()
        elif self._pace.is_held:
            raise Passing("turned away by the edge")
        try:
            async with asyncio.timeout(SILENCE):
                return await request()
        except discord.HTTPException as fault:
            raise self._understood(fault) from None
        except (aiohttp.ClientError, OSError, TimeoutError) as fault:
            raise Passing(type(fault).__name__) from None

    def _understood(self, fault: discord.HTTPException) -> Exception:
        if fault.status == 401 and fault.code == 0:
            self._revoked()
            return Passing("the token is revoked")  # another one will do
        if fault.status == 429 and fault.code != TOO_MANY_EDITS:
            # Not a bucket's, which discord.py waits for: the edge has turned this address away.
            self._pace.hold(BAN_SECONDS)
            return Passing("turned away by the edge")
        if fault.status >= 500:
            return Passing(f"status {fault.status}")
        return Refused(fault.code, fault.status)
