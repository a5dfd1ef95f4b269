"""Sends the bot's own requests to Discord, each tried once, and translates their failures.

discord.py waits for rate limits and repeats 500, 502, 504 and 524 itself. It repeats neither a 503 nor a broken
connection, and it waits forever on a silent one. These are raised here as `TemporaryFailure`. The caller tries again
with the same nonce, so that a post whose answer was lost does not appear twice.

Requests with the token of a press have no nonce, and discord.py would send them twice: they are made by
`wire.press_requests`. A post made that way carries a mark by which it is found again.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from copy import copy
from hashlib import blake2b
from typing import Any, Final, NamedTuple, TypeVar

import aiohttp
import discord
from discord.http import HTTPClient, MultipartParameters, Route
from discord.webhook.async_ import async_context

from bot.discord_ui.wire import error_codes
from bot.discord_ui.wire.failures import LeftOut, RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace, Urgency
from bot.discord_ui.wire.press_requests import LentPress, PressRequests
from bot.pictures.picture import Picture
from bot.screens.layout import Screen, illustrated

T = TypeVar("T")

log = logging.getLogger(__name__)

COMPONENTS_V2: Final = 1 << 15
"""The flag of a message that consists only of components."""
EPHEMERAL: Final = 1 << 6
"""The flag of a message that only one person sees."""
TEXT_COMPONENT: Final = 10
"""Discord's component type for a text."""
MAX_RECALLED_MESSAGES: Final = 100
"""How many of a channel's newest messages are searched for our own posts; Discord lists no more at once."""
MAX_NONCES_PER_POST: Final = 8
"""How many nonces a post tries if messages with the earlier ones were posted and deleted."""
REQUEST_TIMEOUT_SECONDS: Final = 40.0
"""How long a request may take, including discord.py's waits for rate limits."""
EMOJI_TIMEOUT_SECONDS: Final = 7200.0
"""The same for writing emojis, which nobody waits for: Discord may ask for long pauses."""
SLOW_REQUEST_SECONDS: Final = 1.0
"""A request that takes longer, waits for our own pace and for rate limits included, is slow."""
SLOW_SECONDS: Final = 30.0
"""For how long after a slow request nothing is sent that people can do without."""
BLOCKED_SECONDS: Final = 600.0
"""How long no request is made after Discord's edge has blocked the bot's IP address."""


class Outgoing:
    """A message to send: a screen or a line of text, the users it pings, a plain version for filters, and a picture.

    A picture that the message already has (`has_picture`) is only referred to, not sent again.
    """

    __slots__ = (
        *("_body", "_fingerprint", "drops_files", "has_picture", "parts", "picture", "picture_was_refused"),
        *("pings", "plain"),
    )

    def __init__(
        self,
        body: Screen | str,
        pings: Sequence[int] = (),
        plain: Callable[[], Screen | str] | None = None,
        picture: Picture | None = None,
    ) -> None:
        self.pings = pings
        self.plain = plain
        self._body = body
        self.has_picture = False
        self.drops_files = False
        """Whether an edit removes a picture that the message may still have."""
        self.picture_was_refused = False
        """Whether Discord has accepted the message only without its picture."""
        self.show(picture)

    def show(self, picture: Picture | None) -> None:
        """Add a picture to the screen, or leave it out; a line of text has none."""
        body = self._body
        self.picture = None if isinstance(body, str) else picture
        self._fingerprint: int | None = None
        if not isinstance(body, str) and picture is not None:
            body = illustrated(body, picture.name, picture.description)
        # Built once: turning a screen into components costs more than sending it.
        self.parts: dict[str, Any] = (
            {"content": body} if isinstance(body, str) else {"components": body.to_components(), "flags": COMPONENTS_V2}
        )

    @property
    def fingerprint(self) -> int:
        """A number that is the same for messages that look the same."""
        if self._fingerprint is None:
            data = None if self.picture is None else self.picture.data
            self._fingerprint = hash((json.dumps(self.parts), data))
        return self._fingerprint

    @property
    def without_own_emojis(self) -> Outgoing | None:
        """The message with no emoji of the bot's own on buttons and options; None if it has none there."""
        bare = copy(self)
        bare._fingerprint = None
        bare.parts = _without_own_emojis(self.parts)
        return None if bare.parts == self.parts else bare

    def to_params(self, nonce: str | None = None, *, marks_text: bool = False) -> MultipartParameters:
        """Return the body of the request, which pings nobody but `pings`.

        A post has a nonce, and a mark made from it, by which it can be found in the channel. A line of text has no
        place for a mark, unless it is sent as a component (`marks_text`); it looks the same.
        """
        payload = {**self.parts, "allowed_mentions": {"parse": [], "users": [str(user) for user in self.pings]}}
        if nonce is not None and "components" in payload:
            first, *others = payload["components"]
            payload["components"] = [{**first, "id": mark_of(nonce)}, *others]
        elif nonce is not None and marks_text:
            line = {"type": TEXT_COMPONENT, "content": payload.pop("content"), "id": mark_of(nonce)}
            payload |= {"components": [line], "flags": COMPONENTS_V2}
        if nonce is not None and not marks_text:
            payload |= {"nonce": nonce, "enforce_nonce": True}
        if self.picture is None or self.has_picture:
            if self.picture is None and self.drops_files:
                payload["attachments"] = []
            return MultipartParameters(payload=payload, multipart=None, files=None)
        file = as_file(self.picture)
        payload["attachments"] = [file.to_dict(0)]
        form: list[dict[str, Any]] = [
            {"name": "payload_json", "value": json.dumps(payload)},
            {"name": "files[0]", "value": file.fp, "filename": file.filename, "content_type": "image/png"},
        ]
        return MultipartParameters(payload=None, multipart=form, files=[file])


def mark_of(nonce: str) -> int:
    """Return the number that marks a post: the id of its first component, which Discord keeps."""
    return 1 << 30 | int.from_bytes(blake2b(nonce.encode(), digest_size=4).digest(), "big") >> 2


def as_file(picture: Picture) -> discord.File:
    """Return a picture as discord.py sends it."""
    return discord.File(io.BytesIO(picture.data), picture.name)


def _without_own_emojis(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_own_emojis(each) for each in part]
    if not isinstance(part, dict):
        return part
    own = isinstance(part.get("emoji"), dict) and part["emoji"].get("id") is not None
    return {key: _without_own_emojis(value) for key, value in part.items() if not (own and key == "emoji")}


class ApplicationEmoji(NamedTuple):
    """An emoji of the application."""

    id: int
    name: str
    uploaded_by: int | None
    """The user who uploaded it; None if Discord does not say."""


class PrivateAnswer(NamedTuple):
    """A message that only one person sees, and the webhook with which it can be changed.

    It is named by its id and never as "@original", which for some answers is the message whose button was pressed: a
    private screen would then be shown to everybody.
    """

    application: int
    token: str
    session: aiohttp.ClientSession
    message: int


class Rest:
    """Makes requests with the bot's token. `revoked` is called when Discord no longer accepts the token.

    `emoji_refused` is called when a message was accepted only without the bot's own emojis. `me` is the bot's user id.
    """

    def __init__(
        self,
        http: HTTPClient,
        pace: Pace,
        revoked: Callable[[], None],
        emoji_refused: Callable[[], None] = lambda: None,
        me: int = 0,
    ) -> None:
        self._http = http
        self._me = me
        self._presses = PressRequests(http, pace.hold)
        self._pace = pace
        self._revoked = revoked
        self._slow_until = 0.0
        self._emoji_refused = emoji_refused

    @property
    def is_slow(self) -> bool:
        """Whether a request took long a moment ago: Discord is slow, limits us, or we have too much to send."""
        return asyncio.get_running_loop().time() < self._slow_until

    async def post(
        self,
        channel: int,
        message: Outgoing,
        nonce: str,
        urgency: Urgency = Urgency.SHOWS,
        within: float | None = None,
    ) -> int:
        """Post a message and return its id; if its nonce was used a moment ago, return that message's id.

        If that message has been deleted since, Discord neither finds it nor posts a new one. Then the next nonce,
        derived from this one, is tried. Raise LeftOut if it would have to wait for longer than `within` seconds.
        """

        async def post(params: MultipartParameters) -> int:
            posted: Any = await self._request(
                lambda: self._http.send_message(channel, params=params), urgency=urgency, within=within
            )
            return int(posted["id"])

        message.has_picture = False  # whatever an older message has
        for _ in range(MAX_NONCES_PER_POST):
            try:
                return await self._send(message, nonce, post)
            except RequestRefused as refused:
                if refused.code != error_codes.UNKNOWN_MESSAGE:
                    raise
            nonce = blake2b(nonce.encode(), digest_size=12).hexdigest()
        raise RequestRefused(error_codes.UNKNOWN_MESSAGE, 404)

    async def edit(self, channel: int, message: int, changed: Outgoing, urgency: Urgency = Urgency.SHOWS) -> None:
        """Edit a message; edits ping nobody."""

        async def edit(params: MultipartParameters) -> None:
            await self._request(lambda: self._http.edit_message(channel, message, params=params), urgency=urgency)

        await self._send(changed, None, edit)

    async def own_posts(self, channel: int, urgency: Urgency = Urgency.SHOWS) -> dict[int, int]:
        """Return our own messages among the newest of a channel, by the marks with which they were posted."""
        listed: Any = await self._request(lambda: self._http.logs_from(channel, MAX_RECALLED_MESSAGES), urgency=urgency)
        return {
            each["components"][0]["id"]: int(each["id"])
            for each in listed
            if int(each["author"]["id"]) == self._me and each.get("components")
        }

    async def _send(
        self,
        message: Outgoing,
        nonce: str | None,
        send: Callable[[MultipartParameters], Awaitable[T]],
        *,
        marks_text: bool = False,
    ) -> T:
        """Send a message, its plain version if a filter refuses it, or its words if it may have no picture.

        If one of the bot's own emojis has been deleted, Discord refuses a button with it; then it goes without.
        """
        try:
            return await send(message.to_params(nonce, marks_text=marks_text))
        except RequestRefused as refused:
            if refused.code == error_codes.NO_PERMISSION and message.picture is not None and not message.has_picture:
                log.info("a picture was refused (%s): sending the words alone", refused.code)
                message.show(None)
                sent = await self._send(message, nonce, send, marks_text=marks_text)
                message.picture_was_refused = True  # it was the picture's fault, since the words alone were accepted
                return sent
            bare = message.without_own_emojis if refused.code == error_codes.INVALID_FORM else None
            if bare is not None:
                sent = await send(bare.to_params(nonce, marks_text=marks_text))
                self._emoji_refused()
                return sent
            if refused.code not in error_codes.FILTERED or message.plain is None:
                raise
            log.info("a filter refused a message (%s): sending its plain version", refused.code)
            plain = Outgoing(message.plain())
            plain.drops_files = nonce is None
            message.show(None)
            return await send(plain.to_params(nonce, marks_text=marks_text))

    # -- with the token of a press, which does not count towards the bot's rate limits

    async def post_through(self, press: LentPress, message: Outgoing, nonce: str) -> int:
        """Post a message for everybody in the channel of a press and return its id.

        Discord knows no nonce here: if the answer is lost, `own_posts` tells whether the message is there. If Discord
        shows it to one person alone, it is deleted, and the post is refused.
        """

        async def post(params: MultipartParameters) -> Any:
            return await self._request(lambda: self._presses.post(press, params), urgency=None)

        message.has_picture = False
        posted = await self._send(message, nonce, post, marks_text=True)
        if posted.get("flags", 0) & EPHEMERAL:
            await self.delete_through(press, int(posted["id"]))
            raise RequestRefused(error_codes.UNKNOWN_MESSAGE, 404)
        return int(posted["id"])

    async def edit_through(self, press: LentPress, message: int, changed: Outgoing) -> None:
        """Edit a message that belongs to a press: the one that was pressed, or one that was posted through it."""
        params = changed.to_params()
        await self._request(lambda: self._presses.edit(press, message, params), urgency=None)

    async def delete_through(self, press: LentPress, message: int) -> None:
        """Delete a message that belongs to a press."""
        await self._request(lambda: self._presses.delete(press, message), urgency=None)

    async def edit_private(self, answer: PrivateAnswer, changed: Outgoing) -> None:
        """Change a private message; this does not count towards the bot's rate limits."""

        async def edit(params: MultipartParameters) -> None:
            await self._request(
                lambda: async_context.get().edit_webhook_message(
                    answer.application,
                    answer.token,
                    answer.message,
                    session=answer.session,
                    proxy=self._http.proxy,
                    proxy_auth=self._http.proxy_auth,
                    payload=params.payload,
                    multipart=params.multipart,
                    files=params.files,
                    with_components=True,
                ),
                urgency=None,
            )

        await self._send(changed, None, edit)

    async def delete_private(self, answer: PrivateAnswer) -> None:
        """Delete a private message; this does not count towards the bot's rate limits."""
        await self._request(
            lambda: async_context.get().delete_webhook_message(
                answer.application,
                answer.token,
                answer.message,
                session=answer.session,
                proxy=self._http.proxy,
                proxy_auth=self._http.proxy_auth,
            ),
            urgency=None,
        )

    async def original(self, webhook: str) -> dict[str, Any] | None:
        """Return the message that is the first answer to a command, by the command's webhook; None if there is none."""
        path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        application, _, token = webhook.partition("/")
        route = Route("GET", path, webhook_id=application, webhook_token=token)
        try:
            found: dict[str, Any] = await self._request(lambda: self._http.request(route))
        except RequestRefused as refused:
            log.info("the answer to a command was not found (%s)", refused.code)
            return None
        return found

    async def delete(self, channel: int, message: int, urgency: Urgency = Urgency.SPARE) -> None:
        """Delete a message; one that is gone already counts as deleted."""
        try:
            await self._request(lambda: self._http.delete_message(channel, message), urgency=urgency)
        except RequestRefused as refused:
            if refused.code not in (error_codes.UNKNOWN_MESSAGE, error_codes.UNKNOWN_CHANNEL):
                raise

    async def emojis(self, application: int) -> list[ApplicationEmoji]:
        """Return an application's emojis."""
        listed: Any = await self._request(lambda: self._http.get_application_emojis(application))
        return [
            ApplicationEmoji(int(each["id"]), each["name"], int(each["user"]["id"]) if each.get("user") else None)
            for each in listed["items"]
        ]

    async def add_emoji(self, application: int, name: str, data: bytes) -> int:
        """Upload an emoji, a PNG file, and return its id."""
        image = f"data:image/png;base64,{base64.b64encode(data).decode()}"
        made: Any = await self._request(
            lambda: self._http.create_application_emoji(application, name, image), awaited=False
        )
        return int(made["id"])

    async def delete_emoji(self, application: int, emoji: int) -> None:
        """Delete an emoji; one that is gone already counts as deleted."""
        try:
            await self._request(lambda: self._http.delete_application_emoji(application, emoji), awaited=False)
        except RequestRefused as refused:
            if refused.code != error_codes.UNKNOWN_EMOJI:
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
        """Return whether a channel exists, even if the bot cannot see it."""
        try:
            await self._request(lambda: self._http.get_channel(channel))
        except RequestRefused as refused:
            return refused.code != error_codes.UNKNOWN_CHANNEL
        return True

    async def guild_name(self, guild: int) -> str | None:
        """Return what a guild is called; None if the bot is not in it, or Discord does not say."""
        try:
            found: Any = await self._request(lambda: self._http.get_guild(guild, with_counts=False))
        except (RequestRefused, TemporaryFailure):
            return None
        return str(found["name"])

    async def may_be_member(self, guild: int, user: int) -> bool:
        """Return whether a user may be in a guild: False only if Discord says that they are not."""
        try:
            return await self.member_name(guild, user) is not None
        except (RequestRefused, TemporaryFailure):
            return True

    async def member_name(self, guild: int, user: int) -> str | None:
        """Return what a user is called in a guild, None if they are not in it; raise if Discord does not say."""
        try:
            found: Any = await self._request(lambda: self._http.get_member(guild, user))
        except RequestRefused as refused:
            if refused.code not in (error_codes.UNKNOWN_MEMBER, error_codes.UNKNOWN_USER):
                raise
            return None
        return str(found.get("nick") or found["user"].get("global_name") or found["user"]["username"])

    async def _request(
        self,
        request: Callable[[], Awaitable[T]],
        *,
        urgency: Urgency | None = Urgency.USUAL,
        within: float | None = None,
        awaited: bool = True,
    ) -> T:
        """Make a request, when it is its turn; without `urgency` at once, since it does not count towards the limit.

        `within`: raise LeftOut if its turn does not come within this many seconds. `awaited`: people wait for it,
        so its delay tells how slow Discord is for them.
        """
        now = asyncio.get_running_loop().time
        began = now()
        if urgency is None:
            if self._pace.is_held:
                raise TemporaryFailure("turned away by the edge")
        elif within is None:
            await self._pace.take(urgency)
        elif not await self._pace.take_within(within, urgency):
            raise LeftOut
        if urgency is Urgency.SPARE:
            began = now()
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS if awaited else EMOJI_TIMEOUT_SECONDS):
                return await request()
        except discord.HTTPException as fault:
            raise self._translate(fault) from None
        except (aiohttp.ClientError, OSError, TimeoutError) as fault:
            raise TemporaryFailure(type(fault).__name__) from None
        finally:
            if awaited and now() - began > SLOW_REQUEST_SECONDS:
                self._slow_until = now() + SLOW_SECONDS

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
