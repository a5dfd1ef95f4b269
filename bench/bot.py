"""How fast the whole bot is: a bid by button, acknowledged after its commit, next to a bot that only acknowledges.

Each bot is a separate process, its sandbox is in this one, and both are sent presses on the same table message. Compare
figures only within one run.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
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
RECORDING_SECONDS = 0.02
"""How long the bot needs to record what it has sent."""
HUMAN_TABLES, HUMAN_SECONDS, THINKING_SECONDS = 200, 30.0, 10.0
CLIENT = """
import sys, discord, yarl
discord.http.Route.BASE, gateway, token = sys.argv[1:]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
intents = discord.Intents(guilds=True, guild_messages=True)
discord.AutoShardedClient(intents=intents, max_messages=None).run(token, log_handler=None)
"""
"""A program with discord.py alone: a client with the intents of the real bot that does nothing."""
REST_SECONDS = 10.0
"""How long a bot is left alone before its memory is measured."""
DRAWING_TABLES, LOOK_SECONDS, BIDS_WHILE_LOOKING = 100, 4.0, 300
BURSTS, BIDS_IN_BURST = 5, 20
"""How often everybody looks at once in a pass, and how many bids are timed meanwhile."""
WITHOUT_TOKEN = ("/interactions/", "/webhooks/")


@asynccontextmanager
async def bot(sandbox: Sandbox, folder: str, **env: str) -> AsyncIterator[asyncio.subprocess.Process]:
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
        yield process
    finally:
        process.terminate()
        await process.wait()


async def upload_emojis(sandbox: Sandbox, folder: str) -> None:
    """Let a bot upload all emojis, as any bot has done after its first two minutes."""
    emojis = sandbox.world.uploads.emojis
    async with bot(sandbox, folder, CLOCK_SCALE="1000"):
        before = -1
        while before != (before := len(emojis)) or not before:  # noqa: ASYNC110
            await asyncio.sleep(1.0)


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

    async def open(self, rules: str | None = None) -> None:
        """Open the table, join and start."""
        host, *others = self.players
        message = (await host.slash("coyote new", clock="off", **({} if rules is None else {"rules": rules}))).message
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
            raise RuntimeError("no more bids can be made at this table")
        custom_id = f"c1:{self.id}:{self.prompt}:bid:{self.number}"
        shown = await self.players[self.turn % SEATS].forge(self.message, custom_id)
        _check_accepted(shown)
        self.prompt, self.number, self.turn = self.prompt + 1, self.number + 1, self.turn + 1

    async def wait_until_idle(self) -> None:
        """Wait until the table shows the next turn, and the bot has nothing more to do."""
        message, asked = self.message, f"c1:{self.id}:{self.prompt}:"
        if message is None:
            raise RuntimeError("the table is not open")
        await self.players[0].wait_for(lambda: any(b["custom_id"].startswith(asked) for b in message.buttons), 30)
        await asyncio.sleep(RECORDING_SECONDS)


@asynccontextmanager
async def tables(
    count: int, *, rate_limits: bool = False, rules: str | None = None, **env: str
) -> AsyncIterator[tuple[Sandbox, list[Table]]]:
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
            if rate_limits:  # uploading would take minutes
                env.setdefault("EMOJIS", "0")
            else:
                await upload_emojis(sandbox, folder)
            async with bot(sandbox, folder, **env):
                for first in range(0, count, 10):
                    await asyncio.gather(*(table.open(rules) for table in rooms[first : first + 10]))
                await asyncio.sleep(1.0)
                yield sandbox, rooms


@asynccontextmanager
async def baseline_bot(like: Message) -> AsyncIterator[Act]:
    """Run a bot that only acknowledges; yield a function that presses a button on a copy of the table message."""
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
    """Run one act; return how long it took, in milliseconds."""
    began = time.perf_counter()
    await act()
    return (time.perf_counter() - began) * 1000


async def one_by_one(rooms: list[Table], click: Act) -> tuple[list[float], list[float]]:
    """Alternate bids and bare acknowledgements, each made while the bot is idle; return their sorted milliseconds."""
    bids, clicks = [], []
    for number in range(ONE_BY_ONE):
        table = rooms[number % len(rooms)]
        bids.append(await timed(table.bid))
        await table.wait_until_idle()
        clicks.append(await timed(click))
    return sorted(bids), sorted(clicks)


async def together(acts: list[Act]) -> float:
    """Run all acts at once, each in a loop; return how many were done per second."""
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
    async with tables(HUMAN_TABLES, rate_limits=True) as (sandbox, rooms):
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

        await asyncio.gather(*(play(table, THINKING_SECONDS * n / HUMAN_TABLES) for n, table in enumerate(rooms)))
        spent = sum(calls(sandbox).values()) - before
        return [
            Figure(
                f"429s, {HUMAN_TABLES} tables, an action every {THINKING_SECONDS:.0f} s at each",
                f"{sandbox.rate_limits.refused}",
                wanted="0",
            ),
            Figure(
                "requests with the bot's token per action, at the same tables",
                f"{spent / max(1, acts):.2f}",
                wanted="at most 3",
            ),
        ]


async def _look_around(rooms: list[Table], each_seconds: float) -> None:
    """Let somebody at every table open their look again and again, at regular times that are spread evenly."""

    async def look(table: Table, first: float) -> None:
        await asyncio.sleep(first)
        while table.message is not None:
            began = time.perf_counter()
            await table.players[0].click(table.message, "Look")
            await asyncio.sleep(max(0.0, each_seconds - (time.perf_counter() - began)))

    await asyncio.gather(*(look(table, each_seconds * n / len(rooms)) for n, table in enumerate(rooms)))


async def _bids_while_looking(rooms: list[Table]) -> list[float]:
    """Return the sorted milliseconds of bids made one by one, while people at all tables look around."""
    looking = asyncio.create_task(_look_around(rooms, LOOK_SECONDS))
    await asyncio.sleep(1.0)
    found = []
    for number in range(BIDS_WHILE_LOOKING):
        found.append(await timed(rooms[number % len(rooms)].bid))
        await asyncio.sleep(0.02)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    await asyncio.sleep(2.0)
    return sorted(found)


async def _look_together(rooms: list[Table]) -> list[float]:
    """Let somebody at every table open their look at the same moment; return the milliseconds until each is shown."""

    async def look(table: Table) -> None:
        if table.message is not None:
            await table.players[0].click(table.message, "Look")

    return [*await asyncio.gather(*(timed(lambda table=table: look(table)) for table in rooms))]  # type: ignore[misc]


async def _clicks_while_all_look(rooms: list[Table]) -> tuple[list[float], list[float]]:
    """Return the sorted milliseconds of looks that everybody opens at once, and of the bids made meanwhile."""
    looks, bids = [], []
    for burst in range(BURSTS):
        looking = asyncio.create_task(_look_together(rooms))
        for number in range(BIDS_IN_BURST):
            bids.append(await timed(rooms[(burst * BIDS_IN_BURST + number) % len(rooms)].bid))
            await asyncio.sleep(0.02)
        looks += await looking
        await asyncio.sleep(2.0)
    return sorted(looks), sorted(bids)


async def while_drawing() -> list[Figure]:
    """Compare clicks while a hundred tables have pictures drawn with clicks while their looks are words alone."""
    async with tables(DRAWING_TABLES, rules="pictures=off") as (_, words), tables(DRAWING_TABLES) as (drawn, rooms):

        def uploads() -> int:
            return sum(1 for each in drawn.api.requests if each.files)

        before = uploads()
        passes = [(await _bids_while_looking(rooms), await _bids_while_looking(words)) for _ in range(PASSES)]
        spread = uploads() - before
        together = [(await _clicks_while_all_look(rooms), await _clicks_while_all_look(words)) for _ in range(PASSES)]
        sent, wanted = uploads() - before - spread, PASSES * BURSTS * DRAWING_TABLES
    label = f"a bid while {DRAWING_TABLES} tables draw looks, {DRAWING_TABLES / LOOK_SECONDS:.0f} a second"
    found = _against_words(label, passes)
    found.append(Figure("  pictures sent meanwhile", f"{spread}"))
    found += _against_words(f"a bid while {DRAWING_TABLES} look at once", [(one[1], two[1]) for one, two in together])
    found += _against_words(f"a look, {DRAWING_TABLES} at once", [(one[0], two[0]) for one, two in together])
    missing = f"{max(0, wanted - sent)} of {wanted}"
    return [*found, Figure("  looks at once that stayed without a picture", missing, wanted="few")]


def _against_words(name: str, passes: list[tuple[list[float], list[float]]]) -> list[Figure]:
    """Return the median of passes with pictures, each compared with one of words alone."""
    found = []
    for which, part in (("p50", statistics.median), ("p99", _p99)):
        ratios = sorted((part(one) / part(other), part(one), part(other)) for one, other in passes)
        ratio, one, other = ratios[len(ratios) // 2]
        baseline = f"words alone ({other:.2f} ms)"
        found.append(Figure(f"{name}, {which}", f"{one:.2f} ms", ratio, baseline, "at most 1.3"))
    return found


async def measure() -> AsyncIterator[Figure]:
    """Measure everything; this takes about ten minutes, so each figure comes as soon as it is there."""
    async with tables(TABLES) as (_, rooms):
        first = rooms[0].message
        if first is None:
            raise RuntimeError("no table")
        async with baseline_bot(first) as click:
            # The speed of a machine varies over seconds: each pass, and each pair, is compared on its own.
            passes = [await one_by_one(rooms, click) for _ in range(PASSES)]
            turns = []
            for _ in range(TURNS):
                rate = await together([table.bid for table in rooms])
                await asyncio.sleep(1.5)  # what the publisher still has to send must not slow down the other bot
                bare_rate = await together([click] * TABLES)
                turns.append((rate / bare_rate, rate, bare_rate))
    for name, part, wanted in (("p50", statistics.median, "at most 1.35"), ("p99", _p99, "at most 1.6")):
        ratios = sorted((part(bids) / part(clicks), part(bids), part(clicks)) for bids, clicks in passes)
        ratio, bid, bare = ratios[PASSES // 2]
        yield Figure(
            f"a bid by button, {name}, the median of {PASSES} ({ratios[0][0]:.2f} to {ratios[-1][0]:.2f})",
            f"{bid:.2f} ms",
            ratio,
            f"a bare acknowledgement ({bare:.2f} ms)",
            wanted,
        )
    ratio, rate, bare_rate = sorted(turns)[TURNS // 2]
    yield Figure(
        f"bids by button, {TABLES} tables at once, the median of {TURNS}",
        f"{rate:,.0f}/s",
        ratio,
        f"bare acknowledgements ({bare_rate:,.0f}/s)",
        "at least 0.7",
    )
    yield await at_rest()
    for figure in [*await at_human_pace(), *await while_drawing()]:
        yield figure


async def at_rest() -> Figure:
    """Compare the memory of a connected bot, to which nothing happens, with that of a bare client in a process."""
    async with Sandbox(rate_limits=False) as sandbox:
        sandbox.world.add_guild("Bench")
        with tempfile.TemporaryDirectory() as folder:
            await upload_emojis(sandbox, folder)
            async with bot(sandbox, folder) as process:
                mine = await _memory_at_rest(process.pid)
        arguments = (sandbox.api_url, sandbox.gateway_url, sandbox.token)
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", CLIENT, *arguments)
        try:
            await sandbox.gateway.wait_connected()
            bare = await _memory_at_rest(process.pid)
        finally:
            process.terminate()
            await process.wait()
    wanted = "at most 1.25"
    return Figure(
        "memory of a connected bot at rest",
        f"{mine:.0f} MiB",
        mine / bare,
        f"discord.py alone ({bare:.0f} MiB)",
        wanted,
    )


async def _memory_at_rest(pid: int) -> float:
    """Return the MiB of a process once it rests; what it shares with others counts in full."""
    await asyncio.sleep(REST_SECONDS)
    written = await asyncio.to_thread(Path(f"/proc/{pid}/smaps_rollup").read_text)
    return int(next(line for line in written.splitlines() if line.startswith("Rss:")).split()[1]) / 1024


def _p99(values: list[float]) -> float:
    return values[int(len(values) * 0.99)]


def figures() -> Iterator[Figure]:
    """Yield every figure of the bot."""
    found = measure()
    with asyncio.Runner() as runner:
        while (figure := runner.run(_next(found))) is not None:
            yield figure


async def _next(found: AsyncIterator[Figure]) -> Figure | None:
    return await anext(found, None)
