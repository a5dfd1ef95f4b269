import time
from collections.abc import AsyncIterator

import aiohttp
import pytest_asyncio

from sandbox.clock import ManualClock
from sandbox.model import Channel
from sandbox.ratelimits import RateLimits, Rule
from sandbox.server import Sandbox
from tests.sandbox.toybot import running

SEND = "POST /channels/{channel_id}/messages"


@pytest_asyncio.fixture
async def quick() -> AsyncIterator[tuple[Sandbox, Channel]]:
    """Run a sandbox whose bucket for sending resets ten times as fast as Discord's, to keep waits short."""
    async with Sandbox() as sandbox:
        guild = sandbox.world.add_guild("Friends")
        sandbox.rate_limits.rules[SEND] = Rule(5, 0.5)
        yield sandbox, next(iter(guild.channels.values()))


async def test_the_library_waits_for_a_bucket_by_its_headers(quick: tuple[Sandbox, Channel]) -> None:
    sandbox, channel = quick
    async with running(sandbox) as bot:
        place = bot.get_partial_messageable(int(channel.id))
        began = time.monotonic()
        for number in range(8):
            await place.send(str(number))
        assert time.monotonic() - began > 0.5
    assert sandbox.rate_limits.refused == 0
    assert len(channel.messages) == 8


async def test_a_bot_that_does_not_wait_gets_429_with_the_time_to_wait(quick: tuple[Sandbox, Channel]) -> None:
    sandbox, channel = quick
    sandbox.rate_limits.rules[SEND] = Rule(5, 60.0)
    url = f"{sandbox.api_url}/channels/{channel.id}/messages"
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        answers = [await session.post(url, json={"content": str(number)}) for number in range(6)]
        assert [each.status for each in answers] == [200] * 5 + [429]
        assert [each.headers["X-RateLimit-Remaining"] for each in answers] == ["4", "3", "2", "1", "0", "0"]
        refused = answers[-1]
        assert refused.headers["Via"]
        assert refused.headers["X-RateLimit-Scope"] == "user"
        assert refused.headers["Content-Type"] == "application/json"
        body = await refused.json()
        assert body["global"] is False
        assert 0 < body["retry_after"] <= 60
        other = next(iter(sandbox.world.guilds.values()))
        free = sandbox.world.add_channel(other, "free")
        elsewhere = await session.post(f"{sandbox.api_url}/channels/{free.id}/messages", json={"content": "x"})
        assert elsewhere.status == 200


def test_buckets_refill_and_the_global_limit_counts_all_routes() -> None:
    clock = ManualClock()
    limits = RateLimits(clock)
    verdicts = [limits.take("GET /x", {"channel_id": str(each)}, counts_globally=True) for each in range(51)]
    assert [each.retry_after is None for each in verdicts] == [True] * 50 + [False]
    assert verdicts[-1].scope == "global"
    # Interaction responses do not count towards the global limit.
    assert limits.take("POST /webhooks/{webhook_id}/{webhook_token}", {}, counts_globally=False).retry_after is None
    clock._now += 1.0
    assert limits.take("GET /x", {}, counts_globally=True).retry_after is None


async def test_the_global_limit_holds_the_bot_but_not_its_answers() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        sandbox.rate_limits.global_rule = Rule(50, 60.0)
        headers = {"Authorization": f"Bot {sandbox.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            urls = [f"{sandbox.api_url}/users/@me", f"{sandbox.api_url}/gateway/bot"] * 30
            answers = [await session.get(url) for url in urls]
            refused = [each for each in answers if each.status == 429]
            assert len(refused) == 10
            assert refused[0].headers["X-RateLimit-Global"] == "true"
            assert (await refused[0].json())["global"] is True
