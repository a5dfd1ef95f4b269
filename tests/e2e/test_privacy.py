"""`/privacy` with the real bot: in a server and in a DM, during a game and outside of one."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

from sandbox.people import Person
from sandbox.shown import Shown
from tests.e2e.common import make
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.e2e.players import newest
from tests.store.sqlite.leftovers import leftovers

SURE = "Delete everything about me"


def the_file(held: Evening, shown: Shown) -> tuple[str, bytes]:
    """Return the name and data of the only file in a private answer."""
    message = shown.message
    assert message is not None, shown.text
    assert message.ephemeral
    (file,) = message.files
    stored = held.sandbox.world.uploads.files[file["id"]]
    return stored.filename, stored.data


async def deleted(person: Person, at: object = None) -> Shown:
    """Delete the person's data by command and confirm; return the final answer."""
    asked = await person.slash("privacy delete", at)  # type: ignore[arg-type]
    assert asked.message is not None, asked.text
    assert asked.message.ephemeral
    assert "can't be undone" in asked.text
    sure = await person.click(asked.message, SURE)
    assert sure.failed is None
    await person.wait_for(lambda: "Done." in sure.text)
    return sure


async def until(held: Evening, look: Callable[[], object]) -> None:
    await held.people[-1].wait_for(look)


def count(held: Evening, sql: str, *values: object) -> int:
    with sqlite3.connect(f"file:{held.bot.database}?mode=ro", uri=True) as connection:
        found: int = connection.execute(sql, values).fetchone()[0]
    return found


async def finished(held: Evening) -> None:
    """Play a game that ends because everybody but the host leaves."""
    ana, *others = held.people
    message = await held.open_table(ana, clock="2h")
    for person in others:
        await person.click(message, "Join")
    await ana.click(message, "Start")
    await until(held, lambda: held.driver.asked(message))
    for person in held.people[1:]:
        asked = await held.slash(person, "leave")
        assert asked.message is not None
        await person.click(asked.message, "Leave")
    await until(held, lambda: "Rematch" in (newest(ana) or message).text)


async def test_all_privacy_commands_work_in_a_dm(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        _, ben, _ = held.people
        home = ben.open_dm()
        assert "**Nothing.**" in (await ben.slash("privacy show", home)).text
        assert "nothing to delete" in (await ben.slash("privacy delete", home)).text
        await finished(held)
        shown = await ben.slash("privacy show", home)
        assert "**one table**" in shown.text
        assert shown.message is not None
        name, data = the_file(held, await ben.click(shown.message, "Download my data"))
        assert name == "coyote-data.json"
        found = json.loads(data)
        assert found["user"] == ben.id
        assert found["tables"][0]["player"]["name"] == "Ben"
        assert found["statistics"]["games"][0]["place"] >= 2
        assert ben.id not in json.dumps(found["tables"][0]["moves"])
        await deleted(ben, home)
        assert leftovers(held.bot.database, int(ben.id)) == []
        assert "**Nothing.**" in (await ben.slash("privacy show", home)).text
        assert json.loads(the_file(held, await ben.slash("privacy export", home))[1])["tables"] == []


async def test_a_player_and_lobby_host_can_be_deleted(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, 4, driver=driver) as held:
        ana, ben, *_ = held.people
        message = await held.open_table(ana, clock="2h")
        for person in held.people[1:]:
            await person.click(message, "Join")
        await ana.click(message, "Start")
        await until(held, lambda: held.driver.asked(message))
        elsewhere = held.sandbox.world.add_channel(held.guild, "elsewhere")
        lobby = (await held.slash(ana, "new", elsewhere)).message
        assert lobby is not None
        await ben.click(lobby, "Join")
        asked = await ana.slash("privacy delete")
        assert "leave the 2 tables" in asked.text
        private = asked.message
        assert private is not None
        assert private not in ben.read()
        assert not (await ana.click(private, SURE)).failed
        await until(held, lambda: "Done." in private.text)
        await until(held, lambda: ana.id not in lobby.text and ben.id in lobby.text)
        await until(held, lambda: any("a former player" in each.text for each in ben.read()))

        def redrawn() -> bool:
            table = newest(ben)
            return table is not None and ana.id not in table.text and bool(held.driver.asked(table))

        await until(held, redrawn)
        assert leftovers(held.bot.database, int(ana.id), "Ana") == []
        # The game goes on, even after a restart, and the deleted user may join again as a new one.
        await held.bot.restart()
        await make(held, held.move(newest(ben)))
        assert not (await ana.click(lobby, "Join")).failed
        await until(held, lambda: ana.id in lobby.text)


async def test_other_players_data_stays_and_the_rematch_leaves_them_out(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        ana, ben, chloe = held.people
        await finished(held)
        games = "SELECT count(*) FROM game_seats WHERE user = ?"
        assert count(held, games, ben.id) == count(held, games, chloe.id) == 1
        assert ben.id in (await ana.slash("replay", game=1)).text
        await deleted(ben)
        replay = await ana.slash("replay", game=1)
        assert ben.id not in replay.text
        assert (count(held, games, ben.id), count(held, games, chloe.id)) == (0, 1)
        final = newest(ana)
        assert final is not None
        await ana.click(final, "Rematch")
        await until(held, lambda: "Start" in (newest(ana) or final).text)
        lobby = newest(ana)
        assert lobby is not None
        assert "former" not in lobby.text
        assert leftovers(held.bot.database, int(ben.id)) == []


async def test_opting_out_of_statistics_and_back_in(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        _, ben, _ = held.people
        off = "SELECT count(*) FROM users WHERE id = ? AND stats_off = 1"
        shown = await ben.slash("privacy statistics", counted="off")
        assert "nobody sees a figure of yours" in shown.text
        assert count(held, off, ben.id) == 1
        await finished(held)
        assert count(held, "SELECT count(*) FROM totals WHERE user = ?", ben.id) == 0
        assert "keep out of statistics" in (await ben.slash("privacy show")).text
        assert shown.message is not None
        assert "counted again" in (await ben.click(shown.message, "Count me in again")).text
        assert count(held, off, ben.id) == 0


async def test_a_repeated_or_forged_confirmation_deletes_nobody_else(tmp_path: Path) -> None:
    async with evening(tmp_path) as held:
        ana, ben, _ = held.people
        await finished(held)
        asked = await ben.slash("privacy delete")
        assert asked.message is not None
        both = await asyncio.gather(*(ben.click(asked.message, SURE) for _ in range(2)))
        assert all(each.failed is None for each in both)
        await until(held, lambda: "Done." in asked.message.text or "nothing to delete" in asked.message.text)  # type: ignore[union-attr]
        stray = await ben.forge(asked.message, "c1:0:0:privacy:everyone")
        assert stray.failed is None
        assert count(held, "SELECT count(*) FROM visits WHERE user = ?", ana.id) == 1
        kept = await ana.slash("privacy delete")
        assert kept.message is not None
        await ana.click(kept.message, "Never mind")
        assert count(held, "SELECT count(*) FROM visits WHERE user = ?", ana.id) == 1


async def test_the_data_of_a_server_that_removed_the_bot_is_deleted(tmp_path: Path) -> None:
    async with evening(tmp_path, RETENTION_DAYS="0") as held:
        await finished(held)
        there = held.sandbox.world.add_guild("Elsewhere")
        await asyncio.sleep(0.2)
        assert count(held, "SELECT count(*) FROM tables") == 1
        held.sandbox.world.remove_member(held.guild, held.sandbox.world.bot)
        noted = f"left:{held.guild.id}"
        async with asyncio.timeout(60):
            while not count(held, "SELECT count(*) FROM meta WHERE key = ?", noted):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await held.bot.restart()
        async with asyncio.timeout(60):
            while count(held, "SELECT count(*) FROM meta WHERE key = ?", noted):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        for table in ("tables", "actions", "seats", "visits", "ends", "games", "game_seats", "totals", "boards"):
            assert count(held, f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608
        assert there.id != held.guild.id
