import discord
import pytest

from sandbox.model import PUBLIC_THREAD
from sandbox.permissions import EVERYONE, Permission
from sandbox.refusals import Refused
from tests.sandbox.conftest import Stage, settle

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_hidden_channel_gives_missing_access(stage: Stage) -> None:
    everyone = stage.guild.roles[stage.guild.id]
    channel = stage.channel
    stage.sandbox.world.set_overwrite(stage.room, everyone, deny=Permission.VIEW_CHANNEL)
    with pytest.raises(discord.Forbidden) as caught:
        await channel.send("anyone?")
    assert caught.value.code == 50001
    with pytest.raises(Refused):
        stage.ana.read()
    # The bot receives the change, so that it can name the missing permission.
    await settle(lambda: not channel.permissions_for(channel.guild.me).view_channel)


async def test_a_missing_permission_gives_50013_until_an_overwrite_allows_it(stage: Stage) -> None:
    world, everyone = stage.sandbox.world, stage.guild.roles[stage.guild.id]
    bot_role = next(role for role in stage.guild.roles.values() if role.bot_id)
    world.set_overwrite(stage.room, bot_role, deny=Permission.SEND_MESSAGES)
    with pytest.raises(discord.Forbidden) as caught:
        await stage.channel.send("hello?")
    assert caught.value.code == 50013
    world.set_overwrite(stage.room, world.bot, allow=Permission.SEND_MESSAGES)
    await stage.channel.send("hello!")
    world.set_overwrite(stage.room, everyone, deny=Permission.SEND_MESSAGES)
    with pytest.raises(Refused, match="send_messages"):
        await stage.ana.say("me too")


async def test_the_bot_learns_its_permissions_from_events(stage: Stage) -> None:
    channel, me = stage.channel, stage.channel.guild.me
    assert channel.permissions_for(me).send_messages
    stage.sandbox.world.set_overwrite(stage.room, stage.sandbox.world.bot, deny=Permission.SEND_MESSAGES)
    await settle(lambda: not channel.permissions_for(me).send_messages)


async def test_the_bot_sets_overwrites_and_roles_if_permitted(stage: Stage) -> None:
    target = stage.channel.guild.default_role
    with pytest.raises(discord.Forbidden) as caught:
        await stage.channel.set_permissions(target, send_messages=False)
    assert caught.value.code == 50013
    bot_role = next(role for role in stage.guild.roles.values() if role.bot_id)
    before = bot_role.permissions
    stage.sandbox.world.set_role_permissions(
        stage.guild, bot_role, before | Permission.MANAGE_ROLES | Permission.MANAGE_CHANNELS
    )
    try:
        await stage.channel.set_permissions(target, send_messages=False)
        with pytest.raises(Refused, match="send_messages"):
            await stage.ana.say("hello?")
        await stage.channel.set_permissions(target, overwrite=None)
        await stage.ana.say("hello!")
        role = await stage.channel.guild.create_role(name="Host", permissions=discord.Permissions(manage_channels=True))
        await role.edit(name="Hostess")
        member = await stage.channel.guild.fetch_member(int(stage.ana.id))
        await member.add_roles(role)
        assert stage.sandbox.world.permissions(stage.ana.id, stage.room) & Permission.MANAGE_CHANNELS
        await member.remove_roles(role)
        await role.delete()
        assert "Hostess" not in {each.name for each in stage.guild.roles.values()}
        channel = await stage.channel.guild.create_text_channel("new", topic="t")
        await channel.edit(name="newer")
        assert stage.sandbox.world.channels[str(channel.id)].name == "newer"
        await channel.delete()
        assert str(channel.id) not in stage.sandbox.world.channels
    finally:
        stage.sandbox.world.set_role_permissions(stage.guild, bot_role, before)


async def test_thread_permissions_come_from_the_parent(stage: Stage) -> None:
    world = stage.sandbox.world
    thread = world.add_thread(stage.room, "T", stage.ana.user)
    assert thread.type == PUBLIC_THREAD
    everyone = stage.guild.roles[stage.guild.id]
    world.set_overwrite(stage.room, everyone, deny=Permission.SEND_MESSAGES_IN_THREADS)
    with pytest.raises(Refused, match="send_messages_in_threads"):
        await stage.ben.say("hello?", thread)
    assert world.permissions(stage.ben.id, thread) == EVERYONE & ~Permission.SEND_MESSAGES_IN_THREADS


async def test_leaving_and_outages_reach_the_bot(stage: Stage) -> None:
    heard: list[str] = []

    async def on_guild_unavailable(guild: discord.Guild) -> None:
        heard.append("gone dark")

    async def on_guild_available(guild: discord.Guild) -> None:
        heard.append("back")

    async def on_guild_join(guild: discord.Guild) -> None:
        heard.append(f"joined {guild.name}")

    async def on_guild_remove(guild: discord.Guild) -> None:
        heard.append(f"left {guild.name}")

    listeners = (on_guild_unavailable, on_guild_available, on_guild_join, on_guild_remove)
    for listener in listeners:
        stage.bot.add_listener(listener)
    world = stage.sandbox.world
    world.set_available(stage.guild, False)
    world.set_available(stage.guild, True)
    other = world.add_guild("Other")
    await settle(lambda: len(heard) == 3)
    world.remove_member(other, world.bot)
    await settle(lambda: len(heard) == 4)
    for listener in listeners:
        stage.bot.remove_listener(listener)
    assert heard == ["gone dark", "back", "joined Other", "left Other"]
    with pytest.raises(discord.NotFound):
        await stage.bot.fetch_guild(int(other.id))


async def test_a_deleted_channel_is_unknown(stage: Stage) -> None:
    channel = stage.channel
    stage.sandbox.world.remove_channel(stage.room)
    with pytest.raises(discord.NotFound) as caught:
        await channel.send("hello?")
    assert caught.value.code == 10003
    await settle(lambda: stage.bot.get_channel(channel.id) is None)
