"""The AI process knows one seat's view and one game's brain, and its failures never stop a match."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.ai_players import process
from bot.ai_players.brains import BRAINS, Thought
from bot.ai_players.characters import Character
from bot.ai_players.process import BrainProcess, NoThought
from bot.ai_players.worker import Question, pack
from bot.engine.core import Game
from bot.engine.registry import RULES
from bot.games.coyote.ai.brain import think

COYOTE, PLENTY_COUPS = RULES["coyote"], RULES["plenty-coups"]
BROKEN = "import sys; sys.stdin.buffer.read(1); sys.exit(3)"
SILENT = "import time; time.sleep(60)"
REPORTING = """
import sys
from bot.ai_players import worker
print(*[name for name in sys.modules if name.startswith("bot.")])
print(type(worker.answer(sys.stdin.buffer.read())).__name__)
print(*[name for name in sys.modules if name.startswith("bot.")])
"""
"""A program that prints the loaded bot modules, the type of an answer, and the modules again."""


def question(seed: int = 1, game: Game[Any, Any, Any] = COYOTE, **options: Any) -> Question:
    state = game.setup({"edition": "feathers", **options} if game is COYOTE else options, 4, None)
    state = game.apply(state, game.deal(state, Random(seed))).state
    (prompt,) = game.prompts(state)
    return Question(BRAINS[game.name], game.view_for(state, prompt.seat), prompt, Character("Hazel"), seed)


def running(program: str) -> BrainProcess:
    return BrainProcess((sys.executable, "-c", program))


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def test_the_process_gives_the_same_answers_as_the_brain() -> None:
    brains = BrainProcess()
    try:
        for seed in range(5):
            asked = question(seed)
            assert await brains.think(asked) == think(*asked[1:])
    finally:
        await brains.stop()


@pytest.mark.parametrize("game", [COYOTE, PLENTY_COUPS], ids=lambda game: game.name)
def test_the_process_imports_only_the_ai_of_the_game(game: Game[Any, Any, Any]) -> None:
    packed = pack(tuple(question(game=game)))[4:]
    ran = subprocess.run((sys.executable, "-c", REPORTING), input=packed, capture_output=True, check=True)
    before, answer, after = ran.stdout.decode().splitlines()
    assert answer == "Thought", "the answer must be a thought, not the name of a fault"
    assert not [name for name in before.split() if name.startswith("bot.games")], (
        "no game is imported before the first question"
    )
    folder, other = ("coyote", "plenty_coups") if game is COYOTE else ("plenty_coups", "coyote")
    assert f"bot.games.{folder}.ai.brain" in after.split()
    rules = {name.removeprefix(f"bot.games.{folder}.rules.") for name in after.split() if ".rules." in name}
    assert not rules & {"state", "game", "rounds", "bidding", "coins", "legal", "codec"}
    elsewhere = {name for name in after.split() if name.startswith(("bot.host", "bot.store", "bot.text", "bot.stats"))}
    assert not elsewhere
    assert not [name for name in after.split() if other in name or name == "bot.games.registry"]


async def test_a_dead_process_is_replaced() -> None:
    brains = BrainProcess()
    try:
        await brains.think(question())
        assert brains._process is not None
        first = brains._process.pid
        os.kill(first, signal.SIGKILL)
        assert isinstance(await brains.think(question()), Thought)
        assert brains._process.pid != first
    finally:
        await brains.stop()


async def test_a_fault_of_the_brain_is_reported_without_its_message_and_the_process_goes_on() -> None:
    brains = BrainProcess()
    try:
        asked = question()
        with pytest.raises(NoThought, match=r"^AttributeError in \w+\.py, line \d+$"):
            await brains.think(asked._replace(view="not a view"))
        running = brains._process
        assert await brains.think(asked)
        assert brains._process is running
    finally:
        await brains.stop()


async def test_a_brain_outside_a_module_is_refused() -> None:
    brains = BrainProcess()
    with pytest.raises(NoThought, match="top of a module"):
        await brains.think(question()._replace(brain=lambda *_: Thought(None)))
    assert brains._process is None


@pytest.mark.parametrize("program", [BROKEN, SILENT], ids=["broken", "silent"])
async def test_a_process_that_fails_every_time_is_given_up(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TIMEOUT_SECONDS", 0.2)
    brains = running(program)
    with pytest.raises(NoThought):
        await brains.think(question())
    assert brains._process is None
    await brains.stop()


async def test_the_process_ends_with_the_bot_and_never_learns_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    brains = BrainProcess()
    try:
        await brains.think(question())
        running = brains._process
        assert running is not None
        assert b"DISCORD_TOKEN" not in environment_of(running.pid)
        assert running.stdin is not None
        running.stdin.close()
        assert await running.wait() == 0
    finally:
        await brains.stop()
