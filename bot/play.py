"""Without a token: the bot in its own process, on a sandbox of its own, in a browser."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import webbrowser
from pathlib import Path
from typing import Final

from bot.settings import WrongSettings
from sandbox.launch import Settings as SandboxSettings
from sandbox.launch import running

PATIENCE: Final = 10.0
"""Seconds that the bot has to stop by itself."""


async def play(*, browse: bool) -> int:
    """Run the sandbox, its page and the bot until SIGINT, SIGTERM or the bot's end; return the exit code."""
    try:
        settings = SandboxSettings.read()
    except ValueError as wrong:
        raise WrongSettings([str(wrong)]) from None
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with running(settings) as sandbox:
        print(f"Sandbox: {sandbox.url}/", flush=True)
        if browse:
            webbrowser.open(f"{sandbox.url}/")
        environment = {
            **os.environ,
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_URL": sandbox.api_url,
            "DISCORD_GATEWAY_URL": sandbox.gateway_url,
            "DATABASE_PATH": str(_database(settings)),
        }
        bot = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", env=environment, start_new_session=True)
        return await _until_either_ends(bot, stopped)


def _database(settings: SandboxSettings) -> Path:
    """Return the sandbox's own database: people, messages and games start fresh together, or are kept together."""
    path = settings.folder / "coyote.sqlite3"
    if not settings.keep:
        for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            file.unlink(missing_ok=True)
    return path


async def _until_either_ends(bot: asyncio.subprocess.Process, stopped: asyncio.Event) -> int:
    ended, told = asyncio.create_task(bot.wait()), asyncio.create_task(stopped.wait())
    await asyncio.wait((ended, told), return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if ended.done():
        return ended.result()
    bot.terminate()
    try:
        async with asyncio.timeout(PATIENCE):
            await ended
    except TimeoutError:
        bot.kill()
        await bot.wait()
    return 0
