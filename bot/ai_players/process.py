"""One process beside the bot thinks for all AI seats, one question after the other, so that no press waits for it."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import Final

from bot.ai_players.worker import HEADER, Question, framed, unframed
from bot.games.coyote.ai.brain import Thought

log = logging.getLogger(__name__)

PATIENCE: Final = 5.0
"""Seconds for one thought; a hundred times what the slowest takes."""
TRIES: Final = 2
SECRETS: Final = "DISCORD_"
"""Settings that start like this are none of the thinker's business."""


class NoThought(Exception):
    """Nothing came of it: the brain failed, or its process did, twice."""


class Thinker:
    """Starts the process with the first question, and again whenever it has died. `stop` at the end."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "bot.ai_players.worker")) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def think(self, question: Question) -> Thought:
        """Return what the AI does, or raise NoThought."""
        asked = framed(tuple(question))
        async with self._turn:
            for _ in range(TRIES):
                try:
                    async with asyncio.timeout(PATIENCE):
                        answer = await self._ask(asked)
                except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError) as fault:
                    log.warning("the process that thinks is started again: %s", type(fault).__name__)
                    await self._end()
                except asyncio.CancelledError:
                    await self._end()  # half an answer may be in the pipe
                    raise
                else:
                    if isinstance(answer, Thought):
                        return answer
                    raise NoThought(str(answer))
        raise NoThought("no answer")

    async def _ask(self, asked: bytes) -> object:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await self._started()
        if process.stdin is None or process.stdout is None:
            raise EOFError
        process.stdin.write(asked)
        await process.stdin.drain()
        (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
        return unframed(await process.stdout.readexactly(length))

    async def _started(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if not name.startswith(SECRETS)},
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def stop(self) -> None:
        """End the process."""
        await self._end()
