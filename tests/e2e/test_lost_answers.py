"""Answers that are lost on their way to Discord, or whose confirmation is lost on its way back."""

import asyncio
from pathlib import Path

import pytest

from sandbox.faults import Drop, Refuse, Reset, Slow, Status
from sandbox.messagelog import Message
from tests.e2e.common import CALLBACK, FOLLOW_UP, POST, database, said_in, stages, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.games.drivers import DRIVERS

LOST = [
    (Reset(), 1),
    (Reset(after=True), 1),
    (Drop(), 1),
    (Drop(after=True), 1),
    (Status(500), 2),
    (Status(503), 2),
    (Status(502, after=True), 1),
    (Slow(5.0), 1),
    (Slow(5.0, after=True), 1),
]
IN_EVERY_GAME = [
    pytest.param(driver, fault, times, id=f"{driver.name}-{fault}")
    for driver in DRIVERS
    for fault, times in (LOST if driver is DRIVERS[0] else LOST[1::3])
]
"""Every way to lose an answer in the first game, and one of each kind in the others."""


@pytest.mark.parametrize(("driver", "fault", "times"), IN_EVERY_GAME)
async def test_a_lost_acknowledgement_is_sent_again(
    tmp_path: Path, driver: Driver, fault: Reset | Drop | Status | Slow, times: int
) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        move = held.move(message)
        before = len(move.by.private())
        held.sandbox.faults.on(CALLBACK, fault, times=times)
        assert (await move.press()).failed is None
        await until(held, lambda: move.is_shown(message))
        await until(held, lambda: len(move.by.private()) == before + driver.move_shows_look)


@pytest.mark.parametrize(("driver", "fault", "times"), IN_EVERY_GAME)
async def test_a_lost_private_answer_is_seen_exactly_once(
    tmp_path: Path, driver: Driver, fault: Reset | Drop | Status | Slow, times: int
) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        move = driver.command(held.in_turn(message), message)
        held.sandbox.faults.on(CALLBACK, fault, times=times)
        shown = await move.press()
        assert shown.failed is None
        assert driver.look in shown.text
        await until(held, lambda: move.is_shown(message))
        await asyncio.sleep(0.3)
        assert len([each for each in move.by.private() if driver.look in each.text]) == 1


@pytest.mark.parametrize("fault", [Reset(), Reset(after=True)], ids=str)
async def test_a_lost_answer_with_a_file_is_sent_again(tmp_path: Path, fault: Reset) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        held.sandbox.faults.on(CALLBACK, fault)
        shown = await ana.slash("privacy export")
        assert shown.failed is None
        (answer,) = ana.private()
        assert answer.files[0]["size"] > 10


def lobbies(held: Evening) -> list[Message]:
    return [each for each in held.people[0].read() if any(part.get("label") == "Start" for part in each.buttons)]


async def joins(held: Evening) -> None:
    """Check that there is one lobby message, and that it works."""
    await until(held, lambda: lobbies(held))
    await asyncio.sleep(0.5)
    (message,) = lobbies(held)
    assert not (await held.people[1].click(message, "Join")).failed
    await until(held, lambda: held.people[1].mention in message.text)
    assert len(lobbies(held)) == 1


@pytest.mark.parametrize(("fault", "times"), LOST, ids=str)
async def test_a_lobby_whose_answer_was_lost_is_shown_once(
    tmp_path: Path, fault: Reset | Drop | Status | Slow, times: int
) -> None:
    async with evening(tmp_path, 2) as held:
        held.sandbox.faults.on(CALLBACK, fault, times=times)
        assert (await held.slash(held.people[0], "new")).failed is None
        await joins(held)
        assert not held.people[0].private()


async def test_a_lobby_is_shown_once_though_two_answers_in_a_row_were_lost(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        held.sandbox.faults.on(CALLBACK, Reset(after=True))
        held.sandbox.faults.on(CALLBACK, Reset())
        assert (await held.slash(held.people[0], "new")).failed is None
        await joins(held)


@pytest.mark.parametrize("arrived", [True, False], ids=["arrived", "not arrived"])
async def test_a_lobby_is_shown_once_though_the_bot_was_killed_while_answering(tmp_path: Path, arrived: bool) -> None:
    async with evening(tmp_path, 2) as held:
        held.sandbox.faults.on(CALLBACK, Slow(60.0, after=arrived))
        asking = asyncio.create_task(held.slash(held.people[0], "new"))
        if arrived:
            await until(held, lambda: lobbies(held))
        else:
            async with asyncio.timeout(10):
                while stages(held) != ["lobby"]:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            await asyncio.sleep(0.3)
        await held.bot.restart()
        await joins(held)
        assert bool((await asking).failed) is not arrived
        assert meta_keys(held, "posting:") == []


@pytest.mark.parametrize("route", [POST, FOLLOW_UP])
async def test_a_moved_table_message_is_shown_once_though_the_bot_was_killed_meanwhile(
    tmp_path: Path, driver: Driver, route: str
) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        if route == POST:
            held.sandbox.faults.on(FOLLOW_UP, Refuse(50027), times=None)
        held.sandbox.faults.on(route, Slow(60.0, after=True), holding="'s turn")
        await held.slash(held.people[0], "table")
        await until(held, lambda: len(said_in(held, "'s turn")) == 2)
        await held.bot.restart()
        await until(held, lambda: len(said_in(held, "'s turn")) == 1)
        move = driver.command(held.in_turn(message), message)
        await move.press()
        await until(held, lambda: move.is_shown(message))


def meta_keys(held: Evening, prefix: str) -> list[str]:
    with database(held) as found:
        return [key for (key,) in found.execute("SELECT key FROM meta WHERE key LIKE ?", (f"{prefix}%",))]
