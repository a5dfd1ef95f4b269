"""Simulated people who play whole games and know only what their clients show."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from bot.screens.custom_ids import parse
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.shown import Shown
from tests.e2e.driver import Driver

if TYPE_CHECKING:
    from tests.e2e.harness import Evening

PATIENCE = 60.0
"""Seconds to wait for the bot to react."""

Hook = Callable[[str], Awaitable[None]]


def newest(reader: Person) -> Message | None:
    """Return the newest public bot message with buttons in the reader's channel, but no ping: the table message."""
    for message in reversed(reader.read(limit=30)):
        is_public = message.author_id == reader.world.bot.id and not message.ephemeral
        if is_public and message.buttons and not is_ping(message):
            return message
    return None


def is_ping(message: Message) -> bool:
    """Return whether a message has only buttons to look or to answer, as those below a ping."""
    return {_verb_of(each) for each in message.buttons} <= {"look", "move"}


def _verb_of(part: dict[str, Any]) -> str | None:
    found = parse(part.get("custom_id", ""))
    return None if found is None else found.verb


def prompt_of(part: dict[str, Any]) -> int:
    """Return the prompt that a button or select answers; 0 if it answers none."""
    found = parse(part.get("custom_id", ""))
    return 0 if found is None else found.prompt


def phase(driver: Driver, message: Message | None) -> str:
    """Return the phase of the game that the table message shows."""
    if message is None:
        return "nothing"
    labels = {each.get("label") for each in message.buttons}
    if "Rematch" in labels or "To the rematch" in labels:
        return "over"
    if "Start" in labels:
        return "lobby"
    return "between" if "Deal now" in labels else driver.phase(message)


def is_won(final: Message) -> bool:
    """Return whether the message says who has won, one player or several."""
    return re.search(r"^## 🏆 .+ wins?\b", final.text, re.M) is not None


def can_look(message: Message) -> bool:
    """Return whether the message has the button that opens the private look."""
    return any(each.get("custom_id", "").endswith(":0:look") for each in message.buttons)


def label_of(part: dict[str, Any]) -> str:
    return str(part.get("label") or "")


class Game:
    """One game from the lobby to the winner.

    At the end, what everybody was shown is checked for secrets. Somebody is always there who only watches, and looks.

    `way` is "buttons" or "commands"; `aim` is a phase that the game should reach, where players can bring it about.
    """

    def __init__(
        self,
        evening: Evening,
        players: list[Person],
        way: str = "buttons",
        *,
        seed: int = 0,
        onlookers: Sequence[Person] = (),
        aim: str | None = None,
    ) -> None:
        self.evening = evening
        self.driver = evening.driver
        self.players = players
        self.onlookers = onlookers
        self.way = way
        self.aim = aim
        self.rng = Random(seed)
        self.acts = 0
        self.by_id = {person.id: person for person in players}
        self.visited: set[str] = set()
        self._watcher: Person | None = None
        self.compared = 0
        """How many private messages were compared with the truth at the end."""

    async def play(self, hook: Hook | None = None, **options: object) -> Message:
        """Open a table, seat everybody, play to the end; return the final message."""
        host, *others = self.players
        shown = await self.ok(self.type(host, "new", **options))
        assert shown.message is not None, shown.text
        # On a busy machine the answer is deferred, and the table message arrives separately.
        message = await host.wait_for(lambda: newest(host), PATIENCE)
        for person in others:
            await self.ok(person.click(message, "Join") if self.way == "buttons" else self.type(person, "join"))
        await self._visit("lobby", hook)
        await self.ok(host.click(message, "Start") if self.way == "buttons" else self.type(host, "start"))
        return await self.go_on(hook)

    async def go_on(self, hook: Hook | None = None) -> Message:
        """Play the running game until somebody has won, and check that nobody was shown too much."""
        host = self.players[0]
        assert host.where is not None
        leaks = self.evening.watch(host.where, [*self.players, *self.onlookers, self._nosy()])
        final = await self._play_on(hook)
        await quiet()
        self.compared = leaks.check_game(self.players)
        return final

    def _nosy(self) -> Person:
        """Return somebody in the channel who does not play, and who is told of this game by nobody but the bot."""
        if self._watcher is None:
            self._watcher = self.evening.sandbox.people.add("Nosy", self.evening.guild)
            self._watcher.where = self.players[0].where
        return self._watcher

    async def _play_on(self, hook: Hook | None) -> Message:
        while True:
            message = newest(self.players[0])
            version = None if message is None else message.version
            now = phase(self.driver, message)
            if now not in ("nothing", "lobby", "still"):
                await self._visit(now, hook)
            if message is not None and now == "over":
                return message
            if newest(self.players[0]) is not message or (message is not None and message.version != version):
                continue
            if message is not None and now in self.driver.acting:
                await self.driver.act(self, message)
            else:
                await self.changed(message, version)

    async def _visit(self, now: str, hook: Hook | None) -> None:
        if now not in self.visited:
            self.visited.add(now)
            await self._peep()
            if hook is not None:
                await hook(now)

    async def _peep(self) -> None:
        """Let the one who only watches press every button for a look."""
        message = newest(self._nosy())
        if message is not None and can_look(message):
            await self.evening.look(self._nosy(), message)

    def type(self, person: Person, verb: str, **options: object) -> Awaitable[Shown]:
        """Send one of the game's commands, in the channel that the person has open."""
        return self.evening.slash(person, verb, **options)

    async def ok(self, act: Awaitable[Shown]) -> Shown:
        """Wait for an answer, which must come and be no apology."""
        shown = await act
        assert not shown.failed, (shown.failed, self.evening.bot.log_text[-4000:])
        assert "went wrong" not in shown.text, shown.text
        return shown

    async def look(self, person: Person, message: Message) -> Shown:
        """Open the private look, by button or command."""
        looked = self.evening.look(person, message) if self.way == "buttons" else self.type(person, "look")
        return await self.ok(looked)

    async def changed(self, message: Message | None, version: int | None = None) -> None:
        """Wait until the table message changes or is replaced, if it still has this version (default: the present)."""
        if message is not None and version is None:
            version = message.version

        def look() -> bool:
            now = newest(self.players[0])
            return now is not message or (now is not None and now.version != version)

        try:
            await self.players[0].wait_for(look, PATIENCE)
        except TimeoutError:
            shown = "" if message is None else message.text
            raise AssertionError(f"nothing happens after {self.acts} acts:\n{shown}") from None


async def quiet(seconds: float = 0.3) -> None:
    """Wait for messages that are still on their way."""
    await asyncio.sleep(seconds)
