"""Interactions that Discord delivers again, some time after they were answered."""

import asyncio
from pathlib import Path

import pytest

from sandbox.messagelog import Message
from tests.e2e.common import moves, recorded, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening


@pytest.mark.parametrize("restarted", [False, True], ids=["same process", "after a kill"])
async def test_a_refused_command_is_not_applied_when_it_is_delivered_again(
    tmp_path: Path, driver: Driver, restarted: bool
) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        first = held.in_turn(message)
        second = held.people[(held.people.index(first) + 1) % len(held.people)]
        with recorded(held) as sent:
            for early in driver.early(second, message):
                shown = await early()
                assert first.mention in shown.text, shown.text  # "It's Ana's turn"
        while held.in_turn(message) is first:
            await _move_on(held, message)
        assert held.in_turn(message) is second
        before, made = driver.asked(message), moves(held)
        if restarted:
            await held.bot.restart()
        for each in sent:
            held.sandbox.gateway.send("INTERACTION_CREATE", each)
        await asyncio.sleep(1.0)
        assert (driver.asked(message), moves(held)) == (before, made)


async def _move_on(held: Evening, message: Message) -> None:
    """Let the player in turn make a plain move, and wait until the table shows another."""
    version = message.version
    assert (await held.move(message).press()).failed is None
    await until(held, lambda: message.version > version)


async def test_a_press_that_changed_a_setting_does_so_once(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        with recorded(held) as sent:
            await ana.slash("coyote settings", pings=False)
        await ana.slash("coyote settings", pings=True)
        held.sandbox.gateway.send("INTERACTION_CREATE", sent[0])
        await asyncio.sleep(0.5)
        assert "Don't ping me" in (await ana.slash("coyote settings")).text
