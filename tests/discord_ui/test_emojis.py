"""The uploader of emojis against the sandbox: what it uploads, deletes and leaves alone, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest

from bot.discord_ui.emojis import EMOJIS_KEY, UPLOADED, EmojiUploader
from bot.discord_ui.wire import rest
from bot.discord_ui.wire.failures import RequestRefused
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, Rest
from bot.host.ports import Fault, StoreFault
from bot.pictures.emojis import EmojiSheet, EmojiSketch
from bot.pictures.game import DRAWINGS, GameDrawings
from bot.pictures.studio import Studio, StudioBusy
from bot.screens.custom_ids import CustomId
from bot.screens.layout import PublicScreen, press, row, text
from sandbox import emojis as sandbox_emojis
from sandbox.faults import Drop, RateLimited, Refuse, Slow, Status
from sandbox.server import Sandbox
from tests.sandbox.pictures import png, uri
from tests.sandbox.toybot import ToyBot, running

ADD = "POST /applications/{application_id}/emojis"
LIST = "GET /applications/{application_id}/emojis"
REMOVE = "DELETE /applications/{application_id}/emojis/{emoji_id}"
SCALE = 1000.0
"""How much faster the uploader works in these tests."""


def sheet(*names: str, version: int = 1) -> EmojiSheet:
    """Return a sheet of emojis that are quickly drawn."""
    digests = {name: str(version) for name in names}
    return EmojiSheet({name: EmojiSketch(lambda _brush: None, spoken_name="thing") for name in names}, digests)


class MemoryStore:
    """Keeps facts in memory, and fails on demand."""

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.faults: list[Fault] = []

    async def meta(self, key: str) -> str | None:
        return self.facts.get(key)

    async def set_meta(self, key: str, value: str) -> None:
        if self.faults:
            raise StoreFault(self.faults.pop(), "no room")
        self.facts[key] = value


class Workshop:
    """A sandbox with a bot, and an uploader that can be killed and started again."""

    def __init__(self, sandbox: Sandbox, bot: ToyBot) -> None:
        self.sandbox, self.bot = sandbox, bot
        self.rest = Rest(bot.http, Pace(1000.0, 100), lambda: None, self._emoji_refused)
        self.store, self.studio = MemoryStore(), Studio()
        self.me = int(sandbox.world.bot.id)
        self.uploader = self._made()

    def _emoji_refused(self) -> None:
        self.uploader.check_again()

    def _made(self) -> EmojiUploader:
        return EmojiUploader(self.rest, self.store, self.studio, application=self.me, bot_user=self.me, scale=SCALE)

    @property
    def ids(self) -> dict[str, int]:
        """The emojis that Discord has, by name."""
        return {each["name"]: int(emoji) for emoji, each in self.sandbox.world.uploads.emojis.items()}

    @property
    def writes(self) -> Counter[str]:
        """How many emojis were uploaded and deleted, whether or not the bot got an answer."""
        found = Counter(each.method for each in self.sandbox.requests if "/emojis" in each.path)
        self.sandbox.requests.clear()
        return Counter({method: found[method] for method in ("POST", "DELETE") if found[method]})

    def add(self, name: str, *, by: str | None = None) -> int:
        """Add an emoji, as if the bot had uploaded it before, or another user."""
        made = sandbox_emojis.add(self.sandbox.world, name, uri(png(1, 1)))
        if by is not None:
            made["user"] = {**made["user"], "id": by}
        return int(made["id"])

    async def start(self) -> None:
        """Start the uploader as a new process does."""
        await self.kill()
        self.uploader = self._made()
        await self.uploader.recall()
        self.uploader.start()

    async def run(self) -> None:
        """Start the uploader as a new process does, and wait until there is nothing more to do."""
        await self.start()
        await self.until(lambda: self.uploader.is_idle)

    async def until(self, ready: Callable[[], object]) -> None:
        async with asyncio.timeout(30):
            while not ready():  # noqa: ASYNC110
                await asyncio.sleep(0.001)

    async def kill(self) -> None:
        """End the uploader without any farewell."""
        task = self.uploader._task
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self.bot.http._buckets.clear()  # a new process does not wait for answers that the old one did not get
        UPLOADED.clear()


@asynccontextmanager
async def workshop() -> AsyncIterator[Workshop]:
    async with Sandbox(rate_limits=False) as sandbox, running(sandbox) as bot:
        made = Workshop(sandbox, bot)
        try:
            yield made
        finally:
            await made.kill()
            made.studio.close()


@pytest.fixture(autouse=True)
def _two_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let there be two games with few emojis, and restore what discord.py was told."""
    for place, name in ((discord.http.Route, "BASE"), (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(place, name, getattr(place, name))
    before = dict(DRAWINGS)
    DRAWINGS.clear()
    draws(one=sheet("aa", "bb", "cc"), two=sheet("dd", "ee"))
    yield
    DRAWINGS.clear()
    DRAWINGS.update(before)
    UPLOADED.clear()


def draws(**sheets: EmojiSheet) -> None:
    """Let these games have these emojis."""
    DRAWINGS.update({game: GameDrawings(emojis=emojis) for game, emojis in sheets.items()})


ALL = {"aa", "bb", "cc", "dd", "ee"}


async def test_everything_is_uploaded_once_and_kept_over_restarts() -> None:
    async with workshop() as here:
        await here.run()
        assert here.ids.keys() == ALL
        assert {name: f"<:thing:{emoji}>" for name, emoji in here.ids.items()} == UPLOADED
        assert here.writes == {"POST": 5}
        used = dict(UPLOADED)
        await here.kill()
        here.sandbox.faults.on(LIST, Status(503), times=None)
        await here.start()
        assert used == UPLOADED, "what was complete is used before Discord has answered"
        here.sandbox.faults.clear()
        await here.until(lambda: here.uploader.is_idle)
        assert used == UPLOADED
        assert not here.writes


async def test_a_game_uses_its_emojis_once_all_are_there() -> None:
    async with workshop() as here:
        here.sandbox.faults.on(ADD, Refuse(30008), times=None, skip=4)
        await here.run()
        assert len(here.ids) == 4
        assert UPLOADED.keys() == {"aa", "bb", "cc"}
        assert here.uploader.progress == (4, 5, True), "it has given up"
        await here.start()
        assert not here.uploader.progress.is_idle
        here.sandbox.faults.clear()
        await here.run()
        assert here.uploader.progress == (5, 5, True)


async def test_only_what_has_changed_is_uploaded_again() -> None:
    async with workshop() as here:
        await here.run()
        before, _ = here.ids, here.writes
        draws(two=EmojiSheet(sheet("dd", "ee")._sketches, {"dd": "1", "ee": "2"}))
        await here.run()
        assert here.writes == {"DELETE": 1, "POST": 1}
        assert [name for name in ALL if here.ids[name] != before[name]] == ["ee"]
        assert UPLOADED["ee"] == f"<:thing:{here.ids['ee']}>"


async def test_what_is_no_longer_used_is_deleted_but_nothing_of_anybody_else() -> None:
    async with workshop() as here:
        theirs = [here.add("bb", by="77"), here.add("logo", by="77"), here.add("script")]
        await here.run()
        draws(one=sheet("aa"))
        await here.run()
        assert here.ids.keys() == {"aa", "bb", "logo", "script", "dd", "ee"}
        assert [here.ids[name] for name in ("bb", "logo", "script")] == theirs
        assert here.writes == {"POST": 4, "DELETE": 1}


async def test_an_emoji_of_somebody_else_with_our_name_is_used() -> None:
    async with workshop() as here:
        theirs = here.add("dd", by="77")
        await here.run()
        assert UPLOADED["dd"] == f"<:thing:{theirs}>"


async def test_without_the_database_everything_of_ours_is_uploaded_again() -> None:
    """Nobody knows then which drawing an emoji shows."""
    async with workshop() as here:
        await here.run()
        _, before = here.writes, here.ids
        for facts in ({}, {EMOJIS_KEY: "nonsense"}, {EMOJIS_KEY: json.dumps({"application": 1})}):
            here.store.facts = dict(facts)
            await here.run()
            assert here.writes == {"DELETE": 5, "POST": 5}
        assert not before.items() & here.ids.items()


@pytest.mark.parametrize("uploaded", range(6))
async def test_killed_in_the_middle_it_goes_on_and_uploads_nothing_twice(uploaded: int) -> None:
    async with workshop() as here:
        await here.start()
        await here.until(lambda: len(here.ids) >= uploaded)
        await here.kill()
        await here.run()
        assert here.ids.keys() == ALL
        assert UPLOADED.keys() == ALL
        assert here.writes["POST"] in (5, 6), "only the one under way may be sent twice"
        assert not here.writes["DELETE"]


@pytest.mark.parametrize("deleted", range(3))
async def test_killed_while_it_replaces_old_drawings_it_leaves_none_of_them(deleted: int) -> None:
    async with workshop() as here:
        await here.run()
        before, _ = here.ids, here.writes
        draws(one=sheet("aa", "bb", version=2))
        await here.start()
        await here.until(lambda: len(before.items() - here.ids.items()) >= deleted)
        await here.kill()
        await here.run()
        assert {name for name in here.ids if here.ids[name] == before[name]} == {"dd", "ee"}
        assert here.ids.keys() == {"aa", "bb", "dd", "ee"} == UPLOADED.keys()


FAULTS = (
    *(Status(500), Status(500, after=True), Status(503), Status(503, after=True), Drop(), Drop(after=True)),
    *(RateLimited(0.01, scope="shared"), RateLimited(0.01, scope="global")),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
@pytest.mark.parametrize("route", [LIST, ADD, REMOVE])
async def test_it_survives_faults(route: str, fault: Any) -> None:
    async with workshop() as here:
        draws(one=sheet("aa", "old"))
        await here.run()
        draws(one=sheet("aa", "bb", "cc"))
        here.sandbox.faults.on(route, fault)
        with here.sandbox.expecting_violations() as violations:
            await here.run()
        assert here.ids.keys() == ALL
        assert UPLOADED.keys() == ALL
        assert all("ALREADY_TAKEN" in str(each) for each in violations)


@pytest.mark.parametrize("code", [30008, 20012, 0])
async def test_where_there_can_be_no_emojis_texts_are_used(code: int, caplog: pytest.LogCaptureFixture) -> None:
    async with workshop() as here:
        route = ADD if code == 30008 else LIST
        here.sandbox.faults.on(route, Refuse(code, status=404 if code == 0 else None), times=None)
        await here.run()
        assert not UPLOADED
        assert "so texts are used instead" in caplog.text
        assert sum("/emojis" in each.path for each in here.sandbox.requests) <= 2, "it is not tried again"


async def test_an_emoji_that_discord_refuses_does_not_keep_the_others_out(caplog: pytest.LogCaptureFixture) -> None:
    async with workshop() as here:
        here.sandbox.faults.on(ADD, Refuse(50035), times=1)
        await here.run()
        assert len(here.ids) == 4
        assert UPLOADED.keys() == {"dd", "ee"}
        assert "refused aa" in caplog.text


async def test_it_waits_for_the_database() -> None:
    async with workshop() as here:
        here.store.faults = [Fault.FULL, Fault.BUSY]
        await here.run()
        assert UPLOADED.keys() == ALL
        draws(one=sheet("aa"))
        here.store.faults = [Fault.CLOSED]
        await here.run()
        assert here.store.faults == []


async def test_it_waits_while_the_studio_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with workshop() as here:
        real, busy = here.studio.draw, [True, True]

        async def draw(make: Any) -> Any:
            if busy:
                busy.pop()
                raise StudioBusy
            return await real(make)

        monkeypatch.setattr(here.studio, "draw", draw)
        await here.run()
        assert UPLOADED.keys() == ALL


async def test_a_drawing_that_fails_leaves_words(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_brush: Any) -> None:
        raise ZeroDivisionError

    async with workshop() as here:
        draws(one=EmojiSheet({"aa": EmojiSketch(fail, spoken_name="thing")}))
        await here.run()
        assert not UPLOADED
        assert "could not be uploaded" in caplog.text


async def test_a_message_goes_without_an_emoji_that_was_deleted_and_it_is_uploaded_again() -> None:
    async with workshop() as here:
        await here.run()
        guild = here.sandbox.world.add_guild("Friends")
        ana = here.sandbox.people.add("Ana", guild)
        room = ana.where = here.sandbox.world.add_channel(guild, "room")
        sandbox_emojis.remove(here.sandbox.world, here.sandbox.world.uploads.emojis[str(here.ids["aa"])])

        def out() -> Outgoing:
            button = press("Look", CustomId("look", "t1"), emoji=UPLOADED.get("aa"))
            return Outgoing(PublicScreen(text("the table"), row(button)))

        with here.sandbox.expecting_violations() as violations:
            await here.rest.post(int(room.id), out(), "t1")
        assert len(violations) == 1
        assert "emoji" not in ana.read()[-1].buttons[0]
        await here.until(lambda: here.uploader.is_idle and UPLOADED)
        await here.rest.edit(int(room.id), int(ana.read()[-1].id), out())
        assert ana.read()[-1].buttons[0]["emoji"]["id"] == str(here.ids["aa"])


async def test_uploads_that_must_wait_do_not_make_discord_look_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a reveal would skip its beats while emojis are uploaded."""
    monkeypatch.setattr(rest, "SLOW_REQUEST_SECONDS", 4.0)  # so that a busy machine is not taken for a slow Discord
    async with workshop() as here:
        here.sandbox.faults.on(ADD, Slow(4.1))
        await here.run()
        assert UPLOADED.keys() == ALL
        assert not here.rest.is_slow
        room = here.sandbox.world.add_channel(here.sandbox.world.add_guild("Friends"), "room")
        here.sandbox.faults.on("POST /channels/*", Slow(4.1))
        await here.rest.post(int(room.id), Outgoing("the table"), "t1")
        assert here.rest.is_slow


async def test_a_message_that_is_wrong_otherwise_is_refused() -> None:
    async with workshop() as here:
        await here.run()
        room = here.sandbox.world.add_channel(here.sandbox.world.add_guild("Friends"), "room")
        used = dict(UPLOADED)
        wrong = Outgoing(PublicScreen(text("x" * 4001), row(press("Look", CustomId("look", "t1"), emoji=used["aa"]))))
        with here.sandbox.expecting_violations(), pytest.raises(RequestRefused):
            await here.rest.post(int(room.id), wrong, "t1")
        assert used == UPLOADED
