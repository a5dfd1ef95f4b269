"""How fast the sandbox is: clicks acknowledged by a real bot process, compared with a bare aiohttp echo.

Two processes on loopback, as in the tests: this one runs the sandbox and its people, the other one the bot. Compare
figures of one run only.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import discord
import yarl
from aiohttp import web
from discord import ui
from discord.ext import commands

from bench.figures import Figure
from sandbox import bodies, posting
from sandbox.limits import messages as limits
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.server import Sandbox

ROOT = Path(__file__).resolve().parent.parent
IN_FLIGHT, CLICKS, ROUNDS = 50, 600, 10
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "bench:go"}]}

Act = Callable[[], Awaitable[object]]


async def rate(act: Act, count: int = CLICKS) -> float:
    """Return acts per second with fifty in flight."""
    left = iter(range(count))

    async def worker() -> None:
        for _ in left:
            await act()

    began = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))
    return count / (time.perf_counter() - began)


async def latencies(*acts: Act) -> list[list[float]]:
    """Return the sorted latencies of each act, in milliseconds; the acts take turns, one at a time."""
    found: list[list[float]] = [[] for _ in acts]
    for _ in range(600):
        for act, times in zip(acts, found, strict=True):
            began = time.perf_counter()
            await act()
            times.append((time.perf_counter() - began) * 1000)
    return [sorted(times) for times in found]


def cost_of_check(sandbox: Sandbox) -> float:
    """Return the seconds of CPU time for checking the acknowledgement of a click."""
    schema, body = sandbox.api.schema, {"type": 6}
    method, template = "POST", "/interactions/{interaction_id}/{interaction_token}/callback"
    best = 1.0
    for _ in range(10):
        began = time.process_time()
        for _ in range(500):
            bodies.check(f"{method} {template}", body)
            if schema is not None:
                schema.check_request(method, template, body)
            list(limits.check_callback(body, ()))
        best = min(best, (time.process_time() - began) / 500)
    return best


@asynccontextmanager
async def child(*arguments: str) -> AsyncIterator[None]:
    """Run this file as the other process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.sandbox", *arguments, cwd=ROOT, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def clicker(*, people: int = 1, messages: int = 0) -> AsyncIterator[tuple[Sandbox, Act]]:
    """Run a sandbox of some size with a bot; yield the sandbox, and a function that clicks in it."""
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Bench")
        crowd: list[Person] = [sandbox.people.add(f"Person {number}") for number in range(people)]
        channels = list(guild.channels.values())
        channels += [sandbox.world.add_channel(guild, f"room-{number}") for number in range(19)]
        for number in range(messages):
            channel = channels[number % len(channels)]
            posting.post(sandbox.world, channel, crowd[number % people].user, {"content": f"message {number}"})
        body = {"content": "Press", "components": [BUTTON]}
        message: Message = posting.post(sandbox.world, channels[0], sandbox.world.bot, body)
        person = crowd[-1]

        async def click() -> None:
            shown = await person.click(message, "Go")
            if shown.failed:
                raise RuntimeError(shown.failed)

        async with child("bot", sandbox.api_url, sandbox.gateway_url, sandbox.token):
            await sandbox.gateway.wait_connected()
            await rate(click, 300)
            yield sandbox, click


@asynccontextmanager
async def echo() -> AsyncIterator[Act]:
    """Run a bare echo of a click: a frame out on a WebSocket, a POST back; yield a function that presses."""
    waiting: dict[str, asyncio.Future[None]] = {}
    sockets: list[web.WebSocketResponse] = []
    connected = asyncio.Event()

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        sockets.append(socket)
        connected.set()
        async for _ in socket:
            pass
        return socket

    async def back(request: web.Request) -> web.Response:
        body = await request.json()
        waiting.pop(body["id"]).set_result(None)
        return web.json_response({"id": body["id"]})

    app = web.Application()
    app.router.add_get("/gateway", gateway)
    app.router.add_post("/back", back)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    number = 0

    async def press() -> None:
        nonlocal number
        number += 1
        key = str(number)
        answered = waiting[key] = asyncio.get_running_loop().create_future()
        await sockets[0].send_json({"id": key, "type": 3, "data": {"custom_id": "bench:go"}})
        await answered

    async with child("echo", f"http://127.0.0.1:{port}"):
        await connected.wait()
        await rate(press, 300)
        yield press
    await runner.cleanup()


async def measure() -> list[Figure]:
    """Measure everything in turn with its baseline; take medians, so that bursts of other work favour neither."""
    found: dict[str, list[float]] = {}
    work: dict[str, float] = {}
    async with echo() as press, clicker() as (small, click), clicker(people=1000, messages=100_000) as (_, click_big):

        async def turn(name: str, act: Act) -> None:
            began = time.process_time()
            found.setdefault(name, []).append(await rate(act))
            work[name] = min(work.get(name, 1.0), (time.process_time() - began) / CLICKS)

        for number in range(ROUNDS):
            await turn("echo", press)
            for checks in (number % 2 == 0, number % 2 == 1):
                small.api.check = checks
                await turn("checked" if checks else "unchecked", click)
            small.api.check = True
            await turn("big", click_big)
        one, one_big, one_echo = await latencies(click, click_big, press)
    rates = {name: statistics.median(each) for name, each in found.items()}
    p50, p99 = statistics.median(one), one[int(len(one) * 0.99)]
    cost = cost_of_check(small)
    return [
        Figure("a bare aiohttp echo, 50 in flight", f"{rates['echo']:,.0f}/s"),
        Figure(
            "clicks acknowledged, 50 in flight",
            f"{rates['checked']:,.0f}/s",
            rates["checked"] / rates["echo"],
            "the echo",
            "about 1,000/s",
        ),
        Figure(
            "the same without checks of requests",
            f"{rates['unchecked']:,.0f}/s",
            rates["checked"] / rates["unchecked"],
            "of this with the checks",
            "at least 0.85",
        ),
        Figure("CPU time of a check", f"{cost * 1e6:,.1f} µs", cost / work["unchecked"], "the sandbox's for a click"),
        Figure("one click, p50", f"{p50:.2f} ms", p50 / statistics.median(one_echo), "one echo"),
        Figure("one click, p99", f"{p99:.2f} ms", p99 / one_echo[int(len(one_echo) * 0.99)], "one echo"),
        Figure(
            "clicks with 1,000 people and 100,000 messages",
            f"{rates['big']:,.0f}/s",
            rates["big"] / rates["checked"],
            "an empty sandbox",
            "about 1",
        ),
        Figure(
            "the sandbox's CPU time for a click there",
            f"{work['big'] * 1e6:,.0f} µs",
            work["big"] / work["checked"],
            "an empty sandbox",
            "about 1",
        ),
        Figure(
            "one click there, p50",
            f"{statistics.median(one_big):.2f} ms",
            statistics.median(one_big) / p50,
            "an empty sandbox",
            "about 1",
        ),
    ]


def figures() -> list[Figure]:
    """Return every figure of the sandbox."""
    return asyncio.run(measure())


def run_bot(api: str, gateway: str, token: str) -> None:
    """Run a bot whose button only acknowledges."""
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)

    class Go(ui.View):
        @ui.button(label="Go", custom_id="bench:go")
        async def go(self, press: discord.Interaction, _: ui.Button["Go"]) -> None:
            await press.response.defer()

    class Bot(commands.AutoShardedBot):
        async def setup_hook(self) -> None:
            self.add_view(Go(timeout=None))

    bot = Bot("!", intents=discord.Intents(guilds=True), guild_ready_timeout=0, max_messages=None)
    bot.run(token, log_handler=None)


async def run_echo(url: str) -> None:
    """Run the other side of the echo."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def answer(frame: dict[str, str]) -> None:
            async with session.post(f"{url}/back", json={"id": frame["id"], "type": 6}) as response:
                await response.json()

        tasks: set[asyncio.Task[None]] = set()
        async with session.ws_connect(f"{url}/gateway") as socket:
            async for message in socket:
                task = asyncio.create_task(answer(message.json()))
                tasks.add(task)
                task.add_done_callback(tasks.discard)


def main() -> None:
    """Print the figures, or run the process that the command line names."""
    match sys.argv[1:]:
        case ["bot", api, gateway, token]:
            run_bot(api, gateway, token)
        case ["echo", url]:
            asyncio.run(run_echo(url))
        case _:
            for figure in figures():
                print(figure)


if __name__ == "__main__":
    main()
