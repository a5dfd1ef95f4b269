"""Application emojis: their routes and rules, and where they can be used."""

from typing import Any

import aiohttp
import discord
import pytest
from discord import ui

from sandbox import emojis
from sandbox.emojis import MAX_EMOJI_BYTES, MAX_EMOJIS
from sandbox.errors import ApiError
from sandbox.faults import Refuse, Status
from sandbox.server import Sandbox
from tests.sandbox.conftest import Stage
from tests.sandbox.pictures import gif, png, uri

pytestmark = pytest.mark.asyncio(loop_scope="module")

Json = dict[str, Any]
UNKNOWN = 1234567890123456789


async def request(stage: Stage, method: str, path: str = "", **body: Any) -> Any:
    """Send a request that the library would not send."""
    route = discord.http.Route(method, f"/applications/{stage.sandbox.world.bot.id}/emojis{path}")
    return await stage.bot.http.request(route, json=body)


async def refusal(stage: Stage, method: str, path: str = "", **body: Any) -> tuple[int, int, str]:
    """Return the status, code and first field error of a request that is refused."""
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException) as caught:
        await request(stage, method, path, **body)
    return caught.value.status, caught.value.code, found[0].problems[0].code if found else ""


@pytest.fixture(autouse=True)
def _no_emojis_left(stage: Stage) -> None:
    stage.sandbox.world.uploads.emojis.clear()
    stage.sandbox.world.uploads.images.clear()


async def test_emojis_are_added_listed_renamed_served_and_deleted(stage: Stage) -> None:
    emoji = await stage.bot.create_application_emoji(name="feather_7", image=png(4, 4))
    assert not emoji.animated
    assert emoji.user is not None
    assert emoji.user.id == int(stage.sandbox.world.bot.id)
    assert [each.name for each in await stage.bot.fetch_application_emojis()] == ["feather_7"]
    await emoji.edit(name="feather_8")
    assert (await stage.bot.fetch_application_emoji(emoji.id)).name == "feather_8"
    async with aiohttp.ClientSession() as session:
        for ending in ("png", "webp?size=48"):
            async with session.get(f"{stage.sandbox.url}/emojis/{emoji.id}.{ending}") as answer:
                assert (answer.status, answer.content_type, await answer.read()) == (200, "image/png", png(4, 4))
        await emoji.delete()
        assert await stage.bot.fetch_application_emojis() == []
        gone = await session.get(f"{stage.sandbox.url}/emojis/{emoji.id}.png")
        assert gone.status == 404


async def test_an_unknown_emoji_is_10014_and_another_application_20012(stage: Stage) -> None:
    for method, body in (("GET", {}), ("PATCH", {"name": "feather"}), ("DELETE", {})):
        assert await refusal(stage, method, f"/{UNKNOWN}", **body) == (404, 10014, "")
    route = discord.http.Route("GET", f"/applications/{UNKNOWN}/emojis")
    with pytest.raises(discord.Forbidden) as caught:
        await stage.bot.http.request(route)
    assert caught.value.code == 20012


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("f", "LENGTH"),
        ("f" * 33, "LENGTH"),
        ("feather-7", "STRING_TYPE_REGEX"),
        ("féather", "STRING_TYPE_REGEX"),
        ("two words", "STRING_TYPE_REGEX"),
    ],
)
async def test_a_name_has_2_to_32_letters_digits_and_underscores(stage: Stage, name: str, code: str) -> None:
    known = await request(stage, "POST", name="f" * 32, image=uri(png(1, 1)))
    for method, path in (("POST", ""), ("PATCH", f"/{known['id']}")):
        image = {"image": uri(png(1, 1))} if method == "POST" else {}
        status, number, found = await refusal(stage, method, path, name=name, **image)
        assert (status, number) == (400, 50035)
        assert found.endswith(code)


async def test_every_name_can_be_used_once(stage: Stage) -> None:
    taken = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
    first, second = [await request(stage, "POST", name=name, image=uri(png(1, 1))) for name in ("one", "two")]
    assert await refusal(stage, "POST", name="one", image=uri(png(1, 1))) == (400, 50035, taken)
    assert await refusal(stage, "PATCH", f"/{second['id']}", name="one") == (400, 50035, taken)
    assert (await request(stage, "PATCH", f"/{first['id']}", name="one"))["name"] == "one"


@pytest.mark.parametrize(
    ("image", "code", "field"),
    [
        ("feather.png", 50035, "IMAGE_INVALID"),
        ("data:text/plain;base64,AAAA", 50035, "IMAGE_INVALID"),
        ("data:image/png;base64,!!", 50035, "IMAGE_INVALID"),
        (uri(b"<svg/>"), 50046, "IMAGE_INVALID"),
        (uri(b""), 50035, "IMAGE_INVALID"),
        (uri(png(1, 1).ljust(MAX_EMOJI_BYTES + 1)), 50035, "BINARY_TYPE_MAX_SIZE"),
    ],
)
async def test_an_image_is_a_small_picture_in_a_data_uri(stage: Stage, image: str, code: int, field: str) -> None:
    assert await refusal(stage, "POST", name="feather", image=image) == (400, code, field)


@pytest.mark.parametrize(
    ("data", "kind", "animated"),
    [
        (png(1, 1).ljust(MAX_EMOJI_BYTES), "image/png", False),
        (b"\xff\xd8\xff\xe0 a photo", "image/jpeg", False),
        (gif(1), "image/gif", False),
        (gif(2), "image/gif", True),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02" + bytes(9), "image/webp", True),
        (b"RIFF\x00\x00\x00\x00WEBPVP8L" + bytes(9), "image/webp", False),
        (b"\x00\x00\x00\x1cftypavif", "image/avif", False),
    ],
)
async def test_the_bytes_decide_what_an_image_is(stage: Stage, data: bytes, kind: str, animated: bool) -> None:
    made = await request(stage, "POST", name="feather", image=uri(data))
    assert made["animated"] is animated
    assert stage.sandbox.world.uploads.images[made["id"]].content_type == kind


async def test_an_application_has_at_most_2000_emojis(stage: Stage) -> None:
    world = stage.sandbox.world
    last = [emojis.add(world, f"e{number}", uri(png(1, 1))) for number in range(MAX_EMOJIS)][-1]
    assert await refusal(stage, "POST", name="more", image=uri(png(1, 1))) == (400, 30008, "")
    emojis.remove(world, last)
    await request(stage, "POST", name="more", image=uri(png(1, 1)))


async def test_too_many_writes_are_refused_without_a_warning_in_headers() -> None:
    async with Sandbox() as sandbox:
        url = f"{sandbox.api_url}/applications/{sandbox.world.bot.id}/emojis"
        headers = {"Authorization": f"Bot {sandbox.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            answers = [
                await session.post(url, json={"name": f"e{number}", "image": uri(png(1, 1))}) for number in range(31)
            ]
            assert [each.status for each in answers] == [201] * 30 + [429]
            assert not any("X-RateLimit-Remaining" in each.headers for each in answers)
            assert answers[-1].headers["X-RateLimit-Scope"] == "shared"
            assert 0 < (await answers[-1].json())["retry_after"] <= 30
            listed = await session.get(url)
            assert len((await listed.json())["items"]) == 30


async def test_failures_can_be_caused_on_these_routes(stage: Stage) -> None:
    route = "POST /applications/{application_id}/emojis"
    stage.sandbox.faults.on(route, Refuse(30008))
    with pytest.raises(discord.HTTPException) as caught:
        await stage.bot.create_application_emoji(name="feather", image=png(1, 1))
    assert caught.value.code == 30008
    # The library repeats a request whose answer was lost, and finds the name taken by its own emoji.
    stage.sandbox.faults.on(route, Status(500, after=True))
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException):
        await stage.bot.create_application_emoji(name="feather", image=png(1, 1))
    assert found[0].problems[0].code == "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
    assert [each.name for each in await stage.bot.fetch_application_emojis()] == ["feather"]


def buttons(emoji: Any) -> ui.View:
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="Look", emoji=emoji, custom_id="look"))
    return view


def options(emoji: Any) -> ui.View:
    view = ui.View(timeout=None)
    choices = [discord.SelectOption(label="None"), discord.SelectOption(label="Seven", emoji=emoji)]
    view.add_item(ui.Select(options=choices, custom_id="feather"))
    return view


async def test_an_emoji_can_be_used_in_texts_buttons_options_and_reactions(stage: Stage) -> None:
    emoji = await stage.bot.create_application_emoji(name="feather_7", image=png(4, 4))
    message = await stage.channel.send(str(emoji), view=buttons(emoji))
    await message.edit(view=options(emoji))
    await message.add_reaction(emoji)
    (seen,) = stage.ana.read()
    assert seen.content == f"<:feather_7:{emoji.id}>"
    assert seen.components[1]["options"][1]["emoji"] == {"id": str(emoji.id), "name": "feather_7"}
    assert seen.for_viewer(stage.ana.id)["reactions"][0]["emoji"]["id"] == str(emoji.id)
    await stage.ben.react(seen, f"feather_7:{emoji.id}")
    await emoji.delete()
    assert seen.content == f"<:feather_7:{emoji.id}>"


@pytest.mark.parametrize(("make", "where"), [(buttons, ()), (options, ("options", 1))])
@pytest.mark.parametrize(
    ("emoji", "field"),
    [(discord.PartialEmoji(name="gone", id=UNKNOWN), "id"), ("▲", "name"), ("●", "name"), ("feather", "name")],
)
async def test_a_component_with_an_invalid_emoji_is_refused(
    stage: Stage, make: Any, where: tuple[str | int, ...], emoji: Any, field: str
) -> None:
    message = await stage.channel.send("hello")
    for attempt in (stage.channel.send("look", view=make(emoji)), message.edit(view=make(emoji))):
        with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException) as caught:
            await attempt
        assert caught.value.code == 50035
        (problem,) = found[0].problems
        assert problem.code == "COMPONENT_INVALID_EMOJI"
        assert problem.path == ("components", 0, "components", 0, *where, "emoji", field)


async def test_a_reaction_with_an_unknown_emoji_is_refused(stage: Stage) -> None:
    message = await stage.channel.send("hello")
    with pytest.raises(discord.HTTPException) as caught:
        await message.add_reaction(discord.PartialEmoji(name="gone", id=UNKNOWN))
    assert caught.value.code == 10014


async def test_people_cannot_react_with_an_unknown_emoji(stage: Stage) -> None:
    await stage.channel.send("hello")
    (seen,) = stage.ana.read()
    with pytest.raises(ApiError, match="10014"):
        await stage.ana.react(seen, f"gone:{UNKNOWN}")
