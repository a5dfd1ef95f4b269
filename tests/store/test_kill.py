"""kill -9 at random moments: nothing that was acknowledged is lost, nothing is half done, and play goes on."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

from bot.engine.registry import RULES
from bot.host.model import Stage, TableId
from tests.host.world import World, world

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "6"))


async def play_and_kill(path: Path, after: float) -> dict[TableId, int]:
    """Let a process play on the file for a moment; return the last step that it acknowledged at each table."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.busy", str(path), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    acknowledged: dict[TableId, int] = {}

    def heard(line: bytes) -> None:
        if line.endswith(b"\n"):
            table, seq = line.split()
            acknowledged[TableId(table.decode())] = int(seq)

    heard(await process.stdout.readline())  # it plays
    await asyncio.sleep(after)
    process.kill()
    async for line in process.stdout:
        heard(line)
    await process.wait()
    return acknowledged


async def check(here: World, acknowledged: dict[TableId, int]) -> None:
    for table_id, seq in acknowledged.items():
        table = await here.tables.get(table_id)
        assert table.seq >= seq, "an acknowledged step is lost"
        rows = await here.store._read("SELECT seq, action FROM actions WHERE table_id = ? ORDER BY seq, part", table_id)
        assert rows[-1][0] == table.seq, "the log and the table belong together"
        assert {number for number, _ in rows} == set(range(1, table.seq + 1))
        if table.stage is Stage.LOBBY:
            continue
        actions = [json.loads(action) for _, action in rows]
        begun = next(action for action in actions if action.get("host") == "start")
        game = RULES[table.game]
        state = game.setup(begun["options"], begun["players"], begun["starter"])
        for action in actions:
            if "do" in action:
                state = game.apply(state, game.load_action(action)).state
        assert state == table.match, "the log plays to the state that was kept"


async def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    rng = Random(3)
    acknowledged: dict[TableId, int] = {}
    for _ in range(KILLS):
        acknowledged |= await play_and_kill(path, rng.random() * 0.8)
        async with world(path) as here:
            await check(here, acknowledged)
    assert sum(acknowledged.values()) > 20
