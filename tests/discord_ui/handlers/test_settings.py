from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.discord_ui.handlers.table import TableHandlers
from bot.discord_ui.text_only import TextOnly
from bot.host.model import House
from bot.host.ports import Preferences
from bot.screens.menus import AUTO_LANGUAGE
from tests.discord_ui.fake_rest import lobby
from tests.host.world import GUEST, HOST


async def test_two_settings_changed_at_once_are_both_kept(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        table = TableHandlers(here.store, here.tables, here.publisher, TextOnly(), lambda _: [])
        context: Any = SimpleNamespace(user=HOST)
        await asyncio.gather(table.save_preferences(context, slow=2), table.save_preferences(context, pinged=False))
        assert await here.store.preferences(HOST) == Preferences(slow=2, pinged=False)
        player = (await here.tables.get(here.id)).players[0]
        assert (player.slow, player.pinged) == (2, False)


async def test_a_language_is_kept_and_told_to_every_open_table(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        table = TableHandlers(here.store, here.tables, here.publisher, TextOnly(), lambda _: [])
        chosen: list[str | None] = []
        context: Any = SimpleNamespace(user=HOST, language="en", change_language=chosen.append)
        assert await table.save_preferences(context, language="en")
        assert await here.store.preferences(HOST) == Preferences(language="en")
        assert await here.store.languages() == {HOST: "en"}
        assert (await here.tables.get(here.id)).players[0].language == "en"
        assert await table.save_preferences(context, language=AUTO_LANGUAGE)
        assert await here.store.languages() == {}
        assert chosen == ["en", None]


async def test_words_alone_are_a_private_setting_and_a_house_rule(tmp_path: Path) -> None:
    async with lobby(tmp_path) as here:
        text_only = TextOnly()
        table = TableHandlers(here.store, here.tables, here.publisher, text_only, lambda _: [])
        context: Any = SimpleNamespace(user=HOST)
        house = House()
        assert text_only.allows_pictures(house, HOST)
        await table.save_preferences(context, text_only=True)
        assert (await here.store.preferences(HOST)).text_only
        assert await here.store.text_only() == {HOST}
        assert not text_only.allows_pictures(house, HOST)
        assert text_only.allows_pictures(house), "what everybody sees does not change"
        assert text_only.allows_pictures(house, GUEST)
        assert not text_only.allows_pictures(house._replace(pictures=False))
        assert not text_only.allows_pictures(house._replace(pictures=False), GUEST)
        await table.save_preferences(context, slow=2)
        assert not text_only.allows_pictures(house, HOST), "another setting leaves it as it is"
        text_only.forget(HOST)
        assert text_only.allows_pictures(house, HOST)
