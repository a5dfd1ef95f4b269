"""Tables whose guild or channel changes, disappears or comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord_ui.gateway.guilds import Guilds
from bot.host.commands import Command, Suspend
from bot.house_rules import changes as changing
from bot.house_rules.repository import HouseRulesRepository
from tests.discord_ui.fake_rest import Evening, lobby
from tests.host.world import HOST, FakeClock, settle


def guilds_of(here: Evening | None = None, *, client: Any = None, clock: Any = None, house: Any = None) -> Guilds:
    """Return a `Guilds` for the evening's bot; parts that a test does not need are None."""
    nothing: Any = None
    return Guilds(
        client,
        nothing if here is None else here.tables,
        nothing if here is None else here.store,
        nothing if here is None else here.publisher._rest,
        clock,
        forget_rules=nothing if house is None else house.forget,
        wake=nothing if here is None else here.publisher.wake,
    )


async def test_house_rules_of_a_cleared_guild_do_not_come_back(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        clock = FakeClock()
        house = HouseRulesRepository(here.store, clock.now)
        guilds = guilds_of(here, clock=clock, house=house)
        await house.change(1, HOST, lambda rules: changing.change(rules, {"threshold": 4}, rules.basis()))
        await guilds.bot_removed(1)
        assert not (await here.tables.get(here.id)).is_open
        while await here.store.privacy.clear(1, clock.now()):
            pass
        await guilds.bot_added(1)
        assert (await house.rules_for(1)).values == {}


async def test_an_outage_that_ends_while_tables_are_suspended_leaves_none_suspended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as here:
        await here.start_game()
        there: Any = SimpleNamespace(id=1, unavailable=True, get_channel_or_thread=lambda channel: channel)
        guilds = guilds_of(here, client=SimpleNamespace(get_guild=lambda guild: there))
        submit, slow = here.tables.submit, asyncio.Event()

        async def slowly(table: Any, command: Command, **more: Any) -> Any:
            if isinstance(command, Suspend):
                await slow.wait()
            return await submit(table, command, **more)

        monkeypatch.setattr(here.tables, "submit", slowly)
        out = asyncio.create_task(guilds.outage_began(1))
        await settle()
        there.unavailable = False
        back = asyncio.create_task(guilds.outage_ended(there))
        await settle()
        slow.set()
        await asyncio.gather(out, back)
        assert (await here.tables.get(here.id)).pause is None
        await guilds.outage_began(1)  # the event arrives late
        assert (await here.tables.get(here.id)).pause is None
