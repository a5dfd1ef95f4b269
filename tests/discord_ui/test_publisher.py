from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from bot.discord_ui.outbox.publisher import CROWD, PORTIONS, STEP_ASIDE, Publisher
from bot.discord_ui.outbox.table_notes import TABLE, Desk
from bot.host.clock import SteadyClock
from bot.host.commands import Join
from bot.host.model import House, TableId
from bot.host.ports import Message
from bot.store.sqlite.store import SqliteStore
from tests.discord_ui.paper import CHANNEL, lobby
from tests.host.world import HOST

HURRY = 100.0


async def _publisher(folder: Path) -> tuple[Publisher, SqliteStore]:
    clock = SteadyClock(HURRY)
    store = await SqliteStore.open(folder / "coyote.sqlite3", clock.now())
    return Publisher(store, clock, HURRY), store


async def test_drawing_makes_way_for_a_crowd(tmp_path: Path) -> None:
    publisher, store = await _publisher(tmp_path)
    passed = []

    async def draw() -> None:
        await publisher._make_way()
        passed.append(publisher.people_waiting)

    publisher.people_waiting = CROWD - 1
    await draw()
    publisher.people_waiting = CROWD
    waiting = asyncio.create_task(draw())
    await asyncio.sleep(0)
    assert passed == [CROWD - 1]
    publisher.people_waiting = 0
    await waiting
    assert passed == [CROWD - 1, 0]
    await store.close()


async def test_but_not_for_ever(tmp_path: Path) -> None:
    publisher, store = await _publisher(tmp_path)
    publisher.people_waiting = CROWD * 10
    await asyncio.wait_for(publisher._make_way(), 60)
    await store.close()


async def test_nor_longer_where_the_crowd_itself_takes_up_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher, store = await _publisher(tmp_path)
    publisher.people_waiting = CROWD * 10
    waits = 0

    async def busy(seconds: float) -> None:
        nonlocal waits
        waits += 1
        time.sleep(PORTIONS * STEP_ASIDE / HURRY)  # noqa: ASYNC251 - the loop is held up for as long as drawing may wait

    monkeypatch.setattr("bot.discord_ui.outbox.publisher.asyncio.sleep", busy)
    await publisher._make_way()
    assert waits == 1
    monkeypatch.undo()
    await store.close()


async def test_a_message_noted_while_somebody_else_looks_stays_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher, store = await _publisher(tmp_path)
    desk, read, slow = Desk(TableId("t1")), store.messages, asyncio.Event()

    async def late(table: TableId) -> tuple[Message, ...]:
        found = await read(table)
        await slow.wait()
        return found

    with monkeypatch.context() as patched:
        patched.setattr(store, "messages", late)
        looking = asyncio.create_task(publisher._loaded(desk))
        await asyncio.sleep(0)
    await publisher._loaded(desk)
    noted = Message(desk.id, TABLE, None, 1, 2, 3)
    desk.stands(noted)
    slow.set()
    await looking
    assert desk.current() == noted
    await store.close()


async def test_channels_are_forgotten_with_their_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord_ui.outbox.publisher.KEPT", 4)
    async with lobby(tmp_path) as held:
        for channel in range(CHANNEL + 1, CHANNEL + 20):  # a thread for every game, say
            held.id = (
                await held.tables.open(1, channel, Join(HOST, "Ana"), house=House(dms=False, tables_at_once=99))
            ).id
            await held.told()
            while held.publisher._desk(held.id).task is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert len(held.publisher._in_channel) <= len(held.publisher._desks) <= 5
