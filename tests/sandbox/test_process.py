import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import yarl
from discord import ui

from sandbox import posting
from sandbox.server import Sandbox
from sandbox.testing import checked

ROOT = Path(__file__).resolve().parents[2]
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "process:go"}]}


@asynccontextmanager
async def bot_process(sandbox: Sandbox) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, sandbox.api_url, sandbox.gateway_url, sandbox.token, cwd=ROOT
    )
    try:
        await sandbox.gateway.wait_connected(seconds=20)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_bot_process_can_be_killed_and_started_again() -> None:
    async with Sandbox(check_answers=True) as sandbox:
        sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana")
        assert ana.where is not None
        body = {"content": "Press", "components": [BUTTON]}
        message = posting.post(sandbox.world, ana.where, sandbox.world.bot, body)
        with checked(sandbox):
            async with bot_process(sandbox) as process:
                assert (await ana.click(message, "Go")).text == "hello Ana"
                process.send_signal(signal.SIGKILL)
                await process.wait()
                assert (await ana.click(message, "Go")).failed == "This interaction failed"
            async with bot_process(sandbox):
                assert (await ana.click(message, "Go")).text == "hello Ana"
                # The dead process's session is gone, because the new process identified instead of resuming.
                assert len(sandbox.gateway.sessions) == 1


class Go(ui.View):
    @ui.button(label="Go", custom_id="process:go")
    async def go(self, press: discord.Interaction, _: ui.Button["Go"]) -> None:
        await press.response.send_message(f"hello {press.user.display_name}", ephemeral=True)


class Bot(discord.AutoShardedClient):
    async def setup_hook(self) -> None:
        self.add_view(Go(timeout=None))


if __name__ == "__main__":
    api, gateway, token = sys.argv[1:]
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    Bot(intents=discord.Intents(guilds=True), guild_ready_timeout=0).run(token, log_handler=None)
