"""Requests with the token of a press, on the sandbox."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import discord
import pytest
import pytest_asyncio

from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.press_requests import LentPress, lent
from bot.discord_ui.wire.rest import Outgoing, Rest, mark_of
from bot.pictures.picture import Picture
from bot.screens.layout import EMBER, PublicScreen, box, text
from sandbox.faults import RateLimited, Refuse, Reset, Status
from sandbox.people import Person
from sandbox.server import Sandbox
from tests.e2e.common import FOLLOW_UP
from tests.sandbox.toybot import running

PICTURE = Picture("look.png", b"\x89PNG\r\n\x1a\n", "Ana wears 7.", 1, 1)


@pytest.fixture(autouse=True)
def restore_discord_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the URLs of discord.py after each test."""
    for place, name in ((discord.http.Route, "BASE"), (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(place, name, getattr(place, name))


class Scene(NamedTuple):
    """A channel with a message whose button Ana has pressed."""

    sandbox: Sandbox
    ana: Person
    ben: Person
    rest: Rest
    press: LentPress

    def own_requests(self) -> list[str]:
        return [each.route for each in self.sandbox.api.requests if "/channels/" in each.path]


@pytest_asyncio.fixture
async def scene() -> AsyncIterator[Scene]:
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana, ben = (sandbox.people.add(name, guild) for name in ("Ana", "Ben"))
        room = ana.where = ben.where = sandbox.world.add_channel(guild, "room")
        async with running(sandbox) as bot:
            assert bot.user is not None
            rest = Rest(bot.http, Pace(1000.0, 100), lambda: None, me=bot.user.id)
            presses: list[discord.Interaction[Any]] = []

            @bot.event
            async def on_interaction(press: discord.Interaction[Any]) -> None:
                presses.append(press)
                await press.response.defer()

            button: discord.ui.Button[Any] = discord.ui.Button(label="Bid", custom_id="c1:x:1:bid:1")
            screen = PublicScreen(text("the table"), discord.ui.ActionRow(button))
            table = await rest.post(int(room.id), Outgoing(screen), "t1")
            (message,) = ana.read()
            await ana.click(message, "Bid")
            (press,) = presses
            sandbox.api.requests.clear()
            yield Scene(sandbox, ana, ben, rest, lent(press, table))


def shown(scene: Scene) -> list[str]:
    """Return what Ben reads: everything but what is private to Ana."""
    return [each.text for each in scene.ben.read()]


async def test_a_press_edits_its_message_posts_others_and_takes_them_back(scene: Scene) -> None:
    press, rest = scene.press, scene.rest
    assert press.original is not None
    await rest.edit_through(press, press.original, Outgoing(PublicScreen(text("the next turn"))))
    posted = await rest.post_through(press, Outgoing("a line", [int(scene.ben.id)]), "p1")
    reveal = Outgoing(PublicScreen(box(EMBER, text("the reveal"))), picture=PICTURE)
    second = await rest.post_through(press, reveal, "r1")
    assert shown(scene) == ["the next turn", "a line", "the reveal"]
    assert [file["filename"] for file in scene.ben.read()[-1].files] == ["look.png"]
    await rest.edit_through(press, second, Outgoing(PublicScreen(text("the sum"))))
    await rest.delete_through(press, posted)
    assert shown(scene) == ["the next turn", "the sum"]
    assert scene.own_requests() == []


async def test_a_line_pings_those_who_are_meant_and_nobody_else(scene: Scene) -> None:
    line = f"<@{scene.ben.id}> <@{scene.ana.id}>"
    await scene.rest.post_through(scene.press, Outgoing(line, [int(scene.ben.id)]), "p1")
    assert scene.ben.read()[-1].pinged == [scene.ben.id]


@pytest.mark.parametrize("fault", [Status(500, after=True), Status(503, after=True), Reset(after=True)], ids=str)
async def test_a_post_whose_answer_is_lost_is_sent_once_and_found_by_its_mark(
    scene: Scene, fault: Status | Reset
) -> None:
    channel = scene.press.channel
    armed = scene.sandbox.faults.on(FOLLOW_UP, fault, times=5)
    with pytest.raises(TemporaryFailure):
        await scene.rest.post_through(scene.press, Outgoing("a line"), "p1")
    assert armed.struck == 1
    assert shown(scene)[1:] == ["a line"]
    found = await scene.rest.own_posts(channel)
    assert found[mark_of("p1")] == int(scene.ben.read()[-1].id)
    assert mark_of("t1") in found
    assert mark_of("p2") not in found


async def test_messages_of_others_are_not_taken_for_ours(scene: Scene) -> None:
    await scene.ben.say("a line")
    assert list(await scene.rest.own_posts(scene.press.channel)) == [mark_of("t1")]


async def test_a_limit_on_the_press_is_waited_for(scene: Scene) -> None:
    scene.sandbox.faults.on(FOLLOW_UP, RateLimited(0.01), times=2)
    await scene.rest.post_through(scene.press, Outgoing("a line"), "p1")
    assert shown(scene)[1:] == ["a line"]
    scene.sandbox.faults.on(FOLLOW_UP, RateLimited(60.0), times=1)
    with pytest.raises(RequestRefused):
        await scene.rest.post_through(scene.press, Outgoing("another"), "p2")


async def test_a_blocked_address_holds_all_requests(scene: Scene) -> None:
    scene.sandbox.faults.on(FOLLOW_UP, RateLimited(1.0, "edge"), times=1)
    for _ in range(2):
        with pytest.raises(TemporaryFailure):
            await scene.rest.post_through(scene.press, Outgoing("a line"), "p1")
    assert len(scene.sandbox.api.requests) == 1


async def test_an_expired_token_is_refused(scene: Scene) -> None:
    scene.sandbox.faults.on(FOLLOW_UP, Refuse(50027))
    with pytest.raises(RequestRefused) as refused:
        await scene.rest.post_through(scene.press, Outgoing("a line"), "p1")
    assert refused.value.code == 50027


async def test_a_press_cannot_change_other_messages(scene: Scene) -> None:
    other = await scene.rest.post(scene.press.channel, Outgoing("not its own"), "n1")
    for act in (
        scene.rest.edit_through(scene.press, other, Outgoing("changed")),
        scene.rest.delete_through(scene.press, other),
    ):
        with pytest.raises(RequestRefused) as refused:
            await act
        assert refused.value.code == 10008
    assert shown(scene)[1:] == ["not its own"]
