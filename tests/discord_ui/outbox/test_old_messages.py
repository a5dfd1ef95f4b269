"""Replaced messages are deleted even after failures and kills."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.outbox import dms
from bot.discord_ui.outbox.delivery import Delivery
from bot.discord_ui.outbox.table_notes import TableNotes
from bot.discord_ui.wire.rest import TemporaryFailure
from bot.engine.registry import RULES
from bot.host.commands import Command, DmTried, Join, OutboxKind, Play, Start, Stop
from bot.host.model import Dm
from bot.host.ports import Fault, OutboxRow, StoreFault
from tests.discord_ui.fake_rest import CHANNEL, CLOCK_SCALE, DMS, Evening, lobby
from tests.host.world import GUEST, HOST, THIRD, bid

Delete = Callable[[int, int], Awaitable[None]]


def replace_next_delete(held: Evening, patch: pytest.MonkeyPatch, meanwhile: Delete) -> None:
    """Run `meanwhile` instead of the next deletion."""
    delete = held.rest.delete

    async def instead(channel: int, message: int) -> None:
        patch.setattr(held.rest, "delete", delete)
        await meanwhile(channel, message)

    patch.setattr(held.rest, "delete", instead)


async def fail_for_now(channel: int, message: int) -> None:
    raise TemporaryFailure("status 503")


async def wait_idle(held: Evening) -> None:
    """Wait until nothing is being sent and no retry is scheduled."""

    def busy(notes: TableNotes) -> bool:
        return notes.schedule.is_wanted or not notes.schedule.is_idle

    async with asyncio.timeout(20):
        await held.wait_delivered()
        while any(map(busy, held.publisher._notes.values())):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def kill_during_delete(held: Evening, patch: pytest.MonkeyPatch, begin: Callable[[], Awaitable[Any]]) -> Evening:
    """Run `begin`, kill the process during the next deletion, and return a new process."""
    there = asyncio.Event()

    async def never(channel: int, message: int) -> None:
        there.set()
        await asyncio.Event().wait()

    replace_next_delete(held, patch, never)
    await begin()
    await asyncio.wait_for(there.wait(), 20)
    await held.kill()
    after = Evening(held.store, held.rest)
    after.id = held.id
    return after


async def test_a_table_message_that_could_not_be_deleted_goes_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        await wait_idle(held)
        replace_next_delete(held, monkeypatch, fail_for_now)
        held.publisher.move(held.id)
        await wait_idle(held)
        assert len(held.rest.messages[CHANNEL]) == 1


async def kill_during_move(held: Evening, patch: pytest.MonkeyPatch) -> Evening:
    """Move the table message, and kill the process before the old one is deleted."""
    await wait_idle(held)

    async def move() -> None:
        held.publisher.move(held.id)

    return await kill_during_delete(held, patch, move)


async def test_a_table_message_that_a_kill_left_behind_goes_with_the_next_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        after = await kill_during_move(held, monkeypatch)
        assert len(held.rest.messages[CHANNEL]) == 2
        await after.tables.submit(held.id, Join(GUEST, "Ben"))
        await wait_idle(after)
        (table,) = held.rest.messages[CHANNEL].values()
        assert f"<@{GUEST}>" in table


async def test_a_table_message_that_a_kill_left_behind_goes_when_the_table_moves_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        after = await kill_during_move(held, monkeypatch)
        after.publisher.move(held.id)
        await wait_idle(after)
        assert len(held.rest.messages[CHANNEL]) == 1


async def test_a_ping_replaced_by_a_reminder_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as held:
        table = await held.start_game()
        await wait_idle(held)
        notes, clock, rest = held.publisher._notes_on(held.id), held.publisher._clock, held.publisher._rest
        delivery = Delivery(notes, table, store=held.store, rest=rest, clock=clock, scale=CLOCK_SCALE)

        async def call(number: int) -> None:
            row = OutboxRow(10**6 + number, held.id, OutboxKind.REMIND, HOST, None, 0, table.seq)
            await delivery._post_ping(row, HOST, f"line {number}")

        await call(1)
        replace_next_delete(held, monkeypatch, fail_for_now)
        with pytest.raises(TemporaryFailure):
            await call(2)
        await call(3)
        lines = [written for written in held.rest.messages[CHANNEL].values() if "line" in written]
        assert lines == ['{"content": "line 3"}']


async def test_an_earlier_back_again_line_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as held:
        await held.start_game()
        await wait_idle(held)
        before = len(held.rest.messages[CHANNEL])
        await held.publisher.refresh(None, 60_000)
        await wait_idle(held)
        replace_next_delete(held, monkeypatch, fail_for_now)
        await held.publisher.refresh(None, 60_000)
        await wait_idle(held)
        assert len(held.rest.messages[CHANNEL]) == before + 1


async def test_a_post_with_a_lost_answer_is_deleted_once_it_is_outdated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        await held.start_game()
        await wait_idle(held)
        post, lost = held.rest.post, asyncio.Event()

        async def and_lose_the_answer(*more: Any) -> int:
            monkeypatch.setattr(held.rest, "post", post)
            await post(*more)
            table = await held.tables.submit(held.id, bid(await held.tables.get(held.id), 5))
            prompt = RULES["coyote"].prompts(table.match)[0]
            await held.tables.submit(held.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
            lost.set()
            raise TemporaryFailure("ConnectionResetError")

        monkeypatch.setattr(held.rest, "post", and_lose_the_answer)
        held.publisher.move(held.id)
        await asyncio.wait_for(lost.wait(), 20)
        await wait_idle(held)
        assert not [written for written in held.rest.messages[CHANNEL].values() if "'s turn" in written]
        assert "calls Coyote on" in held.rest.newest(CHANNEL)


@pytest.mark.parametrize("kill", [False, True])
async def test_a_dm_too_old_to_edit_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill: bool) -> None:
    async with lobby(tmp_path, dms=True) as held:
        for user in (GUEST, THIRD):
            await held.tables.submit(held.id, Join(user, "guest"))
        await held.wait_delivered()

        async def begin() -> None:
            monkeypatch.setattr(dms, "is_editable", lambda message: False)
            await held.tables.submit(held.id, Start(HOST))

        after = held
        if kill:
            after = await kill_during_delete(held, monkeypatch, begin)
            await after.tables.submit(held.id, Stop(HOST))  # which edits all DMs
        else:
            replace_next_delete(held, monkeypatch, fail_for_now)
            await begin()
        await wait_idle(after)
        assert [len(held.rest.messages[DMS + user]) for user in (HOST, GUEST, THIRD)] == [1, 1, 1]
        await after.kill()


async def test_a_dm_counts_as_sent_even_if_the_first_note_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as held:
        submit = held.tables.submit

        async def full(table: Any, command: Command, **more: Any) -> Any:
            if isinstance(command, DmTried):
                monkeypatch.setattr(held.tables, "submit", submit)
                raise StoreFault(Fault.FULL, "no room")
            return await submit(table, command, **more)

        monkeypatch.setattr(held.tables, "submit", full)
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await wait_idle(held)
        assert [player.dm for player in (await held.tables.get(held.id)).players] == [Dm.OPEN, Dm.OPEN]
        assert len(held.rest.messages[DMS + GUEST]) == 1


async def test_a_dm_is_not_changed_because_it_was_found_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path, dms=True) as held:
        edit, edits = held.rest.edit, []

        async def meanwhile() -> None:
            held.publisher.wake(held.id)
            await asyncio.sleep(0.2)

        async def counted(channel: int, *more: Any) -> None:
            edits.append(channel)
            await edit(channel, *more)

        monkeypatch.setattr(held.rest, "edit", counted)
        held.rest.faults[DMS + GUEST] = meanwhile
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await wait_idle(held)
        assert DMS + GUEST not in edits
