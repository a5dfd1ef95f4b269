"""Several servers with different house rules, all served by one bot process."""

import asyncio
import json
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from copy import copy
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sandbox.messagelog import Message
from sandbox.model import Channel, Guild
from sandbox.people import Person
from sandbox.shown import Shown
from tests.e2e.harness import NAMES, Evening, evening
from tests.e2e.players import newest, phase
from tests.games.coyote.driver import TURN
from tests.games.drivers import COYOTE

SCALE = 300.0
"""How much faster the bot's clock runs: a turn of 20 seconds takes 67 milliseconds."""
WAIT_SECONDS = 8.0
"""Timeout of every wait for a message."""


class Server:
    """One server with its owner, people, and a channel to play in."""

    def __init__(self, held: Evening, name: str, people: int = 4) -> None:
        self.held = held
        self.world = held.sandbox.world
        self.guild: Guild = self.world.add_guild(name)
        self.games: Channel = self.world.add_channel(self.guild, "games")
        self.boss = held.sandbox.people.adopt(self.world.users[self.guild.owner_id])
        self.people = [held.sandbox.people.add(each, self.guild) for each in NAMES[:people]]
        for person in (self.boss, *self.people):
            person.where = self.games

    async def set(self, key: str, value: str) -> str:
        """Set a house rule by command, as the owner; return the answer."""
        shown = await self.boss.slash("houserules set", key=key, value=value)
        assert "is now" in shown.text, shown.text
        assert shown.message is not None
        assert shown.message.only == self.boss.id
        return shown.text

    async def open(self, host: Person | None = None, **options: Any) -> Message:
        """Open a lobby; the clock is off unless `options` say otherwise."""
        shown = await (host or self.people[0]).slash("coyote new", **{"clock": "off", **options})
        assert shown.message is not None, shown.text
        assert any(each["custom_id"].endswith(":start") for each in shown.message.buttons), shown.text
        return shown.message

    async def start(self, players: int = 3, **options: Any) -> Message:
        """Open a table, seat players and start; return the table message of the first turn."""
        host, *others = self.people[:players]
        lobby = await self.open(host, **options)
        for person in others:
            assert not (await person.click(lobby, "Join")).failed
        assert not (await host.click(lobby, "Start")).failed
        return await self.turn()

    async def turn(self) -> Message:
        """Wait until it is a player's turn; return the table message."""
        reader = self.people[0]

        def look() -> Message | None:
            message = newest(reader)
            return message if phase(COYOTE, message) == "bidding" else None

        return await reader.wait_for(look, WAIT_SECONDS)

    async def see(self, *words: str) -> str:
        """Wait until a message in the channel contains all these words; return its text."""
        reader = self.people[0]

        def look() -> str | None:
            return next((each.text for each in reader.read() if all(word in each.text for word in words)), None)

        return await reader.wait_for(look, WAIT_SECONDS)

    def in_turn(self, message: Message) -> Person:
        """Return the player in turn, as the message shows it."""
        found = TURN.search(message.text)
        assert found is not None, message.text
        return next(person for person in self.people if person.id == found[1])

    async def bid(self, number: int) -> Person:
        """Bid as the player in turn; return that player."""
        return await self.act("coyote bid", number=number, sure=True)

    async def act(self, command: str, **options: Any) -> Person:
        """Send a command as the player in turn, wait until the table shows it, and return that player."""
        message = await self.turn()
        person, version = self.in_turn(message), message.version
        shown = await person.slash(command, **options)
        assert not shown.failed
        assert "what you see" in shown.text, shown.text
        await person.wait_for(lambda: newest(person) is not message or message.version != version, WAIT_SECONDS)
        return person

    async def call(self) -> tuple[Person, str]:
        """Call as the player in turn; return that player and the text of the reveal."""
        person = self.in_turn(await self.turn())
        known = {each.id for each in person.read()}
        assert not (await person.slash("coyote call")).failed
        reveal = "calls Coyote on"

        def look() -> str | None:
            """Return the reveal once it is complete: in steps, it ends with dots until then."""
            new = [each.text for each in person.read() if each.id not in known and reveal in each.text]
            return next((each for each in new if not each.rstrip().endswith("\n…")), None)

        return person, await person.wait_for(look, WAIT_SECONDS)

    async def acts(self) -> list[str]:
        """Return the special actions that are offered to the player in turn."""
        person = self.in_turn(await self.turn())
        return [each["value"] for each in await person.autocomplete("coyote act", "action", "")]

    def elsewhere(self, name: str) -> "Server":
        """Move everybody to a new channel; return the server as seen from there."""
        other = copy(self)
        other.games = self.world.add_channel(self.guild, name)
        for person in (self.boss, *self.people):
            person.where = other.games
        return other

    def kept(self) -> dict[str, Any]:
        """Return the stored setup of the newest table."""
        sql = "SELECT setup FROM tables WHERE guild = ? ORDER BY rowid DESC LIMIT 1"
        read: dict[str, Any] = json.loads(self._query(sql)[0]["setup"])
        return read

    def moves(self) -> Counter[str]:
        """Count the moves at the newest table by kind of actor: people, AIs, the clock, the dealer."""
        sql = (
            "SELECT actor FROM actions"
            " WHERE table_id = (SELECT id FROM tables WHERE guild = ? ORDER BY rowid DESC LIMIT 1)"
        )
        return Counter(row["actor"] for row in self._query(sql))

    def finished(self) -> list[dict[str, Any]]:
        """Return the server's finished games, as the statistics store them."""
        return [dict(row) for row in self._query("SELECT * FROM games WHERE guild = ? ORDER BY number")]

    def _query(self, sql: str) -> list[sqlite3.Row]:
        with closing(sqlite3.connect(f"file:{self.held.bot.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return connection.execute(sql, (int(self.guild.id),)).fetchall()


def shown_values(shown: Shown | Message) -> dict[str, str]:
    """Return the names and values of the settings on a page of the form."""
    return dict(re.findall(r"^(?:✎ )?\*\*(.+?)\*\*: (.+)$", shown.text, re.M))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def held(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Evening]:
    """Share one bot between all tests of a module."""
    path: Path = tmp_path_factory.mktemp("house")
    async with evening(path, 0, scale=SCALE) as found:
        yield found


async def quiet(seconds: float = 0.4) -> None:
    """Wait for messages that are still on their way."""
    await asyncio.sleep(seconds)
