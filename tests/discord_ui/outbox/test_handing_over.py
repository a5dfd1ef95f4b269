"""A process that was paused does not write over what its successor sends, and says so where it could not help it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.gateway.fellow_processes import FellowProcesses
from bot.host.commands import Join, Start
from bot.host.model import TableId
from bot.store.ports import REDRAW_NEWS
from tests.discord_ui.fake_rest import CHANNEL, DMS, Evening, lobby
from tests.host.world import GUEST, HOST, THIRD


class Lease:
    """The duties of a process that looks after every table until it has been taken for dead."""

    def __init__(self) -> None:
        self.is_lost = False
        self.late: set[TableId] = set()

    def holds(self, table: TableId) -> bool:
        return not self.is_lost

    def want(self, table: TableId) -> None:
        pass

    def wrote_late(self, table: TableId) -> None:
        self.late.add(table)


def _paused_while_drawing(here: Evening, lease: Lease, patch: pytest.MonkeyPatch) -> None:
    """Let the process be taken for dead while it draws."""
    drawn = here.illustrator.drawn

    async def slowly(wanted: Any, **more: Any) -> Any:
        found = await drawn(wanted, **more)
        lease.is_lost = True
        return found

    patch.setattr(here.illustrator, "drawn", slowly)


async def _work_ends(here: Evening) -> None:
    """Wait until the process has stopped working for the table, although not everything is sent."""
    async with asyncio.timeout(20):
        while here.publisher._notes_on(here.id).schedule.task is not None or here.dms._tasks:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_what_was_drawn_before_a_pause_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lease = Lease()
    async with lobby(tmp_path, duties=lease) as here:
        await here.wait_publisher_idle()
        sent = len(here.rest.history)
        _paused_while_drawing(here, lease, monkeypatch)
        await here.tables.submit(here.id, Join(GUEST, "guest"))
        await _work_ends(here)
        assert len(here.rest.history) == sent
        assert await here.store.unsent() == (here.id,), "it is left to the successor"
        monkeypatch.undo()
        lease.is_lost = False
        here.publisher.taken(here.id)
        await here.wait_delivered()
        assert f"<@{GUEST}>" in here.rest.newest(CHANNEL)


async def test_a_dm_that_was_drawn_before_a_pause_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lease = Lease()
    async with lobby(tmp_path, duties=lease, dms=True) as here:
        for user in (GUEST, THIRD):
            await here.tables.submit(here.id, Join(user, "guest"))
        await here.wait_delivered()
        await here.wait_publisher_idle()
        _paused_while_drawing(here, lease, monkeypatch)
        await here.tables.submit(here.id, Start(HOST))
        await _work_ends(here)
        dms = [DMS + user for user in (HOST, GUEST, THIRD)]
        assert not any("Round 1" in here.rest.newest(each) for each in dms)
        monkeypatch.undo()
        lease.is_lost = False
        here.publisher.taken(here.id)
        await here.wait_delivered()
        assert all("Round 1" in here.rest.newest(each) for each in dms)


async def test_who_may_have_written_too_late_tells_the_successor(tmp_path: Path) -> None:
    lease = Lease()
    async with lobby(tmp_path, duties=lease) as here:
        await here.wait_publisher_idle()

        async def pause() -> None:
            lease.is_lost = True

        here.rest.faults[CHANNEL] = pause  # the request is under way already
        await here.tables.submit(here.id, Join(GUEST, "guest"))
        await _work_ends(here)
        assert lease.late == {here.id}
        lease.late.clear()
        await here.publisher.read_outbox()
        assert lease.late == {here.id}, "the word may have been lost while the database was away"
        lease.late.clear()
        await here.publisher.read_outbox()
        assert not lease.late


async def test_the_successor_draws_again_what_somebody_has_written_over(tmp_path: Path) -> None:
    async with lobby(tmp_path, duties=Lease()) as here:
        await here.wait_publisher_idle()
        (message,) = here.rest.messages[CHANNEL]
        right = here.rest.messages[CHANNEL][message]
        unused: Any = None
        membership: Any = Lease()
        here.rest.messages[CHANNEL][message] = "an older state"
        fellows = FellowProcesses(
            membership,
            here.store,
            here.tables,
            unused,
            publisher=here.publisher,
            clock=unused,
            house_rules=unused,
            languages=unused,
            text_only=here.text_only,
            emojis_stored=lambda: None,
        )
        fellows.told(f"{REDRAW_NEWS}{here.id}")
        await here.wait_publisher_idle()
        assert here.rest.messages[CHANNEL] == {message: right}
