"""The bot's process, forked from a server that has imported everything: a test that restarts it waits for the bot only.

It is a process like any other: it has its own environment and its own files, it can be killed and stopped, and it exits
with a code. That `python -m bot` does the same is tried where the page is launched.
"""

import asyncio
import importlib
import multiprocessing
import os
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from bot.games.registry import register
from bot.run import EXTENSIONS

KITS = "TEST_KITS"
"""Names modules with kits of games that only tests know; the process registers them before it starts."""
ROOT = Path(__file__).resolve().parents[2]
_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(["bot.__main__", "tests.e2e.warm", *EXTENSIONS])


def _serve(env: dict[str, str], errors: Connection) -> None:
    from bot.__main__ import main

    os.environ.clear()
    os.environ.update(env)
    for module in env.get(KITS, "").split():
        register(importlib.import_module(module).KIT)
    os.chdir(ROOT)
    os.dup2(errors.fileno(), 2)
    errors.close()
    sys.exit(main([]))


class Process:
    """A bot that runs, as `asyncio.subprocess` would show it."""

    def __init__(self, env: dict[str, str]) -> None:
        self._errors, theirs = _server.Pipe(duplex=False)
        self._process = _server.Process(target=_serve, args=(env, theirs), daemon=True)
        self._process.start()
        theirs.close()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait until it has ended; return its exit code."""
        ended = asyncio.Event()
        loop, sentinel = asyncio.get_running_loop(), self._process.sentinel
        if self.returncode is None:
            loop.add_reader(sentinel, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(sentinel)
        assert self.returncode is not None
        return self.returncode

    async def read(self) -> asyncio.StreamReader:
        """Return what it writes to its standard error; to be called once."""
        reader = asyncio.StreamReader()
        pipe = os.fdopen(os.dup(self._errors.fileno()), "rb", buffering=0)
        self._errors.close()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        return reader
