from __future__ import annotations

import discord
import pytest

from bot.discord_ui.wire.error_codes import NO_PERMISSION
from bot.discord_ui.wire.failures import RequestRefused, TemporaryFailure
from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, Rest
from bot.pictures.picture import Picture
from bot.screens.layout import EMBER, PublicScreen, box, text
from sandbox.faults import Refuse
from sandbox.server import Sandbox
from tests.sandbox.toybot import running


@pytest.fixture(autouse=True)
def restore_discord_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the URLs of discord.py after each test."""
    for place, name in ((discord.http.Route, "BASE"), (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(place, name, getattr(place, name))


async def test_a_deleted_message_is_posted_again_even_if_its_nonce_is_known() -> None:
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana", guild)
        room = ana.where = sandbox.world.add_channel(guild, "room")
        async with running(sandbox) as bot:
            rest = Rest(bot.http, Pace(1000.0, 100), lambda: None)
            channel, out = int(room.id), Outgoing("the table")
            posted = await rest.post(channel, out, "t1")
            for _ in range(2):
                await rest.delete(channel, posted)
                again = await rest.post(channel, out, "t1")
                assert again != posted
                assert await rest.post(channel, out, "t1") == again
                posted = again
            assert [each.content for each in ana.read()] == ["the table"]


async def test_a_revoked_token_does_not_give_up_a_message() -> None:
    async with Sandbox(rate_limits=False) as sandbox:
        room = sandbox.world.add_channel(sandbox.world.add_guild("Friends"), "room")
        async with running(sandbox) as bot:
            revoked: list[bool] = []
            rest = Rest(bot.http, Pace(1000.0, 100), lambda: revoked.append(True))
            sandbox.faults.on("POST /channels/*", Refuse(0, status=401))
            with pytest.raises(TemporaryFailure):
                await rest.post(int(room.id), Outgoing("the table"), "t1")
            assert revoked == [True]


PICTURE = Picture("look.png", b"\x89PNG\r\n\x1a\n", "Ana wears 7.", 1, 1)


def screen() -> PublicScreen:
    return PublicScreen(box(EMBER, text("The reveal"), text("Ana wears **7**.")))


async def test_a_picture_is_sent_once_and_stays_until_it_is_replaced_or_dropped() -> None:
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana", guild)
        room = ana.where = sandbox.world.add_channel(guild, "room")
        async with running(sandbox) as bot:
            rest = Rest(bot.http, Pace(1000.0, 100), lambda: None)
            posted = await rest.post(int(room.id), Outgoing(screen(), picture=PICTURE), "t1")
            (message,) = ana.read()
            first = message.files
            assert message.descriptions == ["Ana wears 7."]
            kept = Outgoing(screen(), picture=PICTURE)
            kept.has_picture = True
            await rest.edit(int(room.id), posted, kept)
            assert message.files == first
            await rest.edit(int(room.id), posted, Outgoing(screen(), picture=PICTURE))
            assert len(message.files) == 1
            assert message.files != first
            dropping = Outgoing(screen())
            dropping.drops_files = True
            await rest.edit(int(room.id), posted, dropping)
            assert not message.files
            assert not message.descriptions


async def test_without_the_permission_to_attach_files_the_words_are_sent() -> None:
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana", guild)
        room = ana.where = sandbox.world.add_channel(guild, "room")
        async with running(sandbox) as bot:
            rest = Rest(bot.http, Pace(1000.0, 100), lambda: None)
            sandbox.faults.on("POST /channels/*", Refuse(NO_PERMISSION, status=403))
            out = Outgoing(screen(), picture=PICTURE)
            await rest.post(int(room.id), out, "t1")
            assert out.picture is None
            assert out.picture_was_refused
            assert [each.text for each in ana.read()] == ["The reveal\nAna wears **7**."]
            sandbox.faults.on("POST /channels/*", Refuse(NO_PERMISSION, status=403), times=2)
            with pytest.raises(RequestRefused):
                await rest.post(int(room.id), Outgoing(screen(), picture=PICTURE), "t2")


async def test_a_slow_request_is_remembered_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox(rate_limits=False) as sandbox:
        room = sandbox.world.add_channel(sandbox.world.add_guild("Friends"), "room")
        async with running(sandbox) as bot:
            rest = Rest(bot.http, Pace(1000.0, 100), lambda: None)
            await rest.post(int(room.id), Outgoing("quick"), "t1")
            assert not rest.is_slow
            monkeypatch.setattr("bot.discord_ui.wire.rest.SLOW_REQUEST_SECONDS", 0.0)
            await rest.post(int(room.id), Outgoing("slow"), "t2")
            assert rest.is_slow
