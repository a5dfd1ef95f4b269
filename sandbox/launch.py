"""A sandbox with its page: from the environment to a port that answers."""

import asyncio
import contextlib
import errno
import fcntl
import logging
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import WrongSetting
from sandbox.keep import Keeper
from sandbox.page import Page
from sandbox.scenes import SCENES
from sandbox.server import Sandbox

log = logging.getLogger(__name__)

DEFAULT_PORT = 8765
MAX_PORT_TRIES = 50
MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says about a sandbox."""

    port: int = DEFAULT_PORT
    scene: str = "lobby"
    keep: bool = False
    folder: Path = Path("data/sandbox")

    @classmethod
    def read(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read `SANDBOX_PORT`, `SCENE`, `KEEP` and `SANDBOX_DATA`; a wrong one is a `WrongSetting`."""
        port = env.get("SANDBOX_PORT") or str(DEFAULT_PORT)
        if not port.isascii() or not port.isdigit() or int(port) > MAX_PORT:
            raise WrongSetting(f"SANDBOX_PORT is {port!r}; write a number up to {MAX_PORT}, or 0 for any free one")
        scene = env.get("SCENE") or "lobby"
        if scene not in SCENES:
            raise WrongSetting(f"SCENE is {scene!r}; write one of {', '.join(SCENES)}")
        keep = env.get("KEEP") or "0"
        if keep not in ("0", "1"):
            raise WrongSetting(f"KEEP is {keep!r}; write 1 to keep everything for the next time, or 0")
        return cls(int(port), scene, keep == "1", Path(env.get("SANDBOX_DATA") or "data/sandbox"))


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Sandbox]:
    """Run a sandbox with its page; the scene plays in the background, and a kept world is loaded instead of it."""
    with _claimed(settings.folder) if settings.keep else contextlib.nullcontext():
        sandbox = await _listening(settings)
        keeper = Keeper(settings.folder, sandbox.world, sandbox.people) if settings.keep else None
        jobs: list[asyncio.Task[None]] = []
        try:
            if keeper is None or not _load(keeper):
                jobs.append(asyncio.create_task(_play(settings.scene, sandbox)))
                await asyncio.sleep(0)  # the scene furnishes the server before anybody can look at it
            if keeper is not None:
                jobs.append(asyncio.create_task(keeper.run()))
            yield sandbox
        finally:
            for job in jobs:
                job.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await job
            await sandbox.stop()
            if keeper is not None and jobs:  # without jobs, what was kept could not be loaded: it stays as it is
                keeper.save()


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    # Two sandboxes that keep in one folder would write over each other.
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as fault:
        reason = fault.strerror
        raise WrongSetting(f"SANDBOX_DATA is {str(folder)!r} ({reason}); write a folder that can be written") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"SANDBOX_DATA is {str(folder)!r}, which another sandbox keeps; write another folder, or KEEP=0"
            raise WrongSetting(message) from None
        yield


def _load(keeper: Keeper) -> bool:
    try:
        return keeper.load()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as fault:
        message = f"SANDBOX_DATA has a {keeper.path} that cannot be read; move it away to begin anew ({fault!r})"
        raise WrongSetting(message) from None


async def _play(scene: str, sandbox: Sandbox) -> None:
    try:
        await SCENES[scene](sandbox)
    except Exception:
        log.exception("the scene %s stopped half-way", scene)


async def _listening(settings: Settings) -> Sandbox:
    last = min(settings.port + MAX_PORT_TRIES - 1, MAX_PORT)
    for port in range(settings.port, last + 1):
        sandbox = Sandbox(port=port)
        Page.of(sandbox).attach(sandbox.app)
        try:
            return await sandbox.start()
        except OSError as fault:
            await sandbox.stop()
            if fault.errno != errno.EADDRINUSE:
                raise WrongSetting(f"SANDBOX_PORT is {port} ({fault.strerror}); write another, or 0 for any") from None
    raise WrongSetting(f"SANDBOX_PORT is {settings.port}, but all up to {last} are taken; write another, or 0 for any")
