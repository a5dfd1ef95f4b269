"""kill -9 at random moments: no acknowledged step is lost, nothing is half written, and each ended game is counted."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from random import Random

from bot.engine.registry import RULES
from bot.host.model import Stage, TableId
from tests.stats.evenings import contents
from tests.store.databases import Database, host_on

ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("KILLS", "6"))


async def play_and_kill(database: Database, after: float) -> dict[TableId, int]:
    """Let a process play on the database, then kill it; return the last step that it acknowledged at each table."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.playing_process", database.address, cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    acknowledged: dict[TableId, int] = {}

    def heard(line: bytes) -> None:
        if line.endswith(b"\n"):
            table, seq = line.split()
            acknowledged[TableId(table.decode())] = int(seq)

    heard(await process.stdout.readline())  # wait until it plays
    await asyncio.sleep(after)
    process.kill()
    async for line in process.stdout:
        heard(line)
    await process.wait()
    return acknowledged


async def check(database: Database, acknowledged: dict[TableId, int]) -> None:
    async with host_on(database) as here:
        tables = {table: await here.tables.get(table) for table in acknowledged}
    logs = defaultdict(list)
    for table_id, *line in await database.rows("actions", "table_id", "seq", "part", "action"):
        logs[table_id].append(line)
    for table_id, seq in acknowledged.items():
        table, log = tables[table_id], sorted(logs[table_id])
        assert table.seq >= seq, "an acknowledged step is lost"
        assert log[-1][0] == table.seq, "the log and the table are at the same step"
        assert {number for number, *_ in log} == set(range(1, table.seq + 1))
        if table.stage is Stage.LOBBY:
            continue
        actions = [json.loads(action) for *_, action in log]
        begun = next(action for action in actions if action.get("host") == "start")
        game = RULES[table.game]
        state = game.setup(begun["options"], begun["players"], begun["starter"])
        for action in actions:
            if "do" in action:
                state = game.apply(state, game.load_action(action)).state
        assert state == table.match, "replaying the log leads to the stored state"


async def test_nothing_acknowledged_is_lost_and_exactly_the_finished_games_are_counted(database: Database) -> None:
    rng = Random(3)
    acknowledged: dict[TableId, int] = {}
    over: list[str] = []
    for _ in range(KILLS):
        acknowledged |= await play_and_kill(database, 0.1 + rng.random() * 0.9)
        await check(database, acknowledged)
        over = sorted(table for table, stage in await database.rows("tables", "id", "stage") if stage == "over")
        for counted in ("ends", "games"):
            assert sorted(table for (table,) in await database.rows(counted, "table_id")) == over
    assert sum(acknowledged.values()) > 20
    assert len(over) > 5
    live = await contents(database)
    assert await database.rebuild() == len(over)
    assert await contents(database) == live
