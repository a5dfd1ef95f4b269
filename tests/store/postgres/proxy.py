"""A way to the server that breaks when a test says so."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

Cut = Literal["request", "answer"]


class Proxy:
    """Passes everything on, except what is cut."""

    def __init__(self, address: str, folder: Path) -> None:
        parts = urlsplit(address)
        (host,) = parse_qs(parts.query)["host"]
        self._server = f"{host}/.s.PGSQL.5432"
        self._path = str(folder / ".s.PGSQL.5432")
        self.address = urlunsplit(parts._replace(query=urlencode({"host": str(folder)})))
        self._cut: tuple[Cut, bytes] | None = None
        self.cuts = 0
        """How often something was cut."""
        self._speaks = asyncio.Event()
        self._speaks.set()

    @property
    def silent(self) -> bool:
        """Whether nothing is passed on, while connections stand and new ones are accepted: a machine without power."""
        return not self._speaks.is_set()

    @silent.setter
    def silent(self, value: bool) -> None:
        (self._speaks.clear if value else self._speaks.set)()

    def cut(self, what: Cut, after: bytes = b"") -> None:
        """Break the next connection that asks for something that contains `after`.

        Either the request never arrives, or it is carried out and its answer never arrives.
        """
        self._cut = (what, after)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        server_reader, server_writer = await asyncio.open_unix_connection(self._server)
        lost = asyncio.Event()

        async def ask() -> None:
            while data := await reader.read(65536):
                await self._speaks.wait()
                if self._cut is not None and self._cut[1] in data:
                    what, _ = self._cut
                    self._cut = None
                    self.cuts += 1
                    if what == "request":
                        return
                    lost.set()
                server_writer.write(data)

        async def answer() -> None:
            while data := await server_reader.read(65536):
                await self._speaks.wait()
                if lost.is_set():
                    return
                writer.write(data)

        tasks = [asyncio.create_task(ask()), asyncio.create_task(answer())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for each in (writer, server_writer):
                with suppress(OSError):
                    each.close()


@asynccontextmanager
async def proxy_to(address: str) -> AsyncIterator[Proxy]:
    """Yield a way to a database of our own server."""
    with tempfile.TemporaryDirectory() as folder:
        proxy = Proxy(address, Path(folder))
        listening = await asyncio.start_unix_server(proxy.serve, proxy._path)
        try:
            yield proxy
        finally:
            listening.close()
