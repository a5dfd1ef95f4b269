"""Plays without a token: runs the bot against a sandbox of its own, with a page in the browser."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.settings import WrongSettings
from sandbox.errors import WrongSetting
from sandbox.launch import Settings as SandboxSettings
from sandbox.launch import running, where_lines

STOP_TIMEOUT_SECONDS: Final = 10.0
"""How long the bot may take to stop before it is killed."""


async def play(*, open_browser: bool, log_level: str, ignore_env_file: bool = False) -> int:
    """Run the sandbox, its page and the bot until SIGINT, SIGTERM or the bot's end; return the exit code.

    `ignore_env_file` keeps the bot from reading a token for Discord in `.env`, beside the sandbox's own.
    """
    command = ["run", "--until-input-ends", *(["--ignore-env-file"] if ignore_env_file else [])]
    try:
        return await _play(SandboxSettings.read(), command, open_browser=open_browser, log_level=log_level)
    except WrongSetting as wrong:
        raise WrongSettings([str(wrong)]) from None


async def _play(settings: SandboxSettings, command: Sequence[str], *, open_browser: bool, log_level: str) -> int:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with running(settings) as sandbox:
        print(where_lines(settings, sandbox), flush=True)
        if open_browser:
            webbrowser.open(f"{sandbox.url}/")
        with _database(settings) as database:
            environment = {
                **{name: value for name, value in os.environ.items() if name.upper() != "DISCORD_TOKEN_FILE"},
                "DISCORD_TOKEN": sandbox.token,
                "DISCORD_API_URL": sandbox.api_url,
                "DISCORD_GATEWAY_URL": sandbox.gateway_url,
                "DATABASE_PATH": str(database),
                "LOG_LEVEL": log_level,
            }
            # The bot's input is a pipe from this process: if this process is killed, the pipe breaks and the bot stops.
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", *command),
                env=environment,
                stdin=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            return await _until_either_ends(bot, stopped)


@contextmanager
def _database(settings: SandboxSettings) -> Iterator[Path]:
    """Yield the path of the bot's database, which is kept or dropped together with the sandbox's data."""
    if settings.keep:
        yield settings.folder / "coyote.sqlite3"
        return
    with TemporaryDirectory(prefix="coyote-") as folder:
        yield Path(folder) / "coyote.sqlite3"


async def _until_either_ends(bot: asyncio.subprocess.Process, stopped: asyncio.Event) -> int:
    ended, asked_to_stop = asyncio.create_task(bot.wait()), asyncio.create_task(stopped.wait())
    await asyncio.wait((ended, asked_to_stop), return_when=asyncio.FIRST_COMPLETED)
    asked_to_stop.cancel()
    if ended.done():
        code = ended.result()
        why = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
        print(f"The bot has stopped ({why}), and the sandbox with it.", file=sys.stderr)
        return code if code >= 0 else 128 - code
    bot.terminate()
    try:
        async with asyncio.timeout(STOP_TIMEOUT_SECONDS):
            await ended
    except TimeoutError:
        bot.kill()
        await bot.wait()
    return 0
