"""Answers `/healthz` and `/metrics`, on a port of the host's choice."""

from __future__ import annotations

import asyncio
import logging
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import aiohttp
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    GCCollector,
    Metric,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from bot import metrics
from bot.host.ports import Clock, StoreFault
from bot.store.ports import Backups, MonitoredStore
from bot.version import VERSION

if TYPE_CHECKING:
    from aiohttp import web

T = TypeVar("T")

LAG_SECONDS: Final = 1.0
"""Pause between two measurements of the event loop's lag."""
SNAPSHOT_SECONDS: Final = 10.0
"""For how long what was read from the database is shown again, however often somebody asks."""


_OWN_PACKAGES: Final = ("bot", "cogs")
_KINDS: Final = {
    "bot.ai_players.turns": "ai",
    "bot.discord_ui.interactions.boundary": "interaction",
    "bot.discord_ui.client": "event",
}
"""Kinds of errors that are not called like the module that logs them."""


class Gateway(Protocol):
    """The bot's connections to Discord; discord.py's client implements it."""

    @property
    def shards(self) -> Any:
        """Return the shards by their numbers."""

    @property
    def guilds(self) -> Sequence[Any]:
        """Return the servers."""


class Monitor:
    """Serves the two pages from `start` to `stop`."""

    def __init__(
        self,
        gateway: Gateway,
        store: MonitoredStore,
        clock: Clock,
        backups: Backups,
        problems: Callable[[], Sequence[str]],
        *,
        process: str = "",
    ) -> None:
        """With `process`, the name of one of many processes, every figure carries it."""
        self._registry = metrics.REGISTRY if not process else OfOneProcess(process)
        self._gateway = gateway
        self._store = store
        self._clock = clock
        self._backups = backups
        self._problems = problems
        self._runner: web.AppRunner | None = None
        self._measuring: asyncio.Task[None] | None = None
        self._read_at = float("-inf")

    async def start(self, host: str, port: int) -> None:
        """Begin to answer; raise OSError if the port is taken."""
        from aiohttp import web  # noqa: PLC0415 - 1.5 MB, which a bot without these pages does without

        app = web.Application()
        app.router.add_get("/healthz", self._health)
        app.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        self._measuring = asyncio.create_task(_measure_lag(), name="event loop lag")
        engine, version = self._store.engine
        metrics.BUILD.info({"version": VERSION, "python": platform.python_version(), engine: version})
        _add_process_figures()

    @property
    def addresses(self) -> list[Any]:
        """Where the pages are."""
        return [] if self._runner is None else list(self._runner.addresses)

    async def stop(self) -> None:
        """Stop answering."""
        if self._measuring is not None:
            self._measuring.cancel()
            await asyncio.gather(self._measuring, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    async def _health(self, _: web.Request) -> web.Response:
        from aiohttp import web  # noqa: PLC0415

        problems = self._problems()
        return web.Response(text="\n".join(problems or ["well"]) + "\n", status=503 if problems else 200)

    async def _metrics(self, _: web.Request) -> web.Response:
        from aiohttp import web  # noqa: PLC0415

        await self._refresh()
        # In a thread, so that no click waits for it.
        body = await asyncio.to_thread(generate_latest, self._registry)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _refresh(self) -> None:
        """Set the gauges that are not updated as things happen."""
        metrics.HEALTHY.set(not self._problems())
        metrics.GUILDS.set(len(self._gateway.guilds))
        for number, shard in (self._gateway.shards or {}).items():
            metrics.GATEWAY_UP.labels(number).set(not shard.is_closed())
            metrics.GATEWAY_LATENCY.labels(number).set(shard.latency)
        now = time.monotonic()
        if now - self._read_at < SNAPSHOT_SECONDS:
            return
        self._read_at = now
        metrics.BACKUP_INTERVAL.set(self._backups.every)
        metrics.NEWEST_BACKUP.set(self._backups.newest or 0)
        try:
            sizes = await self._store.sizes()
            waiting, oldest, tables = await self._store.load_now()
        except StoreFault:
            return  # the health says so
        for part, size in sizes.items():
            metrics.DATABASE_BYTES.labels(part).set(size)
        metrics.OUTBOX.set(waiting)
        metrics.OUTBOX_AGE.set(0 if oldest is None else max(0.0, (self._clock.now() - oldest) / 1000))
        metrics.OPEN_TABLES.clear()
        for game, edition, stage, number in tables:
            metrics.OPEN_TABLES.labels(game, edition, stage).set(number)


class OfOneProcess:
    """All figures, each with the name of this process as a label."""

    def __init__(self, process: str) -> None:
        self._process = process

    def collect(self) -> Iterator[Metric]:
        """Yield the figures."""
        for figure in metrics.REGISTRY.collect():
            labelled = Metric(figure.name, figure.documentation, figure.type, figure.unit)
            labelled.samples = [
                sample._replace(labels={**sample.labels, "process": self._process}) for sample in figure.samples
            ]
            yield labelled


async def _measure_lag() -> None:
    while True:
        before = time.monotonic()
        await asyncio.sleep(LAG_SECONDS)
        metrics.LOOP_LAG.observe(max(0.0, time.monotonic() - before - LAG_SECONDS))


@cache
def _add_process_figures() -> None:
    """Add memory, CPU time and garbage collection of this process, once."""
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=metrics.REGISTRY)


def request_counter() -> aiohttp.TraceConfig:
    """Return what counts requests to Discord, for discord.py's `http_trace`."""

    async def ended(_: object, __: object, request: aiohttp.TraceRequestEndParams) -> None:
        status = request.response.status
        metrics.REQUESTS.labels(status).inc()
        if status == 429:
            metrics.RATE_LIMITS.labels(request.response.headers.get("X-RateLimit-Scope", "edge")).inc()

    async def failed(_: object, __: object, ___: object) -> None:
        metrics.REQUESTS.labels("none").inc()

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


class ErrorCounter(logging.Handler):
    """Counts errors by the module that logs them, for `/metrics`."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        metrics.ERRORS.labels(kind_of(record.name)).inc()


def kind_of(logger: str) -> str:
    """Return the kind of error: the module of this bot, or the package of others."""
    package, _, rest = logger.partition(".")
    if package not in _OWN_PACKAGES:
        return package
    return _KINDS.get(logger) or (rest or package).rpartition(".")[2]


def count_errors() -> None:
    """Count every error that is logged from now on."""
    logging.getLogger().addHandler(ErrorCounter())
