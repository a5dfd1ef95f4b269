import asyncio
import os
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from sandbox.launch import DEFAULT_PORT, Settings, running
from sandbox.scenes import FRIENDS, offers
from tests.page.stage import ROOT, gallery


def test_settings_are_read_from_the_environment() -> None:
    assert Settings.read({}) == Settings(DEFAULT_PORT, "lobby", keep=False)
    read = Settings.read({"SANDBOX_PORT": "0", "SCENE": "table", "KEEP": "1", "SANDBOX_DATA": "x"})
    assert read == Settings(0, "table", keep=True, folder=Path("x"))
    assert not Settings.read({"KEEP": "0"}).keep


@pytest.mark.parametrize(
    "env", [{"SANDBOX_PORT": "many"}, {"SANDBOX_PORT": "70000"}, {"SANDBOX_PORT": "-1"}, {"SCENE": "x"}]
)
def test_a_wrong_setting_says_what_to_write(env: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="write"):
        Settings.read(env)


async def test_a_taken_port_gives_the_next_free_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with running(Settings(port, "empty")) as sandbox:
            assert port < sandbox.port <= port + 50


async def test_people_and_channels_of_the_scenes() -> None:
    async with running(Settings(0, "empty")) as sandbox:
        assert [each.user.display_name for each in sandbox.people] == ["You"]
    async with running(Settings(0, "lobby")) as sandbox:
        assert [each.user.display_name for each in sandbox.people] == ["You", "Ana", "Ben", "Chloé"]
        names = [each.name for each in sandbox.world.visible_channels(sandbox.people["Ana"].id)]
        assert names == ["general", "games"]


async def test_a_scene_is_content_with_a_bot_that_lacks_the_game() -> None:
    async with gallery(*FRIENDS) as sandbox:
        you = sandbox.people["You"]
        assert you.where is not None
        assert await offers(sandbox, you, "show text", you.where)
        assert not await offers(sandbox, you, "show nothing", you.where)
        assert not await offers(sandbox, you, "coyote new", you.where)


async def test_a_kept_sandbox_goes_on_and_a_fresh_one_does_not(tmp_path: Path) -> None:
    kept = Settings(0, "empty", keep=True, folder=tmp_path)
    async with running(kept) as sandbox:
        await sandbox.people["You"].say("remember me")
    async with running(kept) as sandbox:
        assert [each.content for each in sandbox.people["You"].read()] == ["remember me"]
        sandbox.people.add("Ana")
    async with running(kept) as sandbox:
        assert [each.user.display_name for each in sandbox.people] == ["You", "Ana"]
    async with running(Settings(0, "empty", folder=tmp_path)) as sandbox:
        assert sandbox.people["You"].read() == []


async def test_the_command_prints_where_it_is_and_ends_when_told() -> None:
    env = os.environ | {"SANDBOX_PORT": "0", "SCENE": "empty"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sandbox", cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
    assert line.startswith("Sandbox: http://127.0.0.1:")
    async with aiohttp.ClientSession() as session, session.get(line.split()[1]) as answer:
        assert answer.status == 200
        assert "Coyote sandbox" in await answer.text()
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 5) == 0
    assert b"Route.BASE" in await process.stdout.read()
