import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from sandbox import emojis, launch, posting
from sandbox.errors import WrongSetting
from sandbox.files import Upload
from sandbox.launch import Settings, running, where_lines
from sandbox.scenes import FRIENDS, offers
from sandbox.server import Sandbox
from tests.page.stage import ROOT, gallery, without_token
from tests.sandbox.pictures import png, uri


def test_settings_are_read_from_the_environment() -> None:
    assert Settings.read({}) == Settings(None, "lobby", keep=False)
    read = Settings.read({"SANDBOX_PORT": "0", "SCENE": "table", "KEEP": "1", "SANDBOX_DATA": "x"})
    assert read == Settings(0, "table", keep=True, folder=Path("x"))
    assert not Settings.read({"KEEP": "0"}).keep


@pytest.mark.parametrize(
    ("name", "value"),
    [("SANDBOX_PORT", "many"), ("SANDBOX_PORT", "70000"), ("SANDBOX_PORT", "-1"), ("SCENE", "x"), ("KEEP", "no")],
)
def test_a_wrong_setting_says_what_to_write(name: str, value: str) -> None:
    with pytest.raises(WrongSetting, match=f"^{name} is '{value}'; write "):
        Settings.read({name: value})


@pytest.mark.parametrize("module", ["bot", "sandbox"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"SANDBOX_PORT": "many"},
        {"SANDBOX_DATA": "README.md", "KEEP": "1"},
        {"DISCORD_OPENAPI": "README.md"},
        {"DISCORD_OPENAPI": "missing.json"},
    ],
)
async def test_a_wrong_setting_prints_one_line_and_exits_with_2(module: str, wrong: dict[str, str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module), cwd=ROOT, env=without_token() | wrong, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert errors.decode().startswith(f"{next(iter(wrong))} is ")
    assert errors.count(b"\n") == 1


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


async def test_a_taken_port_that_was_asked_for_is_refused_with_a_way_on(taken: int) -> None:
    with pytest.raises(WrongSetting, match=f"SANDBOX_PORT is {taken}, which another program is using; choose another"):
        async with running(Settings(taken, "empty")):
            pass


async def test_if_the_usual_port_is_taken_the_next_free_one_is_used_and_named(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "DEFAULT_PORT", taken)
    settings = Settings(scene="empty")
    async with running(settings) as sandbox:
        assert taken < sandbox.port <= taken + 50
        why, where = where_lines(settings, sandbox).splitlines()
        assert f"Port {taken} is taken, so this sandbox uses {sandbox.port}." in why
        assert where == f"Sandbox: {sandbox.url}/"
    async with running(Settings(0, "empty")) as sandbox:
        assert where_lines(Settings(0, "empty"), sandbox) == f"Sandbox: {sandbox.url}/"


async def test_the_player_is_told_that_no_port_is_free(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "DEFAULT_PORT", taken)
    monkeypatch.setattr(launch, "MAX_PORT_TRIES", 1)
    with pytest.raises(WrongSetting, match=f"SANDBOX_PORT is not set, and all ports from {taken} to {taken} are taken"):
        async with running(Settings(scene="empty")):
            pass


async def test_each_scene_has_its_people_and_channels() -> None:
    async with running(Settings(0, "empty")) as sandbox:
        assert [each.user.display_name for each in sandbox.people] == ["Sam"]
    async with running(Settings(0, "lobby")) as sandbox:
        assert [each.user.display_name for each in sandbox.people] == ["Sam", "Ana", "Ben", "Chloé"]
        names = [each.name for each in sandbox.world.visible_channels(sandbox.people["Ana"].id)]
        assert names == ["general", "games"]


async def test_a_scene_works_with_a_bot_that_lacks_the_game() -> None:
    async with gallery(*FRIENDS) as sandbox:
        you = sandbox.people["Sam"]
        assert you.where is not None
        assert await offers(sandbox, you, "show text", you.where)
        assert not await offers(sandbox, you, "show nothing", you.where)
        assert not await offers(sandbox, you, "coyote new", you.where)


async def test_only_a_kept_sandbox_survives_a_restart(tmp_path: Path) -> None:
    kept = Settings(0, "empty", keep=True, folder=tmp_path)
    async with running(kept) as sandbox:
        await sandbox.people["Sam"].say("remember me")
    async with running(kept) as sandbox:
        assert [each.content for each in sandbox.people["Sam"].read()] == ["remember me"]
        sandbox.people.add("Ana")
    async with running(kept) as sandbox:
        assert [each.user.display_name for each in sandbox.people] == ["Sam", "Ana"]
    async with running(Settings(0, "empty", folder=tmp_path)) as sandbox:
        assert sandbox.people["Sam"].read() == []


async def test_two_sandboxes_cannot_be_kept_in_one_folder(tmp_path: Path) -> None:
    kept = Settings(0, "empty", keep=True, folder=tmp_path)
    async with running(kept):
        with pytest.raises(WrongSetting, match="which another sandbox is using"):
            async with running(kept):
                pass
        async with running(Settings(0, "empty", folder=tmp_path)):
            pass


@pytest.mark.parametrize("text", ["", "[]", '{"version": 0, "url": ""}', '{"version": 3, "url": "", "last_id": "1"}'])
async def test_an_unreadable_saved_world_is_reported_and_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "world.json").write_text(text)
    with pytest.raises(WrongSetting, match="that cannot be read"):
        async with running(Settings(0, "empty", keep=True, folder=tmp_path)):
            pass
    assert (tmp_path / "world.json").read_text() == text


async def test_kept_files_are_served_from_a_new_port(tmp_path: Path) -> None:
    kept = Settings(0, "empty", keep=True, folder=tmp_path)
    async with running(kept) as sandbox:
        world, where = sandbox.world, sandbox.people["Sam"].where
        assert where is not None
        posting.post(world, where, world.bot, {"content": "look"}, [Upload(0, "a.txt", "text/plain", b"feather")])
        picture = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "A feather"}]}
        body = {"flags": 1 << 15, "components": [picture]}
        posting.post(world, where, world.bot, body, [Upload(0, "a.png", "image/png", png(1, 1))])
        emoji = emojis.add(world, "feather", uri(png(2, 2)))
    async with running(kept) as sandbox, aiohttp.ClientSession() as session:
        listed, drawn = sandbox.people["Sam"].read()
        shown = listed.json["attachments"][0], drawn.components[0]["items"][0]["media"]
        for media, data in zip(shown, (b"feather", png(1, 1)), strict=True):
            assert media["url"].startswith(sandbox.url)
            async with session.get(media["url"]) as answer:
                assert await answer.read() == data
        async with session.get(f"{sandbox.url}/emojis/{emoji['id']}.png") as answer:
            assert await answer.read() == png(2, 2)
        assert sandbox.world.uploads.emojis == {emoji["id"]: emoji}


async def test_the_bot_ends_when_its_parent_process_is_gone() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        env = without_token() | {
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_URL": sandbox.api_url,
            "DISCORD_GATEWAY_URL": sandbox.gateway_url,
        }
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "--until-input-ends"), cwd=ROOT, env=env, stdin=asyncio.subprocess.PIPE
        )
        await sandbox.gateway.wait_connected()
        assert bot.stdin is not None
        bot.stdin.close()
        assert await asyncio.wait_for(bot.wait(), 60) == 0


def child_of(parent: int) -> int | None:
    """Return the id of a process's child, if it has one."""
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return int(text) if text else None


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find child processes")
async def test_a_bot_that_dies_is_reported_and_ends_the_sandbox() -> None:
    play = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        cwd=ROOT,
        env=without_token() | {"SANDBOX_PORT": "0", "SCENE": "empty"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        while not (bot := child_of(play.pid)):  # noqa: ASYNC110 (there is no event for it)
            await asyncio.sleep(0.05)
    os.kill(bot, signal.SIGKILL)
    _, errors = await asyncio.wait_for(play.communicate(), 60)
    assert errors.decode() == "The bot has stopped (SIGKILL), and the sandbox with it.\n"
    assert play.returncode == 128 + signal.SIGKILL


async def test_the_command_prints_its_url_and_ends_on_sigterm() -> None:
    env = without_token() | {"SANDBOX_PORT": "0", "SCENE": "empty"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sandbox", cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    assert line.startswith("Sandbox: http://127.0.0.1:")
    async with aiohttp.ClientSession() as session, session.get(line.split()[1]) as answer:
        assert answer.status == 200
        assert "Coyote sandbox" in await answer.text()
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 5) == 0
    assert b"Route.BASE" in await process.stdout.read()
