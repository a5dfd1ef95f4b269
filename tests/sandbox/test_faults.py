import asyncio
import time

import aiohttp
import discord
import pytest

from sandbox.faults import Drop, RateLimited, Refuse, Reset, RestFault, Slow, Status
from tests.sandbox.conftest import Stage, settle
from tests.sandbox.toybot import Buttons, Press

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEND = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"


def contents(stage: Stage) -> list[str]:
    return [each.content for each in stage.ana.read()]


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the library's own pauses between retries."""
    sleep = asyncio.sleep

    async def short(seconds: float, result: object = None) -> None:
        await sleep(min(seconds, 0.01))

    monkeypatch.setattr("discord.http.asyncio.sleep", short)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("status", [500, 502, 504])
async def test_a_server_error_is_retried_and_shows_one_message(stage: Stage, status: int) -> None:
    armed = stage.sandbox.faults.on(SEND, Status(status), times=2)
    await stage.channel.send("hello")
    assert armed.struck == 2
    assert contents(stage) == ["hello"]


@pytest.mark.usefixtures("_impatient")
async def test_after_an_error_that_took_effect_the_nonce_prevents_a_second_message(stage: Stage) -> None:
    stage.sandbox.faults.on(SEND, Status(500, after=True))
    await stage.channel.send("hello")
    assert contents(stage) == ["hello"]
    assert [each.status for each in list(stage.sandbox.requests)[-2:]] == [500, 200]


async def test_503_is_not_retried(stage: Stage) -> None:
    stage.sandbox.faults.on(SEND, Status(503))
    with pytest.raises(discord.DiscordServerError):
        await stage.channel.send("hello")
    assert contents(stage) == []


@pytest.mark.parametrize("fault", [Reset(), Drop()])
async def test_a_connection_lost_before_the_request_takes_effect(stage: Stage, fault: RestFault) -> None:
    stage.sandbox.faults.on(SEND, fault)
    with pytest.raises((aiohttp.ClientError, ConnectionError)):
        await stage.channel.send("hello")
    assert contents(stage) == []
    await stage.channel.send("hello again")
    assert contents(stage) == ["hello again"]


@pytest.mark.parametrize("fault", [Reset(after=True), Drop(after=True)])
async def test_a_connection_lost_after_the_request_took_effect(stage: Stage, fault: RestFault) -> None:
    stage.sandbox.faults.on(SEND, fault)
    with pytest.raises((aiohttp.ClientError, ConnectionError)):
        await stage.channel.send("hello", nonce=type(fault).__name__)
    assert contents(stage) == ["hello"]
    await stage.channel.send("hello", nonce=type(fault).__name__)
    assert contents(stage) == ["hello"]


async def test_a_reset_and_a_drop_look_different_to_the_client(stage: Stage) -> None:
    raised = []
    for fault in (Reset(), Drop()):
        stage.sandbox.faults.on(SEND, fault)
        async with aiohttp.ClientSession() as session:
            try:
                await session.post(f"{stage.sandbox.api_url}/channels/{stage.room.id}/messages", json={})
            except aiohttp.ClientError as error:
                raised.append(type(error))
    assert raised == [aiohttp.ClientOSError, aiohttp.ServerDisconnectedError]


async def test_a_slow_request_is_late_before_or_after_its_effect(stage: Stage) -> None:
    armed = stage.sandbox.faults.on(SEND, Slow(5.0))
    sending = asyncio.create_task(stage.channel.send("late"))
    await settle(lambda: armed.struck)
    assert contents(stage) == []
    await stage.clock.advance(5)
    await sending
    assert contents(stage) == ["late"]
    stage.sandbox.faults.on(SEND, Slow(5.0, after=True))
    sending = asyncio.create_task(stage.channel.send("prompt"))
    await settle(lambda: contents(stage) == ["late", "prompt"])
    assert not sending.done()
    await stage.clock.advance(5)
    await sending


@pytest.mark.parametrize("code", [50007, 50278, 40003, 50001, 50013, 10008, 10003, 50083])
async def test_error_codes_reach_the_library(stage: Stage, code: int) -> None:
    stage.sandbox.faults.on(SEND, Refuse(code))
    with pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("hello")
    assert caught.value.code == code
    assert contents(stage) == []


async def test_30046_is_a_429_that_retries_do_not_cure(stage: Stage) -> None:
    message = await stage.channel.send("hello")
    armed = stage.sandbox.faults.on(EDIT, Refuse(30046), times=5)
    with pytest.raises(discord.HTTPException) as caught:
        await message.edit(content="new")
    assert (caught.value.status, caught.value.code) == (429, 30046)
    assert armed.struck == 5
    await message.edit(content="new")


async def test_a_401_is_raised_on_any_route(stage: Stage) -> None:
    stage.sandbox.faults.on("*", Refuse(0))
    with pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("hello")
    assert caught.value.status == 401


@pytest.mark.parametrize("scope", ["user", "shared"])
async def test_the_library_waits_after_a_429_of_a_route(stage: Stage, scope: str) -> None:
    stage.sandbox.faults.on(SEND, RateLimited(0.2, scope=scope))
    began = time.monotonic()
    await stage.channel.send("hello")
    assert time.monotonic() - began > 0.2
    assert contents(stage) == ["hello"]


async def test_a_global_429_holds_every_route(stage: Stage) -> None:
    stage.sandbox.faults.on(SEND, RateLimited(0.3, scope="global"))
    began = time.monotonic()
    sending = asyncio.create_task(stage.channel.send("hello"))
    await settle(lambda: not stage.bot.http._global_over.is_set())
    await stage.bot.fetch_user(int(stage.ana.id))
    assert time.monotonic() - began > 0.3
    await sending


async def test_a_429_from_the_edge_is_raised_at_once(stage: Stage) -> None:
    stage.sandbox.faults.on(SEND, RateLimited(scope="edge"))
    with pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("hello")
    assert caught.value.status == 429
    assert "Via" not in caught.value.response.headers


async def test_a_fault_can_be_limited_to_one_person(stage: Stage) -> None:
    armed = stage.sandbox.faults.on(SEND, Refuse(50007), times=None, person=stage.ben)
    ana, ben = [await stage.bot.fetch_user(int(each.id)) for each in (stage.ana, stage.ben)]
    await ana.send("hello")
    with pytest.raises(discord.Forbidden):
        await ben.send("hello")
    assert armed.struck == 1
    opening = stage.sandbox.faults.on("POST /users/@me/channels", Refuse(40003), person=stage.cleo)
    cleo = await stage.bot.fetch_user(int(stage.cleo.id))
    with pytest.raises(discord.Forbidden) as caught:
        await cleo.send("hello")
    assert caught.value.code == 40003
    assert opening.struck == 1


@pytest.mark.usefixtures("_impatient")
async def test_retrying_a_callback_that_took_effect_gives_40060(stage: Stage) -> None:
    codes: list[int] = []

    async def go(press: Press) -> None:
        try:
            await press.response.send_message("hi")
        except discord.HTTPException as error:
            codes.append(error.code)

    await stage.channel.send("press", view=Buttons(Go=go))
    stage.sandbox.faults.on(CALLBACK, Status(500, after=True), person=stage.ana)
    shown = await stage.ana.click(stage.ana.read()[-1], "Go")
    assert shown.text == "hi"
    await settle(lambda: codes)
    assert codes == [40060]


async def test_skip_lets_some_requests_pass_first(stage: Stage) -> None:
    stage.sandbox.faults.on(SEND, Refuse(50013), skip=1)
    await stage.channel.send("one")
    with pytest.raises(discord.Forbidden):
        await stage.channel.send("two")
    await stage.channel.send("three")
    assert contents(stage) == ["one", "three"]
