"""Makes requests with the token of a press that somebody made: post, edit and delete, each sent once.

For a quarter of an hour, Discord accepts such requests outside the bot's own rate limit. discord.py could make them,
too. But it repeats a post after a server error, and a press has no nonce by which Discord would notice. It also lets
all requests with one token wait for each other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import aiohttp
import discord
from discord.http import HTTPClient, MultipartParameters, Route, json_or_text
from discord.utils import _to_json

from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure

LENT_SECONDS: Final = 14 * 60.0
"""How long a press's token is used; Discord accepts it for fifteen minutes."""
LONGEST_LIMIT_SECONDS: Final = 5.0
"""How long to wait if Discord limits the requests with one token; after that, the bot's own token is used."""
BLOCKED_SECONDS: Final = 600.0
"""How long no request is made after Discord's edge has blocked the bot's IP address."""


class LentPress(NamedTuple):
    """A press, command or form that was answered, as far as its token can be used for others than its author."""

    application: int
    token: str
    session: aiohttp.ClientSession
    channel: int
    original: int | None
    """The public message that was pressed or is the answer, which the token calls "@original"; None: that is private,
    or not the table's."""
    lent_at: float
    """By the monotonic clock."""

    @property
    def is_alive(self) -> bool:
        """Whether Discord still accepts the token."""
        return time.monotonic() - self.lent_at < LENT_SECONDS


def lent(press: discord.Interaction[Any], original: int | None) -> LentPress:
    """Return what can be used of an answered interaction; `original` is the public message that it may edit."""
    return LentPress(
        press.application_id, press.token, press._session, press.channel_id or 0, original, time.monotonic()
    )


class PressRequests:
    """Makes the requests. `block` is called when Discord's edge has turned the bot away."""

    def __init__(self, http: HTTPClient, block: Callable[[float], None]) -> None:
        self._http = http
        self._block = block

    async def post(self, press: LentPress, params: MultipartParameters) -> Any:
        """Post a message in the channel of the press; return it."""
        return await self._request("POST", press, "?wait=true&with_components=true", params)

    async def edit(self, press: LentPress, message: int, params: MultipartParameters) -> None:
        """Edit the message that was pressed, or one that was posted through the press."""
        await self._request("PATCH", press, f"/messages/{_named(press, message)}?with_components=true", params)

    async def delete(self, press: LentPress, message: int) -> None:
        """Delete the message that was pressed, or one that was posted through the press."""
        await self._request("DELETE", press, f"/messages/{_named(press, message)}", None)

    async def _request(self, method: str, press: LentPress, path: str, params: MultipartParameters | None) -> Any:
        url = f"{Route.BASE}/webhooks/{press.application}/{press.token}{path}"
        limited_until = time.monotonic() + LONGEST_LIMIT_SECONDS
        while True:
            body, headers = _body(params)
            headers["User-Agent"] = self._http.user_agent
            async with press.session.request(
                method, url, data=body, headers=headers, proxy=self._http.proxy, proxy_auth=self._http.proxy_auth
            ) as response:
                data: Any = await json_or_text(response)
            if response.status < 300:
                return data
            if response.status != 429 or (isinstance(data, dict) and data.get("code") == error_codes.TOO_MANY_EDITS):
                break
            if "Via" not in response.headers or not isinstance(data, dict):
                self._block(BLOCKED_SECONDS)
                raise TemporaryFailure("turned away by the edge")
            wait = float(data.get("retry_after", 1.0))
            if time.monotonic() + wait > limited_until:
                raise RequestRefused(0, 429)
            await asyncio.sleep(wait)
        if response.status >= 500:
            raise TemporaryFailure(f"status {response.status}")
        raise RequestRefused(data.get("code", 0) if isinstance(data, dict) else 0, response.status)


def _named(press: LentPress, message: int) -> str:
    return "@original" if message == press.original else str(message)


def _body(params: MultipartParameters | None) -> tuple[Any, dict[str, str]]:
    if params is None:
        return None, {}
    if params.multipart is None:
        return _to_json(params.payload), {"Content-Type": "application/json"}
    for file in params.files or ():
        file.reset()
    form = aiohttp.FormData(quote_fields=False)
    for part in params.multipart:
        form.add_field(**part)
    return form, {}
