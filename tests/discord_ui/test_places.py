from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from bot.discord_ui.places import ASKED, Places
from bot.house import changing
from bot.house.books import Houses
from tests.discord_ui.paper import lobby
from tests.host.world import HOST, FakeClock


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


def test_each_bot_remembers_for_itself_which_commands_asked_for_a_thread() -> None:
    here, elsewhere = Places(cast(Any, SimpleNamespace())), Places(cast(Any, SimpleNamespace()))
    assert here.asks_for_thread(5)
    assert not here.asks_for_thread(5)
    assert elsewhere.asks_for_thread(5)
    assert all(here.asks_for_thread(later) for later in range(6, 6 + ASKED))
    assert here.asks_for_thread(5)  # long past: nothing grows for ever
