import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

import discord
import pytest
import pytest_asyncio

from sandbox.clock import ManualClock
from sandbox.model import Channel, Guild
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.sandbox.toybot import ToyBot, running


@dataclass
class Stage:
    """A sandbox with a server, three people and a bot; time moves only when a test advances it."""

    sandbox: Sandbox
    clock: ManualClock
    guild: Guild
    bot: ToyBot
    ana: Person
    ben: Person
    cleo: Person
    room: Channel  # new for every test, and open in every client

    @property
    def channel(self) -> discord.TextChannel:
        """The room, as the bot knows it."""
        found = self.bot.get_channel(int(self.room.id))
        assert isinstance(found, discord.TextChannel)
        return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def _module_stage() -> AsyncIterator[Stage]:
    clock = ManualClock(time.time())
    async with Sandbox(clock=clock, check_answers=True, rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana, ben, cleo = (sandbox.people.add(name) for name in ("Ana", "Ben", "Cleo"))
        async with running(sandbox) as bot:
            yield Stage(sandbox, clock, guild, bot, ana, ben, cleo, next(iter(guild.channels.values())))


@pytest_asyncio.fixture(loop_scope="module")
async def stage(_module_stage: Stage) -> AsyncIterator[Stage]:
    stage = _module_stage
    stage.sandbox.faults.clear()
    stage.room = stage.sandbox.world.add_channel(stage.guild, "room")
    for person in (stage.ana, stage.ben, stage.cleo):
        person.where = stage.room
        person.dms_open = True
    await settle(lambda: stage.bot.get_channel(int(stage.room.id)) is not None)
    with checked(stage.sandbox):
        yield stage


async def settle(ready: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until `ready()` is true, for changes that reach the bot by events."""
    async with asyncio.timeout(seconds):
        while not ready():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@pytest.fixture(autouse=True)
def _restore_route() -> Iterator[None]:
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    yield
    discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
