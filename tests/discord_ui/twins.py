"""Runs the same game in two worlds that differ only in cards that one user, or every bystander, cannot see.

Everything between a press and the requests to Discord is the real code. Requests and log lines are recorded.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import count, groupby
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast

import discord
import pytest
from discord import InteractionType

from bot.discord_ui.gateway.members import Members
from bot.discord_ui.handlers.assembly import Handlers, HandlerServices
from bot.discord_ui.interactions.boundary import answered_at_table
from bot.discord_ui.interactions.context import Context, ContextServices
from bot.discord_ui.interactions.router import Router
from bot.discord_ui.outbox import publisher as publishing
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.outbox.table_notes import BURIED_AFTER_MESSAGES
from bot.discord_ui.wire.error_codes import DMS_CLOSED, FILTERED
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, RequestRefused
from bot.engine.core import Rejected, Seat, Step
from bot.engine.registry import RULES
from bot.games.coyote.commands import actions_offered
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import Phase
from bot.host import tables
from bot.host.commands import Command, Join
from bot.host.decide import decide
from bot.host.former_players import GHOSTS
from bot.host.model import House, Stage, Table, TableId, UserId
from bot.host.tables import Tables
from bot.house_rules.repository import Houses
from bot.screens.presses import Press
from bot.store.sqlite.store import SqliteStore
from tests.games.coyote.contract import twin
from tests.host.world import HOST, FakeClock

GUILD, CHANNEL, DMS = 1, 100, 1000
BYSTANDER = UserId(90)
CLOCK_SCALE = 1000.0
"""How much faster the publisher works in these tests."""
ID: Final = TableId("twins2345")
ALL: Final = -1
"""The recipient of a public message: everybody in the channel."""

where: ContextVar[World | None] = ContextVar("where", default=None)
"""The world in which the current task runs."""


class LogRecorder(logging.Handler):
    """Records every log line in the world that wrote it."""

    def emit(self, record: logging.LogRecord) -> None:
        world = where.get()
        if world is not None:
            world.said.append(self.format(record))


class RecordingRest:
    """A fake of `Rest` that records every request by recipient; the message ids of each channel are consecutive."""

    def __init__(self, first: int) -> None:
        self.sent: list[tuple[int, str]] = []
        self._first = first
        self._posted: Counter[int] = Counter()
        self._nonces: dict[str, int] = {}
        self.shut: set[int] = set()
        """The users whose DMs are closed."""
        self.filters = False
        """Whether the guild's filter refuses messages with mentions."""

    def note(self, whom: int, *what: object) -> None:
        self.sent.append((whom, json.dumps(what, sort_keys=True)))

    async def post(self, channel: int, message: Outgoing, nonce: str) -> int:
        self._sends("post", channel, message)
        if nonce not in self._nonces:
            self._posted[channel] += 1
            self._nonces[nonce] = self._first + channel * 1000 + self._posted[channel]
        return self._nonces[nonce]

    async def edit(self, channel: int, message: int, changed: Outgoing) -> None:
        self._sends(f"edit {message}", channel, changed)

    async def edit_through(self, press: Any, changed: Outgoing) -> None:
        self._sends(f"edit {press.message.id}", CHANNEL, changed)

    async def delete(self, channel: int, message: int) -> None:
        self.note(_recipient(channel), "delete", message)

    async def open_dm(self, user: int) -> int:
        return DMS + user

    async def may_be_member(self, guild: int, user: int) -> bool:
        return True

    def _sends(self, how: str, channel: int, message: Outgoing) -> None:
        written: Any = message.to_params().payload
        whose = _recipient(channel)
        self.note(whose, how, written)
        if whose in self.shut:
            raise RequestRefused(DMS_CLOSED[0], 403)
        if whose == ALL and self.filters and "<@" in json.dumps(written):
            if message.plain is None:
                raise RequestRefused(FILTERED[0], 400)
            self._sends(how, channel, Outgoing(message.plain()))


def _recipient(channel: int) -> int:
    return channel - DMS if channel >= DMS else ALL


class Interaction:
    """A fake interaction with the attributes that the bot reads; records the answers."""

    def __init__(self, world: World, user: UserId, data: dict[str, Any], message: int | None, **more: Any) -> None:
        world.presses += 1
        self.id = world.presses
        self.client = world.bot
        self.user = SimpleNamespace(id=user, display_name=f"user {user}")
        self.locale = SimpleNamespace(value="en-US")
        self.guild_id = None if more.get("dm") else GUILD
        self.guild, self.channel_id, self.data = None, CHANNEL, data
        self.permissions = discord.Permissions(manage_channels=user == BYSTANDER, manage_guild=user == BYSTANDER)
        self.type = InteractionType.component if message else InteractionType.application_command
        flags = SimpleNamespace(ephemeral=more.get("private", False))
        self.message = SimpleNamespace(id=message, flags=flags, interaction_metadata=None) if message else None
        self.response = self.followup = self
        self._private = flags.ephemeral or self.guild_id is None
        """Whether only this user sees the message that `edit_…` and `delete_…` act on."""
        self._rest, self._done = world.rest, False

    def is_done(self) -> bool:
        return self._done

    async def defer(self, **how: object) -> None:
        self._answered(self.user.id, "defer", how)

    async def send_message(self, *, view: Any, ephemeral: bool = False, files: Sequence[discord.File] = ()) -> Any:
        self._private = ephemeral
        await self.send(view=view, ephemeral=ephemeral, files=files)
        return SimpleNamespace(message_id=1)

    async def send(self, *, view: Any, ephemeral: bool = False, files: Sequence[discord.File] = ()) -> None:
        whom = self.user.id if ephemeral else ALL
        self._answered(whom, "answer", view.to_components(), *[_read(file) for file in files])

    async def edit_message(self, *, view: Any, attachments: Any = ()) -> None:
        self._answered(self.user.id if self._private else ALL, "change", view.to_components())

    edit_original_response = edit_message

    async def delete_original_response(self) -> None:
        self._answered(self.user.id if self._private else ALL, "dismiss")

    async def send_modal(self, form: Any) -> None:
        self._answered(self.user.id, "form", form.to_dict())

    def _answered(self, whom: int, *what: object) -> None:
        self._done = True
        self._rest.note(whom, *what)


def _read(file: discord.File) -> tuple[str, str]:
    return file.filename, file.fp.read().decode()


class World:
    """One instance of the bot, on its own database."""

    def __init__(self, store: SqliteStore, clock: FakeClock, rest: RecordingRest, seed: int) -> None:
        self.store, self.clock, self.rest, self.said = store, clock, rest, list[str]()
        self.presses = 0
        self.rng = Random(seed)
        self._begin()

    def _begin(self) -> None:
        wire: Any = self.rest
        self.publisher = Publisher(self.store, self.clock, CLOCK_SCALE)
        self.tables = Tables(self.store, self.publisher, self.clock, self.rng)
        self.dms = DirectMessages(self.tables, self.store, wire, self.clock, Pace(10_000.0, 100))
        self.publisher.attach(self.tables, wire, self.dms, lambda table: None)
        house, guilds = Houses(self.store, self.clock.now), SimpleNamespace()
        services = ContextServices(self.tables, self.publisher, self.dms, self.clock, lambda: False)
        handlers = Handlers(
            HandlerServices(
                store=self.store,
                clock=self.clock,
                tables=self.tables,
                publisher=self.publisher,
                dms=self.dms,
                house=house,
                guilds=cast(Any, guilds),
                retention_days=30,
                members=Members(wire),
                command_names=list,
            )
        )
        bot: Any = SimpleNamespace(
            store=self.store,
            clock=self.clock,
            tables=self.tables,
            house=house,
            handlers=handlers,
            router=Router(services, handlers, _is_member),
            context=lambda interaction: Context(interaction, services),
        )
        self.bot = bot

    @property
    def table(self) -> Table:
        table = self.tables._loaded[ID].table
        assert table is not None
        return table

    @table.setter
    def table(self, table: Table) -> None:
        self.tables._loaded[ID].table = table

    async def carried_out(self, act: Callable[[World], Awaitable[object]]) -> None:
        """Run `act` in this world, and wait until everything that is due has been sent."""
        token = where.set(self)
        try:
            with self.publisher.answering(ID):  # so that both worlds show only the last of several steps
                await act(self)
            await self._wait_sent()
            self.clock.move(3000)  # the player in turn is pinged after this delay
            self.publisher.wake(ID)
            await self._wait_sent()
        finally:
            where.reset(token)

    async def _wait_sent(self) -> None:
        async with asyncio.timeout(20):
            still = 0
            while still < 3:
                notes = self.publisher._notes.get(ID)
                busy = self.dms._tasks or (notes is not None and (notes.schedule.task or notes.schedule.is_wanted))
                still = 0 if busy else still + 1
                await asyncio.sleep(0.0005)

    async def press(self, user: UserId, data: dict[str, Any], on: str = "table") -> None:
        """Let a user press something on the table message, on a private answer or in a DM."""
        message = await self.publisher.message_of(ID) if on == "table" else 1
        interaction: Any = Interaction(self, user, data, message or 1, private=on == "private", dm=on == "dm")
        await self.bot.router.pressed(interaction)

    async def buried(self) -> None:
        """Count messages of others until the table message is out of sight."""
        for _ in range(BURIED_AFTER_MESSAGES):
            self.publisher.message_seen(CHANNEL)

    async def restart(self) -> None:
        """Kill the bot, and start it again on the same database."""
        await self._stop()
        self._begin()
        await self.tables.get(ID)
        await self.publisher.start()

    async def close(self) -> None:
        """Stop the bot and close its database."""
        await self._stop()
        await self.store.close()

    async def _stop(self) -> None:
        self.publisher._is_stopping = True
        schedules = [notes.schedule for notes in self.publisher._notes.values()]
        tasks = [*self.dms._tasks.values(), *[each.task for each in schedules if each.task]]
        for schedule in schedules:
            schedule.cancel_timer()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def offered(self, user: UserId) -> None:
        """Record the choices that autocomplete offers a user for an action."""
        interaction: Any = Interaction(self, user, {}, None)
        self.rest.note(user, "offer", [(each.name, each.value) for each in await actions_offered(interaction, "")])

    async def typed(self, user: UserId, press: Press) -> None:
        """Let a user send a command."""
        interaction: Any = Interaction(self, user, {}, None)
        context = self.bot.context(interaction)
        async with answered_at_table(context):
            await self.bot.router.handle(context, press)


class Twins:
    """Two worlds; the second has other values for everything hidden from the viewer, or from bystanders if None."""

    def __init__(self, a: World, b: World, seed: int) -> None:
        self.a, self.b = a, b
        self.viewer: UserId | None = None
        self._rng = Random(f"veil {seed}")
        self._revealing = False

    @property
    def table(self) -> Table:
        return self.a.table

    @property
    def now(self) -> int:
        return self.a.clock.now()

    def _seat(self, table: Table) -> Seat | None:
        """Return the viewer's seat; a user who has left sees no more than a bystander."""
        return None if self.viewer is None else table.seat_of(self.viewer)

    def apply(self, state: State, action: Any) -> Step[State]:
        """Judge an action; in the second world, change every card that the viewer cannot see."""
        step = rules.apply(state, action)
        after = step.state
        if where.get() is not self.b or after.phase not in (Phase.BIDDING, Phase.BETS):
            return step
        veiled = twin(after, self._seat(self.table), self._rng)
        if after.match.pile is state.match.pile:  # no card moved, so none may change
            return step if self._revealing else step._replace(state=after._replace(bets=veiled.bets))
        # Cards that went back under the pile stay the same, because players may count on them.
        return step._replace(state=veiled._replace(round=veiled.round._replace(drawn=after.round.drawn)))

    def reveals(self, command: Command) -> bool:
        """Tell whether a command reveals something; then both worlds must reveal the same."""
        try:
            after = decide(self.table, command, self.now, Random(0)).table
        except Rejected:
            return False
        before = self.table
        if before.match is None or after.stage is not Stage.PLAYING:
            return True
        old, new = before.match, after.match
        return bool(
            old.match.pile != new.match.pile
            or old.match.rounds != new.match.rounds
            or old.match.last is not new.match.last
            or old.round.active != new.round.active
            or (old.round.peeked != new.round.peeked and self._seat(after) in new.round.peeked)
        )

    async def do(self, command: Command | None, act: Callable[[World], Awaitable[object]]) -> None:
        """Run `act` in both worlds and compare the results; `command` is the table command that it sends, if any."""
        self._revealing = command is not None and self.reveals(command)
        if self._revealing:
            self.b.table = self.a.table
        await asyncio.gather(self.a.carried_out(act), self.b.carried_out(act))
        self._compare()

    def wait(self, milliseconds: int) -> None:
        """Let time pass in both worlds."""
        for world in (self.a, self.b):
            world.clock.move(milliseconds)

    def _blind(self) -> set[int]:
        """Return the recipients who must not notice: the viewer, and everybody who is not playing."""
        table = self.table
        blind: set[int] = {ALL, BYSTANDER} | ({self.viewer} if self.viewer is not None else set())
        if table.match is not None:
            seated = rules.seated(table.match)
            blind |= {p.user for seat, p in enumerate(table.players) if p.left or seat not in seated}
        return blind

    def curious(self, rng: Random) -> list[UserId]:
        """Return some of the users who must not notice."""
        return [UserId(user) for user in sorted(self._blind() - {ALL}) if rng.random() < 0.4]

    def _compare(self) -> None:
        blind = self._blind()
        for whom in sorted({whom for world in (self.a, self.b) for whom, _ in world.rest.sent}):
            one, two = (
                # An edit may happen twice if the outbox is read again before the first one is noted.
                [what for what, _ in groupby(what for to, what in world.rest.sent if to == whom)]
                for world in (self.a, self.b)
            )
            if whom in blind:
                assert one == two, f"{whom} can tell:\n{one}\n{two}"
            else:
                assert len(one) == len(two), f"more is said to {whom} in one of them:\n{one}\n{two}"
        assert sorted(self.a.said) == sorted(self.b.said)
        for world in (self.a, self.b):
            world.rest.sent.clear()
            world.said.clear()


@asynccontextmanager
async def twins(folder: Path, seed: int, options: dict[str, Any], house: House) -> AsyncIterator[Twins]:
    """Open the same lobby in both worlds."""
    first = discord.utils.time_snowflake(discord.utils.utcnow())
    ghosts = count()
    worlds: list[World] = []
    with pytest.MonkeyPatch.context() as patch, listening():
        patch.setattr(publishing, "ANSWER_FIRST_SECONDS", 0.0)
        patch.setattr(tables, "new_id", lambda: ID)
        patch.setattr(tables, "new_ghost", lambda: UserId(GHOSTS - next(ghosts) // 2))  # the same ids in both worlds
        try:
            for name in "ab":
                clock = FakeClock()
                store = await SqliteStore.open(folder / f"{name}.sqlite3", clock.now())
                worlds.append(World(store, clock, RecordingRest(first), seed))
            both = Twins(worlds[0], worlds[1], seed)
            patch.setitem(RULES, "coyote", replace(rules.GAME, apply=both.apply))
            await asyncio.gather(*[world.carried_out(lambda each: _open(each, options, house)) for world in worlds])
            yield both
        finally:
            for world in worlds:
                await world.close()


@contextmanager
def listening() -> Iterator[None]:
    """Record every log line, whatever its level."""
    log, handler = logging.getLogger("bot"), LogRecorder()
    before = log.level
    log.setLevel(logging.DEBUG)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


async def _open(world: World, options: dict[str, Any], house: House) -> None:
    await world.tables.open(GUILD, CHANNEL, Join(HOST, "user 11"), game="coyote", options=options, house=house)


async def _is_member(table: Table, user: UserId) -> None:
    """Treat everybody as a member."""
