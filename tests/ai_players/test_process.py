"""The process that thinks: it knows a view and nothing else, and nothing that happens to it stops a game."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.ai_players import process as thinker
from bot.ai_players.characters import Character
from bot.ai_players.process import NoThought, Thinker
from bot.ai_players.worker import Question
from bot.engine.registry import RULES
from bot.games.coyote.ai.brain import Thought, think

GAME = RULES["coyote"]
BROKEN = "import sys; sys.stdin.buffer.read(1); sys.exit(3)"
SILENT = "import time; time.sleep(60)"


def question(seed: int = 1, **options: Any) -> Question:
    state = GAME.setup({"edition": "feathers", **options}, 4, None)
    state = GAME.apply(state, GAME.deal(state, Random(seed))).state
    (prompt,) = GAME.prompts(state)
    return Question(GAME.view_for(state, prompt.seat), prompt, Character("Hazel"), seed)


def saying(program: str) -> Thinker:
    return Thinker((sys.executable, "-c", program))


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def test_a_thought_is_the_same_there_as_here() -> None:
    there = Thinker()
    try:
        for seed in range(5):
            asked = question(seed)
            assert await there.think(asked) == think(*asked)
    finally:
        await there.stop()


async def test_a_process_that_died_is_replaced() -> None:
    there = Thinker()
    try:
        await there.think(question())
        assert there._process is not None
        first = there._process.pid
        os.kill(first, signal.SIGKILL)
        assert isinstance(await there.think(question()), Thought)
        assert there._process.pid != first
    finally:
        await there.stop()


async def test_what_goes_wrong_in_a_brain_is_said_and_the_process_lives() -> None:
    there = Thinker()
    try:
        asked = question()
        with pytest.raises(NoThought, match=r"^NotMyGame in brain\.py, line \d+$"):
            await there.think(asked._replace(view="no view at all"))
        process = there._process
        assert await there.think(asked)
        assert there._process is process
    finally:
        await there.stop()


@pytest.mark.parametrize("program", [BROKEN, SILENT], ids=["broken", "silent"])
async def test_whatever_the_process_does_there_is_an_answer(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker, "PATIENCE", 0.2)
    there = saying(program)
    with pytest.raises(NoThought):
        await there.think(question())
    assert there._process is None
    await there.stop()


async def test_it_ends_when_the_bot_is_gone_and_never_hears_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    there = Thinker()
    try:
        await there.think(question())
        process = there._process
        assert process is not None
        assert b"DISCORD_TOKEN" not in environment_of(process.pid)
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0
    finally:
        await there.stop()
