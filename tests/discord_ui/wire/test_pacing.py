"""Requests keep their pace, and urgent ones go first."""

from __future__ import annotations

import asyncio

from bot.discord_ui.wire.pacing import Pace, Urgency


async def test_after_a_burst_everybody_waits_their_turn() -> None:
    pace, loop = Pace(100.0, 3), asyncio.get_running_loop()
    began = loop.time()
    for _ in range(3):
        await pace.take()
    assert not pace._waiting
    for _ in range(4):
        await pace.take()
    assert loop.time() - began >= 0.03


async def test_what_shows_a_move_goes_first_and_then_the_first_to_come() -> None:
    pace, passed = Pace(200.0), list[str]()
    await pace.take()

    async def take(name: str, urgency: Urgency) -> None:
        await pace.take(urgency)
        passed.append(name)

    async with asyncio.TaskGroup() as waiting:
        for name, urgency in (
            ("a ping", Urgency.SPARE),
            ("a DM", Urgency.USUAL),
            ("another DM", Urgency.USUAL),
            ("a table", Urgency.SHOWS),
        ):
            waiting.create_task(take(name, urgency))
    assert passed == ["a table", "a DM", "another DM", "a ping"]


async def test_who_stops_waiting_takes_nobodys_turn() -> None:
    pace = Pace(20.0)
    await pace.take()
    assert not await pace.take_within(0.001, Urgency.SPARE)
    before = pace._next
    await pace.take()
    assert pace._next <= before + 2 * pace._gap
    assert not pace._waiting


async def test_nobody_passes_while_it_is_held() -> None:
    pace = Pace(1000.0, 10)
    pace.hold(3600.0)
    assert pace.is_held
    assert not await pace.take_within(0.01, Urgency.SHOWS)
