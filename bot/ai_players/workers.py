"""Runs the processes that think for all bot processes of a machine, and starts them again when they die.

They share one listening socket in a folder that only its owner can open. A bot process connects to it for each thought
(`bot.ai_players.shared`), and whichever worker is free answers.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from bot.ai_players.process import TIMEOUT_SECONDS, environment

FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 60.0
"""How long to wait before a worker is started again that has died soon after its start: first, and at most."""
STEADY_SECONDS: Final = 10.0
"""A worker that has run for this long is started again at once."""
STOP_SECONDS: Final = 2.0
"""How long the workers may take to end before they are killed."""
MAX_WAITING: Final = 64
"""How many connections may wait for a free worker."""


def usual_number() -> int:
    """Return how many workers a machine has unless its host says so: one core is left to the bot."""
    return max(1, (os.cpu_count() or 1) - 1)


class Workers:
    """The workers of this machine, between `start` and `stop`."""

    def __init__(self, number: int, most_seconds: float = TIMEOUT_SECONDS) -> None:
        self._number = number
        self._most_seconds = most_seconds
        self._folder: Path | None = None
        self._socket: socket.socket | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.running: dict[int, asyncio.subprocess.Process] = {}

    async def start(self) -> Path | None:
        """Start the workers; return the address of their socket, or None if this machine cannot have one."""
        self._folder = Path(tempfile.mkdtemp(prefix="coyote-brains-"))  # readable by its owner alone
        address = self._folder / "socket"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(address))
        except OSError as fault:  # such as a path that is too long for an address
            print(f"AI players think in each process on its own ({fault}).", file=sys.stderr, flush=True)
            await self.stop()
            return None
        self._socket.listen(MAX_WAITING)
        self._socket.setblocking(False)
        self._tasks = [asyncio.create_task(self._watch(n), name=f"worker {n}") for n in range(self._number)]
        return address

    async def stop(self) -> None:
        """End the workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            self._socket.close()
        for process in self.running.values():
            if process.stdin is not None:
                process.stdin.close()
        ending = [asyncio.create_task(process.wait()) for process in self.running.values()]
        if ending:
            await asyncio.wait(ending, timeout=STOP_SECONDS)
        for process in self.running.values():
            if process.returncode is None:
                process.kill()
                await process.wait()
        self.running.clear()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _watch(self, number: int) -> None:
        """Keep one worker running."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            began = time.monotonic()
            process = self.running[number] = await self._begin()
            code = await process.wait()
            lasted = time.monotonic() - began >= STEADY_SECONDS
            wait = 0.0 if lasted else pause
            pause = FIRST_PAUSE_SECONDS if lasted else min(2 * pause, LONGEST_PAUSE_SECONDS)
            why = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
            print(f"A process in which AI players think has ended ({why}).", file=sys.stderr, flush=True)
            await asyncio.sleep(wait)

    async def _begin(self) -> asyncio.subprocess.Process:
        if self._socket is None:
            raise RuntimeError("the workers are not started")
        listening = self._socket.fileno()
        # Its input is a pipe from this process: if this process is killed, the pipe breaks and the worker ends.
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.ai_players.worker", str(listening), str(self._most_seconds)),
            env=environment(),
            stdin=asyncio.subprocess.PIPE,
            pass_fds=(listening,),
            start_new_session=True,
        )
