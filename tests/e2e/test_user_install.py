"""`/help`, `/rules`, `/privacy` and one's own `/stats` in a DM, and in servers that do not have the bot."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.host.model import UserId
from bot.store.sqlite.store import SqliteStore
from sandbox.model import Channel
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.shown import Shown
from tests.e2e.harness import Evening, evening
from tests.e2e.past import remember
from tests.host.evening import BEGIN

ANYWHERE = {"help", "privacy", "rules", "stats"}


@pytest_asyncio.fixture
async def held(tmp_path: Path) -> AsyncIterator[Evening]:
    """Three people who have played ten games, and a fourth who has not."""
    async with evening(tmp_path, 4, start=False) as found:
        await remember(found, [int(person.id) for person in found.people[:3]], 10)
        await found.bot.start()
        yield found


def elsewhere(held: Evening, person: Person) -> Channel:
    """Return a channel of a server that has neither the bot nor its commands, with a person in it."""
    world = held.sandbox.world
    there = world.add_guild("Elsewhere", bot=False, commands=False)
    person.join(there)
    return next(iter(there.channels.values()))


def names(person: Person, at: Channel) -> set[str]:
    return {each["name"] for each in person.commands(at)}


def is_private(shown: Shown, person: Person) -> bool:
    return shown.failed is None and shown.message is not None and shown.message.only == person.id


async def check_reading(held: Evening, person: Person, at: Channel) -> None:
    """Check everything that can be asked for where the bot is not installed."""
    shown = await person.slash("help", at)
    assert is_private(shown, person)
    assert "Tables stand in servers" in shown.text
    assert "in this channel with" not in shown.text
    offered = {name.split()[0] for name in re.findall(r"^\*\*</([^:]+):", shown.text, re.M)}
    assert offered == names(person, at), "/help names what Discord offers there"
    message = shown.message
    assert message is not None
    assert [each["label"] for each in message.buttons] == ["Rules", "Five-minute lesson"]
    assert "You can see every feather but your own" in (await person.click(message, "Rules")).text
    assert "Special feathers" in (await person.slash("rules", at, topic="specials")).text
    assert is_private(await person.slash("privacy show", at), person)
    export = await person.slash("privacy export", at)
    assert export.message is not None
    assert len(export.message.files) == 1


async def check_own_figures(held: Evening, person: Person, at: Channel) -> None:
    here = await person.slash("stats", held.games, private=True)
    shown = await person.slash("stats", at)
    assert is_private(shown, person)
    assert "### Friends" in shown.text
    (rating,) = re.findall(r"Rating \*\*\d+\*\*", here.text)
    assert rating in shown.text
    assert "</stats:" in shown.text
    scoped = await person.slash("stats", at, edition=edition(person, at, "Peek"))
    assert "**Peek" in scoped.text
    assert "all editions" not in scoped.text
    ben = held.people[1]
    assert "only your own figures" in (await person.slash("stats", at, player=ben)).text


def edition(person: Person, at: Channel, name: str) -> str:
    """Return the value of an edition that `/stats` offers."""
    (command,) = [each for each in person.commands(at) if each["name"] == "stats"]
    (option,) = [each for each in command["options"] if each["name"] == "edition"]
    return next(str(each["value"]) for each in option["choices"] if each["name"].startswith(name))


async def test_a_dm_has_everything_to_read_and_ones_own_figures(held: Evening) -> None:
    ana, *_, newcomer = held.people
    dm = ana.open_dm()
    assert names(ana, dm) == ANYWHERE | {"tutorial"}
    await check_reading(held, ana, dm)
    await check_own_figures(held, ana, dm)
    nothing = await newcomer.slash("stats", newcomer.open_dm())
    assert "You haven't finished a game that counts" in nothing.text
    assert "</coyote new:" in nothing.text


async def test_somebody_who_has_the_bot_in_their_account_reads_in_any_server(held: Evening) -> None:
    ana, *_ = held.people
    there = elsewhere(held, ana)
    assert names(ana, there) == set()
    with pytest.raises(Refused):
        await ana.slash("help", there)
    ana.has_app = True
    assert names(ana, there) == ANYWHERE
    await check_reading(held, ana, there)
    await check_own_figures(held, ana, there)
    help_page = (await ana.slash("help", there)).message
    assert help_page is not None
    lesson = await ana.click(help_page, "Five-minute lesson")
    assert is_private(lesson, ana)
    with pytest.raises(Refused):
        await ana.slash("coyote new", there)
    at_home = await ana.slash("help", held.games)
    assert "in this channel with" in at_home.text, "where the bot is, nothing changes for them"


async def test_a_server_that_the_bot_has_left_and_people_who_keep_out(held: Evening) -> None:
    ana, ben, *_ = held.people
    held.sandbox.world.remove_member(held.guild, held.sandbox.world.bot)
    shown = await ana.slash("stats", ana.open_dm())
    assert "### A server that I'm not in any more" in shown.text
    assert "Friends" not in shown.text
    assert await held.bot.stop() == 0
    store = await SqliteStore.open(held.bot.database, BEGIN)
    await store.stats.set_opted_out(UserId(int(ben.id)), True)
    await store.close()
    await held.bot.start()
    assert "You keep out of statistics" in (await ben.slash("stats", ben.open_dm())).text


async def test_commands_stay_in_servers_if_the_application_cannot_be_added_to_accounts(tmp_path: Path) -> None:
    async with evening(tmp_path, 1, start=False) as held:
        held.sandbox.world.install_types = [0]
        await held.bot.start()
        for command in held.sandbox.world.commands.all():
            assert command["integration_types"] == [0], command["name"]
            assert 2 not in command["contexts"], command["name"]
        (ana,) = held.people
        assert names(ana, ana.open_dm()) == ANYWHERE | {"tutorial"}
