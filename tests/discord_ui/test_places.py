from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.discord_ui.gateway.guilds import ASKED, Places
from bot.host.commands import Command, Suspend
from bot.house_rules import changes as changing
from bot.house_rules.repository import Houses
from tests.discord_ui.paper import lobby
from tests.host.world import HOST, FakeClock, settled


async def test_the_rules_of_a_server_that_was_forgotten_do_not_come_back(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:
        clock = FakeClock()
        house = Houses(held.store, clock.now)
        bot: Any = SimpleNamespace(store=held.store, tables=held.tables, clock=clock, house=house)
        await house.change(1, HOST, lambda rules: changing.change(rules, {"threshold": 4}, rules.ground()))
        await Places(bot).server_gone(1)
        assert not (await held.tables.get(held.id)).is_open
        while await held.store.privacy.clear(1, clock.now()):
            pass
        await Places(bot).server_entered(1)
        assert (await house.rules_for(1)).values == {}


async def test_an_outage_that_is_over_while_it_is_noted_stops_no_table_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        await held.begun()
        there = SimpleNamespace(id=1, unavailable=True, get_channel_or_thread=lambda channel: channel)
        bot: Any = SimpleNamespace(tables=held.tables, get_guild=lambda guild: there)
        places, submit, slow = Places(bot), held.tables.submit, asyncio.Event()

        async def slowly(table: Any, command: Command, **more: Any) -> Any:
            if isinstance(command, Suspend):
                await slow.wait()
            return await submit(table, command, **more)

        monkeypatch.setattr(held.tables, "submit", slowly)
        out = asyncio.create_task(places.server_out(1))
        await settled()
        there.unavailable = False
        back = asyncio.create_task(places.server_there(cast(Any, there)))
        await settled()
        slow.set()
        await asyncio.gather(out, back)
        assert (await held.tables.get(held.id)).pause is None
        await places.server_out(1)  # heard late
        assert (await held.tables.get(held.id)).pause is None


def test_each_bot_remembers_for_itself_which_commands_asked_for_a_thread() -> None:
    here, elsewhere = Places(cast(Any, SimpleNamespace())), Places(cast(Any, SimpleNamespace()))
    assert here.asks_for_thread(5)
    assert not here.asks_for_thread(5)
    assert elsewhere.asks_for_thread(5)
    assert all(here.asks_for_thread(later) for later in range(6, 6 + ASKED))
    assert here.asks_for_thread(5)  # long past: nothing grows for ever
