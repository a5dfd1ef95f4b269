"""Replaced messages are deleted even after failures and kills."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.outbox import dms, pings, publisher
from bot.discord_ui.outbox.table_notes import TableNotes
from bot.discord_ui.wire.failures import TemporaryFailure
from bot.engine.registry import RULES
from bot.host.commands import Command, DealNow, DmTried, Join, OutboxKind, Play, Start, Stop
from bot.host.model import Dm
from bot.host.ports import Fault, OutboxRow, StoreFault
from tests.discord_ui.fake_rest import CHANNEL, DMS, Evening, lobby
from tests.host.world import GUEST, HOST, THIRD, bid

Delete = Callable[[int, int], Awaitable[None]]


def replace_next_delete(here: Evening, patch: pytest.MonkeyPatch, instead: Delete) -> None:
    """Run `instead` in place of the next deletion."""
    delete = here.rest.delete

    async def replacement(channel: int, message: int, urgency: Any = None) -> None:
        patch.setattr(here.rest, "delete", delete)
        await instead(channel, message)

    patch.setattr(here.rest, "delete", replacement)


async def fail_for_now(channel: int, message: int) -> None:
    raise TemporaryFailure("status 503")


async def wait_idle(here: Evening) -> None:
    """Wait until nothing is being sent and no retry is scheduled."""

    def busy(notes: TableNotes) -> bool:
        return notes.schedule.is_wanted or not notes.is_idle

    async with asyncio.timeout(20):
        await here.wait_delivered()
        while any(map(busy, here.publisher._notes.values())):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def kill_during_delete(here: Evening, patch: pytest.MonkeyPatch, begin: Callable[[], Awaitable[Any]]) -> Evening:
    """Run `begin`, kill the process during the next deletion, and return a new process."""
    deleting = asyncio.Event()

    async def never(channel: int, message: int) -> None:
        deleting.set()
        await asyncio.Event().wait()

    replace_next_delete(here, patch, never)
    await begin()
    await asyncio.wait_for(deleting.wait(), 20)
    await here.kill()
    after = Evening(here.store, here.rest)
    after.id = here.id
    return after


async def test_a_table_message_that_could_not_be_deleted_is_deleted_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        await wait_idle(here)
        replace_next_delete(here, monkeypatch, fail_for_now)
        here.publisher.move(here.id)
        await wait_idle(here)
        assert len(here.rest.messages[CHANNEL]) == 1


async def kill_during_move(here: Evening, patch: pytest.MonkeyPatch) -> Evening:
    """Move the table message, and kill the process before the old one is deleted."""
    await wait_idle(here)

    async def move() -> None:
        here.publisher.move(here.id)

    return await kill_during_delete(here, patch, move)


async def test_a_table_message_left_behind_by_a_kill_is_deleted_with_the_next_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        after = await kill_during_move(here, monkeypatch)
        assert len(here.rest.messages[CHANNEL]) == 2
        await after.tables.submit(here.id, Join(GUEST, "Ben"))
        await wait_idle(after)
        (table,) = here.rest.messages[CHANNEL].values()
        assert f"<@{GUEST}>" in table


async def test_a_table_message_left_behind_by_a_kill_is_deleted_when_the_table_moves_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        after = await kill_during_move(here, monkeypatch)
        after.publisher.move(here.id)
        await wait_idle(after)
        assert len(here.rest.messages[CHANNEL]) == 1


async def test_a_ping_replaced_by_a_reminder_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(tmp_path) as here:
        table = await here.start_game()
        await wait_idle(here)
        (deadline,) = table.deadlines
        in_turn = table.players[deadline.seat].user
        notes, lines = here.publisher._notes_on(here.id), iter(range(1, 10))
        monkeypatch.setattr(pings, "draw_reminder", lambda *_: f"line {next(lines)}")

        async def remind(number: int) -> None:
            row = OutboxRow(10**6 + number, here.id, OutboxKind.REMIND, in_turn, None, 0, table.seq)
            here.publisher._pings.attend(here.id, notes.pings, notes.messages, [row])
            await wait_idle(here)

        await remind(1)
        replace_next_delete(here, monkeypatch, fail_for_now)
        await remind(2)
        await remind(3)
        shown = [written for written in here.rest.messages[CHANNEL].values() if "line" in written]
        assert shown == ['{"content": "line 3"}']


async def test_an_earlier_notice_that_the_bot_is_back_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        await wait_idle(here)
        before = len(here.rest.messages[CHANNEL])
        await here.publisher.refresh(None, 60_000)
        await wait_idle(here)
        replace_next_delete(here, monkeypatch, fail_for_now)
        await here.publisher.refresh(None, 60_000)
        await wait_idle(here)
        assert len(here.rest.messages[CHANNEL]) == before + 1


async def test_a_post_with_a_lost_answer_is_deleted_once_it_is_outdated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        await wait_idle(here)
        post, lost = here.rest.post, asyncio.Event()

        async def post_and_lose_the_answer(*more: Any) -> int:
            monkeypatch.setattr(here.rest, "post", post)
            await post(*more)
            table = await here.tables.submit(here.id, bid(await here.tables.get(here.id), 5))
            prompt = RULES["coyote"].prompts(table.match)[0]
            await here.tables.submit(here.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))
            lost.set()
            raise TemporaryFailure("ConnectionResetError")

        monkeypatch.setattr(here.rest, "post", post_and_lose_the_answer)
        here.publisher.move(here.id)
        await asyncio.wait_for(lost.wait(), 20)
        await wait_idle(here)
        assert not [written for written in here.rest.messages[CHANNEL].values() if "'s turn" in written]
        assert "calls Coyote on" in here.rest.newest(CHANNEL)


@pytest.mark.parametrize("kill", [False, True])
async def test_a_dm_too_old_to_edit_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill: bool) -> None:
    async with lobby(tmp_path, dms=True) as here:
        for user in (GUEST, THIRD):
            await here.tables.submit(here.id, Join(user, "guest"))
        await here.wait_delivered()

        async def begin() -> None:
            monkeypatch.setattr(dms, "is_editable", lambda message: False)
            await here.tables.submit(here.id, Start(HOST))

        after = here
        if kill:
            after = await kill_during_delete(here, monkeypatch, begin)
            await after.tables.submit(here.id, Stop(HOST))  # this edits all DMs
        else:
            replace_next_delete(here, monkeypatch, fail_for_now)
            await begin()
        await wait_idle(after)
        assert [len(here.rest.messages[DMS + user]) for user in (HOST, GUEST, THIRD)] == [1, 1, 1]
        await after.kill()


async def test_a_dm_counts_as_sent_even_if_that_could_not_be_stored_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        submit = here.tables.submit

        async def full(table: Any, command: Command, **more: Any) -> Any:
            if isinstance(command, DmTried):
                monkeypatch.setattr(here.tables, "submit", submit)
                raise StoreFault(Fault.FULL, "no room")
            return await submit(table, command, **more)

        monkeypatch.setattr(here.tables, "submit", full)
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await wait_idle(here)
        assert [player.dm for player in (await here.tables.get(here.id)).players] == [Dm.OPEN, Dm.OPEN]
        assert len(here.rest.messages[DMS + GUEST]) == 1


async def test_a_dm_found_twice_in_the_outbox_is_not_edited_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, dms=True) as here:
        edit, edits = here.rest.edit, []

        async def meanwhile() -> None:
            here.publisher.wake(here.id)
            await asyncio.sleep(0.2)

        async def counted(channel: int, *more: Any) -> None:
            edits.append(channel)
            await edit(channel, *more)

        monkeypatch.setattr(here.rest, "edit", counted)
        here.rest.faults[DMS + GUEST] = meanwhile
        await here.tables.submit(here.id, Join(GUEST, "Ben"))
        await wait_idle(here)
        assert DMS + GUEST not in edits


async def kill_during_post(held: Evening, patch: pytest.MonkeyPatch, begin: Callable[[], Awaitable[Any]]) -> Evening:
    """Run `begin`, kill the process once the next post has arrived, but not its answer; return a new process."""
    post, there = held.rest.post, asyncio.Event()

    async def and_hang(*more: Any) -> int:
        await post(*more)
        there.set()
        await asyncio.Event().wait()
        raise AssertionError

    patch.setattr(held.rest, "post", and_hang)
    await begin()
    await asyncio.wait_for(there.wait(), 20)
    await held.kill()
    patch.setattr(held.rest, "post", post)
    after = Evening(held.store, held.rest)
    after.id = held.id
    return after


async def test_a_table_message_that_was_moved_when_the_bot_was_killed_does_not_stay_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        await wait_idle(held)

        async def move() -> None:
            held.publisher.move(held.id)

        after = await kill_during_post(held, monkeypatch, move)
        assert len(held.rest.messages[CHANNEL]) == 2
        await after.publisher.start()
        await wait_idle(after)
        (table,) = held.rest.messages[CHANNEL].values()
        assert "Start" in table
        await after.tables.submit(held.id, Join(GUEST, "Ben"))
        await wait_idle(after)
        assert f"<@{GUEST}>" in held.rest.newest(CHANNEL)
        await after.kill()


async def call(held: Evening) -> None:
    """Bid, and call the bid, which ends the round."""
    table = await held.tables.submit(held.id, bid(await held.tables.get(held.id), 5))
    prompt = RULES["coyote"].prompts(table.match)[0]
    await held.tables.submit(held.id, Play(table.players[prompt.seat].user, "call", {}, prompt.id))


async def test_a_table_message_that_was_posted_when_the_bot_was_killed_goes_although_the_round_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        await held.start_game()
        await wait_idle(held)
        await call(held)
        await wait_idle(held)

        async def deal() -> None:
            await held.tables.submit(held.id, DealNow(HOST))

        after = await kill_during_post(held, monkeypatch, deal)
        assert "round 2" in held.rest.newest(CHANNEL)
        monkeypatch.setattr(publisher, "ANSWER_FIRST_SECONDS", 0.5)  # the round ends before the first look
        await call(after)
        await wait_idle(after)
        await after.tables.submit(held.id, DealNow(HOST))
        await wait_idle(after)
        live = [written for written in held.rest.messages[CHANNEL].values() if "custom_id" in written]
        assert len(live) == 1
        assert "round 3" in live[0]
        await after.kill()
