"""AI turns from deadline to move, on a real database, with a clock that the test moves."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from bot.ai_players.brains import Thought
from bot.ai_players.process import BrainProcess, NoThought
from bot.ai_players.turns import SLOT_MILLIS, AiPlayers
from bot.ai_players.worker import Question
from bot.engine.registry import RULES
from bot.host.commands import AddAi, AskPause, Start
from bot.host.deadlines import GRACE_MILLIS
from bot.host.model import House, Table, TableId
from bot.host.ports import Fault, StoreFault
from bot.host.scheduler import Scheduler
from tests.host.world import HOST, World, bid, settle, world


class InThisProcess(BrainProcess):
    """Thinks in this process and records the questions; if `holds`, answers only once `answers` is set."""

    def __init__(self, *, holds: bool = False, fails: bool = False) -> None:
        super().__init__()
        self.asked: list[Question] = []
        self.answers = asyncio.Event()
        self.fails = fails
        if not holds:
            self.answers.set()

    async def think(self, question: Question) -> Thought:
        self.asked.append(question)
        await self.answers.wait()
        if self.fails:
            raise NoThought("a fault")
        brain, *known = question
        return brain(*known)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


def add_ai_players(here: World, brains: InThisProcess) -> AiPlayers:
    ai_players = AiPlayers(here.tables, brains, here.clock)
    here.scheduler = Scheduler(here.tables, here.store, here.clock, ai_players)
    return ai_players


async def game_at_ai_turn(here: World, house: House | None = None) -> Table:
    """Start a game of a person and three AIs, and play until it is an AI's turn."""
    table = await here.lobby(house=house)
    for _ in range(3):
        await here.tables.submit(table.id, AddAi(HOST))
    table = await here.tables.submit(table.id, Start(HOST))
    if RULES["coyote"].prompts(table.match)[0].seat == 0:
        table = await here.tables.submit(table.id, bid(table, 1))
    return table


def by_ais(path: Path, table: TableId) -> list[str]:
    with sqlite3.connect(path) as file:
        found = file.execute("SELECT action FROM actions WHERE table_id = ? AND actor = 'ai' ORDER BY seq", (table,))
        return [action for (action,) in found]


async def test_an_ai_moves_at_its_deadline_and_not_before(path: Path) -> None:
    async with world(path) as here:
        brains = InThisProcess()
        ai_players = add_ai_players(here, brains)
        await here.scheduler.start()
        table = await game_at_ai_turn(here)
        (deadline,) = table.deadlines
        here.clock.move(deadline.total - 1)
        await settle()
        assert brains.asked == []
        here.clock.move(1)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq, "an early answer must not show"
        here.clock.move(SLOT_MILLIS)
        await settle()
        after = await here.tables.get(table.id)
        assert after.seq == table.seq + 1
        assert len(brains.asked) == len(by_ais(path, table.id)) == 1
        assert brains.asked[0].view.viewer == deadline.seat, "the AI gets the view of its own seat"
        await here.scheduler.stop()
        await ai_players.stop()


async def test_a_slow_brain_is_asked_only_once(path: Path) -> None:
    async with world(path) as here:
        brains = InThisProcess(holds=True)
        ai_players = add_ai_players(here, brains)
        await here.scheduler.start()
        table = await game_at_ai_turn(here)
        for _ in range(5):
            here.clock.move(20_000)
            await settle()
        assert len(brains.asked) == 1
        brains.answers.set()
        here.clock.move(SLOT_MILLIS)  # a late move is also made at the end of a slot
        await settle()
        here.clock.move(SLOT_MILLIS)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq + 1
        await here.scheduler.stop()
        await ai_players.stop()


async def test_a_restart_while_an_ai_thinks_loses_no_move_and_plays_none_twice(path: Path) -> None:
    async with world(path) as here:
        brains = InThisProcess(holds=True)
        ai_players = add_ai_players(here, brains)
        await here.scheduler.start()
        table = await game_at_ai_turn(here)
        here.clock.move(10_000)
        await settle()
        (first,) = brains.asked
        await ai_players.stop()
        await here.scheduler.stop()
        now = here.clock.now()
    async with world(path, now=now + 60_000) as here:
        again = InThisProcess()
        ai_players = add_ai_players(here, again)
        await here.scheduler.start()
        here.clock.move(GRACE_MILLIS + SLOT_MILLIS)
        await settle()
        here.clock.move(SLOT_MILLIS)
        await settle()
        assert again.asked[0] == first, "the same question with the same seed"
        assert (await here.tables.get(table.id)).seq == table.seq + 1
        assert len(by_ais(path, table.id)) == 1
        await here.scheduler.stop()
        await ai_players.stop()


async def test_if_the_brain_fails_the_default_is_played(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with world(path) as here:
        ai_players = add_ai_players(here, InThisProcess(fails=True))
        await here.scheduler.start()
        table = await game_at_ai_turn(here)
        default = RULES["coyote"].dump_action(RULES["coyote"].prompts(table.match)[0].timeout)
        here.clock.move(10_000)
        await settle()
        here.clock.move(SLOT_MILLIS)
        await settle()
        after = await here.tables.get(table.id)
        assert after.seq == table.seq + 1
        assert default["do"] in by_ais(path, table.id)[0]
        assert "gave no answer" in caplog.text
        await here.scheduler.stop()
        await ai_players.stop()


async def test_ais_do_not_think_during_a_pause(path: Path) -> None:
    async with world(path) as here:
        brains = InThisProcess()
        ai_players = add_ai_players(here, brains)
        await here.scheduler.start()
        table = await game_at_ai_turn(here)
        await here.tables.submit(table.id, AskPause(HOST))
        here.clock.move(3_600_000)
        await settle()
        assert brains.asked == []
        await here.tables.submit(table.id, AskPause(HOST))
        here.clock.move(10_000)
        await settle()
        assert len(brains.asked) == 1
        await here.scheduler.stop()
        await ai_players.stop()


async def test_a_full_disk_only_delays_the_move(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with world(path) as here:
        ai_players = add_ai_players(here, InThisProcess())
        await here.scheduler.start()
        table = await game_at_ai_turn(here)
        commit = here.store.commit

        def full(*_: object) -> asyncio.Future[None]:
            broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            broken.set_exception(StoreFault(Fault.FULL, "no space"))
            return broken

        monkeypatch.setattr(here.store, "commit", full)
        here.clock.move(10_000)
        await settle()
        here.clock.move(SLOT_MILLIS)
        await settle()
        assert "could not move" in caplog.text
        monkeypatch.setattr(here.store, "commit", commit)
        here.clock.move(10_000)
        await settle()
        here.clock.move(SLOT_MILLIS)
        await settle()
        assert (await here.tables.get(table.id)).seq == table.seq + 1
        await here.scheduler.stop()
        await ai_players.stop()
