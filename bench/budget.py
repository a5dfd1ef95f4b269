"""What Discord lets one bot do: how many requests with its token an action costs, and how soon a move is seen.

Discord allows 50 requests a second with one token; the sandbox enforces that. Interaction callbacks, and requests with
the token of a press, are outside that limit.
"""

import asyncio
import re
import sqlite3
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from random import Random
from typing import NamedTuple

from bench.bot import bot, calls
from bench.figures import Figure
from bot.discord_ui import client
from sandbox.events import Change
from sandbox.messagelog import Message
from sandbox.model import Channel, Guild
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.server import Sandbox

CROWDS, CROWD_SECONDS, MOVE_SECONDS, SETTLING_SECONDS = (60, 120, 200, 400), 40.0, 5.0, 3.0
WARMING_UP_SECONDS, HURRY_SECONDS = 40.0, 1.5
"""How long a crowd plays before anything is measured, and how often hasty people act meanwhile: so some games end."""
REQUESTS_PER_SECOND = int(client.REQUESTS_PER_SECOND)
"""How many of the 50 that Discord allows the bot uses."""
GAME_SCALE = 20.0
"""How much faster the clock runs while the requests of whole games are counted; people think faster by as much."""
GAMES, GAME_SECONDS = 6, 240.0
CALL_CHANCE = 0.25
"""Probability that a person calls, which makes rounds of about five moves."""
TURN = re.compile(r"^## <@(\d+)>'s turn", re.M)


class Kind(NamedTuple):
    """A kind of whole game whose requests are counted."""

    name: str
    people: int
    ais: int
    dms: bool
    coins: int = 3
    rules: str | None = None
    wanted: str = "at most 3"
    rematches: int = 0
    """How many more games the same people play at the same table."""


KINDS = (
    Kind("3 people", 3, 0, dms=False, wanted="at most 0.6"),
    Kind("2 people and 2 AIs", 2, 2, dms=False, wanted="at most 0.6"),
    Kind("3 people, DMs open", 3, 0, dms=True, wanted="at most 0.6"),
    Kind("2 people and 2 AIs, DMs open", 2, 2, dms=True, wanted="at most 0.6"),
    Kind("3 people, DMs open, and a rematch", 3, 0, dms=True, wanted="at most 0.6", rematches=1),
    Kind("3 people, very short, DMs open", 3, 0, dms=True, coins=2),
    Kind("3 people, very short, DMs open, reveal at once", 3, 0, dms=True, coins=2, rules="reveal=instantly"),
    Kind("3 people, very short, DMs open, words alone", 3, 0, dms=True, coins=2, rules="pictures=off"),
)


# -- whole games


class Player:
    """Plays one table to its end, for everybody who sits there, at human pace."""

    def __init__(self, channel: Channel, people: list[Person], rng: Random) -> None:
        self.channel, self.people, self.rng = channel, {person.id: person for person in people}, rng

    async def play(self, kind: Kind) -> None:
        """Open the table, seat everybody, and play until somebody has won."""
        host, *others = self.people.values()
        terms = {} if kind.rules is None else {"rules": kind.rules}
        shown = await host.slash("coyote new", coins=kind.coins, clock="2h", **terms)
        if shown.message is None:
            raise RuntimeError(f"no table was opened: {shown.text}")
        lobby, left = shown.message, kind.rematches
        while True:
            for person in others:
                if person.mention not in lobby.text:
                    await person.click(lobby, "Join")
            for _ in range(kind.ais):
                await host.slash("coyote ai add")
            await host.click(lobby, "Start")
            final = await self._play_to_the_end(host)
            if not left:
                return
            left -= 1
            await host.click(final, "Rematch")
            lobby = await host.wait_for(self._lobby, GAME_SECONDS)

    async def _play_to_the_end(self, host: Person) -> Message:
        """Play until somebody has won; return the final message."""
        seen: tuple[str, int] | None = None
        while True:
            message = await host.wait_for(lambda before=seen: self._changed(before), GAME_SECONDS)  # type: ignore[misc]
            seen = (message.id, message.version)
            if "Rematch" in {each.get("label") for each in message.buttons}:
                return message
            await self._act(message)

    def _lobby(self) -> Message | None:
        newest = next((each for each in reversed(self._public()) if each.buttons), None)
        labels = set() if newest is None else {each.get("label") for each in newest.buttons}
        return newest if "Start" in labels else None

    def _changed(self, seen: tuple[str, int] | None) -> Message | None:
        message = next((each for each in reversed(self._public()) if _is_table(each)), None)
        return None if message is None or (message.id, message.version) == seen else message

    def _public(self) -> list[Message]:
        return next(iter(self.people.values())).read(limit=20)

    async def _act(self, message: Message) -> None:
        turn = TURN.search(message.text)
        if turn is None or turn[1] not in self.people:
            return
        await asyncio.sleep(MOVE_SECONDS / GAME_SCALE * (0.5 + self.rng.random()))
        labels = [str(each.get("label")) for each in message.buttons]
        if not labels:
            return  # the table has moved on
        label = "Coyote!" if "Coyote!" in labels and self.rng.random() < CALL_CHANCE else labels[0]
        try:
            await self.people[turn[1]].click(message, label)
        except Refused:
            return  # the table has moved on


def _is_table(message: Message) -> bool:
    return not message.ephemeral and any(each.get("label") in ("Look", "Rematch") for each in message.buttons)


async def whole_games(kind: Kind) -> Figure:
    """Play games of one kind at the same time; count the requests with the bot's token for each action."""
    async with Sandbox(rate_limits=False) as sandbox:
        sandbox.api.requests = deque()
        guild = sandbox.world.add_guild("Server")
        rooms = []
        for number in range(GAMES):
            channel = sandbox.world.add_channel(guild, f"room-{number}")
            people = [sandbox.people.add(f"Person {number}.{seat}", guild) for seat in range(kind.people)]
            for person in people:
                person.where, person.dms_open = channel, kind.dms
            rooms.append(Player(channel, people, Random(number)))
        with tempfile.TemporaryDirectory() as folder:
            async with bot(sandbox, folder, CLOCK_SCALE=str(GAME_SCALE), EMOJIS="0", DM_OPENINGS_PER_SECOND="5"):
                before = sum(calls(sandbox).values())
                await asyncio.gather(*(room.play(kind) for room in rooms))
                await asyncio.sleep(2.0)
                spent = sum(calls(sandbox).values()) - before
                acts = _acts(folder)
    each = spent / acts
    per_move = f"{acts / GAMES / (1 + kind.rematches):.0f} actions a game; {_tables(each)} at {REQUESTS_PER_SECOND}/s"
    wanted = f"{kind.wanted}; {per_move}"
    return Figure(f"requests with the token per action, {kind.name}", f"{each:.2f}", wanted=wanted)


def _tables(each: float) -> str:
    """Say how many tables with a move every few seconds the limit allows."""
    return "any number of tables" if each == 0 else f"{REQUESTS_PER_SECOND * MOVE_SECONDS / each:,.0f} tables"


def _acts(folder: str) -> int:
    """Count the moves of people and AI players in the database."""
    with sqlite3.connect(f"file:{folder}/coyote.sqlite3?mode=ro", uri=True) as found:
        return int(found.execute("SELECT count(*) FROM actions WHERE actor IN ('user', 'ai')").fetchone()[0])


# -- how soon a move is seen


class Watch:
    """Measures how long it takes from an acknowledged move to the table message that shows it."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.missed = 0
        """How often no table message had shown a move by the time of the next one."""
        self._awaited: dict[str, tuple[Message, str, float]] = {}

    def expect(self, message: Message, press: str) -> None:
        """Wait for a message to show what came of a press on it, from now on."""
        question = ":".join(press.split(":")[:3]) + ":"
        self._awaited[message.id] = (message, question, time.perf_counter())
        self._look(message.id)

    def awaits(self, message: Message) -> bool:
        """Return whether a message still shows what was there before the last press on it."""
        return message.id in self._awaited

    def changed(self, change: Change) -> None:
        """Look at a message that has changed."""
        if change.kind == "MESSAGE_UPDATE" and change.data["id"] in self._awaited:
            self._look(change.data["id"])
        elif change.kind == "MESSAGE_DELETE" and change.data["id"] in self._awaited:
            self._seen(change.data["id"])

    def _look(self, message_id: str) -> None:
        message, question, _ = self._awaited[message_id]
        if not any(each.get("custom_id", "").startswith(question) for each in message.buttons):
            self._seen(message_id)

    def _seen(self, message_id: str) -> None:
        self.took.append(time.perf_counter() - self._awaited.pop(message_id)[2])

    @property
    def late(self) -> int:
        """How many tables still show an old bid."""
        return len(self._awaited)


class Room:
    """A channel in which the same people play one game after another, with bids, calls and reveals."""

    def __init__(self, channel: Channel, people: list[Person], kind: Kind, call_chance: float, rng: Random) -> None:
        self.channel, self.people, self.kind, self.call_chance, self.rng = channel, people, kind, call_chance, rng

    async def prepare(self) -> None:
        """Open a table, seat everybody and start."""
        terms = {} if self.kind.rules is None else {"rules": self.kind.rules}
        await self.people[0].slash("coyote new", coins=self.kind.coins, clock="2h", **terms)
        await self._start(await self.people[0].wait_for(self._newest, GAME_SECONDS))

    async def play(self, watch: Watch, first: float, until: float, gap: float = MOVE_SECONDS) -> None:
        """Act once every `gap` seconds, whatever can be done then, from one moment to another."""
        due = first
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            message = self._newest()
            if message is not None:
                with suppress(Refused):  # the table has moved on
                    await self._act(message, watch)
            due += gap

    def _newest(self) -> Message | None:
        known = {"More…", "Deal now", "Start", "Rematch"}  # a ping has another button that looks
        return next(
            (
                each
                for each in reversed(self.people[0].read(limit=20))
                if not each.ephemeral and known & {part.get("label") for part in each.buttons}
            ),
            None,
        )

    async def _start(self, lobby: Message) -> None:
        host, *others = self.people
        for person in others:
            if person.mention not in lobby.text:
                await person.click(lobby, "Join")
        for _ in range(self.kind.ais):
            await host.slash("coyote ai add")  # in a rematch they are there already
        await host.click(lobby, "Start")

    async def _act(self, message: Message, watch: Watch) -> None:
        labels = {str(each.get("label")) for each in message.buttons}
        turn = TURN.search(message.text)
        if "Start" in labels:
            await self._start(message)
        elif watch.awaits(message):
            watch.missed += 1
        elif turn is None:
            again = {"Deal now", "Rematch"} & labels
            if again:
                await self.people[0].click(message, again.pop())
        elif (person := next((each for each in self.people if each.id == turn[1]), None)) is not None:
            bids = [each["custom_id"] for each in message.buttons if ":bid:" in each.get("custom_id", "")]
            calls = [each["custom_id"] for each in message.buttons if each.get("label") == "Coyote!"]
            press = (calls if calls and (not bids or self.rng.random() < self.call_chance) else bids)[0]
            shown = await person.click(message, press)
            if not shown.failed and not shown.appeared:
                watch.expect(message, press)


def _room(sandbox: Sandbox, guild: Guild, number: int) -> Room:
    """Make a room.

    Of eight, one has DMs open, since they are opened slowly; of four, one has AI players, and one hasty people.
    """
    kind, call_chance = (
        (Kind("DMs open", 3, 0, dms=number % 8 == 0), CALL_CHANCE),
        (Kind("AI players", 2, 2, dms=False), CALL_CHANCE),
        (Kind("three people", 3, 0, dms=False), CALL_CHANCE),
        (Kind("hasty people", 3, 0, dms=False, coins=2, rules="reveal=instantly"), 1.0),
    )[number % 4]
    channel = sandbox.world.add_channel(guild, f"room-{number}")
    people = [sandbox.people.add(f"Person {number}.{seat}", guild) for seat in range(kind.people)]
    for person in people:
        person.where, person.dms_open = channel, kind.dms
    return Room(channel, people, kind, call_chance, Random(number))


async def _play(rooms: list[Room], watch: Watch, seconds: float, hurry: float = MOVE_SECONDS) -> None:
    """Let all rooms play for some time, their moves spread evenly; hasty people may act more often."""
    begun = time.perf_counter()
    apart = MOVE_SECONDS / len(rooms)
    await asyncio.gather(
        *(
            room.play(watch, begun + apart * n, begun + seconds, hurry if room.call_chance == 1 else MOVE_SECONDS)
            for n, room in enumerate(rooms)
        )
    )


async def crowd(count: int) -> list[Figure]:
    """Let many tables play evenings as they are, at human pace and with Discord's rate limits."""
    async with Sandbox() as sandbox:
        sandbox.api.requests = deque()
        guilds = [sandbox.world.add_guild(f"Server {number}") for number in range(-(-count // 10))]
        rooms = [_room(sandbox, guilds[number // 10], number) for number in range(count)]
        with tempfile.TemporaryDirectory() as folder:
            async with bot(sandbox, folder, EMOJIS="0"):
                for first in range(0, count, 10):
                    await asyncio.gather(*(room.prepare() for room in rooms[first : first + 10]))
                watch = Watch()
                unsubscribe = sandbox.world.subscribe(watch.changed)
                await _play(rooms, watch, WARMING_UP_SECONDS, HURRY_SECONDS)
                watch.took, watch.missed = [], 0
                sandbox.rate_limits.refused = 0
                before, acts_before = sum(calls(sandbox).values()), _acts(folder)
                await _play(rooms, watch, CROWD_SECONDS)
                await asyncio.sleep(SETTLING_SECONDS)
                late, spent = watch.late, sum(calls(sandbox).values()) - before
                unsubscribe()
                acts = _acts(folder) - acts_before
                with sqlite3.connect(f"file:{folder}/coyote.sqlite3?mode=ro", uri=True) as found:
                    (finished,) = found.execute("SELECT count(*) FROM games").fetchone()
    took = sorted(watch.took)
    p50, p99 = (took[int(len(took) * part)] for part in (0.5, 0.99)) if took else (float("inf"), float("inf"))
    label = f"{count} tables, a move every {MOVE_SECONDS:.0f} s"
    wants = count <= 200
    return [
        Figure(f"{label}: a move is seen, p50", f"{p50:.3f} s", wanted="under 0.2" if wants else ""),
        Figure(f"{label}: a move is seen, p99", f"{p99:.3f} s", wanted="under 2" if wants else ""),
        Figure(f"{label}: not seen before the next", f"{watch.missed}"),
        Figure(
            f"{label}: old bids {SETTLING_SECONDS:.0f} s after the last press", f"{late}", wanted="0" if wants else ""
        ),
        Figure(f"{label}: requests with the token per action", f"{spent / max(1, acts):.2f}"),
        Figure(f"{label}: moves of people seen, moves in all", f"{len(took)}, {acts}"),
        Figure(f"{label}: games finished", f"{finished}"),
        Figure(f"{label}: 429s", f"{sandbox.rate_limits.refused}"),
    ]


async def measure(crowds: tuple[int, ...] = CROWDS, kinds: tuple[Kind, ...] = KINDS) -> list[Figure]:
    """Measure everything."""
    found = [await whole_games(kind) for kind in kinds]
    for count in crowds:
        found += await crowd(count)
    return found


def figures() -> list[Figure]:
    """Return every figure."""
    return asyncio.run(measure())


if __name__ == "__main__":
    for number in map(int, sys.argv[1:]):
        for figure in asyncio.run(crowd(number)):
            print(figure)
