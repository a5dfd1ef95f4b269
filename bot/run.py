"""Runs the bot against Discord, or against the address in the settings, until it is told to stop."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from typing import Final

import aiohttp
import discord

import bot.games.registry  # noqa: F401 - importing it registers the games
from bot.ai_players.process import BrainProcess
from bot.ai_players.shared import SharedBrains
from bot.ai_players.turns import AiPlayers
from bot.discord_ui.client import Services, TableBot
from bot.discord_ui.gateway.connection import gateway_problems
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.wire.redirect import redirect
from bot.exit_codes import AWAY, DATABASE, FAILED, REFUSED, WRONG_SETTINGS
from bot.host.scheduler import Scheduler
from bot.host.steady_clock import SteadyClock
from bot.host.tables import Tables
from bot.logs import print_fatal, set_up_logs
from bot.monitor import Monitor, count_errors, request_counter
from bot.pulse import Pulse, forget_note
from bot.settings import DISCORD_REFUSES, Settings
from bot.store.faults import Away, DatabaseRefused
from bot.store.janitor import Janitor
from bot.store.opening import database_of
from bot.store.ports import Backups, Store
from bot.tuning import tune

log = logging.getLogger(__name__)

EXTENSIONS: Final = (
    "cogs.games",
    "cogs.houserules",
    "cogs.statistics",
    "cogs.rules",
    "cogs.tutorial",
    "cogs.privacy",
    "cogs.doctor",
    "cogs.help",
)
"""The modules with the slash commands."""
DRAIN_SECONDS: Final = 5.0
"""How long tasks under way may take once the bot is told to stop; the rest is sent after the next start."""
CLOSE_SECONDS: Final = 2.0
"""How long the connection may take to close; one that is still being opened would never close."""
SPARE_SECONDS: Final = 2.0
"""After waiting this long for a free shard, a process calls itself a spare."""
STORE_SILENT_SECONDS: Final = 30.0
"""Without a heartbeat in the database for this long, the database counts as stuck."""
_CLOSE_REASONS: Final = {
    4004: DISCORD_REFUSES,
    4013: "Discord does not know the intents that this version of the bot asks for: update the bot.",
    4014: "Discord refuses the intents that this bot asks for. It needs no privileged one: update the bot.",
}


async def run(settings: Settings, *, until_input_ends: bool = False) -> int:
    """Run until SIGINT, SIGTERM or, if asked for, the end of standard input; return the exit code."""
    token = settings.token
    if token is None:
        raise ValueError("a bot without a token plays on the sandbox")
    set_up_logs(settings.log_level, settings.log_format, settings.process_name)
    count_errors()
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
    database = database_of(settings)
    try:
        store = await database.open(clock.now())
    except DatabaseRefused as refused:
        print_fatal(str(refused))
        return AWAY if isinstance(refused, Away) else DATABASE
    try:
        if store.membership is not None:
            forget_note(settings.database_path, store.membership.name)  # a spare has none: it does nothing yet
        try:
            shards = await _claim(store, settings, stopped)
        except asyncio.CancelledError:
            return 0
        services = _services(settings, store, clock, shards)
        return await _serve(services, database.backups(), settings, token.get_secret_value(), stopped)
    finally:
        if until_input_ends:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        await store.close()


async def _claim(store: Store, settings: Settings, stopped: asyncio.Event) -> Sequence[int] | None:
    """Claim shards for one of many processes, and wait as a spare until some are free; None: all are ours."""
    membership, count, ids = store.membership, settings.shard_count, settings.shard_ids
    if membership is None or count is None or ids is None:
        return None
    claiming = asyncio.create_task(membership.claim(count, ids, settings.shards_at_once or len(ids)))
    waiting = asyncio.create_task(stopped.wait())
    done, _ = await asyncio.wait((claiming, waiting), timeout=SPARE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if not done:
        log.info("process %s is a spare: other processes serve all shards", membership.name)
        await asyncio.wait((claiming, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if not claiming.done():
        claiming.cancel()
    claimed = await claiming
    log.info("process %s serves shards %s of %s", membership.name, ", ".join(map(str, claimed)), count)
    return claimed


def _services(settings: Settings, store: Store, clock: SteadyClock, shards: Sequence[int] | None) -> Services:
    membership = store.membership
    publisher = Publisher(store, clock, settings.clock_scale, membership)
    tables = Tables(store, publisher, clock, duties=membership)
    brains = BrainProcess() if settings.ai_socket is None else SharedBrains(settings.ai_socket)
    ai_players = AiPlayers(tables, brains, clock)
    scheduler = Scheduler(tables, store, clock, ai_players, membership)
    janitor = Janitor(
        store.privacy,
        clock,
        settings.retention_days,
        tables.drop,
        erase=tables.forget,
        backups=settings.backups,
        elected=None if membership is None else lambda: membership.is_elected("clearing up"),
    )
    return Services(
        store,
        clock,
        publisher,
        tables,
        scheduler,
        ai_players,
        janitor,
        scale=settings.clock_scale,
        dm_openings=settings.dm_openings_per_second,
        retention_days=settings.retention_days,
        emojis=settings.emojis,
        shard_count=settings.shard_count,
        shard_ids=shards,
    )


async def _serve(services: Services, backups: Backups, settings: Settings, token: str, stopped: asyncio.Event) -> int:
    revoked = asyncio.Event()
    bot = TableBot(EXTENSIONS, services, revoked.set, request_counter() if settings.metrics_port else None)

    def problems() -> list[str]:
        failed = [] if backups.problem is None else [backups.problem]
        return [*gateway_problems(bot), *_store_problems(services.scheduler), *failed]

    membership = services.store.membership
    process = "" if membership is None else membership.name
    pulse = Pulse(settings.database_path, problems, process)
    monitor = Monitor(bot, services.store, services.clock, backups, problems, process=process)
    if settings.metrics_port:
        try:
            await monitor.start(settings.metrics_host, settings.metrics_port)
        except OSError as taken:
            print_fatal(_unusable(settings.metrics_host, settings.metrics_port, taken))
            return WRONG_SETTINGS
    async with bot:
        pulse.start()
        backups.start()
        serving = asyncio.create_task(bot.start(token))
        ousted = asyncio.Event() if membership is None else membership.lost
        waiting = [asyncio.create_task(event.wait()) for event in (stopped, revoked, ousted)]
        await asyncio.wait((serving, *waiting), return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await pulse.stop()
        await backups.stop()
        await monitor.stop()
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
        print_fatal("Discord no longer knows the token: it was revoked. Set the new one.")
        return REFUSED
    if ousted.is_set():
        print_fatal("Another process serves the shards of this one now.")
        return FAILED
    return _exit_code(fault)


def _unusable(host: str, port: int, fault: OSError) -> str:
    """Say in one line why metrics cannot be served there."""
    if isinstance(fault, socket.gaierror) or fault.errno == errno.EADDRNOTAVAIL:
        return f"METRICS_HOST: {host} is no address of this machine. Allowed: 127.0.0.1, 0.0.0.0, or one of its own."
    return f"METRICS_PORT: {host}:{port} cannot be used ({os.strerror(fault.errno or 0)}). Choose another port."


def _store_problems(scheduler: Scheduler) -> list[str]:
    if scheduler.fault is not None:
        return [str(scheduler.fault)]
    silent = time.monotonic() - scheduler.last_heartbeat
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
            print_fatal(DISCORD_REFUSES)
            return REFUSED
        case discord.PrivilegedIntentsRequired():
            print_fatal(_CLOSE_REASONS[4014])
            return REFUSED
        case discord.ConnectionClosed():
            print_fatal(_CLOSE_REASONS.get(fault.code, f"Discord closed the connection for good: {fault}"))
            return REFUSED
        case aiohttp.ClientConnectionError() | OSError() | discord.DiscordServerError():
            # Only at the first login: later discord.py tries again for ever.
            print_fatal(f"Discord cannot be reached ({fault}). Check the network, then start the bot again.")
            return 1
        case _:
            log.error("the bot stopped", exc_info=fault)
            return 1
