"""Asks the processes that think for all bot processes of a machine, and thinks in one of its own if they are gone."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path
from typing import Final

from bot.ai_players.brains import Thought
from bot.ai_players.process import MAX_ATTEMPTS, TIMEOUT_SECONDS, BrainProcess, NoThought, packed
from bot.ai_players.worker import HEADER, Question, unpack

log = logging.getLogger(__name__)

QUESTIONS_AT_ONCE: Final = 4
"""How many questions of one bot process the workers get at a time; the others wait, and do not time out meanwhile."""
ALONE_SECONDS: Final = 10.0
"""How long a bot process thinks alone once no worker has answered."""


class SharedBrains:
    """Thinks with the workers at a socket (`bot.ai_players.workers`), or alone."""

    def __init__(self, address: Path, own: BrainProcess | None = None) -> None:
        self._address = address
        self._own = own or BrainProcess()
        self._places = asyncio.Semaphore(QUESTIONS_AT_ONCE)
        self._alone_until = float("-inf")

    async def think(self, question: Question) -> Thought:
        """Return what the AI player does, or raise NoThought."""
        asked = packed(question)
        async with self._places:
            # Of two attempts, the second reaches another worker, or the same one after its new start.
            for _ in range(MAX_ATTEMPTS if time.monotonic() > self._alone_until else 0):
                try:
                    async with asyncio.timeout(TIMEOUT_SECONDS):
                        answer = await self._ask(asked)
                except (FileNotFoundError, ConnectionRefusedError):
                    break
                except (OSError, EOFError, TimeoutError) as fault:
                    log.warning("a process in which AI players think failed: %s", type(fault).__name__)
                    continue
                if isinstance(answer, Thought):
                    return answer
                raise NoThought(str(answer))
        if time.monotonic() > self._alone_until:
            log.warning("no common process answers: AI players think in one of this process's own")
            self._alone_until = time.monotonic() + ALONE_SECONDS
        return await self._own.think(question)

    async def _ask(self, asked: bytes) -> object:
        reader, writer = await asyncio.open_unix_connection(self._address)
        try:
            writer.write(asked)
            await writer.drain()
            (length,) = HEADER.unpack(await reader.readexactly(HEADER.size))
            return unpack(await reader.readexactly(length))
        finally:
            writer.close()

    async def stop(self) -> None:
        """End the process of its own, if there is one; the workers are others' business."""
        await self._own.stop()
