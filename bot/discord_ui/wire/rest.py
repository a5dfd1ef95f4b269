"""Sends the bot's own requests to Discord, each tried once, and translates their failures.

discord.py waits for rate limits and repeats 500, 502, 504 and 524 itself. It repeats neither a 503 nor a broken
connection, and it waits forever on a silent one. These are raised here as `TemporaryFailure`. The caller tries again
with the same nonce, so that a post whose answer was lost does not appear twice.
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

from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.pacing import Pace
from bot.screens.layout import Screen

T = TypeVar("T")

log = logging.getLogger(__name__)

COMPONENTS_V2: Final = 1 << 15
"""The flag of a message that consists only of components."""
MAX_NONCES_PER_POST: Final = 8
"""How many nonces a post tries if messages with the earlier ones were posted and deleted."""
REQUEST_TIMEOUT_SECONDS: Final = 40.0
"""How long a request may take, including discord.py's waits for rate limits."""
BLOCKED_SECONDS: Final = 600.0
"""How long no request is made after Discord's edge has blocked the bot's IP address."""


class TemporaryFailure(Exception):
    """Raised if a request failed but may work soon; it may even have been carried out."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class RequestRefused(Exception):
    """Raised if Discord refused a request, with an error code."""

    def __init__(self, code: int, status: int) -> None:
        super().__init__(f"Discord answered {status} with code {code}")
        self.code = code
        self.status = status


class Outgoing:
    """A message to send: a screen or a line of text, the users it pings, and a plain version for filters."""

    __slots__ = ("_fingerprint", "parts", "pings", "plain")

    def __init__(
        self, body: Screen | str, pings: Sequence[int] = (), plain: Callable[[], Screen | str] | None = None
    ) -> None:
        self.pings = pings
        self.plain = plain
        self._fingerprint: int | None = None
        # Built once: turning a screen into components costs more than sending it.
        self.parts: dict[str, Any] = (
            {"content": body} if isinstance(body, str) else {"components": body.to_components(), "flags": COMPONENTS_V2}
        )

    @property
    def fingerprint(self) -> int:
        """A number that is the same for messages that look the same."""
        if self._fingerprint is None:
            self._fingerprint = hash(json.dumps(self.parts))
        return self._fingerprint

    def to_params(self, nonce: str | None = None) -> MultipartParameters:
        """Return the body of the request, which pings nobody but `pings`."""
        payload = {**self.parts, "allowed_mentions": {"parse": [], "users": [str(user) for user in self.pings]}}
        if nonce is not None:
            payload |= {"nonce": nonce, "enforce_nonce": True}
        return MultipartParameters(payload=payload, multipart=None, files=None)


class Rest:
    """Makes requests with the bot's token. `revoked` is called when Discord no longer accepts the token."""

    def __init__(self, http: HTTPClient, pace: Pace, revoked: Callable[[], None]) -> None:
        self._http = http
        self._pace = pace
        self._revoked = revoked

    async def post(self, channel: int, message: Outgoing, nonce: str) -> int:
        """Post a message and return its id; if its nonce was used a moment ago, return that message's id.

        If that message has been deleted since, Discord neither finds it nor posts a new one. Then the next nonce,
        derived from this one, is tried.
        """

        async def post(params: MultipartParameters) -> int:
            posted: Any = await self._request(lambda: self._http.send_message(channel, params=params))
            return int(posted["id"])

        for _ in range(MAX_NONCES_PER_POST):
            try:
                return await self._send(message, nonce, post)
            except RequestRefused as refused:
                if refused.code != error_codes.UNKNOWN_MESSAGE:
                    raise
            nonce = blake2b(nonce.encode(), digest_size=12).hexdigest()
        raise RequestRefused(error_codes.UNKNOWN_MESSAGE, 404)

    async def edit(self, channel: int, message: int, changed: Outgoing) -> None:
        """Edit a message; edits ping nobody."""

        async def edit(params: MultipartParameters) -> None:
            await self._request(lambda: self._http.edit_message(channel, message, params=params))

        await self._send(changed, None, edit)

    async def _send(
        self, message: Outgoing, nonce: str | None, send: Callable[[MultipartParameters], Awaitable[T]]
    ) -> T:
        """Send a message, or its plain version if a filter refuses it."""
        try:
            return await send(message.to_params(nonce))
        except RequestRefused as refused:
            if refused.code not in error_codes.FILTERED or message.plain is None:
                raise
            log.info("a filter refused a message (%s): sending its plain version", refused.code)
            return await send(Outgoing(message.plain()).to_params(nonce))

    async def edit_through(self, press: discord.Interaction, changed: Outgoing) -> None:
        """Edit the message whose button was pressed with that press's token, which is exempt from the rate limit."""
        params, session = changed.to_params(), press._session
        # Like `press.edit_original_response`, but it neither draws the screen again nor parses the answer.
        await self._request(
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
        """Delete a message; one that is gone already counts as deleted."""
        try:
            await self._request(lambda: self._http.delete_message(channel, message))
        except RequestRefused as refused:
            if refused.code not in (error_codes.UNKNOWN_MESSAGE, error_codes.UNKNOWN_CHANNEL):
                raise

    async def open_dm(self, user: int) -> int:
        """Open the DM with a user and return its channel."""
        opened: Any = await self._request(lambda: self._http.start_private_message(user))
        return int(opened["id"])

    async def unarchive(self, thread: int) -> None:
        """Open an archived thread."""
        await self._request(lambda: self._http.edit_channel(thread, archived=False))

    async def parent_of(self, thread: int) -> int | None:
        """Return the channel that a thread belongs to; None if this is not a thread."""
        found: Any = await self._request(lambda: self._http.get_channel(thread))
        return int(found["parent_id"]) if "thread_metadata" in found else None

    async def channel_exists(self, channel: int) -> bool:
        """Tell whether a channel exists, even if the bot cannot see it."""
        try:
            await self._request(lambda: self._http.get_channel(channel))
        except RequestRefused as refused:
            return refused.code != error_codes.UNKNOWN_CHANNEL
        return True

    async def may_be_member(self, guild: int, user: int) -> bool:
        """Tell whether a user may be in a guild: False only if Discord says that they are not."""
        try:
            return await self.is_member(guild, user)
        except (RequestRefused, TemporaryFailure):
            return True

    async def is_member(self, guild: int, user: int) -> bool:
        """Tell whether a user is in a guild; raise if Discord does not say."""
        try:
            await self._request(lambda: self._http.get_member(guild, user))
        except RequestRefused as refused:
            if refused.code not in (error_codes.UNKNOWN_MEMBER, error_codes.UNKNOWN_USER):
                raise
            return False
        return True

    async def _request(self, request: Callable[[], Awaitable[T]], *, paced: bool = True) -> T:
        if paced:
            await self._pace.take()
        elif self._pace.is_held:
            raise TemporaryFailure("turned away by the edge")
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
                return await request()
        except discord.HTTPException as fault:
            raise self._translate(fault) from None
        except (aiohttp.ClientError, OSError, TimeoutError) as fault:
            raise TemporaryFailure(type(fault).__name__) from None

    def _translate(self, fault: discord.HTTPException) -> Exception:
        if fault.status == 401 and fault.code == 0:
            self._revoked()
            return TemporaryFailure("the token is revoked")  # it works again with a new token
        if fault.status == 429 and fault.code != error_codes.TOO_MANY_EDITS:
            # discord.py waits for rate limits itself, so this one comes from the edge, which blocks the address.
            self._pace.hold(BLOCKED_SECONDS)
            return TemporaryFailure("turned away by the edge")
        if fault.status >= 500:
            return TemporaryFailure(f"status {fault.status}")
        return RequestRefused(fault.code, fault.status)
