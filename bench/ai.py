"""How AI players slow down a press: a bid by button while a hundred tables of one person and five AI players play.

For comparison the same bid is measured while a hundred tables of six people play at the same pace, and while nothing
else happens; the three alternate within one run. The first person of each table presses at once; the others think for
as long as AI players do.
"""

import asyncio
import re
import statistics
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from bench import decisions
from bench.bot import Table, bot, calls, timed
from bench.figures import Figure
from bot.ai_players.characters import ROSTER
from bot.ai_players.pace import thinking_millis
from sandbox.messagelog import Message
from sandbox.model import Channel
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.server import Sandbox

TABLES, SEATS, PROBES, TURNS, BIDS = 100, 6, 10, 2, 300
BID_GAP_SECONDS = 0.04
"""Time between two measured bids."""
POLL_SECONDS = 0.05
"""How often the tables in the background are checked."""
WARM_UP_SECONDS = 10.0
CALL_CHANCE = 0.12
"""Probability that a person in the background calls; chosen so that rounds last as long as with AI players."""
TURN = re.compile(r"^## <@(\d+)>'s turn", re.M)
KINDS = ("at rest", "people", "AIs")


@dataclass
class BackgroundTable:
    """A table in the background."""

    channel: Channel
    people: dict[str, Person]
    seen: tuple[str, int] | None = None
    busy: bool = False
    """Whether a person at this table is about to press."""


@dataclass
class Background:
    """The tables in the background, whose people press by themselves."""

    sandbox: Sandbox
    rooms: list[BackgroundTable]
    rng: Random = field(default_factory=lambda: Random(7))
    waits: list[float] = field(default_factory=list)
    """Milliseconds that the first person of each table waited for an acknowledgement."""
    acts: int = 0

    async def go(self) -> None:
        """Check every table again and again, and let the person whose turn it is answer."""
        async with asyncio.TaskGroup() as pressing:
            while True:
                for room in self.rooms:
                    message = room.channel.messages.get(room.channel.messages.last_id or "")
                    if message is not None and not room.busy and room.seen != (message.id, message.version):
                        room.seen = (message.id, message.version)
                        self.acts += 1
                        found = TURN.search(message.text)
                        if found is not None and found[1] in room.people:
                            room.busy = True
                            pressing.create_task(self._press(room, message, room.people[found[1]]))
                await asyncio.sleep(POLL_SECONDS)

    async def _press(self, room: BackgroundTable, message: Message, person: Person) -> None:
        first = next(iter(room.people.values())) is person
        if not first:
            ai = self.rng.choice(ROSTER)
            await asyncio.sleep(thinking_millis(self.rng.getrandbits(40), ai) / 1000)
        labels = [str(each.get("label")) for each in message.buttons]
        label = "Coyote!" if "Coyote!" in labels and self.rng.random() < CALL_CHANCE else labels[0]
        try:
            took = await timed(lambda: _click(person, message, label))
        except Refused:
            return  # the table has moved on
        finally:
            room.busy = False
        if first:
            self.waits.append(took)


async def _click(person: Person, message: Message, label: str) -> None:
    shown = await person.click(message, label)
    if shown.failed:
        raise RuntimeError(f"not answered: {shown.failed}")


@asynccontextmanager
async def playing(kind: str) -> AsyncIterator[tuple[Sandbox, list[Table], Background]]:
    """Run the real bot with tables to measure, and a background of this kind."""
    async with Sandbox(rate_limits=False) as sandbox:
        sandbox.api.requests = deque()
        rooms = [_background_table(sandbox, number, kind) for number in range(0 if kind == KINDS[0] else TABLES)]
        probes = [Table(list(_background_table(sandbox, TABLES + n, "probe").people.values())) for n in range(PROBES)]
        with tempfile.TemporaryDirectory() as folder:
            async with bot(sandbox, folder):
                for first in range(0, len(rooms), 10):
                    await asyncio.gather(*(_start(room, kind) for room in rooms[first : first + 10]))
                await asyncio.gather(*(table.open() for table in probes))
                yield sandbox, probes, Background(sandbox, rooms)


def _background_table(sandbox: Sandbox, number: int, kind: str) -> BackgroundTable:
    guilds = list(sandbox.world.guilds.values())
    guild = guilds[number // 10] if number // 10 < len(guilds) else sandbox.world.add_guild(f"Server {number // 10}")
    channel = sandbox.world.add_channel(guild, f"room-{number}")
    count = {"people": SEATS, "AIs": 1, "probe": 3}[kind]
    crowd = [sandbox.people.add(f"Person {number}.{seat}", guild) for seat in range(count)]
    for person in crowd:
        person.where, person.dms_open = channel, False
    return BackgroundTable(channel, {person.id: person for person in crowd})


async def _start(room: BackgroundTable, kind: str) -> None:
    host, *others = room.people.values()
    await host.slash("coyote new", coins=5, clock="2h")

    def lobby() -> Message | None:  # on a busy machine the answer is late, and the publisher posts the table instead
        return next((each for each in host.read() if not each.ephemeral and each.component("Start") is not None), None)

    message = await host.wait_for(lobby, 30)
    for person in others:
        await _click(person, message, "Join")
    if kind == "AIs":
        await _click(host, message, "Fill the table")
    await _click(host, message, "Start")


async def measured(kind: str) -> tuple[list[float], Background, float, float]:
    """Return the latencies of single bids, the background, the seconds it ran, and its requests with the token."""
    async with playing(kind) as (sandbox, probes, around):
        going = asyncio.create_task(around.go())
        await asyncio.sleep(WARM_UP_SECONDS)
        around.acts, around.waits = 0, []
        before, begun = sum(calls(sandbox).values()), time.perf_counter()
        took = []
        for number in range(BIDS):
            took.append(await timed(probes[number % len(probes)].bid))
            await asyncio.sleep(BID_GAP_SECONDS)
        seconds, spent = time.perf_counter() - begun, sum(calls(sandbox).values()) - before
        if going.done():
            going.result()
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        return took, around, seconds, spent - BIDS


async def measure() -> list[Figure]:
    """Measure the three kinds of background alternately."""
    bids: dict[str, list[float]] = {kind: [] for kind in KINDS}
    waits: dict[str, list[float]] = {kind: [] for kind in KINDS}
    pace: dict[str, float] = {}
    for _ in range(TURNS):
        for kind in KINDS:
            took, around, seconds, _ = await measured(kind)
            bids[kind] += took
            waits[kind] += around.waits
            pace[kind] = around.acts / seconds
    rest, people, ais = KINDS
    found = []
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        slow, like, quiet = (_percentile(bids[kind], part) for kind in (ais, people, rest))
        label = f"a bid by button while {TABLES} tables of 1 person and 5 AIs play, {name}"
        found.append(
            Figure(label, f"{slow:.2f} ms", slow / like, f"with as many tables of {SEATS} people", "at most 1.3")
        )
        found.append(Figure("the same", f"{slow:.2f} ms", slow / quiet, "a bot at rest", "at most 1.3"))
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        mine, theirs = _percentile(waits[ais], part), _percentile(waits[people], part)
        label = f"a bid at one of those tables ({len(waits[ais])} and {len(waits[people])} bids), {name}"
        found.append(Figure(label, f"{mine:.2f} ms", mine / theirs, "at a table of people", "at most 1.3"))
    found.append(
        Figure("table messages changed per second, AIs", f"{pace[ais]:.1f}", pace[ais] / pace[people], "people")
    )
    return found


def _percentile(values: list[float], part: float) -> float:
    ranked = sorted(values)
    return statistics.median(ranked) if part == 0.5 else ranked[int(len(ranked) * part)]


def figures() -> list[Figure]:
    """Return the figures."""
    return [*decisions.figures(), *asyncio.run(measure())]
