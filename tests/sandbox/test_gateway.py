import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
import pytest_asyncio

from sandbox import dispatch, posting
from sandbox.faults import Delay, Duplicate, Lose, Reorder
from sandbox.intents import CONTENT, MEMBERS, PRIVILEGED
from sandbox.model import Guild
from sandbox.people import Person
from sandbox.server import Sandbox
from sandbox.sessions import Session
from sandbox.testing import checked
from tests.sandbox.conftest import settle
from tests.sandbox.toybot import Press, ToyBot, running

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def add_echo(bot: ToyBot) -> list[str]:
    heard: list[str] = []

    async def on_interaction(press: Press) -> None:
        heard.append(str(press.id))
        if not press.response.is_done():
            await press.response.send_message("echo")

    bot.add_listener(on_interaction)
    return heard


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world_and_bot() -> AsyncIterator[tuple[Sandbox, ToyBot]]:
    async with Sandbox(check_answers=True, rate_limits=False) as sandbox:
        sandbox.world.add_guild("Friends")
        sandbox.people.add("Ana")
        async with running(sandbox) as bot:
            yield sandbox, bot


@pytest_asyncio.fixture(loop_scope="module")
async def sandbox(world_and_bot: tuple[Sandbox, ToyBot]) -> AsyncIterator[Sandbox]:
    sandbox, _ = world_and_bot
    sandbox.faults.clear()
    await sandbox.gateway.wait_connected()
    with checked(sandbox):
        yield sandbox


@pytest_asyncio.fixture(loop_scope="module")
async def heard(world_and_bot: tuple[Sandbox, ToyBot]) -> AsyncIterator[list[str]]:
    bot = world_and_bot[1]
    yield await add_echo(bot)
    bot.extra_events.clear()


def presses(sandbox: Sandbox, person: Person, count: int) -> list[str]:
    """Send presses without waiting for answers; return the interactions' ids."""
    assert person.where is not None
    button = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "x"}]}
    message = posting.post(sandbox.world, person.where, sandbox.world.bot, {"content": "m", "components": [button]})
    data = {"custom_id": "x", "component_type": 2, "id": 2}
    begun = [dispatch.begin(sandbox.world, 3, person.user, person.where, data, message=message) for _ in range(count)]
    return [each.id for each in begun]


def carried(session: Session) -> int:
    """Return how many interactions a shard received."""
    return sum('"t":"INTERACTION_CREATE"' in text for _, text in session.events)


async def test_the_stream_is_compressed_and_heartbeats_are_answered() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        sandbox.gateway.heartbeat_seconds = 0.2
        async with running(sandbox) as bot:
            (session,) = sandbox.gateway.connected
            assert session.connection is not None
            assert session.connection.compressed
            shard = bot.get_shard(0)
            assert shard is not None
            await settle(lambda: sandbox.gateway.heartbeats >= 3)
            assert 0 < shard.latency < 1
            # Events that the bot has confirmed need not be kept for a RESUME.
            await settle(lambda: not session.events)


async def test_a_cut_connection_is_resumed_and_nothing_is_lost(sandbox: Sandbox, heard: list[str]) -> None:
    ana = sandbox.people["Ana"]
    resumed, identified = sandbox.gateway.resumed, sandbox.gateway.identified
    sandbox.gateway.cut()
    missed = presses(sandbox, ana, 3)
    await settle(lambda: len(heard) == 3)
    assert heard == missed
    assert sandbox.gateway.resumed == resumed + 1
    assert sandbox.gateway.identified == identified


async def test_op_7_leads_to_a_resume(sandbox: Sandbox, heard: list[str]) -> None:
    resumed = sandbox.gateway.resumed
    sandbox.gateway.ask_reconnect()
    await settle(lambda: sandbox.gateway.resumed == resumed + 1)
    sent = presses(sandbox, sandbox.people["Ana"], 1)
    await settle(lambda: heard == sent)


async def test_two_logins_at_once_need_different_groups() -> None:
    async with Sandbox(rate_limits=False) as sandbox:
        gateway = sandbox.gateway
        gateway.shards, gateway.max_concurrency, gateway.identify_seconds = 4, 2, 60.0
        async with aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as session:
            async with session.get(f"{sandbox.api_url}/gateway/bot") as answer:
                assert (await answer.json())["session_start_limit"]["max_concurrency"] == 2
            answers = []
            for shard in (0, 1, 2):  # 0 and 2 are of one group
                async with session.ws_connect(sandbox.gateway_url) as socket:
                    await socket.receive_json()
                    identify = {"token": sandbox.token, "intents": 0, "shard": [shard, 4], "properties": {}}
                    await socket.send_json({"op": 2, "d": identify})
                    answers.append((await socket.receive_json())["op"])
        assert answers == [0, 0, 9]
        assert gateway.refused_identifies == 1
        assert gateway.identifies_left == 998


async def test_op_9_leads_to_a_new_identify(sandbox: Sandbox, heard: list[str]) -> None:
    resumed, identified = sandbox.gateway.resumed, sandbox.gateway.identified
    sandbox.gateway.invalidate(resumable=False)
    await settle(lambda: sandbox.gateway.identified == identified + 1)
    sent = presses(sandbox, sandbox.people["Ana"], 1)
    await settle(lambda: heard == sent)
    sandbox.gateway.invalidate(resumable=True)
    await settle(lambda: sandbox.gateway.resumed == resumed + 1)
    assert sandbox.gateway.identified == identified + 1


async def test_a_forgotten_session_cannot_be_resumed(sandbox: Sandbox) -> None:
    resumed, identified = sandbox.gateway.resumed, sandbox.gateway.identified
    sandbox.gateway.cut()
    sandbox.gateway.forget_sessions()
    await settle(lambda: sandbox.gateway.identified == identified + 1)
    assert sandbox.gateway.resumed == resumed


@pytest.mark.parametrize("code", [1000, 4000, 4009])
async def test_a_closed_socket_is_reopened(sandbox: Sandbox, code: int) -> None:
    before = sandbox.gateway.resumed + sandbox.gateway.identified
    await sandbox.gateway.close(code)
    await settle(lambda: sandbox.gateway.resumed + sandbox.gateway.identified == before + 1)


@pytest.mark.parametrize("code", [4004, 4013])
async def test_a_fatal_close_ends_the_bot(code: int) -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        sandbox.gateway.refuse_identify = code
        with pytest.raises(discord.ConnectionClosed) as caught:
            async with running(sandbox):
                pass
        assert caught.value.code == code


async def test_privileged_intents_must_be_allowed() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        sandbox.gateway.allowed_intents &= ~PRIVILEGED
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(sandbox, intents=discord.Intents(message_content=True, guilds=True)):
                pass
        sandbox.gateway.allowed_intents |= MEMBERS | CONTENT
        ana = sandbox.people.add("Ana")
        intents = discord.Intents(message_content=True, guilds=True, guild_messages=True, members=True)
        async with running(sandbox, intents=intents, max_messages=10) as bot:
            await ana.say("hello")
            await settle(lambda: bot.cached_messages)
            assert bot.cached_messages[0].content == "hello"
            assert bot.guilds[0].get_member(int(ana.id)) is not None


async def test_a_zombie_connection_is_noticed_by_the_bot() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        sandbox.gateway.heartbeat_seconds = 0.1
        async with running(sandbox, heartbeat_timeout=0.4):
            sandbox.gateway.acknowledges_heartbeats = False
            await settle(lambda: sandbox.gateway.connections_seen >= 2)


async def test_several_shards_share_the_servers_and_dms_go_to_the_first() -> None:
    async with Sandbox(shards=2, rate_limits=False) as sandbox:
        world = sandbox.world
        guilds: dict[int, Guild] = {}
        while len(guilds) < 2:
            guild = world.add_guild("G")
            guilds.setdefault((int(guild.id) >> 22) % 2, guild)
            await asyncio.sleep(0.001)
        ana = sandbox.people.add("Ana", guilds[1])
        async with running(sandbox, shards=2) as bot:
            assert bot.shard_count == 2
            shards = [session.shard for session in sandbox.gateway.connected]
            assert shards == [0, 1]
            assert {guild.id: guild.shard_id for guild in bot.guilds}[int(guilds[1].id)] == 1
            heard = await add_echo(bot)
            ana.where = next(iter(guilds[1].channels.values()))
            presses(sandbox, ana, 1)
            await settle(lambda: len(heard) == 1)
            assert [carried(session) for session in sandbox.gateway.connected] == [0, 1]
            ana.where = ana.open_dm()
            presses(sandbox, ana, 1)
            await settle(lambda: len(heard) == 2)
            assert [carried(session) for session in sandbox.gateway.connected] == [1, 1]
            sandbox.gateway.ask_reconnect(shard=1)
            await settle(lambda: sandbox.gateway.resumed == 1)


async def test_a_low_identify_budget_is_reported() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        async with running(sandbox) as bot:
            data = await bot.http.get_bot_gateway()
            assert data[0] == 1
            route = discord.http.Route("GET", "/gateway/bot")
            assert (await bot.http.request(route))["session_start_limit"]["remaining"] == 999


async def test_events_can_be_lost_duplicated_delayed_and_reordered(sandbox: Sandbox, heard: list[str]) -> None:
    ana = sandbox.people["Ana"]
    sandbox.faults.on_event("INTERACTION_CREATE", Lose(), skip=1)
    first, lost, third = presses(sandbox, ana, 3)
    await settle(lambda: len(heard) == 2)
    assert heard == [first, third]
    assert lost not in heard
    heard.clear()
    sandbox.faults.on_event("INTERACTION_*", Duplicate(3), person=ana)
    (twice,) = presses(sandbox, ana, 1)
    await settle(lambda: len(heard) == 3)
    assert heard == [twice] * 3
    heard.clear()
    sandbox.faults.on_event("INTERACTION_CREATE", Delay(0.1))
    late, early = presses(sandbox, ana, 2)
    await settle(lambda: len(heard) == 2)
    assert heard == [early, late]
    heard.clear()
    sandbox.faults.on_event("INTERACTION_CREATE", Reorder())
    one, two, three = presses(sandbox, ana, 3)
    await settle(lambda: len(heard) == 3)
    assert heard == [two, one, three]


async def test_a_lost_press_fails_for_the_person_after_three_seconds(sandbox: Sandbox, heard: list[str]) -> None:
    ana = sandbox.people["Ana"]
    presses(sandbox, ana, 1)
    message = ana.read()[-1]
    sandbox.faults.on_event("INTERACTION_CREATE", Lose())
    began = time.monotonic()
    shown = await ana.click(message, "x")
    assert shown.failed == "This interaction failed"
    assert time.monotonic() - began > 2.9


@pytest.mark.parametrize(
    ("payloads", "code"),
    [
        (["nonsense"], 4002),
        (['{"op": 8, "d": {}}'], 4003),
        (['{"op": 2, "d": {"token": "wrong", "intents": 0}}'], 4004),
        (['{"op": 2, "d": {"token": "TOKEN", "intents": 0, "shard": [2, 2]}}'], 4010),
        (['{"op": 2, "d": {"token": "TOKEN", "intents": 0}}'] * 2, 4005),
        (['{"op": 2, "d": {"token": "TOKEN", "intents": 0}}', '{"op": 99}'], 4001),
        (['{"op": 1, "d": null}'] * 121, 4008),
    ],
)
async def test_invalid_payloads_close_the_socket(payloads: list[str], code: int) -> None:
    async with Sandbox() as sandbox, aiohttp.ClientSession() as session:
        socket = await session.ws_connect(f"{sandbox.gateway_url}/?v=10&encoding=json")
        for payload in payloads:
            await socket.send_str(payload.replace("TOKEN", sandbox.token))
        while not socket.closed:
            await socket.receive(timeout=5)
        assert socket.close_code == code
