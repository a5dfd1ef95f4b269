"""Runs many bot processes on this machine: starts them, starts them again when they die, and stops them together.

A process that serves renews the note about its health every few seconds. If it stops doing so it hangs, and is killed.

The processes share a PostgreSQL database, which also knows who serves which shard, and whose turn it is to log in. So
all that the parent tells them is when to stop. If it is killed itself, they notice it and stop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.ai_players.workers import Workers, usual_number
from bot.exit_codes import DATABASE, FAILED, REFUSED, WRONG_SETTINGS
from bot.health import STALE_SECONDS, note_of
from bot.settings import Settings

FIRST_PAUSE_SECONDS: Final = 0.5
"""The first wait before restarting a process that died soon after its start; it doubles each time."""
LONGEST_PAUSE_SECONDS: Final = 60.0
"""Cap on the wait before such a restart."""
STEADY_SECONDS: Final = 10.0
"""A process that has run for this long is started again at once."""
STOP_SECONDS: Final = 15.0
"""How long the processes may take to stop before they are killed."""
LOOK_AT_NOTES_SECONDS: Final = 5.0
"""Pause between two looks at the notes of the processes."""
MAX_LOOKS_AT_SAME_NOTE: Final = round(STALE_SECONDS / LOOK_AT_NOTES_SECONDS)
"""Looks at an unchanged note after which its process counts as hung. Looks are counted instead of time, because the
parent may hang as well, together with all processes, while the machine sleeps."""
ASK_SECONDS: Final = 10.0
"""How long Discord may take to say how many shards the bot needs."""
_HOPELESS: Final = (WRONG_SETTINGS, REFUSED)
"""Exit codes of a process that would only fail again."""


class Hopeless(Exception):
    """A process has failed in a way that starting it again would not mend."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Cluster:
    """Watches the processes; see the module."""

    def __init__(
        self,
        settings: Settings,
        processes: int,
        spares: int,
        *,
        shards: int,
        more: Sequence[str] = (),
        ai_socket: Path | None = None,
    ) -> None:
        self._settings = settings
        self._number = processes + spares
        self._command = [sys.executable, "-m", "bot", "run", "--until-input-ends", *more]
        ids = settings.shard_ids or range(shards)
        self._environment = {
            **os.environ,
            "SHARD_COUNT": str(shards),
            "SHARD_IDS": ",".join(map(str, ids)),
            "SHARDS_AT_ONCE": str(-(-len(ids) // processes)),
            **({} if ai_socket is None else {"AI_SOCKET": str(ai_socket)}),
        }
        self._running: dict[int, asyncio.subprocess.Process] = {}
        self._began: dict[int, float] = {}
        """When each process was started; never, while it waits to be started again."""
        self._has_been_steady = False

    async def run(self, stopped: asyncio.Event) -> int:
        """Run all processes until `stopped` is set, or until one of them fails for good; return the exit code."""
        watching = [asyncio.create_task(self._watch(number)) for number in range(1, self._number + 1)]
        stopping = asyncio.create_task(stopped.wait())
        try:
            await asyncio.wait((stopping, *watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (stopping, *watching):
                task.cancel()
            results = await asyncio.gather(*watching, return_exceptions=True)
            await self._stop()
        for each in results:
            if isinstance(each, Hopeless):
                return each.code
            if isinstance(each, Exception):
                raise each
        return 0

    async def _watch(self, number: int) -> None:
        """Keep one process running."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            process = self._running[number] = await self._start(number)
            self._began[number] = time.monotonic()
            code = await self._end_of(process, number)
            del self._running[number]
            # The database may be away for a moment; but if no process could use it yet, it is the wrong one.
            self._has_been_steady = self._has_been_steady or any(map(self._has_lasted, self._began))
            lasted = self._has_lasted(number)
            if code in _HOPELESS or (code == DATABASE and not self._has_been_steady):
                raise Hopeless(code)
            why = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
            wait = 0.0 if lasted else pause
            pause = FIRST_PAUSE_SECONDS if lasted else min(2 * pause, LONGEST_PAUSE_SECONDS)
            self._began[number] = float("inf")
            when = f"in {wait:g} s" if wait else "at once"
            print(f"Process {number} has ended ({why}); it is started again {when}.", file=sys.stderr, flush=True)
            await asyncio.sleep(wait)

    async def _end_of(self, process: asyncio.subprocess.Process, number: int) -> int:
        """Wait until a process ends, and end it if it hangs; return its exit code."""
        note = Path(note_of(self._settings.database_path, name_of(number)))
        seen, looks = _written_at(note), 0
        has_changed = False  # the first one may be its predecessor's
        while True:
            with suppress(TimeoutError):
                return await asyncio.wait_for(process.wait(), LOOK_AT_NOTES_SECONDS)
            before, seen = seen, _written_at(note)
            has_changed = has_changed or seen != before
            looks = looks + 1 if has_changed and seen == before and seen is not None else 0
            if looks >= MAX_LOOKS_AT_SAME_NOTE:
                print(f"Process {number} hangs; it is killed.", file=sys.stderr, flush=True)
                with suppress(ProcessLookupError):
                    process.kill()
                return await process.wait()

    def _has_lasted(self, number: int) -> bool:
        return time.monotonic() - self._began[number] >= STEADY_SECONDS

    async def _start(self, number: int) -> asyncio.subprocess.Process:
        environment = self._environment | {"PROCESS_NAME": name_of(number)}
        if self._settings.metrics_port:
            environment["METRICS_PORT"] = str(self._settings.metrics_port + number - 1)
        # Its input is a pipe from this process: if this process is killed, the pipe breaks and the bot stops.
        return await asyncio.create_subprocess_exec(
            *self._command, env=environment, stdin=asyncio.subprocess.PIPE, start_new_session=True
        )

    async def _stop(self) -> None:
        """Ask all processes to stop, and kill those that take too long."""
        processes = list(self._running.values())
        for process in processes:
            with suppress(ProcessLookupError):
                process.terminate()
        ending = [asyncio.create_task(process.wait()) for process in processes]
        if ending:
            await asyncio.wait(ending, timeout=STOP_SECONDS)
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()


def _written_at(note: Path) -> int | None:
    """Return when a note was written; None if there is none."""
    try:
        return note.stat().st_mtime_ns
    except OSError:
        return None


def name_of(number: int) -> str:
    """Return the name of a process of this machine; no other machine has the same."""
    host = "".join(
        letter for letter in socket.gethostname() if letter.isascii() and (letter.isalnum() or letter in ".-")
    )
    return f"{host[:30]}.{number}"


async def run_cluster(settings: Settings, processes: int, spares: int, more: Sequence[str] = ()) -> int:
    """Run many processes until SIGINT or SIGTERM; return the exit code."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    shards = settings.shard_count
    if shards is None:
        try:
            shards = max(processes, await _recommended(settings))
        except (aiohttp.ClientError, OSError, ValueError, KeyError, TypeError) as fault:
            said = str(fault) or type(fault).__name__
            print(f"Discord does not say how many shards the bot needs ({said}). Set SHARD_COUNT.", file=sys.stderr)
            return FAILED
    if shards < processes:
        print(f"There are more processes ({processes}) than shards ({shards}): set SHARD_COUNT.", file=sys.stderr)
        return WRONG_SETTINGS
    workers = Workers(usual_number() if settings.ai_workers is None else settings.ai_workers)
    try:
        address = await workers.start() if settings.ai_workers != 0 else None
        return await Cluster(settings, processes, spares, shards=shards, more=more, ai_socket=address).run(stopped)
    finally:
        await workers.stop()


async def _recommended(settings: Settings) -> int:
    """Return how many shards Discord recommends for this bot."""
    token = settings.token
    headers = {"Authorization": f"Bot {'' if token is None else token.get_secret_value()}"}
    timeout = aiohttp.ClientTimeout(total=ASK_SECONDS)
    address = f"{settings.discord_api_url}/gateway/bot"
    async with aiohttp.ClientSession(timeout=timeout) as session, session.get(address, headers=headers) as answer:
        answer.raise_for_status()
        found: dict[str, Any] = await answer.json()
        return int(found["shards"])
