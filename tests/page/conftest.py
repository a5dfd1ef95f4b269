from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from tests.page.stage import chromium


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    """Start one browser for all tests of a module; each test has its own context."""
    async with chromium() as started:
        yield started
