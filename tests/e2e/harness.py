"""Starts a sandbox with people, and the real bot in a process that tests can kill and restart."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.clock import Clock
from sandbox.messagelog import Message
from sandbox.model import Channel, Guild
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.shown import Shown
from sandbox.testing import checked
from tests.e2e.bot_process import Process
from tests.e2e.driver import Driver, Move
from tests.e2e.leak_check import LeakCheck
from tests.e2e.players import newest, phase
from tests.games.drivers import COYOTE

NAMES = ("Ana", "Ben", "Chloé", "Dmitri", "Emi", "Finn", "Gaia", "Hugo", "Ida", "Jan", "Kim", "Lou", "Max")
SCALE = 60.0


@dataclass
class Bot:
    """The bot's process."""

    sandbox: Sandbox
    database: Path
    scale: float = SCALE
    env: dict[str, str] = field(default_factory=dict)
    process: Process | None = None
    log: bytearray = field(default_factory=bytearray)
    _reading: asyncio.Task[None] | None = None

    async def start(self, *, connected: bool = True) -> None:
        """Start the process; if `connected`, wait until it is connected to the gateway."""
        secret_or_local = {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "KEEP"}
        env = {key: value for key, value in os.environ.items() if key not in secret_or_local}
        env |= {
            "DISCORD_TOKEN": self.sandbox.token,
            "DISCORD_API_URL": self.sandbox.api_url,
            "DISCORD_GATEWAY_URL": self.sandbox.gateway_url,
            "DATABASE_PATH": str(self.database),
            "CLOCK_SCALE": str(self.scale),
            "DM_OPENINGS_PER_SECOND": "5",
            "EMOJIS": "0",  # a bot with emojis draws all of them at its first start, which takes seconds
            **self.env,
        }
        self.process = Process(env)
        self._reading = asyncio.create_task(self._read(self.process))
        if connected:
            before = self.sandbox.gateway.connected
            assert not before
            await self.sandbox.gateway.wait_connected(seconds=120)

    async def _read(self, process: Process) -> None:
        errors = await process.read()
        while part := await errors.read(65536):
            self.log += part

    async def kill(self) -> None:
        """Kill the process with SIGKILL."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Stop the process with SIGTERM; return its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: int) -> int:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(number)
        code = await self.ended()
        # The sandbox notices only when the socket closes.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(30):
                while self.sandbox.gateway.connected:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
        return code

    async def ended(self) -> int:
        """Wait until the process has ended and its log is read; return the exit code."""
        assert self.process is not None
        code = await asyncio.wait_for(self.process.wait(), 60)
        if self._reading is not None:
            await self._reading
        return code

    async def restart(self) -> None:
        """Kill the process and start it again."""
        await self.kill()
        await self.start()

    @property
    def log_text(self) -> str:
        """Everything that the bot has logged."""
        return self.log.decode()


@dataclass
class Evening:
    """The sandbox, a server with a channel and people, the bot, and the game that they play."""

    sandbox: Sandbox
    guild: Guild
    games: Channel
    people: list[Person]
    bot: Bot
    driver: Driver = COYOTE
    leaks: dict[str, LeakCheck] = field(default_factory=dict)
    """What people were shown, by the channel in which they are."""

    def __post_init__(self) -> None:
        """Record what everybody is shown from the start."""
        self.watch(self.games, self.people)

    def watch(self, channel: Channel, people: list[Person]) -> LeakCheck:
        """Record what these people are shown of the tables in a channel."""
        leaks = self.leaks.get(channel.id)
        if leaks is None:
            leaks = self.leaks[channel.id] = self.driver.leak_check(self, people, channel)
        leaks.watch(people)
        return leaks

    def room(self, name: str, people: int) -> list[Person]:
        """Add a channel with new people in it; return them."""
        channel = self.sandbox.world.add_channel(self.guild, name)
        crowd = [self.sandbox.people.add(each, self.guild) for each in NAMES[:people]]
        for person in crowd:
            person.where = channel
        self.watch(channel, crowd)
        return crowd

    async def slash(self, person: Person, verb: str, at: Channel | None = None, /, **options: object) -> Shown:
        """Send one of the game's commands; `look` means the one that opens the private look."""
        verb = self.driver.look_command if verb == "look" else verb
        return await person.slash(f"{self.driver.group} {verb}", at, **options)

    async def open_table(self, host: Person, **options: object) -> Message:
        """Open a lobby and return the table message."""
        shown = await self.slash(host, "new", self.games, **options)
        assert shown.message is not None, shown.text
        return shown.message

    def phase(self, reader: Person) -> str:
        """Return the phase of the game that the newest table message shows."""
        return phase(self.driver, newest(reader))

    def in_turn(self, message: Message | None) -> Person:
        """Return the first person for whom the table waits, as the table message shows it."""
        assert message is not None
        asked = self.driver.asked(message)
        assert asked, message.text
        return next(person for person in self.people if person.id == asked[0])

    def move(self, message: Message | None) -> Move:
        """Return a plain move of the player in turn."""
        assert message is not None
        return self.driver.move(self.in_turn(message), message)

    async def look(self, person: Person, message: Message) -> Shown:
        """Press the button on the table message that opens the private look."""
        button = next(each["custom_id"] for each in message.buttons if each.get("custom_id", "").endswith(":0:look"))
        return await person.click(message, button)

    def is_look(self, shown: Shown) -> bool:
        """Return whether an answer is the private look of a player, during or between rounds."""
        words = [each for each in (self.driver.look, self.driver.look_between) if each is not None]
        return any(each in shown.text for each in words)


@asynccontextmanager
async def evening(
    tmp_path: Path,
    people: int = 3,
    *,
    driver: Driver = COYOTE,
    scale: float = SCALE,
    clock: Clock | None = None,
    rate_limits: bool = False,
    start: bool = True,
    **env: str,
) -> AsyncIterator[Evening]:
    """Set up a server with people and start the bot.

    Fails at the end if the sandbox refused a request or the bot logged an error.
    """
    async with Sandbox(rate_limits=rate_limits, clock=clock) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        games = sandbox.world.add_channel(guild, "games")
        crowd = [sandbox.people.add(name, guild) for name in NAMES[:people]]
        for person in crowd:
            person.where = games
        bot = Bot(sandbox, tmp_path / "coyote.sqlite3", scale, env)
        try:
            if start:
                await bot.start()
            with checked(sandbox):
                yield Evening(sandbox, guild, games, crowd, bot, driver)
                unhandled = [line for line in bot.log_text.splitlines() if "ERROR" in line or "Traceback" in line]
                assert not unhandled, bot.log_text[-6000:]
        except BaseException:
            sys.stderr.write(bot.log_text[-8000:])
            raise
        finally:
            if bot.process is not None and bot.process.returncode is None:
                await bot.kill()
