"""Runs the brain process, which thinks for all AI seats, so that no press has to wait for a thought."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
from typing import Final, Protocol

from bot.ai_players.brains import Thought
from bot.ai_players.worker import HEADER, Question, pack, unpack

log = logging.getLogger(__name__)

TIMEOUT_SECONDS: Final = 5.0
"""How long one thought may take: a hundred times what the slowest usually takes."""
MAX_ATTEMPTS: Final = 2
"""How many times a question is asked before the process counts as failed."""
WITHHELD_PREFIXES: Final = ("DISCORD_", "DATABASE_")
"""Environment variables with these prefixes, such as the bot's token, are not passed on to processes that think."""


class NoThought(Exception):
    """Raised if the brain failed, or its process failed at every attempt."""


class Brains(Protocol):
    """Thinks for AI seats."""

    async def think(self, question: Question) -> Thought:
        """Return what the AI player does, or raise NoThought."""

    async def stop(self) -> None:
        """End the processes that were started for it."""


def environment() -> dict[str, str]:
    """Return the environment for a process that thinks, without secrets."""
    return {name: value for name, value in os.environ.items() if not name.startswith(WITHHELD_PREFIXES)}


def packed(question: Question) -> bytes:
    """Return a question as it is sent, or raise NoThought."""
    try:
        return pack(tuple(question))
    except (pickle.PicklingError, AttributeError) as fault:
        raise NoThought("the question cannot be sent: is the brain a function at the top of a module?") from fault


class BrainProcess:
    """Runs `bot.ai_players.worker`: starts it with the first question, and again if it has died. `stop` ends it."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "bot.ai_players.worker")) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()

    async def think(self, question: Question) -> Thought:
        """Return what the AI player does, or raise NoThought."""
        asked = packed(question)
        async with self._lock:
            for _ in range(MAX_ATTEMPTS):
                try:
                    async with asyncio.timeout(TIMEOUT_SECONDS):
                        answer = await self._ask(asked)
                except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError) as fault:
                    log.warning("the brain process failed and is being restarted: %s", type(fault).__name__)
                    await self._end()
                except asyncio.CancelledError:
                    await self._end()  # half an answer may be left in the pipe
                    raise
                else:
                    if isinstance(answer, Thought):
                        return answer
                    raise NoThought(str(answer))
        raise NoThought("no answer")

    async def _ask(self, asked: bytes) -> object:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await self._start()
        if process.stdin is None or process.stdout is None:
            raise EOFError
        process.stdin.write(asked)
        await process.stdin.drain()
        (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
        return unpack(await process.stdout.readexactly(length))

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment(),
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def stop(self) -> None:
        """End the process."""
        await self._end()
