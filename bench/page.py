"""How soon the sandbox's page shows a new message: from post to WebSocket frame, compared with a bare echo."""

from __future__ import annotations

import asyncio
import statistics
import time

import aiohttp
from aiohttp import web

from bench.figures import Figure
from sandbox.launch import Settings, running

REPEATS = 300


async def _echo(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for message in socket:
        await socket.send_str(message.data)
    return socket


async def _time_echo() -> float:
    app = web.Application()
    app.router.add_get("/", _echo)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    took = []
    async with aiohttp.ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{port}/") as socket:
        for _ in range(REPEATS):
            began = time.perf_counter()
            await socket.send_str("news")
            await socket.receive_str()
            took.append(time.perf_counter() - began)
    await runner.cleanup()
    return statistics.median(took) * 1000


async def _time_page() -> float:
    took = []
    async with running(Settings(port=0, scene="lobby")) as sandbox, aiohttp.ClientSession() as session:
        headers = {"Origin": sandbox.url}
        async with session.ws_connect(f"{sandbox.url}/page/ws", headers=headers) as socket:
            you, ana = sandbox.people["Sam"], sandbox.people["Ana"]
            await socket.send_json({"op": "watch", "n": 1, "person": you.id})
            while '"reply"' not in await socket.receive_str():
                pass
            for number in range(REPEATS):
                began = time.perf_counter()
                await ana.say(f"news {number}")
                while f"news {number}" not in await socket.receive_str():
                    pass
                took.append(time.perf_counter() - began)
    return statistics.median(took) * 1000


def figures() -> list[Figure]:
    """Measure the echo and the page in the same run."""
    bare, page = asyncio.run(_time_echo()), asyncio.run(_time_page())
    return [
        Figure(
            "a new message on the page's socket, median", f"{page:.2f} ms", page / bare, f"a bare echo ({bare:.2f} ms)"
        )
    ]
