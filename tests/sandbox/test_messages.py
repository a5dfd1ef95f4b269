import io

import aiohttp
import discord
import pytest
from discord import ui

from sandbox.ratelimits import RULES, Rule
from tests.sandbox.conftest import Stage, settle
from tests.sandbox.pictures import png

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_messages_are_created_edited_fetched_and_deleted(stage: Stage) -> None:
    message = await stage.channel.send("one", embed=discord.Embed(title="T").add_field(name="a", value="b"))
    assert [each.content for each in stage.ana.read()] == ["one"]
    await message.edit(content="two", embed=None)
    (seen,) = stage.ana.read()
    assert seen.content == "two"
    assert seen.json["embeds"] == []
    assert seen.json["edited_timestamp"] is not None
    fetched = await stage.channel.fetch_message(message.id)
    assert fetched.content == "two"
    assert fetched.edited_at is not None
    await message.delete()
    assert stage.ana.read() == []
    assert seen.deleted
    with pytest.raises(discord.NotFound) as caught:
        await stage.channel.fetch_message(message.id)
    assert caught.value.code == 10008


async def test_history_pages_in_both_directions(stage: Stage) -> None:
    sent = [await stage.channel.send(str(number)) for number in range(7)]
    newest = [each.content async for each in stage.channel.history(limit=3)]
    assert newest == ["6", "5", "4"]
    before = [each.content async for each in stage.channel.history(limit=2, before=sent[3])]
    assert before == ["2", "1"]
    after = [each.content async for each in stage.channel.history(limit=2, after=sent[3])]
    assert after == ["4", "5"]
    around = {each.content async for each in stage.channel.history(limit=3, around=sent[3])}
    assert around == {"2", "3", "4"}


async def test_bulk_delete(stage: Stage) -> None:
    sent = [await stage.channel.send(str(number)) for number in range(4)]
    await stage.channel.delete_messages(sent[:3])
    assert [each.content for each in stage.ana.read()] == ["3"]


async def test_attachments_are_uploaded_by_multipart_and_served(stage: Stage) -> None:
    picture = png(9, 5)
    file = discord.File(io.BytesIO(picture), "table.png", description="The table, empty")
    message = await stage.channel.send("look", files=[file, discord.File(io.BytesIO(b"hi"), "note.txt")])
    first, second = message.attachments
    assert (first.width, first.height, first.description) == (9, 5, "The table, empty")
    assert second.content_type == "text/plain"
    assert await first.read() == picture
    async with aiohttp.ClientSession() as session, session.get(first.url) as answer:
        assert answer.status == 200
        assert await answer.read() == picture
    kept = await message.edit(attachments=[second, discord.File(io.BytesIO(b"new"), "new.txt")])
    assert [each.filename for each in kept.attachments] == ["note.txt", "new.txt"]
    assert await kept.attachments[1].read() == b"new"


async def test_a_components_v2_message_shows_an_attachment_in_a_gallery(stage: Stage) -> None:
    class Layout(ui.LayoutView):
        def __init__(self) -> None:
            super().__init__(timeout=None)
            box: ui.Container[Layout] = ui.Container(accent_colour=discord.Colour.gold())
            box.add_item(ui.TextDisplay("# Hello"))
            box.add_item(ui.Section(ui.TextDisplay("side"), accessory=ui.Button(label="Go", custom_id="go")))
            box.add_item(ui.Separator())
            box.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://t.png", description="alt")))
            self.add_item(box)
            self.add_item(ui.File("attachment://n.txt"))

    files = [discord.File(io.BytesIO(png(2, 2)), "t.png"), discord.File(io.BytesIO(b"n"), "n.txt")]
    await stage.channel.send(view=Layout(), files=files)
    (seen,) = stage.ana.read()
    assert seen.text == "# Hello\nside\nGo"
    gallery = next(each for each in seen.components if each["type"] == 12)
    assert gallery["items"][0]["media"]["url"].startswith(stage.sandbox.url)
    assert gallery["items"][0]["description"] == "alt"
    fetched = await stage.channel.fetch_message(int(seen.id))
    assert [type(each).__name__ for each in fetched.components] == ["Container", "FileComponent"]


async def test_a_repeated_nonce_returns_the_first_message(stage: Stage) -> None:
    first = await stage.channel.send("once", nonce="outbox-1")
    again = await stage.channel.send("once", nonce="outbox-1")
    other = await stage.channel.send("twice", nonce="outbox-2")
    assert again.id == first.id
    assert other.id != first.id
    assert [each.content for each in stage.ana.read()] == ["once", "twice"]
    await stage.clock.advance(301)
    late = await stage.channel.send("once", nonce="outbox-1")
    assert late.id != first.id


async def test_mentions_notify_only_allowed_users(stage: Stage) -> None:
    text = f"{stage.ana.mention} and {stage.ben.mention} @everyone"
    await stage.channel.send(text)
    await stage.channel.send(text, allowed_mentions=discord.AllowedMentions.none())
    only_ben = discord.AllowedMentions(users=[discord.Object(int(stage.ben.id))], everyone=False)
    message = await stage.channel.send(text, allowed_mentions=only_ben)
    assert [each.id for each in message.mentions] == [int(stage.ben.id)]
    assert [len(each.pinged) for each in stage.ana.read()] == [2, 0, 1]  # the bot may not ping everyone
    assert len(stage.ana.pings()) == 1
    assert len(stage.ben.pings()) == 2
    quiet = await stage.channel.send("nobody")
    await quiet.edit(content=stage.cleo.mention)
    assert stage.cleo.pings() == []


async def test_flags(stage: Stage) -> None:
    silent = await stage.channel.send(stage.ana.mention, silent=True, suppress_embeds=True)
    assert silent.flags.suppress_notifications
    assert silent.flags.suppress_embeds
    assert stage.ana.pings() == []


async def test_replies_point_at_their_message(stage: Stage) -> None:
    said = await stage.ana.say("question")
    target = await stage.channel.fetch_message(int(said.id))
    answer = await target.reply("answer")
    assert answer.reference is not None
    assert answer.reference.message_id == int(said.id)
    assert stage.ana.read()[-1].json["type"] == 19


async def test_pins(stage: Stage) -> None:
    message = await stage.channel.send("important")
    await message.pin()
    assert [each.content async for each in stage.channel.pins()] == ["important"]
    assert (await stage.channel.fetch_message(message.id)).pinned
    assert stage.ana.read()[-1].json["type"] == 6
    await message.unpin()
    assert [each async for each in stage.channel.pins()] == []


async def test_people_and_the_bot_see_each_other_typing(stage: Stage) -> None:
    kinds: list[str] = []
    end = stage.sandbox.world.subscribe(lambda change: kinds.append(change.kind))
    async with stage.channel.typing():
        pass
    end()
    assert kinds == ["TYPING_START"]
    seen: list[str] = []

    async def on_typing(channel: object, user: discord.Member, when: object) -> None:
        if not user.bot:
            seen.append(user.display_name)

    stage.bot.add_listener(on_typing)
    await stage.ana.typing()
    await settle(lambda: seen)
    stage.bot.remove_listener(on_typing)
    assert seen == ["Ana"]


async def test_reactions(stage: Stage) -> None:
    message = await stage.channel.send("vote")
    await message.add_reaction("👍")
    (seen,) = stage.ana.read()
    await stage.ana.react(seen, "👍")
    fetched = await stage.channel.fetch_message(message.id)
    assert [(str(each.emoji), each.count, each.me) for each in fetched.reactions] == [("👍", 2, True)]
    assert {each.id async for each in fetched.reactions[0].users()} == {
        stage.bot.user and stage.bot.user.id,
        int(stage.ana.id),
    }
    await message.remove_reaction("👍", discord.Object(int(stage.ana.id)))
    await message.clear_reactions()
    assert (await stage.channel.fetch_message(message.id)).reactions == []


async def test_the_bot_receives_reactions_and_messages(stage: Stage) -> None:
    heard: list[str] = []

    async def on_raw_reaction_add(payload: discord.RawReactionActionEvent) -> None:
        heard.append(f"{payload.emoji} {payload.member and payload.member.display_name}")

    async def on_message(message: discord.Message) -> None:
        heard.append(f"{message.author.display_name}: {message.content!r}")

    stage.bot.add_listener(on_raw_reaction_add)
    stage.bot.add_listener(on_message)
    said = await stage.ana.say("a secret")
    await stage.ben.react(said, "🎉")
    await stage.ana.say(f"<@{stage.sandbox.world.bot.id}> hi")
    await settle(lambda: len(heard) == 3)
    stage.bot.remove_listener(on_raw_reaction_add)
    stage.bot.remove_listener(on_message)
    # Without the message content intent, the bot can read only messages that mention it.
    assert heard == ["Ana: ''", "🎉 Ben", f"Ana: '<@{stage.sandbox.world.bot.id}> hi'"]


async def test_threads(stage: Stage) -> None:
    message = await stage.channel.send("start here")
    thread = await message.create_thread(name="Table 1", auto_archive_duration=60)
    assert thread.id == message.id
    place = stage.sandbox.world.channels[str(thread.id)]
    await thread.send("in the thread")
    assert [each.content for each in stage.ana.read(place)] == ["in the thread"]
    await thread.add_user(discord.Object(int(stage.ana.id)))
    assert {each.id for each in await thread.fetch_members()} == {
        stage.bot.user and stage.bot.user.id,
        int(stage.ana.id),
    }
    await thread.remove_user(discord.Object(int(stage.ana.id)))
    await thread.edit(archived=True, locked=True)
    assert place.archived
    assert [each.id async for each in stage.channel.archived_threads()] == [thread.id]
    await thread.edit(archived=False, locked=False)
    guild = stage.bot.get_guild(int(stage.guild.id))
    assert guild is not None
    assert thread.id in {each.id for each in await guild.active_threads()}
    await thread.delete()
    assert str(thread.id) not in stage.sandbox.world.channels


async def test_a_private_thread_is_visible_only_to_its_members(stage: Stage) -> None:
    thread = await stage.channel.create_thread(name="Secret", type=discord.ChannelType.private_thread)
    await thread.send("psst")
    place = stage.sandbox.world.channels[str(thread.id)]
    await thread.add_user(discord.Object(int(stage.ben.id)))
    assert stage.sandbox.world.messages(stage.ana.id, place) == []
    assert [each.content for each in stage.ben.read(place)] == ["psst"]


async def test_an_archived_thread_takes_new_messages_but_no_edits(stage: Stage) -> None:
    thread = await stage.channel.create_thread(name="Open", type=discord.ChannelType.public_thread)
    message = await thread.send("one")
    place = stage.sandbox.world.channels[str(thread.id)]
    stage.sandbox.world.archive(place)
    with pytest.raises(discord.HTTPException) as caught:
        await message.edit(content="two")
    assert caught.value.code == 50083
    await thread.send("three")
    assert not place.archived


async def test_dms_arrive_and_closed_ones_do_not(stage: Stage) -> None:
    user = await stage.bot.fetch_user(int(stage.cleo.id))
    await user.send("hello")
    assert [each.content for each in stage.cleo.dms()] == ["hello"]
    stage.cleo.dms_open = False
    with pytest.raises(discord.Forbidden) as caught:
        await user.send("again")
    assert caught.value.code == 50007
    stranger = stage.sandbox.people.add("Stranger", member=False)
    with pytest.raises(discord.Forbidden) as caught:
        await (await stage.bot.fetch_user(int(stranger.id))).send("hi")
    assert caught.value.code == 50278


async def test_somebody_elses_message_cannot_be_edited(stage: Stage) -> None:
    said = await stage.ana.say("mine")
    with pytest.raises(discord.Forbidden) as caught:
        await stage.channel.get_partial_message(int(said.id)).edit(content="yours")
    assert caught.value.code == 50005
    await stage.channel.get_partial_message(int(said.id)).delete()
    assert stage.ana.read() == []


async def test_a_message_older_than_an_hour_takes_few_edits(stage: Stage) -> None:
    message = await stage.channel.send("old")
    limits = stage.sandbox.rate_limits
    route = "PATCH /channels/{channel_id}/messages/{message_id}"
    limits.enabled, limits.rules[route] = True, Rule(100, 1.0)
    try:
        await stage.clock.advance(3601)
        for number in range(3):
            await message.edit(content=str(number))
        with pytest.raises(discord.HTTPException) as caught:
            await message.edit(content="too much")
    finally:
        limits.enabled, limits.rules[route] = False, RULES[route]
    assert (caught.value.status, caught.value.code) == (429, 30046)
