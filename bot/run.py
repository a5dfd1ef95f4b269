"""Runs the bot against Discord, or against whatever the settings put in its place, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from typing import Final

import discord

from bot.discord_ui.client import CoyoteBot
from bot.discord_ui.redirect import redirect
from bot.logs import set_up_logs
from bot.settings import Settings

log = logging.getLogger(__name__)

EXTENSIONS: Final = ("cogs.help",)
REFUSED: Final = 4
"""Exit code: Discord refuses this bot, and trying again would not help."""


async def run(settings: Settings, *, until_input_ends: bool = False) -> int:
    """Run until SIGINT, SIGTERM or, if wanted, the end of standard input; return the exit code."""
    token = settings.token
    if token is None:
        raise ValueError("a bot without a token plays on the sandbox")
    set_up_logs(settings.log_level)
    redirect(settings)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks at the table
    bot = CoyoteBot(EXTENSIONS)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # discord.py leaves SIGTERM to the default, which would make every `docker stop` a crash.
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    if until_input_ends:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stopped.set)
    async with bot:
        serving = asyncio.create_task(bot.start(token.get_secret_value()))
        waiting = asyncio.create_task(stopped.wait())
        await asyncio.wait((serving, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if until_input_ends:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        if not serving.done():
            await bot.close()
        return _ended(await asyncio.gather(serving, return_exceptions=True))


def _ended(results: Sequence[BaseException | None]) -> int:
    fault = results[0]
    match fault:
        case None | asyncio.CancelledError():
            return 0
        case discord.LoginFailure():
            print("Discord refuses the token. Check DISCORD_TOKEN or DISCORD_TOKEN_FILE.", file=sys.stderr)
            return REFUSED
        case discord.PrivilegedIntentsRequired() | discord.ConnectionClosed():
            print(f"Discord closed the connection for good: {fault}", file=sys.stderr)
            return REFUSED
        case _:
            log.error("the bot stopped", exc_info=fault)
            return 1
