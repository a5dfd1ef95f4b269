"""A process that plays at many tables and prints every acknowledged step, until it is killed."""

from __future__ import annotations

import asyncio
import os
import sys
from random import Random

from bot.engine.registry import RULES
from bot.host.commands import Join, Play, Start
from bot.host.model import House, Stage, TableId, UserId
from bot.host.scheduler import Scheduler
from bot.host.steady_clock import SteadyClock
from bot.host.tables import Tables
from tests.store.databases import database_at

TABLES = 12


class SilentPublisher:
    """A publisher that sends nothing."""

    def wake(self, table: TableId) -> None:
        """Do nothing; all messages stay in the outbox."""


def report(table: TableId, seq: int) -> None:
    """Tell the test at once that this step was acknowledged."""
    os.write(1, f"{table} {seq}\n".encode())


async def play(tables: Tables, channel: int, rng: Random) -> None:
    """Play one match after another in a channel."""
    game = RULES["coyote"]
    house = House(pause_seconds=0, tables_at_once=100)
    while True:
        table = await tables.at(channel)
        if table is None or not table.is_open:
            table = await tables.open(channel, channel, Join(UserId(1), "one"), game="coyote", house=house)
            report(table.id, table.seq)
        for user in range(len(table.players) + 1, 4):
            table = await tables.submit(table.id, Join(UserId(user), "more"))
            report(table.id, table.seq)
        if table.stage is Stage.LOBBY:
            table = await tables.submit(table.id, Start(UserId(1)))
            report(table.id, table.seq)
        while table.stage is Stage.PLAYING:
            prompt = game.prompts(table.match)[0]
            action = dict(game.dump_action(prompt.pick(rng)))
            del action["seat"]
            by = table.players[prompt.seat].user
            command = Play(by, action.pop("do"), action, prompt.id)
            table = await tables.submit(table.id, command, interaction_id=rng.getrandbits(62))
            report(table.id, table.seq)


async def main(address: str) -> None:
    """Play until killed."""
    clock = SteadyClock()
    store = await database_at(address).open(clock.now())
    tables = Tables(store, SilentPublisher(), clock)
    await Scheduler(tables, store, clock).start()
    rng = Random(os.urandom(8))
    await asyncio.gather(*[play(tables, channel, Random(rng.random())) for channel in range(1, TABLES + 1)])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
