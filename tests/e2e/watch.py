"""The long watch: prints the memory of a bot that hosts games and is asked for its figures every five seconds.

`make watch MINUTES=120` plays a game of each kind every minute. The bot must not grow: the second half of the
time should need no more memory than the first.
"""

import asyncio
import os
import socket
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e import soak
from tests.e2e.harness import Evening, evening
from tests.e2e.players import Game
from tests.games.drivers import DRIVERS

SCRAPE_SECONDS = 5.0
REST_SECONDS = 60.0
"""How long a table rests between two games."""
WARM_UP = 0.1
"""Share of the time in which the bot imports, draws and caches for the first time; it is left out."""


async def _host_games(held: Evening) -> None:
    """Play one game after the other, each in its own channel with new people."""
    number = 0
    while True:
        kinds = list(held.driver.kinds)
        options = held.driver.options(kinds[number % len(kinds)], 3, full=False)
        crowd = held.room(f"{held.driver.name}-{number}", 3)
        await Game(held, crowd, "buttons", seed=number).play(clock="2h", **options)
        number += 1
        await asyncio.sleep(REST_SECONDS)


async def _scrape(address: str, until: float) -> list[float]:
    """Read the metrics until the time is up; print the memory every five minutes, and return all readings in MiB."""
    begin, readings, printed = time.monotonic(), [], 0.0
    async with aiohttp.ClientSession() as session:
        while (now := time.monotonic()) < until:
            async with session.get(address) as answer:
                families = {each.name: each for each in text_string_to_metric_families(await answer.text())}
            readings.append(families["process_resident_memory_bytes"].samples[0].value / 2**20)
            if now >= printed + 300:
                printed = now
                print(f"{(now - begin) / 60:4.0f} min  {readings[-1]:6.1f} MiB", flush=True)
            await asyncio.sleep(SCRAPE_SECONDS)
    return readings


async def watch(minutes: float) -> None:
    """Run the bot for some minutes and print how its memory went."""
    for limit in soak.RELAXED:
        setattr(*limit)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        async with evening(Path(folder), 1, METRICS_PORT=str(port), EMOJIS="1") as held:
            games = [asyncio.create_task(_host_games(replace(held, driver=driver))) for driver in DRIVERS]
            scraping = asyncio.create_task(_scrape(f"http://127.0.0.1:{port}/metrics", time.monotonic() + 60 * minutes))
            done, _ = await asyncio.wait((*games, scraping), return_when=asyncio.FIRST_COMPLETED)
            for task in games:
                task.cancel()
            for game in games:
                if game in done:
                    game.result()  # a game only ends like this if it failed
            readings = scraping.result()
            print(f"{len(held.guild.channels) - 1} games were opened, and the metrics were read {len(readings)} times")
    later = readings[int(len(readings) * WARM_UP) :]
    first, second = (statistics.median(part) for part in (later[: len(later) // 2], later[len(later) // 2 :]))
    print(f"median memory: {first:.1f} MiB in the first half, {second:.1f} MiB in the second, {second / first:.3f}x")


if __name__ == "__main__":
    asyncio.run(watch(float(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("MINUTES") or 120)))
