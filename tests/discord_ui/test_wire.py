from __future__ import annotations

import discord
import pytest

from bot.discord_ui.pacing import Pace
from bot.discord_ui.wire import Outgoing, Wire
from sandbox.server import Sandbox
from tests.sandbox.toybot import running


async def test_what_was_deleted_is_posted_anew_although_its_nonce_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name in ((discord.http.Route, "BASE"), (discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(place, name, getattr(place, name))
    async with Sandbox(rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana", guild)
        room = ana.where = sandbox.world.add_channel(guild, "room")
        async with running(sandbox) as bot:
            wire = Wire(bot.http, Pace(1000.0, 100), lambda: None)
            channel, out = int(room.id), Outgoing("the table")
            posted = await wire.post(channel, out, "t1")
            for _ in range(2):
                await wire.delete(channel, posted)
                again = await wire.post(channel, out, "t1")
                assert again != posted
                assert await wire.post(channel, out, "t1") == again
                posted = again
            assert [each.content for each in ana.read()] == ["the table"]
