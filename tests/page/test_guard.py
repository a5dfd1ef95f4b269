import aiohttp
import pytest

from sandbox import posting, scenes
from sandbox.files import Upload
from sandbox.page import Page
from sandbox.server import Sandbox
from tests.page.stage import stage


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.0.7", "", "[::ffff"]
)
@pytest.mark.parametrize("path", ["", "page/ws", "static/js/app.js", "nowhere"])
async def test_requests_for_another_host_are_refused_on_every_path(host: str, path: str) -> None:
    async with (
        stage() as here,
        aiohttp.ClientSession() as session,
        session.get(here.url + path, headers={"Host": host}) as answer,
    ):
        assert answer.status in (400, 403)


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "localhost"])
async def test_every_loopback_name_is_accepted(host: str) -> None:
    async with stage() as here, aiohttp.ClientSession() as session:
        port = here.url.rstrip("/").rpartition(":")[2]
        async with session.get(here.url, headers={"Host": host.format(port=port)}) as answer:
            assert answer.status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "http://localhost"]
)
async def test_a_socket_from_another_origin_is_refused(origin: str) -> None:
    async with stage() as here, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{here.url}page/ws", origin=origin)
        assert refused.value.status == 403


async def test_the_page_itself_may_connect() -> None:
    async with (
        stage() as here,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{here.url}page/ws", origin=here.url.rstrip("/")) as socket,
    ):
        assert (await socket.receive_json())["op"] == "hello"


@pytest.mark.parametrize(
    ("site", "mode", "path", "status"),
    [
        ("cross-site", "no-cors", "static/js/app.js", 403),
        ("same-site", "cors", "", 403),
        ("cross-site", "navigate", "", 200),
        ("same-origin", "cors", "static/js/app.js", 200),
    ],
)
async def test_fetch_metadata_restricts_other_sites(site: str, mode: str, path: str, status: int) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    async with (
        stage() as here,
        aiohttp.ClientSession() as session,
        session.get(here.url + path, headers=headers) as answer,
    ):
        assert answer.status == status


async def test_the_policy_allows_no_inline_code_and_no_other_hosts() -> None:
    async with stage() as here, aiohttp.ClientSession() as session, session.get(here.url) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        text = await answer.text()
        assert "<script>" not in text
        assert "style=" not in text


@pytest.mark.parametrize("path", ["static/../page.py", "static/%2e%2e/page.py", "static/js/..%2f..%2f..%2fpage.py"])
async def test_only_the_pages_own_files_are_served(path: str) -> None:
    async with stage() as here, aiohttp.ClientSession() as session, session.get(here.url + path) as answer:
        assert answer.status in (403, 404)


async def test_an_uploaded_page_cannot_run() -> None:
    sandbox = Sandbox()
    Page.of(sandbox).attach(sandbox.app)
    games = scenes.furnish(sandbox.world, sandbox.people)
    async with sandbox, aiohttp.ClientSession() as session:
        files = [Upload(0, "a.html", "text/html", b"<script>"), Upload(1, "b.svg", "image/svg+xml", b"<svg/>")]
        message = posting.post(sandbox.world, games, sandbox.world.bot, {"content": "look"}, files)
        for attachment in message.json["attachments"]:
            async with session.get(attachment["url"]) as answer:
                assert answer.status == 200
                assert "sandbox" in answer.headers["Content-Security-Policy"]
                assert answer.headers["Content-Disposition"] == "attachment"
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
