from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.discord_ui.handlers import table as around
from bot.host.ports import Preferences
from tests.discord_ui.paper import lobby
from tests.host.world import HOST


async def test_of_two_settings_that_are_changed_at_once_none_is_lost(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:
        locks = [asyncio.Lock()]
        bot = SimpleNamespace(store=held.store, tables=held.tables, settling=locks)
        context: Any = SimpleNamespace(bot=bot, user=HOST)
        await asyncio.gather(around.prefer(context, slow=2), around.prefer(context, pinged=False))
        assert await held.store.preferences(HOST) == Preferences(slow=2, pinged=False)
        player = (await held.tables.get(held.id)).players[0]
        assert (player.slow, player.pinged) == (2, False)
