"""What is remembered about people, servers and the bot itself."""

from __future__ import annotations

import asyncio

from bot.host.commands import Join
from bot.host.model import TableId
from bot.host.ports import Preferences
from bot.store.ports import OpenTables, Store
from tests.host.evening import BEGIN
from tests.host.world import GUEST, HOST, THIRD
from tests.store.databases import Database, host_on


async def test_private_settings_survive_a_restart(store: Store, database: Database) -> None:
    assert await store.preferences(HOST) == Preferences()
    await store.save_preferences(HOST, Preferences(4, pinged=False, text_only=True))
    await store.save_preferences(GUEST, Preferences(language="fr"))
    await store.save_preferences(THIRD, Preferences(language="de"))
    await store.save_preferences(THIRD, Preferences(2))
    await store.stats.set_opted_out(HOST, True)
    await store.close()
    again = await database.open()
    assert await again.preferences(HOST) == Preferences(4, pinged=False, text_only=True)
    assert await again.preferences(GUEST) == Preferences(language="fr")
    assert await again.preferences(THIRD) == Preferences(2)
    assert await again.languages() == {GUEST: "fr"}
    assert await again.text_only() == {HOST}
    assert await again.stats.is_opted_out(HOST)
    await again.stats.set_opted_out(HOST, False)
    assert await again.preferences(HOST) == Preferences(4, pinged=False, text_only=True)
    await again.close()


async def test_facts_about_the_bot_survive_a_restart(store: Store, database: Database) -> None:
    assert await store.meta("commands") is None
    await store.set_meta("commands", "abc")
    await store.set_meta("commands", '{"ü": "🪶"}')
    await store.close()
    again = await database.open()
    assert await again.meta("commands") == '{"ü": "🪶"}'
    await again.close()


async def test_of_a_server_that_is_left_and_joined_at_once_the_last_event_counts(store: Store) -> None:
    await asyncio.gather(store.bot_removed(7, BEGIN), store.bot_added([7]))
    assert (set(await store.servers()), list(await store.privacy.departed(BEGIN))) == ({7}, [])
    await asyncio.gather(store.bot_added([7, 8, 8]), store.bot_removed(7, BEGIN))
    assert (set(await store.servers()), list(await store.privacy.departed(BEGIN))) == ({8}, [7])
    assert list(await store.privacy.departed(BEGIN - 1)) == []
    await store.bot_added([])
    assert set(await store.servers()) == {8}


async def test_refused_interactions_are_remembered_until_they_expire(store: Store, database: Database) -> None:
    for interaction in (5, 2**62, 7):
        store.note_refused(interaction)
    store.note_refused(5)
    store.drop_refused([7, 8])
    await store.close()
    again = await database.open()
    assert set(await again.refused()) == {5, 2**62}
    again.drop_refused([5, 2**62])
    await again.set_meta("later", "")  # written after it
    assert set(await again.refused()) == set()
    await again.close()


async def test_the_load_is_what_waits_and_what_is_open(database: Database) -> None:
    async with host_on(database) as here:
        store = here.store
        assert await store.load_now() == (0, None, [])
        await here.started(channel=2)
        here.clock.move(5_000)
        options = {"edition": "peek"}
        await here.tables.open(1, 3, Join(HOST, "host"), game="coyote", options=options)
        await here.tables.open(1, 4, Join(HOST, "host"), game="plenty-coups")
        load = await store.load_now()
        rows = [row for table in await store.unsent() for row in await store.outbox(table)]
        assert (load.waiting, load.oldest) == (len(rows), BEGIN)
        assert set(load.tables) == {
            OpenTables("coyote", "", "playing", 1),
            OpenTables("coyote", "peek", "lobby", 1),
            OpenTables("plenty-coups", "", "lobby", 1),
        }
        assert (await store.sizes())["database"] > 0
        name, version = store.engine
        assert name.isidentifier()
        assert version[0].isdigit()


async def test_a_table_that_nobody_knows_has_nothing(store: Store) -> None:
    nowhere = TableId("nowhere")
    assert await store.load(nowhere) is None
    assert await store.outbox(nowhere) == ()
    assert list(await store.messages(nowhere)) == []
    assert await store.posting(nowhere) is None
    assert await store.stats.ending(nowhere) is None
    assert await store.stats.ending_with_highlights(nowhere) is None
