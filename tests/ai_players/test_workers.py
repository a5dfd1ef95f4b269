"""The workers of a machine think for all of its bot processes, and nothing is lost if they die."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.ai_players import shared, workers
from bot.ai_players.brains import Thought
from bot.ai_players.characters import Character
from bot.ai_players.process import BrainProcess, NoThought
from bot.ai_players.shared import SharedBrains
from bot.ai_players.worker import Question
from bot.ai_players.workers import Workers, usual_number
from bot.games.coyote.ai.brain import think
from tests.ai_players.slow_brains import endless, slow
from tests.ai_players.test_process import environment_of, question

PROMPT: Any = None


class Alone(BrainProcess):
    """Counts the questions that the workers did not answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def think(self, question: Question) -> Thought:
        self.asked += 1
        brain, *known = question
        return brain(*known)


@asynccontextmanager
async def running(number: int = 1, most_seconds: float = 5.0) -> AsyncIterator[tuple[Workers, SharedBrains, Alone]]:
    made, alone = Workers(number, most_seconds), Alone()
    address = await made.start()
    assert address is not None
    brains = SharedBrains(address, alone)
    try:
        yield made, brains, alone
    finally:
        await brains.stop()
        await made.stop()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_two_bot_processes_share_the_workers() -> None:
    async with running(2) as (made, one, alone):
        assert made._folder is not None
        other = SharedBrains(made._folder / "socket", alone)
        asked = [question(seed) for seed in range(8)]
        found = await asyncio.gather(*((one, other)[n % 2].think(each) for n, each in enumerate(asked)))
        assert found == [think(*each[1:]) for each in asked]
        assert not alone.asked
        assert len(made.running) == 2


async def test_only_their_owner_reaches_the_workers_and_they_learn_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("DATABASE_URL", "postgresql://bot:secret@nowhere/coyote")
    async with running() as (made, brains, _):
        folder = made._folder
        assert folder is not None
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        await brains.think(question())
        environment = environment_of(made.running[0].pid)
        assert b"DISCORD_TOKEN" not in environment
        assert b"DATABASE_URL" not in environment
    assert not folder.exists()


async def test_a_worker_that_is_killed_while_it_thinks_loses_no_thought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "FIRST_PAUSE_SECONDS", 0.01)
    async with running() as (made, brains, alone):
        sign = tmp_path / "thinking"
        thinking = asyncio.create_task(brains.think(Question(slow, str(sign), PROMPT, Character("Hazel"), 7)))
        await until(sign.exists)
        first = made.running[0].pid
        os.kill(first, signal.SIGKILL)
        assert await thinking == Thought(7)
        assert made.running[0].pid != first
        assert not alone.asked


async def test_without_any_worker_a_process_thinks_alone_and_later_asks_them_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running() as (made, brains, alone):
        await brains.think(question())
        monkeypatch.setattr(shared, "TIMEOUT_SECONDS", 0.2)
        for task in made._tasks:  # nobody starts them again
            task.cancel()
        os.kill(made.running[0].pid, signal.SIGKILL)
        assert await brains.think(question(1)) == think(*question(1)[1:])
        assert await brains.think(question(2)) == think(*question(2)[1:])
        assert alone.asked == 2
        monkeypatch.setattr(shared, "TIMEOUT_SECONDS", 20.0)
        made._tasks = [asyncio.create_task(made._watch(0))]
        brains._alone_until = float("-inf")
        await brains.think(question(3))
        assert alone.asked == 2


async def test_with_the_parent_gone_a_process_thinks_alone(tmp_path: Path) -> None:
    alone = Alone()
    brains = SharedBrains(tmp_path / "socket", alone)
    assert await brains.think(question()) == think(*question()[1:])
    assert alone.asked == 1


async def test_a_thought_without_end_ends_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(shared, "MAX_ATTEMPTS", 1)
    async with running(most_seconds=0.1) as (made, brains, alone):
        first = (await brains.think(question()), made.running[0])[1]

        async def refuse(_: Question) -> Thought:
            raise NoThought("no answer")

        monkeypatch.setattr(alone, "think", refuse)
        with pytest.raises(NoThought):
            await brains.think(Question(endless, "", PROMPT, Character("Hazel"), 1))
        assert await first.wait() == -signal.SIGALRM
        await until(lambda: made.running[0] is not first)


async def test_a_fault_of_a_brain_is_reported_without_its_message_and_the_worker_goes_on() -> None:
    async with running() as (made, brains, alone):
        with pytest.raises(NoThought, match=r"^AttributeError in \w+\.py, line \d+$"):
            await brains.think(question()._replace(view="not a view"))
        process = made.running[0]
        await brains.think(question())
        assert made.running[0] is process
        assert not alone.asked


async def test_workers_end_with_their_parent() -> None:
    async with running() as (made, brains, _):
        await brains.think(question())
        for task in made._tasks:
            task.cancel()
        process = made.running[0]
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0


async def test_where_there_can_be_no_socket_there_are_no_workers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    assert await Workers(1).start() is None
    assert "think in each process on its own" in capsys.readouterr().err
    assert not list(folder.iterdir())


@pytest.mark.parametrize(("cores", "number"), [(None, 1), (1, 1), (2, 1), (8, 7)])
def test_one_core_is_left_to_the_bot(cores: int | None, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert usual_number() == number
