from __future__ import annotations

import discord
import pytest

from bot.discord_ui.wire.pacing import Pace
from bot.discord_ui.wire.rest import Outgoing, Rest, TemporaryFailure
from sandbox.faults import Refuse
from sandbox.server import Sandbox
from tests.sandbox.toybot import running


@pytest.fixture(autouse=True)
def restore_discord_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the URLs of discord.py after each test."""
    for place, name in ((discord.http.Route, "BASE"), (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(place, name, getattr(place, name))


async def test_a_deleted_message_is_posted_again_although_its_nonce_is_known() -> None:
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
