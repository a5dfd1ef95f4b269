"""`/doctor` in a channel: who may ask, what it finds, and the link that fixes it."""

import asyncio
from pathlib import Path

from bot.pictures.game import emoji_names
from sandbox.faults import Refuse, Slow
from sandbox.permissions import Permission
from tests.e2e.harness import evening

ADD_EMOJI = "POST /applications/{application_id}/emojis"


async def test_the_doctor_finds_what_is_missing_and_says_when_it_is_fixed(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        world, guild = held.sandbox.world, held.guild
        owner = held.sandbox.people.adopt(world.users[guild.owner_id])
        owner.where = held.games
        shown = await owner.slash("doctor")
        assert shown.message is not None
        assert shown.message.only == owner.id
        assert f"In <#{held.games.id}> I may do everything a table needs." in shown.text
        assert "Give me the permissions" not in [each.get("label") for each in shown.message.buttons]
        world.set_overwrite(held.games, guild.roles[guild.id], deny=Permission.SEND_MESSAGES)
        await owner.click(shown.message, "Check again")
        assert "I lack **Send Messages**" in shown.message.text
        assert "this channel's own settings" in shown.message.text
        world.set_overwrite(held.games, guild.roles[guild.id])
        for role in guild.roles.values():
            world.set_role_permissions(guild, role, role.permissions & ~Permission.CREATE_PUBLIC_THREADS)
        await owner.click(shown.message, "Check again")
        assert "For tables in threads of their own I lack **Create Public Threads**" in shown.message.text
        (fix,) = [each for each in shown.message.buttons if each.get("label") == "Give me the permissions"]
        assert f"guild_id={guild.id}" in fix["url"]


async def test_the_doctor_says_how_far_the_emojis_have_come(tmp_path: Path) -> None:
    async with evening(tmp_path, 2, start=False, EMOJIS="1") as held:
        held.sandbox.faults.on(ADD_EMOJI, Slow(60.0))
        await held.bot.start()
        owner = held.sandbox.people.adopt(held.sandbox.world.users[held.guild.owner_id])
        owner.where = held.games
        uploaded = f"0 of my {len(emoji_names())} own emojis are uploaded"
        assert f"{uploaded}. I add the rest in the background" in (await owner.slash("doctor")).text
        held.sandbox.faults.clear()
        held.sandbox.faults.on(ADD_EMOJI, Refuse(30008), times=None)
        await held.bot.restart()
        async with asyncio.timeout(30):
            while "emojis: Discord takes no more" not in held.bot.log_text:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert f"{uploaded}; Discord refuses the rest" in (await owner.slash("doctor")).text


async def test_only_managers_are_offered_the_command(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        assert "doctor" not in {each["name"] for each in held.people[0].commands()}
