"""Starts a sandbox with its page, configured by environment variables."""

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
from sandbox.page import Page
from sandbox.saving import Saver
from sandbox.scenes import SCENES
from sandbox.server import Sandbox

log = logging.getLogger(__name__)

DEFAULT_PORT = 8765
MAX_PORT_TRIES = 50
"""Cap on consecutive ports to try while they are taken, if none was asked for."""
MAX_PORT = 65535
"""Largest port number."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a sandbox, read from environment variables."""

    port: int | None = None
    """The port that must be used; None: `DEFAULT_PORT`, or the next free one."""
    scene: str = "lobby"
    keep: bool = False
    folder: Path = Path("data/sandbox")

    @classmethod
    def read(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read `SANDBOX_PORT`, `SCENE`, `KEEP` and `SANDBOX_DATA`; raise `WrongSetting` if one is invalid."""
        port = env.get("SANDBOX_PORT") or None
        if port is not None and (not port.isascii() or not port.isdigit() or int(port) > MAX_PORT):
            raise WrongSetting(f"SANDBOX_PORT is {port!r}; write a number up to {MAX_PORT}, or 0 for any free one")
        scene = env.get("SCENE") or "lobby"
        if scene not in SCENES:
            raise WrongSetting(f"SCENE is {scene!r}; write one of {', '.join(SCENES)}")
        keep = env.get("KEEP") or "0"
        if keep not in ("0", "1"):
            raise WrongSetting(f"KEEP is {keep!r}; write 1 to keep people and messages across restarts, or 0")
        return cls(
            None if port is None else int(port), scene, keep == "1", Path(env.get("SANDBOX_DATA") or "data/sandbox")
        )


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Sandbox]:
    """Run a sandbox with its page. A saved world is loaded if there is one; otherwise the scene plays."""
    with _locked(settings.folder) if settings.keep else contextlib.nullcontext():
        sandbox = await _start(settings)
        saver = Saver(settings.folder, sandbox.world, sandbox.people) if settings.keep else None
        jobs: list[asyncio.Task[None]] = []
        try:
            if saver is None or not _load(saver):
                jobs.append(asyncio.create_task(_play(settings.scene, sandbox)))
                await asyncio.sleep(0)  # lets the scene set up the server before the page can be opened
            if saver is not None:
                jobs.append(asyncio.create_task(saver.run()))
            yield sandbox
        finally:
            for job in jobs:
                job.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await job
            await sandbox.stop()
            if saver is not None and jobs:  # no jobs: loading failed, so leave the file alone
                saver.save()


def where_lines(settings: Settings, sandbox: Sandbox) -> str:
    """Return the lines that say where the page is, and why on another port than usual."""
    where = f"Sandbox: {sandbox.url}/"
    if settings.port is not None or sandbox.port == DEFAULT_PORT:
        return where
    return f"Port {DEFAULT_PORT} is taken, so this sandbox uses {sandbox.port}. SANDBOX_PORT chooses another.\n{where}"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    # Two sandboxes using the same folder would overwrite each other's file.
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as fault:
        reason = fault.strerror
        raise WrongSetting(f"SANDBOX_DATA is {str(folder)!r} ({reason}); write the path of a writable folder") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = (
                f"SANDBOX_DATA is {str(folder)!r}, which another sandbox is using; write another folder, or KEEP=0"
            )
            raise WrongSetting(message) from None
        yield


def _load(saver: Saver) -> bool:
    try:
        return saver.load()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as fault:
        message = f"SANDBOX_DATA has a {saver.path} that cannot be read; move it away to start afresh ({fault!r})"
        raise WrongSetting(message) from None


async def _play(scene: str, sandbox: Sandbox) -> None:
    try:
        await SCENES[scene](sandbox)
    except Exception:
        log.exception("the scene %s failed", scene)


async def _start(settings: Settings) -> Sandbox:
    usual = range(DEFAULT_PORT, DEFAULT_PORT + MAX_PORT_TRIES)
    for port in usual if settings.port is None else [settings.port]:
        sandbox = Sandbox(port=port)
        Page.of(sandbox).attach(sandbox.app)
        try:
            return await sandbox.start()
        except OSError as fault:
            await sandbox.stop()
            if fault.errno != errno.EADDRINUSE:
                raise WrongSetting(
                    f"SANDBOX_PORT is {port} ({fault.strerror}); choose another, or 0 for any free one"
                ) from None
    if settings.port is not None:
        taken = f"SANDBOX_PORT is {settings.port}, which another program is using"
    else:
        taken = f"SANDBOX_PORT is not set, and all ports from {usual[0]} to {usual[-1]} are taken"
    raise WrongSetting(f"{taken}; choose another, or 0 for any free one")
