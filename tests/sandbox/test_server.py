import socket

import aiohttp
import pytest

from sandbox import posting
from sandbox.files import Upload
from sandbox.server import Sandbox


async def test_the_sandbox_listens_on_loopback_only() -> None:
    async with Sandbox() as sandbox:
        assert sandbox.url == f"http://127.0.0.1:{sandbox.port}"
        addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in addresses - {"127.0.0.1"}:
            with pytest.raises(OSError, match=r"refused|unreachable"):
                socket.create_connection((str(address), sandbox.port), timeout=1)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Host": "evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
    ],
)
async def test_other_origins_and_hosts_are_refused(headers: dict[str, str]) -> None:
    async with Sandbox() as sandbox, aiohttp.ClientSession() as session:
        for path in ("/api/v10/gateway", "/gateway", "/attachments/1/2/3"):
            answer = await session.get(f"{sandbox.url}{path}", headers=headers)
            assert answer.status == 403
        own = await session.get(f"{sandbox.url}/api/v10/gateway", headers={"Origin": sandbox.url})
        assert own.status == 200


async def test_uploaded_pages_do_not_run() -> None:
    async with Sandbox() as sandbox, aiohttp.ClientSession() as session:
        guild = sandbox.world.add_guild("Friends")
        channel = next(iter(guild.channels.values()))
        page = Upload(0, "evil.html", "text/html", b"<script>alert(1)</script>")
        message = posting.post(sandbox.world, channel, sandbox.world.bot, {}, [page])
        answer = await session.get(message.json["attachments"][0]["url"])
        assert answer.headers["Content-Disposition"] == "attachment"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        missing = await session.get(f"{sandbox.url}/attachments/1/2/3")
        assert missing.status == 404


async def test_answers_are_exactly_application_json() -> None:
    async with Sandbox() as sandbox, aiohttp.ClientSession() as session:
        for token, status in ((sandbox.token, 200), ("wrong", 401)):
            answer = await session.get(f"{sandbox.api_url}/users/@me", headers={"Authorization": f"Bot {token}"})
            assert answer.status == status
            assert answer.headers["Content-Type"] == "application/json"


async def test_the_requests_of_the_bot_can_be_inspected() -> None:
    async with (
        Sandbox() as sandbox,
        aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as session,
    ):
        await session.get(f"{sandbox.api_url}/users/@me")
        await session.post(f"{sandbox.api_url}/users/@me/channels", json={"recipient_id": "1"})
        first, second = sandbox.requests
        assert (first.method, first.route, first.status) == ("GET", "GET /users/@me", 200)
        assert (second.body, second.status, second.answer["code"]) == ({"recipient_id": "1"}, 404, 10013)
        assert second.seconds > 0


async def test_a_taken_port_is_reported() -> None:
    async with Sandbox() as sandbox:
        with pytest.raises(OSError, match="in use"):
            await Sandbox(port=sandbox.port).start()
