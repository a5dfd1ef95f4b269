"""Runs the bot in a process forked from a server that has already imported everything, so restarts are quick.

The process has its own environment and open files, can be killed or stopped, and exits with a code. The browser tests
start the bot with `python -m bot` instead.
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
from bot.text import catalogue as texts

KITS = "TEST_KITS"
"""Environment variable that lists the modules of test-only games; the process registers them before it starts."""
ROOT = Path(__file__).resolve().parents[2]
_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(["bot.cli.main", "tests.e2e.bot_process", *EXTENSIONS])


def _serve(env: dict[str, str], errors: Connection) -> None:
    from bot.__main__ import main

    os.environ.clear()
    os.environ.update(env)
    for cached in (texts.languages, texts.code_of, texts._catalogue):
        cached.cache_clear()  # MORE_TEXTS may name more languages
    for module in env.get(KITS, "").split():
        register(importlib.import_module(module).KIT)
    os.chdir(ROOT)
    os.dup2(errors.fileno(), 2)
    errors.close()
    sys.exit(main([]))


class Process:
    """A running bot, with the interface of `asyncio.subprocess.Process`."""

    def __init__(self, env: dict[str, str]) -> None:
        self._errors, theirs = _server.Pipe(duplex=False)
        self._process = _server.Process(target=_serve, args=(env, theirs), daemon=True)
        self._process.start()
        theirs.close()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code; None while the process runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait until the process has ended; return its exit code."""
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
        """Return a reader of its standard error. Call this only once."""
        reader = asyncio.StreamReader()
        pipe = os.fdopen(os.dup(self._errors.fileno()), "rb", buffering=0)
        self._errors.close()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        return reader
