from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.discord_ui.outbox import private_messages
from bot.discord_ui.outbox.private_messages import ShownLook
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.rest import PrivateAnswer
from bot.host.commands import AskPause
from tests.discord_ui.fake_rest import PRIVATE, Evening, lobby
from tests.host.world import GUEST, HOST, THIRD

EXPIRED = 50027


def answer(message: int) -> PrivateAnswer:
    session: Any = None
    return PrivateAnswer(1, "token", session, message)


def text_of(here: Evening, message: int) -> str:
    """Return the text that a private message was last changed to; empty if it never was."""
    return here.rest.messages.get(PRIVATE, {}).get(message, "")


async def until(look: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not look():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def look(here: Evening, message: int) -> None:
    """Record that the host has opened their look."""
    table = await here.tables.get(here.id)
    here.private.note_shown((here.id, HOST), answer(message), "en-US", ShownLook(table.seq, wants_picture=True))


async def change(here: Evening) -> None:
    """Let the table change, and wait until everybody in the channel sees it."""
    table = await here.tables.get(here.id)
    wanted = next(user for user in (GUEST, THIRD) if user not in table.pause_votes)
    await here.tables.submit(here.id, AskPause(wanted))
    await here.wait_delivered()
    await here.wait_publisher_idle()


async def test_a_look_is_changed_only_if_the_table_has_changed(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        await here.wait_delivered()
        here.text_only.choose(HOST, text_only=True)
        await look(here, 7)
        here.publisher.wake(here.id)
        await here.wait_publisher_idle()
        await until(lambda: not here.private._tasks)
        assert not text_of(here, 7)
        await change(here)
        await until(lambda: "what you see" in text_of(here, 7))


async def test_a_message_that_is_not_a_look_stays_as_it_is(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        here.private.note_shown((here.id, HOST), answer(7), "en-US", None)
        await change(here)
        assert not here.private._tasks
        assert not text_of(here, 7)


async def test_a_new_private_message_replaces_the_one_before(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        await here.wait_delivered()
        await look(here, 7)
        here.private.note_shown((here.id, HOST), answer(8), "en-US", None)
        here.private.note_shown((here.id, GUEST), answer(9), "en-US", None)
        await until(lambda: text_of(here, 7) == "deleted")
        await change(here)
        assert [text_of(here, message) for message in (7, 8, 9)] == ["deleted", "", ""]


async def test_a_look_that_nobody_reads_says_that_it_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_messages, "READ_SECONDS", 0.05)
    async with lobby(tmp_path) as here:
        await here.start_game()
        await here.wait_delivered()
        await look(here, 7)
        await until(lambda: "no longer keeps up" in text_of(here, 7))
        stopped = text_of(here, 7)
        assert "Look again" in stopped
        assert "Your turn" not in stopped
        await change(here)
        assert text_of(here, 7) == stopped
        await look(here, 8)
        await until(lambda: text_of(here, 7) == "deleted")


async def test_somebody_who_presses_at_the_table_is_still_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_messages, "READ_SECONDS", 0.3)
    async with lobby(tmp_path) as here:
        await here.start_game()
        await look(here, 7)
        for _ in range(5):
            await asyncio.sleep(0.1)
            here.private.note_press(here.id, HOST)
        assert here.private.is_looking(here.id, HOST)
        await until(lambda: not here.private.is_looking(here.id, HOST))


async def test_a_message_is_forgotten_before_its_token_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_messages, "CHANGEABLE_SECONDS", 0.05)
    async with lobby(tmp_path) as here:
        await here.start_game()
        await look(here, 7)
        here.private.note_shown((here.id, GUEST), answer(8), "en-US", None)
        await until(lambda: not here.private._kept and not here.private._users_at)
        assert "no longer keeps up" in text_of(here, 7)


async def test_a_look_whose_token_has_expired_is_left_alone(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        await here.wait_delivered()

        async def expired() -> None:
            raise RequestRefused(EXPIRED, 401)

        here.rest.faults[7] = expired
        await look(here, 7)
        await change(here)
        await until(lambda: not here.private.is_looking(here.id, HOST))


async def test_a_change_that_failed_is_tried_again(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        await here.wait_delivered()

        async def fails() -> None:
            raise TemporaryFailure("reset")

        here.rest.faults[7] = fails
        await look(here, 7)
        await change(here)
        await until(lambda: "what you see" in text_of(here, 7))


async def test_a_change_under_way_never_has_the_last_word(tmp_path: Path) -> None:
    """A press on the look is answered while an older change is on its way; the older change arrives last."""
    async with lobby(tmp_path) as here:
        await here.start_game()
        await here.wait_delivered()
        arrives = asyncio.Event()

        async def slow() -> None:
            await arrives.wait()

        here.rest.faults[7] = slow
        await look(here, 7)
        await change(here)
        await until(lambda: 7 not in here.rest.faults)
        await look(here, 7)  # the answer to the press
        arrives.set()
        await until(lambda: "what you see" in text_of(here, 7))
        here.rest.messages[PRIVATE][7] = "an older step"
        await until(lambda: "what you see" in text_of(here, 7))


async def test_the_number_of_remembered_messages_is_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_messages, "MAX_KEPT", 2)
    async with lobby(tmp_path) as here:
        for user, message in ((HOST, 7), (GUEST, 8), (THIRD, 9)):
            here.private.note_shown((here.id, user), answer(message), "en-US", ShownLook(0))
        assert [key[1] for key in here.private._kept] == [GUEST, THIRD]
        assert here.private._users_at == {here.id: {GUEST, THIRD}}
        here.private.forget(THIRD)
        here.private.note_deleted((here.id, GUEST), 8)
        assert not here.private._kept
        assert not here.private._users_at
