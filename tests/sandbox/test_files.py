"""Files of messages: where they can be sent, how they are shown, kept and removed, and their limits."""

import io
import json
from typing import Any

import aiohttp
import discord
import pytest
from discord import ui

from sandbox.events import Change
from sandbox.messagelog import Message
from sandbox.permissions import Permission
from tests.sandbox.conftest import Stage, settle
from tests.sandbox.pictures import gallery, layout, picture, png
from tests.sandbox.toybot import Buttons, Press

pytestmark = pytest.mark.asyncio(loop_scope="module")

Json = dict[str, Any]
MEBIBYTE = 1024 * 1024


def part(message: Message, kind: int) -> Json:
    """Return the first component of a type."""
    return next(each for each in message.components if each["type"] == kind)


async def status(url: str) -> int:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status


async def fetched(url: str) -> bytes:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return await answer.read()


async def send_form(stage: Stage, body: Json, files: list[bytes], name: str = "files[{}]") -> tuple[int, Json]:
    """Send a message as a form that the library would not send; return the status and answer."""
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps(body))
    for number, data in enumerate(files):
        form.add_field(name.format(number), data, filename=f"{number}.png", content_type="image/png")
    headers = {"Authorization": f"Bot {stage.sandbox.token}"}
    url = f"{stage.sandbox.api_url}/channels/{stage.room.id}/messages"
    async with aiohttp.ClientSession(headers=headers) as session, session.post(url, data=form) as answer:
        return answer.status, await answer.json()


async def test_a_file_that_a_component_shows_is_not_listed_again(stage: Stage) -> None:
    items: list[ui.Item[Any]] = [gallery("table.png"), ui.File("attachment://log.txt")]
    section: ui.Section[Any] = ui.Section("Feathers", accessory=ui.Thumbnail("attachment://small.png", description="7"))
    files = [picture("table.png"), picture("small.png"), picture("log.txt", None, b"hello"), picture("more.png")]
    sent = await stage.channel.send(view=layout(section, *items), files=files)
    assert [each.filename for each in sent.attachments] == ["more.png"]
    (seen,) = stage.ana.read()
    media = part(seen, 12)["items"][0]["media"]
    assert (media["width"], media["height"], media["content_type"]) == (9, 5, "image/png")
    assert part(seen, 12)["items"][0]["description"] == "The table"
    assert part(seen, 11)["description"] == "7"
    assert seen.descriptions == ["The table", "7", "The table"]  # of the listed file, the section and the gallery
    assert (part(seen, 13)["name"], part(seen, 13)["size"]) == ("log.txt", 5)
    ids = [media["attachment_id"], part(seen, 11)["media"]["attachment_id"], part(seen, 13)["file"]["attachment_id"]]
    assert ids == [each["id"] for each in seen.files[:3]]
    assert await fetched(media["url"]) == png(9, 5)


async def test_embeds_show_files_too(stage: Stage) -> None:
    embed = discord.Embed(title="Look").set_image(url="attachment://a.png").set_thumbnail(url="attachment://b.png")
    embed.set_author(name="Ana", icon_url="attachment://c.png").set_footer(text="Foot", icon_url="attachment://d.png")
    sent = await stage.channel.send(embed=embed, files=[picture(f"{name}.png") for name in "abcde"])
    assert [each.filename for each in sent.attachments] == ["e.png"]
    (shown,) = sent.embeds
    assert (shown.image.width, shown.image.height) == (9, 5)
    for url in (shown.image.url, shown.thumbnail.url, shown.author.icon_url, shown.footer.icon_url):
        assert await status(str(url)) == 200


async def test_a_reference_to_a_file_that_is_not_there_is_refused(stage: Stage) -> None:
    missing = "attachment://gone.png"
    section: ui.Section[Any] = ui.Section("Feathers", accessory=ui.Thumbnail(missing))
    for items in ([gallery("gone.png")], [section], [ui.File[Any](missing)], [ui.Container[Any](gallery("gone.png"))]):
        with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException) as caught:
            await stage.channel.send(view=layout(*items), file=picture())
        assert caught.value.code == 50035
        assert [each.code for each in found[0].problems] == ["UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"]
    for embed in (discord.Embed().set_image(url=missing), discord.Embed().set_footer(text="x", icon_url=missing)):
        with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException):
            await stage.channel.send(embed=embed, file=picture())
        assert [each.code for each in found[0].problems] == ["EMBED_ATTACHMENT_NOT_FOUND"]


async def test_an_edit_keeps_files_unless_it_lists_others(stage: Stage) -> None:
    sent = await stage.channel.send(view=layout(gallery("table.png")), file=picture())
    (seen,) = stage.ana.read()
    first = part(seen, 12)["items"][0]["media"]
    await sent.edit(view=layout(ui.TextDisplay("Your turn"), gallery("table.png", alt="The same table")))
    assert part(seen, 12)["items"][0]["media"]["attachment_id"] == first["attachment_id"]
    assert part(seen, 12)["items"][0]["description"] == "The same table"
    await sent.edit(view=layout(gallery("next.png")), attachments=[picture("next.png", data=png(3, 3))])
    assert [each["filename"] for each in seen.files] == ["next.png"]
    assert part(seen, 12)["items"][0]["media"]["width"] == 3
    with stage.sandbox.expecting_violations(), pytest.raises(discord.HTTPException):
        await sent.edit(view=layout(gallery("next.png")), attachments=[])
    await sent.edit(view=layout(ui.TextDisplay("No picture")), attachments=[])
    assert seen.files == []


async def test_a_kept_file_can_get_another_description(stage: Stage) -> None:
    await stage.channel.send("look", files=[picture("a.png"), picture("b.png")])
    (seen,) = stage.ana.read()
    first = seen.json["attachments"][0]
    route = discord.http.Route("PATCH", f"/channels/{stage.room.id}/messages/{seen.id}")
    await stage.bot.http.request(route, json={"attachments": [{"id": first["id"], "description": "Another"}]})
    assert [(each["url"], each["description"]) for each in seen.json["attachments"]] == [(first["url"], "Another")]


async def test_files_of_earlier_edits_pile_up_to_ten(stage: Stage) -> None:
    sent = await stage.channel.send("0", file=picture())
    headers = {"Authorization": f"Bot {stage.sandbox.token}"}
    url = f"{stage.sandbox.api_url}/channels/{stage.room.id}/messages/{sent.id}"
    with stage.sandbox.expecting_violations() as found:
        async with aiohttp.ClientSession(headers=headers) as session:
            answers = []
            for number in range(1, 11):
                form = aiohttp.FormData()
                form.add_field("payload_json", json.dumps({"content": str(number)}))
                form.add_field("files[0]", png(1, 1), filename="p.png")
                answers.append(await session.patch(url, data=form))
            assert [each.status for each in answers] == [200] * 9 + [400]
            assert (await answers[-1].json())["code"] == 30015
    assert len(found) == 1


async def test_every_answer_to_an_interaction_can_show_files(stage: Stage) -> None:
    async def deferred(press: Press) -> None:
        await press.response.defer(thinking=True, ephemeral=True)
        await press.edit_original_response(view=layout(gallery("table.png")), attachments=[picture()])
        more = await press.followup.send(view=layout(gallery("b.png")), file=picture("b.png"), wait=True)
        await more.edit(view=layout(gallery("c.png")), attachments=[picture("c.png")])

    async def swapped(press: Press) -> None:
        await press.response.edit_message(view=layout(gallery("d.png")), content=None, attachments=[picture("d.png")])

    async def answered(press: Press) -> None:
        await press.response.send_message(view=layout(gallery("e.png")), file=picture("e.png"))

    await stage.channel.send("Go", view=Buttons(Defer=deferred, Swap=swapped, Answer=answered))
    message = stage.ana.read()[0]
    shown = await stage.ana.click(message, "Defer")
    await settle(lambda: len(shown.appeared) == 2 and len(shown.changed) == 1)
    answer = (await stage.ana.click(message, "Answer")).message
    await stage.ana.click(message, "Swap")
    assert answer is not None
    for each, name in ((shown.appeared[0], "table"), (shown.appeared[1], "c"), (answer, "e"), (message, "d")):
        assert [file["filename"] for file in each.files] == [f"{name}.png"]
        assert await fetched(part(each, 12)["items"][0]["media"]["url"]) == png(9, 5)


async def test_only_the_reader_of_a_private_answer_gets_the_address_of_its_file(stage: Stage) -> None:
    world = stage.sandbox.world
    received: dict[str, list[str]] = {stage.ana.id: [], stage.ben.id: [], world.bot.id: []}

    def listen(change: Change) -> None:
        for reader, texts in received.items():
            if world.may_see(change, reader):
                texts.append(json.dumps(change.data))

    async def look(press: Press) -> None:
        await press.response.send_message(view=layout(gallery("table.png")), file=picture(), ephemeral=True)

    await stage.channel.send("Go", view=Buttons(Look=look))
    end = world.subscribe(listen)
    shown = await stage.ana.click(stage.ana.read()[0], "Look")
    end()
    assert shown.message is not None
    url = part(shown.message, 12)["items"][0]["media"]["url"]
    assert shown.message.files[0]["ephemeral"]
    assert any(url in text for text in received[stage.ana.id])
    assert not any(url in text for reader in (stage.ben.id, world.bot.id) for text in received[reader])
    assert shown.message not in stage.ben.read()


async def test_the_address_of_a_file_cannot_be_guessed(stage: Stage) -> None:
    sent = await stage.channel.send(file=picture())
    (file,) = sent.attachments
    address, _, secret = file.url.partition("?hm=")
    assert len(secret) == 64
    assert await status(file.url) == 200
    for wrong in (address, f"{address}?hm=", f"{address}?hm={'0' * 64}", f"{address}?hm=é"):
        assert await status(wrong) == 404
    again = await stage.channel.send(file=picture())
    assert again.attachments[0].url.partition("?hm=")[2] != secret


async def test_attach_files_is_needed_for_messages_but_not_for_answers(stage: Stage) -> None:
    async def answer(press: Press) -> None:
        await press.response.send_message(file=picture())
        await press.followup.send(file=picture())

    sent = await stage.channel.send("Go", view=Buttons(Go=answer))
    stage.sandbox.world.set_overwrite(stage.room, stage.sandbox.world.bot, deny=Permission.ATTACH_FILES)
    for attempt in (stage.channel.send(file=picture()), sent.edit(attachments=[picture()])):
        with pytest.raises(discord.Forbidden) as caught:
            await attempt
        assert caught.value.code == 50013
    await stage.channel.send("without a file")
    shown = await stage.ana.click(stage.ana.read()[0], "Go")
    await settle(lambda: len(shown.appeared) == 2)
    assert all(len(each.json["attachments"]) == 1 for each in shown.appeared)
    user = await stage.bot.fetch_user(int(stage.ana.id))
    assert len((await user.send(file=picture())).attachments) == 1


async def test_a_file_may_have_10_mib_and_a_request_25(stage: Stage) -> None:
    whole = png(1, 1).ljust(10 * MEBIBYTE)
    assert (await send_form(stage, {}, [whole, whole]))[0] == 200
    for files in ([whole + b"."], [whole, whole, whole]):
        with stage.sandbox.expecting_violations() as found:
            code, answer = await send_form(stage, {"content": "big"}, files)
        assert (code, answer["code"]) == (413, 40005)
        assert found[0].problems[0].path[0] == "files"


async def test_a_message_may_have_ten_files_with_descriptions_of_1024_characters(stage: Stage) -> None:
    listed = [{"id": number, "description": "x" * 1024} for number in range(10)]
    code, answer = await send_form(stage, {"attachments": listed}, [png(1, 1)] * 10)
    assert (code, len(answer["attachments"])) == (200, 10)
    for body, count in (({"content": "x"}, 11), ({"attachments": [{"id": 0, "description": "x" * 1025}]}, 1)):
        with stage.sandbox.expecting_violations():
            code, answer = await send_form(stage, body, [png(1, 1)] * count)
        assert (code, answer["code"]) == (400, 50035)


async def test_a_listed_file_must_be_sent_or_present(stage: Stage) -> None:
    sent = await stage.channel.send("x", file=picture())
    for name, number in (("files[{}]", 1), ("pictures[{}]", 0), ("files[{}]", sent.attachments[0].id)):
        with stage.sandbox.expecting_violations() as found:
            code, _ = await send_form(stage, {"content": "x", "attachments": [{"id": number}]}, [png(1, 1)], name)
        assert code == 400
        assert [each.code for each in found[0].problems] == ["ATTACHMENT_NOT_FOUND"]


async def test_names_are_cleaned_and_references_with_them(stage: Stage) -> None:
    await stage.channel.send(view=layout(gallery("_der Tisch (1) ä.png")), file=picture("_der Tisch (1) ä.png"))
    (file,) = stage.ana.read()[0].files
    assert (file["filename"], file["title"]) == ("der_Tisch_1_a.png", "_der Tisch (1) ä")


async def test_spoilers_are_marked(stage: Stage) -> None:
    file = discord.File(io.BytesIO(png(1, 1)), "end.png", spoiler=True)
    sent = await stage.channel.send(files=[file, picture()])
    assert [each.is_spoiler() for each in sent.attachments] == [True, False]
    assert [each.get("flags", 0) for each in stage.ana.read()[0].files] == [8, 0]
