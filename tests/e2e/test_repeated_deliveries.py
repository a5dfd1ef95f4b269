"""Interactions that Discord delivers again, some time after they were answered."""

import asyncio
from pathlib import Path

import pytest

from tests.e2e.common import recorded, started, until
from tests.e2e.harness import evening


@pytest.mark.parametrize("restarted", [False, True], ids=["same process", "after a kill"])
@pytest.mark.parametrize("command", ["bid", "call"])
async def test_a_refused_command_is_not_applied_when_it_is_delivered_again(
    tmp_path: Path, command: str, restarted: bool
) -> None:
    async with evening(tmp_path) as held:
        message = await started(held)
        first = held.in_turn(message)
        second = held.people[(held.people.index(first) + 1) % len(held.people)]
        with recorded(held) as sent:
            shown = await second.slash(f"coyote {command}", **({"number": 30} if command == "bid" else {}))
        assert first.mention in shown.text, shown.text  # "It's Ana's turn"
        await first.click(message, "5")
        await until(held, lambda: "Bid to beat: **5**" in message.text)
        if restarted:
            await held.bot.restart()
        held.sandbox.gateway.send("INTERACTION_CREATE", sent[0])
        await asyncio.sleep(1.0)
        assert "Bid to beat: **5**" in message.text
        assert held.in_turn(message) is second


async def test_a_press_that_changed_a_setting_does_so_once(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        with recorded(held) as sent:
            await ana.slash("coyote settings", pings=False)
        await ana.slash("coyote settings", pings=True)
        held.sandbox.gateway.send("INTERACTION_CREATE", sent[0])
        await asyncio.sleep(0.5)
        assert "Don't ping me" in (await ana.slash("coyote settings")).text
