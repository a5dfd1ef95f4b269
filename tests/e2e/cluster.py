"""Many bot processes on one PostgreSQL, and many tables of people who play on, whatever dies meanwhile."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bot.discord_ui.drawing import draw_table
from bot.discord_ui.interactions.boundary import DEFER_AFTER_SECONDS
from bot.engine.core import DEALER
from bot.engine.registry import RULES
from bot.host.model import Stage, Table, TableId
from bot.host.steady_clock import SteadyClock
from bot.screens.custom_ids import parse
from bot.store.postgres.store import PostgresStore
from sandbox.interactions import DEFER_UPDATE, UPDATE
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.refusals import Refused
from sandbox.server import Sandbox
from sandbox.shown import Shown
from tests.e2e.bot_process import ROOT
from tests.e2e.players import label_of, newest
from tests.games.coyote.driver import TURN

STUCK_SECONDS = 5.0
"""How long after the end of a process, or after the database is back, somebody may have to wait."""
LOGIN_SECONDS = 5.0
"""Discord accepts one login of a bot of usual size in this time."""
JOINING_SECONDS = 1.0
"""Pause between two presses in a lobby, where nobody has to think."""
OPENINGS_PER_SECOND = 10
"""How many tables are opened in a second."""
PATIENCE = 60.0
"""Seconds to wait for something that must happen."""


@dataclass
class Press:
    """One press of a person: when it was made, on which shard, and what came of it."""

    table: str
    interaction: int
    at: float
    shard: int
    is_acknowledged: bool
    is_accepted: bool


@dataclass
class ClusterProcess:
    """`python -m bot cluster` and its children."""

    sandbox: Sandbox
    address: str
    folder: Path
    processes: int = 4
    spares: int = 1
    env: dict[str, str] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None
    log: bytearray = field(default_factory=bytearray)
    _reading: asyncio.Task[None] | None = None
    _killed_at: dict[bytes, int] = field(default_factory=dict)
    """How long the log was when a process of this name was last killed."""

    async def start(self) -> None:
        hidden = {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "KEEP"}
        env = {key: value for key, value in os.environ.items() if key not in hidden}
        env |= {
            "DISCORD_TOKEN": self.sandbox.token,
            "DISCORD_API_URL": self.sandbox.api_url,
            "DISCORD_GATEWAY_URL": self.sandbox.gateway_url,
            "DATABASE_PATH": str(self.folder / "note"),
            "DATABASE_URL": self.address,
            "EMOJIS": "0",
            **self.env,
        }
        numbers = ("--processes", str(self.processes), "--spares", str(self.spares))
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "cluster", *numbers, "--ignore-env-file"),
            env=env,
            cwd=ROOT,
            stderr=asyncio.subprocess.PIPE,
        )
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process is not None
        assert self.process.stderr is not None
        while part := await self.process.stderr.read(65536):
            self.log += part

    @property
    def children(self) -> list[int]:
        """The processes that the cluster has started and that are alive: bots, and those in which AI players think."""
        assert self.process is not None
        command = ["ps", "-A", "-o", "pid=,ppid="]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
        return [pid for pid, parent in pairs if parent == self.process.pid]

    def kill(self, pid: int) -> list[int]:
        """Kill a bot process; return the shards that it served, or was about to serve."""
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        name = next((each for each in environment if each.startswith(b"PROCESS_NAME=")), b"").partition(b"=")[2]
        since = self._killed_at.get(name, 0)
        found = re.search(rb"process %s serves shards ([\d, ]+) of" % re.escape(name), self.log[since:])
        self._killed_at[name] = len(self.log)
        os.kill(pid, signal.SIGKILL)
        return [] if found is None or not name else [int(each) for each in found[1].split(b", ")]

    async def stop(self) -> int:
        """Stop all processes with SIGTERM; return the exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        code = await asyncio.wait_for(self.process.wait(), 60)
        if self._reading is not None:
            await self._reading
        return code

    @property
    def log_text(self) -> str:
        """Everything that the processes have logged."""
        return self.log.decode(errors="replace")


class Party:
    """Three people at a table of their own server, who play until they are told to stop."""

    def __init__(
        self,
        sandbox: Sandbox,
        name: str,
        shards: int,
        *,
        seed: int,
        pace: float,
        with_ai: bool = False,
        with_dms: bool = False,
    ) -> None:
        guild = sandbox.world.add_guild(name)
        self.channel = sandbox.world.add_channel(guild, "games")
        self.people = [sandbox.people.add(f"{each} {name}", guild) for each in ("Ana", "Ben", "Cem")]
        for person in self.people:
            person.where, person.dms_open = self.channel, with_dms
        self.name = name
        self.shard = (int(guild.id) >> 22) % shards
        self.pace = pace
        self.with_ai = with_ai
        self.presses: list[Press] = []
        self.shown_after: list[tuple[float, float]] = []
        """When each accepted press was acknowledged, and how many seconds later the table message was another."""
        self._opens_after = seed / OPENINGS_PER_SECOND
        self._rng = Random(seed)

    async def play(self, until: asyncio.Event) -> None:
        """Open tables and play at them, one game after another."""
        await asyncio.sleep(self._opens_after)
        while not until.is_set():
            message = newest(self.people[0])
            is_game = message is not None and "Start" not in map(label_of, message.buttons)
            with suppress(Refused):  # the table has changed meanwhile
                await self._act(message)
            await asyncio.sleep((self.pace if is_game else JOINING_SECONDS) * self._rng.uniform(0.5, 1.5))

    async def _act(self, message: Message | None) -> None:
        host, *others = self.people
        labels = set() if message is None else {label_of(each) for each in message.buttons}
        if message is None:
            seats = 4 if self.with_ai else 3
            self._note(await host.slash("coyote new", clock="2h", coins=3, seats=seats), is_move=False)
        elif "Start" in labels:
            for person in others:
                if person.mention not in message.text:
                    self._note(await person.click(message, "Join"))
                    return
            if self.with_ai and "Fill the table" in labels:
                self._note(await host.click(message, "Fill the table"))
                return
            self._note(await host.click(message, "Start"))
        elif "Rematch" in labels:
            self._note(await host.click(message, "Rematch"), is_move=False)
        elif (turn := TURN.search(message.text)) is not None:
            await self._move(next(each for each in self.people if each.id == turn[1]), message, labels)
        elif "Deal now" in labels:
            self._note(await host.click(message, "Deal now"))

    async def _move(self, person: Person, message: Message, labels: set[str]) -> None:
        bids = [each["custom_id"] for each in message.buttons if ":bid:" in each.get("custom_id", "")]
        calls = [each["custom_id"] for each in message.buttons if each.get("label") == "Coyote!"]
        press = calls[0] if calls and (not bids or self._rng.random() < 0.2) else self._rng.choice(bids)
        before = (message, message.version)
        dms = person.dms()
        if dms and self._rng.random() < 0.3:  # a press in a DM arrives on shard 0, whatever shard the table is on
            made = self._note(await person.forge(dms[-1], press), shard=0)
        else:
            made = self._note(await person.click(message, press))
        if made.is_accepted:
            await self._see(before)

    async def _see(self, before: tuple[Message, int]) -> None:
        """Wait until the table message has changed."""
        began = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            while (now := newest(self.people[0])) is not None and (now, now.version) == before:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        self.shown_after.append((began, time.monotonic() - began))

    def _note(self, shown: Shown, *, is_move: bool = True, shard: int | None = None) -> Press:
        made = shown.interaction
        took = time.time() - made.created
        # After two seconds the bot asks for more time, in the same words as if it had saved the move.
        is_prompt = took < 0.9 * DEFER_AFTER_SECONDS
        accepted = is_move and is_prompt and made.callback_type in (DEFER_UPDATE, UPDATE) and not made.appeared
        began = time.monotonic() - took
        where = self.shard if shard is None else shard
        press = Press(self.name, int(made.id), began, where, made.answered, accepted)
        self.presses.append(press)
        return press


class Disturbances:
    """Notes when the shards of the bot were out of reach, as Discord sees it, and when the database was."""

    def __init__(self, sandbox: Sandbox, count: int) -> None:
        self._gateway = sandbox.gateway
        self._count = count
        self.losses: list[tuple[int, float, float]] = []
        """The shard, when it was lost, and when it was back."""
        self.kills: list[tuple[float, list[int]]] = []
        """When a process was killed, and which shards it served, or was about to serve in place of another."""
        self.database: list[tuple[float, float]] = []
        """When the database was killed, and when it was back."""

    def between(self, shard: int, since: float, until: float) -> list[float]:
        """Return when a shard was lost, or almost served again, and when the database was back."""
        moments = [*(at for each, at, _ in self.losses if each == shard), *(back for _, back in self.database)]
        moments += [at for at, shards in self.kills if shard in shards]
        return [at for at in moments if since <= at < until]

    def may_log_in(self, shard: int, lost: float, back: float) -> float:
        """Return from when on Discord accepted a login of a shard that was lost, and is back."""
        logins = [(at, each) for at, each in self._gateway.logins if at <= back]
        mine = max(at for at, each in logins if each == shard)
        return max([lost, *(at + LOGIN_SECONDS for at, _ in logins if at < mine)])

    async def watch(self) -> None:
        lost: dict[int, float] = {}
        while True:
            there = {session.shard for session in self._gateway.connected}
            now = time.monotonic()
            for shard in range(self._count):
                if shard not in there:
                    lost.setdefault(shard, now)
                elif shard in lost:
                    self.losses.append((shard, lost.pop(shard), now))
            await asyncio.sleep(0.01)


@asynccontextmanager
async def cluster(
    address: str, folder: Path, *, shards: int = 4, processes: int = 4, spares: int = 1
) -> AsyncIterator[ClusterProcess]:
    """Start a sandbox and a cluster of bot processes; wait until all shards are connected.

    Discord's limits hold, as for a bot of usual size: 50 requests a second with its token, all processes together, the
    limits of each channel and each press, ten DMs opened in ten seconds, and one login every five seconds.
    """
    async with Sandbox() as sandbox:
        sandbox.gateway.shards = shards
        sandbox.gateway.identify_seconds = LOGIN_SECONDS
        running = ClusterProcess(sandbox, address, folder, processes, spares)
        await running.start()
        try:
            await sandbox.gateway.wait_connected(shards, seconds=120)
            yield running
        except BaseException:
            sys.stderr.write(running.log_text[-12000:])
            raise
        finally:
            await running.stop()


def shown_prompts(message: Message | None) -> set[int]:
    """Return the questions that the buttons of a table message answer."""
    parts = [] if message is None else [*message.buttons, *message.components]
    found = [parse(each.get("custom_id", "")) for each in parts]
    return {each.prompt for each in found if each is not None and each.prompt}


def open_prompts(table: Table) -> set[int]:
    """Return the questions that are open at a table."""
    if table.stage is not Stage.PLAYING or table.next_deal is not None:
        return set()
    return {prompt for seat, prompt in RULES[table.game].questions(table.match) if seat != DEALER}


async def final_tables(store: PostgresStore, parties: Sequence[Party]) -> dict[str, Table]:
    """Return the last table of every party, as the database has it."""
    found = {}
    for party in parties:
        id_ = await store.at(int(party.channel.id))
        stored = None if id_ is None else await store.load(TableId(id_))
        if stored is not None:
            found[party.name] = stored.table
    return found


_TIMESTAMP = re.compile(r"<t:\d+:\w>")
_COMMAND = re.compile(r"<(/[^:>]+):\d+>")


def _words(components: Sequence[dict[str, Any]]) -> list[str]:
    """Return the texts of a message, without what depends on the moment and the process in which it was drawn."""
    found = []
    for part in components:
        if "content" in part:
            found.append(_COMMAND.sub(r"\1", _TIMESTAMP.sub("<t>", part["content"])))
        found += _words(part.get("components", ()))
    return found


async def is_shown(store: PostgresStore, table: Table, message: Message | None) -> bool:
    """Return whether the last message of a channel shows its table as the database has it.

    The table message of a game is known by the questions that its buttons answer, and a break between two rounds by
    its button. Lobbies and results are compared word by word.
    """
    if message is None:
        return False
    if table.stage is Stage.PLAYING:
        waits = table.next_deal is not None
        return shown_prompts(message) == open_prompts(table) and ("Deal now" in map(label_of, message.buttons)) == waits
    ending = await store.stats.ending_with_highlights(table.id) if table.stage is Stage.OVER else None
    drawn = draw_table(table, SteadyClock(1.0), ending)
    return _words(message.json["components"]) == _words(drawn.to_components())
