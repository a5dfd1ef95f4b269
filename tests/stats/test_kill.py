"""kill -9 while games end: each finished game is counted, once, and nothing else is."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

from bot.store.sqlite.rebuild import rebuild
from tests.stats.evenings import contents
from tests.store.test_kill import KILLS, play_and_kill


async def test_a_game_ends_and_is_counted_or_neither(tmp_path: Path) -> None:
    path = tmp_path / "coyote.sqlite3"
    rng = Random(4)
    finished = 0
    for _ in range(KILLS):
        await play_and_kill(path, 0.4 + rng.random() * 0.6)
        with sqlite3.connect(path) as connection:
            over = connection.execute("SELECT id FROM tables WHERE stage = 'over' ORDER BY id").fetchall()
            assert connection.execute("SELECT table_id FROM ends ORDER BY table_id").fetchall() == over
            assert connection.execute("SELECT table_id FROM games ORDER BY table_id").fetchall() == over
        connection.close()
        finished = len(over)
    assert finished > 5
    live = contents(path)
    assert rebuild(path, lambda *_: None) == finished
    assert contents(path) == live
