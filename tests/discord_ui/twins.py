"""Runs the same game in two worlds that differ only in cards that one user, or every bystander, cannot see.

Everything between a press and the requests to Discord is the real code. Requests and log lines are recorded.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import count, groupby
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, TypeVar, cast

import discord
import pytest
from discord import InteractionResponseType, InteractionType
from discord.app_commands import Choice

from bot.discord_ui import illustrator
from bot.discord_ui.gateway.members import Members
from bot.discord_ui.handlers.assembly import Handlers, HandlerServices
from bot.discord_ui.illustrator import Illustrator, Wanted
from bot.discord_ui.interactions.boundary import answered_at_table
from bot.discord_ui.interactions.context import Context, ContextServices
from bot.discord_ui.interactions.deliveries import Deliveries
from bot.discord_ui.interactions.router import Router
from bot.discord_ui.languages import Languages
from bot.discord_ui.outbox import publisher as publishing
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.private_messages import PrivateMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.outbox.table_notes import BURIED_AFTER_MESSAGES
from bot.discord_ui.text_only import TextOnly
from bot.discord_ui.wire.error_codes import DMS_CLOSED, FILTERED
from bot.discord_ui.wire.failures import RequestRefused
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.press_requests import LentPress
from bot.discord_ui.wire.rest import Outgoing, PrivateAnswer
from bot.engine.core import Rejected, Seat, Step
from bot.engine.registry import RULES
from bot.host import tables
from bot.host.commands import Command, Join
from bot.host.decide import decide
from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import FIRST_MATCHES, House, Stage, Table, TableId, UserId
from bot.host.tables import Tables
from bot.host.views import is_laid_open, may_see_all
from bot.house_rules.repository import HouseRulesRepository
from bot.pictures.picture import Picture
from bot.pictures.studio import Studio
from bot.screens.presses import Press
from bot.store.sqlite.store import SqliteStore
from bot.text.catalogue import languages
from tests.discord_ui.twin_game import TwinGame
from tests.host.world import HOST, FakeClock
from tests.text.speaking import PSEUDO, speaking

T = TypeVar("T")
GUILD, CHANNEL, DMS = 1, 100, 1000
BYSTANDER = UserId(90)
CLOCK_SCALE = 1000.0
"""How much faster the publisher works in these tests."""
ID: Final = TableId("twins2345")
ALL: Final = -1
"""The recipient of a public message: everybody in the channel."""
CALLED: Final = -2
"""The same for pings."""

where: ContextVar[World | None] = ContextVar("where", default=None)
"""The world in which the current task runs."""


async def _name_of(guild: int) -> str:
    return str(guild)


class QuickStudio(Studio):
    """Draws at once, so that no clock decides which of two messages is sent first."""

    async def draw(self, make: Callable[[], T]) -> T:
        return make()


class PoliteIllustrator(Illustrator):
    """Waits until an act is over, so that both worlds show only the last of several steps."""

    def __init__(self, store: SqliteStore) -> None:
        super().__init__(QuickStudio(), TextOnly(), lambda table: True, store)
        self.nobody_acts = asyncio.Event()

    async def drawn(
        self, wanted: Wanted | None, within: float | None = None, *, late: Callable[[], None] | None = None
    ) -> Picture | None:
        await self.nobody_acts.wait()
        return await super().drawn(wanted, within, late=late)


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
        self.is_slow = False
        self.followed = 0
        """How many private looks followed the table."""
        self.pictures = 0
        """How many of them had a picture."""
        self.filters = False
        """Whether the guild's filter refuses messages with mentions."""

    def note(self, whom: int, *what: object) -> None:
        task = asyncio.current_task()
        if whom == ALL and task is not None and task.get_name().startswith("pings-"):
            whom = CALLED  # pings are sent beside what shows the table: their order among themselves is fixed
        self.sent.append((whom, json.dumps(what, sort_keys=True)))

    async def post(
        self, channel: int, message: Outgoing, nonce: str, urgency: Any = None, within: float | None = None
    ) -> int:
        self._sends("post", channel, message)
        if nonce not in self._nonces:
            self._posted[channel] += 1
            self._nonces[nonce] = self._first + channel * 1000 + self._posted[channel]
        return self._nonces[nonce]

    async def edit(self, channel: int, message: int, changed: Outgoing, urgency: Any = None) -> None:
        self._sends(f"edit {message}", channel, changed)

    async def post_through(self, press: LentPress, message: Outgoing, nonce: str) -> int:
        self.note(ALL, "token of", press.token)
        return await self.post(press.channel, message, nonce)

    async def edit_through(self, press: LentPress, message: int, changed: Outgoing) -> None:
        self.note(ALL, "token of", press.token)
        self._sends(f"edit {message}", press.channel, changed)

    async def delete_through(self, press: LentPress, message: int) -> None:
        self.note(ALL, "token of", press.token)
        await self.delete(press.channel, message)

    async def own_posts(self, channel: int, urgency: Any = None) -> dict[int, int]:
        return {}

    async def edit_private(self, answer: PrivateAnswer, changed: Outgoing) -> None:
        self.followed += 1
        self.pictures += changed.picture is not None
        self.note(int(answer.token), f"edit private {answer.message}", *_written(changed))

    async def delete_private(self, answer: PrivateAnswer) -> None:
        self.note(int(answer.token), f"delete private {answer.message}")

    async def delete(self, channel: int, message: int, urgency: Any = None) -> None:
        self.note(_recipient(channel), "delete", message)

    async def open_dm(self, user: int) -> int:
        return DMS + user

    async def may_be_member(self, guild: int, user: int) -> bool:
        return True

    def _sends(self, how: str, channel: int, message: Outgoing) -> None:
        written = _written(message)
        whose = _recipient(channel)
        self.note(whose, how, *written)
        if whose in self.shut:
            raise RequestRefused(DMS_CLOSED[0], 403)
        if whose == ALL and self.filters and "<@" in json.dumps(written):
            if message.plain is None:
                raise RequestRefused(FILTERED[0], 400)
            self._sends(how, channel, Outgoing(message.plain()))


async def _no_file(address: str) -> bytes:
    raise AssertionError(f"nobody hands over a file here: {address}")


def _written(message: Outgoing) -> tuple[Any, ...]:
    """Return what is sent, together with every byte of its files."""
    params = message.to_params()
    if not params.files:
        return (params.payload,)
    assert params.multipart is not None
    return params.multipart[0]["value"], *[_read(file) for file in params.files]


def _recipient(channel: int) -> int:
    return channel - DMS if channel >= DMS else ALL


LANGUAGES = [*languages(), PSEUDO]
LANGUAGE_SEED = os.environ.get("TWINS_LANGUAGES") or os.urandom(4).hex()
"""What all languages are drawn from; set TWINS_LANGUAGES to what a failed test prints to repeat it."""


def drawn_language(*of: object) -> str:
    """Draw the language of a table or of somebody: another in every run, and the same in both worlds."""
    return Random(f"{LANGUAGE_SEED} {of}").choice(LANGUAGES)


class Interaction:
    """A fake interaction with the attributes that the bot reads; records the answers."""

    def __init__(self, world: World, user: UserId, data: dict[str, Any], message: int | None, **more: Any) -> None:
        world.presses += 1
        self.id = world.presses
        self.application_id, self.token, self._session = 1, str(user), None
        self.client = world.bot
        self.user = SimpleNamespace(id=user, display_name=f"user {user}")
        self.locale = SimpleNamespace(value=drawn_language(world.seed, user))
        self.guild_locale = SimpleNamespace(value=drawn_language(world.seed))
        self.guild_id = None if more.get("dm") else GUILD
        self.guild, self.channel_id, self.data = None, CHANNEL, data
        self.permissions = discord.Permissions(manage_channels=user == BYSTANDER, manage_guild=user == BYSTANDER)
        self.type = InteractionType.component if message else InteractionType.application_command
        flags = SimpleNamespace(ephemeral=more.get("private", False))
        self.message = SimpleNamespace(id=message, flags=flags, interaction_metadata=None) if message else None
        self.followup = self
        self.response: Any = Answers(self)
        self._private = flags.ephemeral or self.guild_id is None
        """Whether only this user sees the message that `edit_…` and `delete_…` act on."""
        self._rest, self._done = world.rest, False

    def is_done(self) -> bool:
        return self._done

    def is_guild_integration(self) -> bool:
        return self.guild_id is not None

    def is_user_integration(self) -> bool:
        return False

    async def defer(self, **how: object) -> None:
        self._answered(self.user.id, "defer", how)

    async def send_message(self, *, view: Any, ephemeral: bool = False, files: Sequence[discord.File] = ()) -> Any:
        self._private = ephemeral
        sent = await self.send(view=view, ephemeral=ephemeral, files=files)
        return SimpleNamespace(message_id=sent.id, is_ephemeral=lambda: ephemeral)

    async def send(self, *, view: Any, ephemeral: bool = False, files: Sequence[discord.File] = ()) -> Any:
        whom = self.user.id if ephemeral else ALL
        self._answered(whom, "answer", view.to_components(), *[_read(file) for file in files])
        return SimpleNamespace(id=self.id, flags=SimpleNamespace(ephemeral=ephemeral))

    async def edit_message(self, *, view: Any, attachments: Any = None) -> None:
        files = None if attachments is None else [_read(file) for file in attachments]
        self._answered(self.user.id if self._private else ALL, "change", view.to_components(), files)

    edit_original_response = edit_message

    async def delete_original_response(self) -> None:
        self._answered(self.user.id if self._private else ALL, "dismiss")

    async def send_modal(self, form: Any) -> None:
        self._answered(self.user.id, "form", form.to_dict())

    def _answered(self, whom: int, *what: object) -> None:
        if not self._done:
            self.response.type = ANSWER_TYPES[what[0], self.type is InteractionType.component]
        self._done = True
        self._rest.note(whom, *what)


class Answers:
    """The `response` of a fake interaction."""

    type: InteractionResponseType | None = None

    def __init__(self, to: Interaction) -> None:
        self._to = to

    def __getattr__(self, name: str) -> Any:
        return getattr(self._to, name)


ANSWER_TYPES: dict[tuple[object, bool], InteractionResponseType] = {
    ("defer", True): InteractionResponseType.deferred_message_update,
    ("defer", False): InteractionResponseType.deferred_channel_message,
    ("answer", True): InteractionResponseType.channel_message,
    ("answer", False): InteractionResponseType.channel_message,
    ("change", True): InteractionResponseType.message_update,
    ("dismiss", True): InteractionResponseType.message_update,
    ("form", True): InteractionResponseType.modal,
    ("form", False): InteractionResponseType.modal,
}
"""The type of a first answer, by what it does and whether it answers a press or a command."""


def _read(file: discord.File) -> tuple[str, int, str]:
    data = file.fp.read()
    return file.filename, len(data), hashlib.sha256(data).hexdigest()


class World:
    """One instance of the bot, on its own database."""

    def __init__(self, store: SqliteStore, clock: FakeClock, rest: RecordingRest, seed: int) -> None:
        self.store, self.clock, self.rest, self.said = store, clock, rest, list[str]()
        self.presses = 0
        self.seed, self.rng = seed, Random(seed)
        self._begin()

    def _begin(self) -> None:
        wire: Any = self.rest
        self.publisher = Publisher(self.store, self.clock, CLOCK_SCALE)
        self.tables = Tables(self.store, self.publisher, self.clock, self.rng)
        self.illustrator = PoliteIllustrator(self.store)
        pace = Pace(10_000.0, 100)
        self.dms = DirectMessages(self.tables, self.store, wire, self.illustrator, self.clock, openings=pace)
        self.private = PrivateMessages(
            self.tables, wire, self.illustrator, self.clock, self.publisher.message_of, scale=CLOCK_SCALE
        )
        self.publisher.attach(
            self.tables,
            wire,
            self.dms,
            self.private,
            self.illustrator,
            missing=lambda table: None,
            reads_history=lambda table: True,
        )
        repository = HouseRulesRepository(self.store, self.clock.now)
        guilds, deliveries = SimpleNamespace(is_in=lambda _: True, name_of=_name_of), Deliveries(self.store)
        languages = Languages()
        services = ContextServices(
            self.tables,
            self.publisher,
            self.dms,
            self.private,
            self.clock,
            deliveries,
            lambda: False,
            languages,
            self.illustrator,
        )
        handlers = Handlers(
            HandlerServices(
                store=self.store,
                clock=self.clock,
                tables=self.tables,
                publisher=self.publisher,
                dms=self.dms,
                private=self.private,
                repository=repository,
                guilds=cast(Any, guilds),
                retention_days=30,
                members=Members(wire),
                command_names=lambda _: [],
                store_is_well=lambda: True,
                latency=lambda: 0.0,
                emojis=lambda: None,
                languages=languages,
                text_only=self.illustrator._text_only,
                illustrator=self.illustrator,
                fetch_file=_no_file,
            )
        )
        bot: Any = SimpleNamespace(
            store=self.store,
            clock=self.clock,
            tables=self.tables,
            house_rules=repository,
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
                self.illustrator.nobody_acts.clear()
                await act(self)
            self.illustrator.nobody_acts.set()
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
                sending = self.dms._tasks or self.private._tasks or self.illustrator._under_way
                sending = sending or self.publisher._pings._tasks
                busy = sending or (notes is not None and (notes.schedule.task or notes.schedule.is_wanted))
                still = 0 if busy else still + 1
                await asyncio.sleep(0 if still else 0.0005)  # a ping that waits for its delay is looked at every 2.5 ms

    async def press(self, user: UserId, data: dict[str, Any], on: str = "table") -> None:
        """Let a user press something on the table message, on a private answer or in a DM."""
        message = await self.publisher.message_of(ID) if on == "table" else 1
        interaction: Any = Interaction(self, user, data, message or 1, private=on == "private", dm=on == "dm")
        await self.bot.router.pressed(interaction)

    async def buried(self) -> None:
        """Count messages of others until the table message is out of sight."""
        for _ in range(BURIED_AFTER_MESSAGES):
            self.publisher.message_seen(CHANNEL)

    async def stop_reading(self) -> None:
        """Let so much time pass that nobody reads their look any more."""
        for key, kept in list(self.private._kept.items()):
            kept.read_until = 0.0
            self.private._check(key, kept)

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
        tasks = [*self.dms._tasks.values(), *self.private.stop(), *[each.task for each in schedules if each.task]]
        tasks += self.publisher._pings.stop()
        for notes in self.publisher._notes.values():
            notes.schedule.cancel_timer()
            notes.pings.cancel_timer()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def suggested(self, user: UserId, suggest: Callable[[Any], Awaitable[Sequence[Choice[str]]]]) -> None:
        """Record what autocomplete suggests to a user."""
        interaction: Any = Interaction(self, user, {}, None)
        self.rest.note(user, "offer", [(each.name, each.value) for each in await suggest(interaction)])

    async def typed(self, user: UserId, press: Press) -> None:
        """Let a user send a command."""
        interaction: Any = Interaction(self, user, {}, None)
        context = self.bot.context(interaction)
        async with answered_at_table(context):
            await self.bot.router.handle(context, press)


class Twins:
    """Two worlds; the second has other values for everything hidden from the viewer, or from bystanders if None."""

    def __init__(self, game: TwinGame, a: World, b: World, seed: int) -> None:
        self.game = game
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

    def apply(self, state: Any, action: Any) -> Step[Any]:
        """Judge an action; in the second world, change everything that the viewer cannot see."""
        step = self.game.rules.apply(state, action)
        if where.get() is not self.b:
            return step
        after = self.game.veil(state, step.state, self._seat(self.table), self._rng, revealing=self._revealing)
        return step._replace(state=after)

    def reveals(self, command: Command) -> bool:
        """Return whether a command reveals something; then both worlds must reveal the same."""
        before = self.table
        after, other = (self._after(world.table, command) for world in (self.a, self.b))
        if after is None:
            return False
        if before.match is None or after.stage is not Stage.PLAYING:
            return True
        return self.game.reveals(before.match, after.match, other and other.match, self._seat(after))

    def _after(self, table: Table, command: Command) -> Table | None:
        """Return the table after a command; None if it would be refused."""
        try:
            return decide(table, command, self.now, Random(0)).table
        except Rejected:
            return None

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
        if is_laid_open(table):
            return {ALL, CALLED}  # looks show everything, and only they
        blind: set[int] = {ALL, CALLED, BYSTANDER} | ({self.viewer} if self.viewer is not None else set())
        if table.match is not None:
            seated = self.game.rules.seated(table.match)
            blind |= {p.user for seat, p in enumerate(table.players) if p.left or seat not in seated}
        return {user for user in blind if user in (ALL, CALLED) or not may_see_all(table, UserId(user))}

    def curious(self, rng: Random | None = None) -> list[UserId]:
        """Return the users who must not notice; with `rng`, some of them."""
        users = [UserId(user) for user in sorted(self._blind() - {ALL, CALLED})]
        return users if rng is None else [user for user in users if rng.random() < 0.4]

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
            elif self.game.others_get_as_many:
                assert len(one) == len(two), f"{whom} gets more messages in one world than in the other:\n{one}\n{two}"
        assert sorted(self.a.said) == sorted(self.b.said)
        for world in (self.a, self.b):
            world.rest.sent.clear()
            world.said.clear()


@asynccontextmanager
async def twins(folder: Path, game: TwinGame, seed: int, options: dict[str, Any], house: House) -> AsyncIterator[Twins]:
    """Open the same lobby in both worlds, at a table and among people whose languages are drawn at random."""
    # Steps of a reveal depend on the clock, and come after everything is laid open.
    house = house._replace(language=drawn_language(options, seed), reveal="instantly")
    first = discord.utils.time_snowflake(discord.utils.utcnow())
    former_ids = count()
    worlds: list[World] = []
    with pytest.MonkeyPatch.context() as patch, listening(), speaking(house.language):
        patch.setattr(publishing, "ANSWER_FIRST_SECONDS", 0.0)
        patch.setattr(illustrator, "MAX_PICTURE_WAIT_SECONDS", 60.0)  # or a picture might be late in one world only
        patch.setattr(tables, "new_id", lambda: ID)
        patch.setattr(
            tables, "new_former_id", lambda: UserId(FIRST_FORMER_ID - next(former_ids) // 2)
        )  # the same ids in both worlds
        try:
            for name in "ab":
                clock = FakeClock()
                store = await SqliteStore.open(folder / f"{name}.sqlite3", clock.now())
                worlds.append(World(store, clock, RecordingRest(first), seed))
            both = Twins(game, worlds[0], worlds[1], seed)
            patch.setitem(RULES, game.rules.name, replace(game.rules, apply=both.apply))
            await asyncio.gather(
                *[world.carried_out(lambda each: _open(each, game.rules.name, options, house)) for world in worlds]
            )
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


async def _open(world: World, game: str, options: dict[str, Any], house: House) -> None:
    await world.tables.open(
        GUILD, CHANNEL, Join(HOST, "user 11", learning=FIRST_MATCHES), game=game, options=options, house=house
    )


async def _is_member(table: Table, user: UserId) -> None:
    """Treat everybody as a member."""
