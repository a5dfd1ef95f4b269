"""The sandbox as a web server: its REST API, gateway and files on one port."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from aiohttp import web

from sandbox.clock import Clock
from sandbox.faults import Faults
from sandbox.gateway import Gateway
from sandbox.guard import protect
from sandbox.people import People
from sandbox.problems import Violation
from sandbox.ratelimits import RateLimits
from sandbox.rest.pipeline import Api
from sandbox.schema import Schema
from sandbox.world import Stored, World

HOST = "127.0.0.1"
MAX_REQUEST_BYTES = 64 * 1024 * 1024
"""Cap on the size of one request, in bytes."""


# Discord converts an emoji to the format that the ending names; here any ending gives the uploaded format.
EMOJI_ENDINGS = ("png", "jpg", "jpeg", "gif", "webp", "avif")


class Sandbox:
    """An imitation of Discord on one port of 127.0.0.1, for one bot.

    `world` contains everything that exists, `people` act in it, `faults` injects failures, `gateway` can close and
    reconnect; `requests` and `violations` record what the bot did. Add routes to `app` before `start`.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        clock: Clock | None = None,
        world: World | None = None,
        token: str | None = None,
        shards: int = 1,
        check: bool = True,
        check_answers: bool = False,
        rate_limits: bool = True,
    ) -> None:
        self.world = world or World(clock)
        self.token = token or f"sandbox.{secrets.token_hex(8)}"
        self.people = People(self.world)
        self.faults = Faults()
        self.rate_limits = RateLimits(self.world.clock, rate_limits)
        self.gateway = Gateway(self.world, self.token, self.faults)
        self.gateway.shards = shards
        self.api = Api(
            self.world,
            self.gateway,
            self.faults,
            self.rate_limits,
            self.token,
            Schema.load() if check or check_answers else None,
            check=check,
            check_answers=check_answers,
        )
        self.requests = self.api.requests
        self.port = port
        self.app = web.Application(client_max_size=MAX_REQUEST_BYTES)
        protect(self.app)
        self.app.router.add_route("*", "/api/v10/{tail:.*}", self.api.handle)
        self.app.router.add_get("/gateway", self.gateway.handle)
        self.app.router.add_get("/gateway/", self.gateway.handle)
        self.app.router.add_get("/attachments/{channel_id}/{file_id}/{name}", self._attachment)
        self.app.router.add_get("/emojis/{name}", self._emoji)
        self._runner: web.AppRunner | None = None

    @property
    def violations(self) -> list[Violation]:
        """The requests that Discord would have refused, without those a test expected."""
        return self.api.violations

    @property
    def url(self) -> str:
        """The URL of the sandbox for a browser."""
        return f"http://{HOST}:{self.port}"

    @property
    def api_url(self) -> str:
        """The value for `discord.http.Route.BASE`."""
        return f"{self.url}/api/v10"

    @property
    def gateway_url(self) -> str:
        """The value for `discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY`."""
        return f"ws://{HOST}:{self.port}/gateway"

    async def start(self) -> Self:
        """Start listening; port 0 picks any free port and stores it in `port`."""
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.world.base_url = self.url
        self.gateway.url = self.gateway_url
        return self

    async def stop(self) -> None:
        """Close every connection and the port."""
        await self.gateway.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @contextmanager
    def expecting_violations(self) -> Iterator[list[Violation]]:
        """Collect the violations of this block in the yielded list instead of `violations`."""
        before = self.api.violations
        found: list[Violation] = []
        self.api.violations = found
        try:
            yield found
        finally:
            self.api.violations = before

    async def _attachment(self, request: web.Request) -> web.Response:
        found = self.world.uploads.files.get(request.match_info["file_id"])
        known = found is not None and found.secret == request.query.get("hm")
        return _file(found if known else None)

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji_id, _, ending = request.match_info["name"].partition(".")
        return _file(self.world.uploads.images.get(emoji_id) if ending in EMOJI_ENDINGS else None)


def _file(stored: Stored | None) -> web.Response:
    if stored is None:
        raise web.HTTPNotFound
    return web.Response(body=stored.data, content_type=stored.content_type.partition(";")[0])
