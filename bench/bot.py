"""How fast the whole bot is: a bid by button, acknowledged after its commit, against a bot that only acknowledges.

Each bot is a separate process, its sandbox is in this one, and both are sent presses on the same table message. Compare
figures of one run only.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.figures import Figure
from bench.sandbox import Act, child
from sandbox import posting
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.shown import Shown

ROOT = Path(__file__).resolve().parent.parent
SEATS, TABLES, ONE_BY_ONE, PASSES, CLICKS, TURNS = 3, 50, 400, 5, 1000, 7
REST_SECONDS = 0.02
"""How long the bot needs to write down what it has sent."""
HUMANS, HUMAN_SECONDS, THINKING_SECONDS = 200, 30.0, 10.0
WITHOUT_TOKEN = ("/interactions/", "/webhooks/")


@asynccontextmanager
async def bot(sandbox: Sandbox, folder: str, **env: str) -> AsyncIterator[None]:
    """Run the real bot on a sandbox."""
    settings = {
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API_URL": sandbox.api_url,
        "DISCORD_GATEWAY_URL": sandbox.gateway_url,
        "DATABASE_PATH": f"{folder}/coyote.sqlite3",
        "LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING"),
        **env,
    }
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DISCORD_")}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", cwd=ROOT, env=kept | settings)
    try:
        await sandbox.gateway.wait_connected(seconds=60)
        yield
    finally:
        process.terminate()
        await process.wait()


def _check_accepted(shown: Shown) -> None:
    if shown.failed or shown.appeared:
        raise RuntimeError(f"not accepted: {shown.text}")


class Table:
    """A table whose players raise by one as soon as it is their turn."""

    def __init__(self, players: list[Person]) -> None:
        self.players = players
        self.prompt, self.number, self.turn = 1, -999, 0
        self.id = ""
        self.message: Message | None = None

    async def open(self) -> None:
        """Open the table, join and start."""
        host, *others = self.players
        message = (await host.slash("coyote new", clock="off")).message
        if message is None:
            raise RuntimeError("no table was opened")
        for person in others:
            _check_accepted(await person.click(message, "Join"))
        _check_accepted(await host.click(message, "Start"))
        await host.wait_for(lambda: "'s turn" in message.text, 30)
        self.message = message
        self.id = message.buttons[0]["custom_id"].split(":")[1]
        self.turn = next(n for n, person in enumerate(self.players) if f"## {person.mention}" in message.text)

    async def bid(self) -> None:
        """Let the player whose turn it is raise by one, with the button for that number."""
        if self.message is None or self.number > 998:
            raise RuntimeError("the table is used up")
        custom_id = f"c1:{self.id}:{self.prompt}:bid:{self.number}"
        shown = await self.players[self.turn % SEATS].forge(self.message, custom_id)
        _check_accepted(shown)
        self.prompt, self.number, self.turn = self.prompt + 1, self.number + 1, self.turn + 1

    async def rest(self) -> None:
        """Wait until the table shows the next turn, and the bot has nothing more to do."""
        message, asked = self.message, f"c1:{self.id}:{self.prompt}:"
        if message is None:
            raise RuntimeError("the table is not open")
        await self.players[0].wait_for(lambda: any(b["custom_id"].startswith(asked) for b in message.buttons), 30)
        await asyncio.sleep(REST_SECONDS)


@asynccontextmanager
async def tables(count: int, *, rate_limits: bool = False, **env: str) -> AsyncIterator[tuple[Sandbox, list[Table]]]:
    """Run the real bot with `count` tables, each in its own channel."""
    async with Sandbox(rate_limits=rate_limits) as sandbox:
        sandbox.api.requests = deque()  # unbounded, so that all requests are counted
        guilds = [sandbox.world.add_guild(f"Server {number}") for number in range(-(-count // 10))]
        rooms = []
        for number in range(count):
            guild = guilds[number // 10]
            crowd = [sandbox.people.add(f"Person {number}.{seat}", guild) for seat in range(SEATS)]
            channel = sandbox.world.add_channel(guild, f"room-{number}")
            for person in crowd:
                person.where = channel
                person.dms_open = False
            rooms.append(Table(crowd))
        with tempfile.TemporaryDirectory() as folder:
            async with bot(sandbox, folder, **env):
                for first in range(0, count, 10):
                    await asyncio.gather(*(table.open() for table in rooms[first : first + 10]))
                await asyncio.sleep(1.0)
                yield sandbox, rooms


@asynccontextmanager
async def floor(like: Message) -> AsyncIterator[Act]:
    """Run a bot that only acknowledges; yield a press on a message like the table's."""
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Bench")
        crowd = [sandbox.people.add(f"Person {seat}", guild) for seat in range(SEATS)]
        components = [_renamed(part) for part in like.json["components"]]
        body = {"components": components, "flags": 1 << 15}
        message = posting.post(sandbox.world, next(iter(guild.channels.values())), sandbox.world.bot, body)

        async def click() -> None:
            if (await crowd[0].forge(message, "bench:go")).failed:
                raise RuntimeError("not acknowledged")

        async with child("bot", sandbox.api_url, sandbox.gateway_url, sandbox.token):
            await sandbox.gateway.wait_connected()
            for _ in range(100):
                await click()
            yield click


def _renamed(part: dict[str, object]) -> dict[str, object]:
    """Copy a component; the button for a bid of 1 becomes the one that the other bot knows."""
    copy = {key: value for key, value in part.items() if key != "id"}
    if isinstance(inner := copy.get("components"), list):
        copy["components"] = [_renamed(each) for each in inner]
    if str(copy.get("custom_id", "")).endswith(":bid:1"):
        copy["custom_id"] = "bench:go"
    return copy


async def timed(act: Act) -> float:
    """Return the milliseconds of one act."""
    began = time.perf_counter()
    await act()
    return (time.perf_counter() - began) * 1000


async def one_by_one(rooms: list[Table], click: Act) -> tuple[list[float], list[float]]:
    """Return the sorted milliseconds of alternating bids and bare acknowledgements, each made with the bot at rest."""
    bids, clicks = [], []
    for number in range(ONE_BY_ONE):
        table = rooms[number % len(rooms)]
        bids.append(await timed(table.bid))
        await table.rest()
        clicks.append(await timed(click))
    return sorted(bids), sorted(clicks)


async def together(acts: list[Act]) -> float:
    """Return acts per second while all acts run at once, each of them again and again."""
    each = CLICKS // len(acts)

    async def worker(act: Act) -> None:
        for _ in range(each):
            await act()

    began = time.perf_counter()
    await asyncio.gather(*map(worker, acts))
    return each * len(acts) / (time.perf_counter() - began)


def calls(sandbox: Sandbox) -> Counter[str]:
    """Count the requests with the bot's token so far, by route."""
    return Counter(each.route for each in sandbox.api.requests if not each.path.startswith(_prefixes()))


def _prefixes() -> tuple[str, ...]:
    return tuple(f"/api/v10{path}" for path in WITHOUT_TOKEN)


async def at_human_pace() -> list[Figure]:
    """Let two hundred tables play at human pace, with Discord's real rate limits; count refused requests."""
    async with tables(HUMANS, rate_limits=True) as (sandbox, rooms):
        sandbox.rate_limits.refused = 0
        before, begun = sum(calls(sandbox).values()), time.perf_counter()
        acts = 0

        async def play(table: Table, first: float) -> None:
            nonlocal acts
            await asyncio.sleep(first)
            while time.perf_counter() - begun < HUMAN_SECONDS:
                await table.bid()
                acts += 1
                await asyncio.sleep(THINKING_SECONDS)

        await asyncio.gather(*(play(table, THINKING_SECONDS * n / HUMANS) for n, table in enumerate(rooms)))
        spent = sum(calls(sandbox).values()) - before
        return [
            Figure(
                f"429s, {HUMANS} tables, an action every {THINKING_SECONDS:.0f} s at each",
                f"{sandbox.rate_limits.refused}",
                wanted="0",
            ),
            Figure("calls with the bot's token there, per action", f"{spent / max(1, acts):.2f}", wanted="at most 3"),
        ]


async def measure() -> list[Figure]:
    """Measure everything."""
    found: list[Figure] = []
    async with tables(TABLES) as (_, rooms):
        first = rooms[0].message
        if first is None:
            raise RuntimeError("no table")
        async with floor(first) as click:
            # The speed of a machine varies over seconds: each pass, and each pair, is compared on its own.
            passes = [await one_by_one(rooms, click) for _ in range(PASSES)]
            turns = []
            for _ in range(TURNS):
                rate = await together([table.bid for table in rooms])
                await asyncio.sleep(1.5)  # what the publisher still has to send must not slow down the other bot
                bare_rate = await together([click] * TABLES)
                turns.append((rate / bare_rate, rate, bare_rate))
    for name, part, wanted in (("p50", statistics.median, "at most 1.6"), ("p99", _p99, "at most 2")):
        ratios = sorted((part(bids) / part(clicks), part(bids), part(clicks)) for bids, clicks in passes)
        ratio, bid, bare = ratios[PASSES // 2]
        found.append(
            Figure(
                f"a bid by button, {name}, the median of {PASSES} ({ratios[0][0]:.2f} to {ratios[-1][0]:.2f})",
                f"{bid:.2f} ms",
                ratio,
                f"a bare acknowledgement ({bare:.2f} ms)",
                wanted,
            )
        )
    ratio, rate, bare_rate = sorted(turns)[TURNS // 2]
    found.append(
        Figure(
            f"bids by button, {TABLES} tables at once, the median of {TURNS}",
            f"{rate:,.0f}/s",
            ratio,
            f"bare acknowledgements ({bare_rate:,.0f}/s)",
            "at least 0.6",
        )
    )
    return found + await at_human_pace()


def _p99(values: list[float]) -> float:
    return values[int(len(values) * 0.99)]


def figures() -> list[Figure]:
    """Return every figure of the bot."""
    return asyncio.run(measure())
