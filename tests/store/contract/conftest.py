"""Gives every test of the contract a database of each kind, and a store that is open on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.ports import Store
from tests.store.databases import KINDS, Database


@pytest.fixture(params=KINDS)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    folder = tmp_path / "data"
    folder.mkdir()
    made = KINDS[request.param](folder)
    await made.make()
    yield made
    await made.drop()


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    opened = await database.open()
    yield opened
    await opened.close()
