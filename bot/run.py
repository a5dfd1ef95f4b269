"""Runs the bot against Discord, or against the address in the settings, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from pathlib import Path
from typing import Final

import aiohttp
import discord

import bot.games.registry  # noqa: F401 - importing it registers the games
from bot.ai_players.process import BrainProcess
from bot.ai_players.turns import AiPlayers
from bot.discord_ui.client import Services, TableBot
from bot.discord_ui.gateway.connection import gateway_troubles
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.wire.redirect import redirect
from bot.health import Pulse
from bot.host.scheduler import Scheduler
from bot.host.steady_clock import SteadyClock
from bot.host.tables import Tables
from bot.logs import set_up_logs
from bot.settings import Settings
from bot.store.sqlite.faults import EXIT_CODE as DATABASE_EXIT_CODE
from bot.store.sqlite.faults import Refused
from bot.store.sqlite.janitor import Janitor
from bot.store.sqlite.store import SqliteStore
from bot.tuning import tune

log = logging.getLogger(__name__)

EXTENSIONS: Final = ("cogs.games", "cogs.houserules", "cogs.statistics", "cogs.rules", "cogs.privacy", "cogs.help")
"""The modules with the slash commands."""
REFUSED_EXIT_CODE: Final = 4
"""Discord refuses this bot, and trying again would not help."""
DRAIN_SECONDS: Final = 5.0
"""How long tasks under way may take once the bot is told to stop; the rest is sent after the next start."""
CLOSE_SECONDS: Final = 2.0
"""How long the connection may take to close; one that is still being opened would never close."""
STORE_SILENT_SECONDS: Final = 30.0
"""Without a heartbeat in the database for this long, the database counts as stuck."""
_CLOSE_REASONS: Final = {
    4004: "Discord refuses the token. Check DISCORD_TOKEN or DISCORD_TOKEN_FILE.",
    4013: "Discord does not know the intents that this version of the bot asks for: update the bot.",
    4014: "Discord refuses the intents that this bot asks for. It needs no privileged one: update the bot.",
}


async def run(settings: Settings, *, until_input_ends: bool = False) -> int:
    """Run until SIGINT, SIGTERM or, if asked for, the end of standard input; return the exit code."""
    token = settings.token
    if token is None:
        raise ValueError("a bot without a token plays on the sandbox")
    set_up_logs(settings.log_level)
    redirect(settings)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the bot uses no voice
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # discord.py does not handle SIGTERM, so every `docker stop` would end in a crash.
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    if until_input_ends:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stopped.set)
    tune()
    clock = SteadyClock(settings.clock_scale)
    try:
        store = await SqliteStore.open(settings.database_path, clock.now())
    except Refused as refused:
        print(refused, file=sys.stderr)
        return DATABASE_EXIT_CODE
    try:
        services = _services(settings, store, clock)
        return await _serve(services, settings.database_path, token.get_secret_value(), stopped)
    finally:
        if until_input_ends:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        await store.close()


def _services(settings: Settings, store: SqliteStore, clock: SteadyClock) -> Services:
    publisher = Publisher(store, clock, settings.clock_scale)
    tables = Tables(store, publisher, clock)
    ai_players = AiPlayers(tables, BrainProcess(), clock)
    scheduler = Scheduler(tables, store, clock, ai_players)
    janitor = Janitor(store.privacy, clock, settings.retention_days, tables.drop)
    scale, openings = settings.clock_scale, settings.dm_openings_per_second
    return Services(
        store, clock, publisher, tables, scheduler, ai_players, janitor, scale, openings, settings.retention_days
    )


async def _serve(services: Services, database: Path, token: str, stopped: asyncio.Event) -> int:
    revoked = asyncio.Event()
    bot = TableBot(EXTENSIONS, services, revoked.set)
    pulse = Pulse(database, lambda: [*gateway_troubles(bot), *_store_troubles(services.scheduler)])
    async with bot:
        pulse.start()
        serving = asyncio.create_task(bot.start(token))
        waiting = [asyncio.create_task(event.wait()) for event in (stopped, revoked)]
        await asyncio.wait((serving, *waiting), return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await pulse.stop()
        await services.janitor.stop()
        await services.scheduler.stop()
        await services.ai_players.stop()
        await services.publisher.stop(0 if revoked.is_set() else DRAIN_SECONDS)
        if not serving.done():
            await bot.close()
            await asyncio.wait((serving,), timeout=CLOSE_SECONDS)
            serving.cancel()
        (fault,) = await asyncio.gather(serving, return_exceptions=True)
    if revoked.is_set():
        print("Discord no longer knows the token: it was revoked. Set the new one.", file=sys.stderr)
        return REFUSED_EXIT_CODE
    return _exit_code(fault)


def _store_troubles(scheduler: Scheduler) -> list[str]:
    if scheduler.fault is not None:
        return [str(scheduler.fault)]
    silent = time.monotonic() - scheduler.beaten
    return (
        [f"the database has taken nothing for {silent:.0f} s"]
        if scheduler.runs and silent > STORE_SILENT_SECONDS
        else []
    )


def _exit_code(fault: BaseException | None) -> int:
    """Print why the connection ended, in one line; return the exit code."""
    match fault:
        case None | asyncio.CancelledError():
            return 0
        case discord.LoginFailure():
            print("Discord refuses the token. Check DISCORD_TOKEN or DISCORD_TOKEN_FILE.", file=sys.stderr)
            return REFUSED_EXIT_CODE
        case discord.PrivilegedIntentsRequired():
            print(_CLOSE_REASONS[4014], file=sys.stderr)
            return REFUSED_EXIT_CODE
        case discord.ConnectionClosed():
            print(_CLOSE_REASONS.get(fault.code, f"Discord closed the connection for good: {fault}"), file=sys.stderr)
            return REFUSED_EXIT_CODE
        case aiohttp.ClientConnectionError() | OSError() | discord.DiscordServerError():
            # Only at the first login: later discord.py tries again for ever.
            print(f"Discord cannot be reached ({fault}). Check the network, then start the bot again.", file=sys.stderr)
            return 1
        case _:
            log.error("the bot stopped", exc_info=fault)
            return 1
