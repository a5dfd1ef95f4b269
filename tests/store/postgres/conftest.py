"""Gives tests of PostgreSQL a database of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.store.postgres.store import PostgresStore
from tests.host.evening import BEGIN
from tests.store.postgres.server import drop_database, new_database


@pytest.fixture
async def address() -> AsyncIterator[str]:
    made = await new_database()
    yield made
    await drop_database(made)


@pytest.fixture
async def store(address: str) -> AsyncIterator[PostgresStore]:
    opened = await PostgresStore.open(address, BEGIN)
    yield opened
    await opened.close()
