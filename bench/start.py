"""How soon the real bot answers after starting with ten thousand open tables, compared with none.

Both bots start on the same sandbox with the same guilds and channels. The clock stops at the first answered command.
"""

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.bot import bot
from bench.figures import Figure
from bench.host import OPEN, fill
from sandbox.people import Person
from sandbox.server import Sandbox

TABLES_PER_SERVER, REPEATS = 10, 3


async def _time_to_first_answer(sandbox: Sandbox, folder: str, person: Person) -> float:
    """Return the seconds from the start of the process to its answer to a command."""
    began = time.perf_counter()
    async with bot(sandbox, folder):
        if (shown := await person.slash("help")).failed:
            raise RuntimeError(f"not served: {shown.text}")
        return time.perf_counter() - began


async def measure() -> list[Figure]:
    """Time starts with and without tables alternately; keep the best of each."""
    async with Sandbox(rate_limits=False) as sandbox:
        guilds = [sandbox.world.add_guild(f"Server {number}") for number in range(OPEN // TABLES_PER_SERVER)]
        places = [
            (int(guild.id), int(sandbox.world.add_channel(guild, f"room-{room}").id))
            for guild in guilds
            for room in range(TABLES_PER_SERVER)
        ]
        person = sandbox.people.add("Person", guilds[0])
        with TemporaryDirectory() as empty, TemporaryDirectory() as full:
            await fill(Path(full) / "coyote.sqlite3", places)
            for folder in (empty, full):  # only the very first start registers the commands with Discord
                await _time_to_first_answer(sandbox, folder, person)
            took = [
                [await _time_to_first_answer(sandbox, folder, person) for folder in (empty, full)]
                for _ in range(REPEATS)
            ]
    without, with_tables = (min(column) for column in zip(*took, strict=True))
    return [
        Figure(
            f"{OPEN:,} open tables: from start to the first answer",
            f"{with_tables:.2f} s",
            with_tables / without,
            f"a bot without any ({without:.2f} s)",
            f"at most 1.5x plus 1 s: {1.5 * without + 1:.2f} s",
        )
    ]


def figures() -> list[Figure]:
    """Return the figure."""
    return asyncio.run(measure())
