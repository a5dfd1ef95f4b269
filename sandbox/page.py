"""Serves the page's files and its WebSocket.

The page sends `{"op", "n", …}` and gets `{"op": "reply", "n", "ok", "data" | "error"}`. The server also pushes `hello`
and `people` (all people), `event` (`person`, `t`, `d`: one event as that person's client gets it), `nudge` (news for a
person who is not displayed), `bot` (whether it is connected) and, while the inspector is open, `request`.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine, Reversible
from pathlib import Path
from typing import Any, Self

from aiohttp import WSMsgType, web

from sandbox import page_view
from sandbox.errors import ApiError
from sandbox.events import Change
from sandbox.page_acts import Acts
from sandbox.page_inspector import Follower, Request
from sandbox.people import People
from sandbox.refusals import Refused
from sandbox.server import Sandbox
from sandbox.world import World

Json = dict[str, Any]

STATIC = Path(__file__).parent / "static"
MAX_QUEUED_MESSAGES = 20_000
"""Cap on unsent messages. A page further behind is disconnected; it reconnects and reloads everything."""
INSPECT_INTERVAL_SECONDS = 0.05
"""Interval at which the inspector looks for new requests."""
BOT_CHECK_SECONDS = 0.2
"""Interval at which the bot's connection is checked."""


class Page:
    """Serves the page of one sandbox."""

    def __init__(
        self,
        world: World,
        people: People,
        requests: Reversible[Request] = (),
        bot_is_here: Callable[[], bool] = lambda: True,
    ) -> None:
        self.world = world
        self.people = people
        self.requests = requests
        self.bot_is_here = bot_is_here
        self._open: set[_Connection] = set()

    @classmethod
    def of(cls, sandbox: Sandbox) -> Self:
        """Return the page of a sandbox."""
        return cls(sandbox.world, sandbox.people, sandbox.requests, lambda: bool(sandbox.gateway.connected))

    def attach(self, app: web.Application) -> None:
        """Add the page to an application that has not started yet."""
        app.router.add_get("/", self._index)
        app.router.add_get("/page/ws", self._socket)
        app.router.add_static("/static/", STATIC)
        app.on_shutdown.append(self._close)

    async def _index(self, _: web.Request) -> web.FileResponse:
        return web.FileResponse(STATIC / "index.html")

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=20, max_msg_size=1 << 20)
        await socket.prepare(request)
        connection = _Connection(self, socket)
        self._open.add(connection)
        try:
            await connection.serve()
        finally:
            self._open.discard(connection)
        return socket

    async def _close(self, _: web.Application) -> None:
        for connection in tuple(self._open):
            await connection.socket.close(code=1001)


class _Connection:
    def __init__(self, page: Page, socket: web.WebSocketResponse) -> None:
        self.page = page
        self.socket = socket
        self.acts = Acts(page.world, page.people)
        self.watched: set[str] = set()
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._tasks: set[asyncio.Task[object]] = set()
        self._inspecting: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve requests and push events until the page disconnects."""
        unsubscribe = self.page.world.subscribe(self._changed)
        jobs = [asyncio.create_task(self._send()), asyncio.create_task(self._watch_bot())]
        self._push({"op": "hello", "people": page_view.people(self.page.people)})
        try:
            async for message in self.socket:
                if message.type is not WSMsgType.TEXT:
                    break
                # Acts wait for the bot, so each runs in its own task and a slow one delays no others.
                self._spawn(self._answer(message.data))
        finally:
            unsubscribe()
            self._inspect(False)
            for each in (*jobs, *self._tasks):
                each.cancel()

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(await self._outgoing.get())

    async def _watch_bot(self) -> None:
        last: bool | None = None
        while True:
            here = self.page.bot_is_here()
            if here != last:
                last = here
                self._push({"op": "bot", "here": here, "user": self.page.world.bot.json()})
            await asyncio.sleep(BOT_CHECK_SECONDS)

    def _push(self, data: Json) -> None:
        self._put(json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    def _put(self, text: str) -> None:
        try:
            self._outgoing.put_nowait(text)
        except asyncio.QueueFull:
            self._spawn(self.socket.close(code=1013))

    async def _answer(self, text: str) -> None:
        with contextlib.suppress(ValueError):
            ask = json.loads(text)
            if isinstance(ask, dict):
                await self._reply(ask)

    async def _reply(self, ask: Json) -> None:
        reply: Json = {"op": "reply", "n": ask.get("n"), "ok": True}
        try:
            reply["data"] = await self._perform(str(ask.get("op")), ask)
        except Refused as refused:
            reply |= {"ok": False, "error": str(refused)}
        except ApiError as error:
            reply |= {"ok": False, "error": str(error)}
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            reply |= {"ok": False, "error": f"the page sent an invalid request: {error!r}"}
        self._push(reply)

    async def _perform(self, op: str, ask: Json) -> Any:
        if op == "watch":
            person = self.acts.person(ask)
            self.watched.add(person.id)
            return page_view.snapshot(self.page.world, person)
        if op == "unwatch":
            return self.watched.discard(str(ask.get("person")))
        if op == "inspect":
            return self._inspect(bool(ask.get("on")))
        done = await self.acts.perform(op, ask)
        if op in ("add_person", "change_person", "remove_person"):
            self._push_people()
        return done

    def _inspect(self, on: bool) -> list[Json]:
        if self._inspecting is not None:
            self._inspecting.cancel()
            self._inspecting = None
        if not on:
            return []
        follower = Follower(self.page.requests)
        before = follower.fresh(self.page.world.clock.now())
        self._inspecting = asyncio.create_task(self._follow(follower))
        return before

    async def _follow(self, follower: Follower) -> None:
        # Polled rather than pushed by the API, so that an open inspector never delays the bot's requests.
        while True:
            await asyncio.sleep(INSPECT_INTERVAL_SECONDS)
            for record in follower.fresh(self.page.world.clock.now()):
                self._push({"op": "request", "record": record})

    def _push_people(self) -> None:
        self._push({"op": "people", "people": page_view.people(self.page.people)})

    def _changed(self, change: Change) -> None:
        if change.kind in page_view.PEOPLE_CHANGED:
            self._push_people()
        if change.kind in page_view.NOT_PUSHED:
            return
        world = self.page.world
        event: str | None = None
        for person_id in self.watched:
            if world.may_see(change, person_id):
                if event is None:
                    event = json.dumps({"t": change.kind, "d": change.data}, ensure_ascii=False, separators=(",", ":"))
                self._put(f'{{"op":"event","person":"{person_id}",{event[1:]}')
        for person_id in page_view.concerned(change) - self.watched:
            self._push({"op": "nudge", "person": person_id})
