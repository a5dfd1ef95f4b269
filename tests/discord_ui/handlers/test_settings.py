from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.discord_ui.handlers.table import TableHandlers
from bot.host.ports import Preferences
from tests.discord_ui.fake_rest import lobby
from tests.host.world import HOST


async def test_two_settings_that_are_changed_at_once_are_both_kept(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:
        table = TableHandlers(held.store, held.tables, held.publisher, list)
        context: Any = SimpleNamespace(user=HOST)
        await asyncio.gather(table.prefer(context, slow=2), table.prefer(context, pinged=False))
        assert await held.store.preferences(HOST) == Preferences(slow=2, pinged=False)
        player = (await held.tables.get(held.id)).players[0]
        assert (player.slow, player.pinged) == (2, False)
