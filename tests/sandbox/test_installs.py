"""Commands that people use because their server has added the application, or they themselves."""

from typing import Any

import discord
import pytest
from discord import app_commands

from sandbox.model import Channel
from sandbox.refusals import Refused
from tests.sandbox.conftest import Stage
from tests.sandbox.toybot import Press

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def register(stage: Stage) -> None:
    """Register `/everywhere`, for servers and people, and `/here`, only for servers."""

    async def tell(press: Press) -> None:
        owners = press.is_guild_integration(), press.is_user_integration()
        await press.response.send_message(f"{owners} {press.context.guild} {press.context.dm_channel}", ephemeral=True)

    everywhere: app_commands.Command[Any, Any, Any] = app_commands.Command(
        name="everywhere", description="Anywhere", callback=tell
    )
    everywhere.allowed_installs = app_commands.AppInstallationType(guild=True, user=True)
    everywhere.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    here: app_commands.Command[Any, Any, Any] = app_commands.Command(
        name="here", description="In servers", callback=tell
    )
    here.guild_only = True
    stage.bot.tree.add_command(everywhere)
    stage.bot.tree.add_command(here)
    await stage.bot.tree.sync()


async def unregister(stage: Stage) -> None:
    stage.bot.tree.remove_command("everywhere")
    stage.bot.tree.remove_command("here")
    await stage.bot.tree.sync()


def offered(stage: Stage, at: Channel) -> set[str]:
    return {each["name"] for each in stage.ana.commands(at)} & {"everywhere", "here"}


async def test_commands_are_offered_where_a_server_or_person_has_installed_them(stage: Stage) -> None:
    await register(stage)
    world, ana = stage.sandbox.world, stage.ana
    there = world.add_guild("Elsewhere", bot=False, commands=False)
    ana.join(there)
    room, dm = next(iter(there.channels.values())), ana.open_dm()
    try:
        assert offered(stage, stage.room) == {"everywhere", "here"}
        assert offered(stage, dm) == {"everywhere"}
        assert offered(stage, room) == set()
        with pytest.raises(Refused, match="there is no command /everywhere here"):
            await ana.slash("everywhere", room)
        assert (await ana.slash("everywhere", stage.room)).text == "(True, False) True False"
        assert (await ana.slash("everywhere", dm)).text == "(False, False) False True"
        ana.has_app = True
        assert offered(stage, room) == {"everywhere"}
        assert (await ana.slash("everywhere", room)).text == "(False, True) True False"
        assert (await ana.slash("everywhere", stage.room)).text == "(True, True) True False"
        assert (await ana.slash("everywhere", dm)).text == "(False, True) False True"
        world.install_types = [0]
        assert offered(stage, room) == set()
    finally:
        world.install_types, ana.has_app = [0, 1], False
        ana.leave(there)
        await unregister(stage)


async def test_the_application_says_where_it_can_be_installed(stage: Stage) -> None:
    info = await stage.bot.application_info()
    assert info.user_integration_config is not None
    stage.sandbox.world.install_types = [0]
    try:
        assert (await stage.bot.application_info()).user_integration_config is None
    finally:
        stage.sandbox.world.install_types = [0, 1]
    assert isinstance(info, discord.AppInfo)


async def test_follow_ups_are_limited_where_no_server_has_the_application(stage: Stage) -> None:
    kept: list[Press] = []

    async def keep(press: Press) -> None:
        kept.append(press)
        await press.response.send_message("Hello")

    command: app_commands.Command[Any, Any, Any] = app_commands.Command(
        name="anywhere", description="Anywhere", callback=keep
    )
    command.allowed_installs = app_commands.AppInstallationType(guild=True, user=True)
    command.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    stage.bot.tree.add_command(command)
    await stage.bot.tree.sync()
    world, ana = stage.sandbox.world, stage.ana
    there = world.add_guild("Elsewhere", bot=False, commands=False)
    ana.join(there)
    ana.has_app = True
    try:
        await ana.slash("anywhere", stage.room)
        for _ in range(6):
            await kept[0].followup.send("more")
        await ana.slash("anywhere", next(iter(there.channels.values())))
        for _ in range(5):
            await kept[1].followup.send("more")
        with pytest.raises(discord.HTTPException) as refused:
            await kept[1].followup.send("too much")
        assert refused.value.code == 40094
    finally:
        ana.has_app = False
        ana.leave(there)
        stage.bot.tree.remove_command("anywhere")
        await stage.bot.tree.sync()
