"""The publisher's schedule for reading outboxes, and the notes it keeps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bot.discord_ui.outbox.publisher import CROWD_CHECK_SECONDS, CROWD_OF_PEOPLE, MAX_CROWD_CHECKS, Publisher
from bot.discord_ui.outbox.table_messages import MessageKind, TableMessages
from bot.host.commands import Join
from bot.host.model import House, TableId
from bot.host.ports import Message
from bot.host.steady_clock import SteadyClock
from bot.store.sqlite.store import SqliteStore
from tests.discord_ui.fake_rest import CHANNEL, lobby
from tests.host.world import HOST

CLOCK_SCALE = 100.0


async def _publisher(folder: Path) -> tuple[Publisher, SqliteStore]:
    clock = SteadyClock(CLOCK_SCALE)
    store = await SqliteStore.open(folder / "coyote.sqlite3", clock.now())
    return Publisher(store, clock, CLOCK_SCALE), store


@contextmanager
def crowd(publisher: Publisher, people: int) -> Iterator[None]:
    """Let this many people wait for an answer."""
    with ExitStack() as waiting:
        for _ in range(people):
            waiting.enter_context(publisher.somebody_waits())
        yield


async def test_drawing_waits_while_a_crowd_awaits_answers(tmp_path: Path) -> None:
    publisher, store = await _publisher(tmp_path)
    passed = []

    async def draw() -> None:
        await publisher._let_crowd_pass()
        passed.append(publisher._people_waiting)

    with crowd(publisher, CROWD_OF_PEOPLE - 1):
        await draw()
    with crowd(publisher, CROWD_OF_PEOPLE):
        waiting = asyncio.create_task(draw())
        await asyncio.sleep(0)
        assert passed == [CROWD_OF_PEOPLE - 1]
    await waiting
    assert passed == [CROWD_OF_PEOPLE - 1, 0]
    await store.close()


async def test_drawing_does_not_wait_for_a_crowd_for_ever(tmp_path: Path) -> None:
    publisher, store = await _publisher(tmp_path)
    with crowd(publisher, CROWD_OF_PEOPLE * 10):
        await asyncio.wait_for(publisher._let_crowd_pass(), 60)
    await store.close()


async def test_drawing_does_not_wait_longer_if_the_crowd_keeps_the_process_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher, store = await _publisher(tmp_path)
    waits = 0

    async def busy(seconds: float) -> None:
        nonlocal waits
        waits += 1
        time.sleep(MAX_CROWD_CHECKS * CROWD_CHECK_SECONDS / CLOCK_SCALE)  # noqa: ASYNC251 - blocks the loop as a busy process does

    monkeypatch.setattr("bot.discord_ui.outbox.publisher.asyncio.sleep", busy)
    with crowd(publisher, CROWD_OF_PEOPLE * 10):
        await publisher._let_crowd_pass()
    assert waits == 1
    monkeypatch.undo()
    await store.close()


async def test_a_message_noted_during_a_slow_load_stays_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publisher, store = await _publisher(tmp_path)
    table, messages, read, slow = TableId("t1"), TableMessages(), store.messages, asyncio.Event()

    async def late(table: TableId) -> tuple[Message, ...]:
        found = await read(table)
        await slow.wait()
        return found

    with monkeypatch.context() as patched:
        patched.setattr(store, "messages", late)
        loading = asyncio.create_task(publisher._load(table, messages))
        await asyncio.sleep(0)
    await publisher._load(table, messages)
    noted = Message(table, MessageKind.TABLE, None, 1, 2, 3)
    messages.placed([noted])
    slow.set()
    await loading
    assert messages.current == noted
    await store.close()


async def test_channels_are_forgotten_with_their_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord_ui.outbox.publisher.MAX_NOTES", 4)
    async with lobby(tmp_path) as here:
        for channel in range(CHANNEL + 1, CHANNEL + 20):  # as with a thread for every game
            here.id = (
                await here.tables.open(
                    1, channel, Join(HOST, "Ana"), game="coyote", house=House(dms=False, tables_at_once=99)
                )
            ).id
            await here.wait_delivered()
            await here.wait_publisher_idle()
        assert len(here.publisher._table_in) <= len(here.publisher._notes) <= 5
