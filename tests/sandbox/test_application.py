import discord
import pytest
from discord import app_commands

from sandbox.server import Sandbox
from tests.sandbox.conftest import Stage
from tests.sandbox.toybot import Press, ToyBot, aim

pytestmark = pytest.mark.asyncio(loop_scope="module")


class German(app_commands.Translator):
    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        return (
            {"hilfe": "hilfe", "rules": "regeln", "Shows help": "Zeigt Hilfe"}.get(string.message)
            if locale is discord.Locale.german
            else None
        )


async def test_the_bot_logs_in_and_sees_its_application(stage: Stage) -> None:
    assert stage.bot.user is not None
    assert stage.bot.user.id == int(stage.sandbox.world.bot.id)
    info = await stage.bot.application_info()
    assert info.owner.id == int(stage.guild.owner_id)
    assert info.approximate_guild_count == 1


async def test_a_wrong_token_does_not_log_in() -> None:
    async with Sandbox() as sandbox:
        aim(sandbox)
        bot = ToyBot("!", intents=discord.Intents.none())
        with pytest.raises(discord.LoginFailure):
            await bot.login("nonsense")
        await bot.close()
        assert [each.status for each in sandbox.requests] == [401]


async def test_global_and_guild_commands_are_synced_with_localisations(stage: Stage) -> None:
    tree, home = stage.bot.tree, discord.Object(int(stage.guild.id))
    await tree.set_translator(German())

    @tree.command(name="rules", description=app_commands.locale_str("Shows help"))
    async def rules(press: Press) -> None: ...

    @tree.command(name="here", description="Only here", guild=home)
    async def here(press: Press) -> None: ...

    try:
        (first,) = await tree.sync()
        await tree.sync(guild=home)
        assert [each.name for each in await tree.fetch_commands()] == ["rules"]
        fetched = await tree.fetch_command(first.id)
        assert fetched.description_localizations == {discord.Locale.german: "Zeigt Hilfe"}
        assert fetched.name_localizations == {discord.Locale.german: "regeln"}
        (again,) = await tree.sync()
        assert again.id == first.id
        assert [each.name for each in await tree.fetch_commands(guild=home)] == ["here"]
        assert {each["name"] for each in stage.ana.commands()} == {"rules", "here"}
        await first.edit(description="Other")
        assert (await tree.fetch_command(first.id)).description == "Other"
        await first.delete()
        with pytest.raises(discord.NotFound) as caught:
            await tree.fetch_command(first.id)
        assert caught.value.code == 10063
    finally:
        tree.clear_commands(guild=None)
        tree.clear_commands(guild=home)
        await tree.sync()
        await tree.sync(guild=home)
        await tree.set_translator(None)
    assert stage.ana.commands() == []


async def test_servers_members_and_users_can_be_fetched(stage: Stage) -> None:
    guild = await stage.bot.fetch_guild(int(stage.guild.id))
    assert guild.name == "Friends"
    assert guild.approximate_member_count == len(stage.guild.members)
    member = await guild.fetch_member(int(stage.ana.id))
    assert member.display_name == "Ana"
    assert {each.name for each in await guild.fetch_channels()} >= {"general", "room"}
    assert next(each.name for each in await guild.fetch_roles()) == "@everyone"
    names = [each.name async for each in stage.bot.fetch_guilds()]
    assert names == ["Friends"]
    cached = stage.bot.get_guild(guild.id)
    assert cached is not None
    found = await cached.query_members("ana", limit=5)
    assert [each.display_name for each in found] == ["Ana"]
    with pytest.raises(discord.NotFound) as caught:
        await guild.fetch_member(1)
    assert caught.value.code == 10007
