"""A sandbox with its page: from the environment to a port that answers."""

import asyncio
import contextlib
import errno
import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox.keep import Keeper
from sandbox.page import Page
from sandbox.scenes import SCENES
from sandbox.server import Sandbox

log = logging.getLogger(__name__)

DEFAULT_PORT = 8765
TRIES = 50


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says about a sandbox."""

    port: int = DEFAULT_PORT
    scene: str = "lobby"
    keep: bool = False
    folder: Path = Path("data/sandbox")

    @classmethod
    def read(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read `SANDBOX_PORT`, `SCENE`, `KEEP` and `SANDBOX_DATA`; a wrong one is a `ValueError`."""
        port = env.get("SANDBOX_PORT") or str(DEFAULT_PORT)
        if not port.isascii() or not port.isdigit() or int(port) > 65535:
            raise ValueError(f"SANDBOX_PORT is {port!r}; write a number up to 65535, or 0 for any free one")
        scene = env.get("SCENE") or "lobby"
        if scene not in SCENES:
            raise ValueError(f"SCENE is {scene!r}; write one of {', '.join(SCENES)}")
        keep = env.get("KEEP", "") not in ("", "0")
        return cls(int(port), scene, keep, Path(env.get("SANDBOX_DATA") or "data/sandbox"))


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Sandbox]:
    """Run a sandbox with its page; the scene plays in the background, and a kept world is loaded instead of it."""
    sandbox = await _listening(settings)
    keeper = Keeper(settings.folder, sandbox.world, sandbox.people) if settings.keep else None
    jobs: list[asyncio.Task[None]] = []
    if keeper is None or not keeper.load():
        jobs.append(asyncio.create_task(_play(settings.scene, sandbox)))
        await asyncio.sleep(0)  # the scene furnishes the server before anybody can look at it
    if keeper is not None:
        jobs.append(asyncio.create_task(keeper.run()))
    try:
        yield sandbox
    finally:
        for job in jobs:
            job.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await job
        await sandbox.stop()
        if keeper is not None:
            keeper.save()


async def _play(scene: str, sandbox: Sandbox) -> None:
    try:
        await SCENES[scene](sandbox)
    except Exception:
        log.exception("the scene %s stopped half-way", scene)


async def _listening(settings: Settings) -> Sandbox:
    port = settings.port
    for _ in range(TRIES):
        sandbox = Sandbox(port=port)
        Page.of(sandbox).attach(sandbox.app)
        try:
            return await sandbox.start()
        except OSError as error:
            await sandbox.stop()
            if error.errno != errno.EADDRINUSE or port == 0:
                raise
            port += 1
    raise OSError(errno.EADDRINUSE, f"the ports {settings.port} to {port - 1} are all taken")
