"""The same bot on PostgreSQL, with the bot or the server killed in the middle of a game."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.common import make, started
from tests.e2e.driver import Driver
from tests.e2e.harness import evening
from tests.store.postgres import server

WITHOUT_DATABASE = "I can't write anything down at the moment"


@pytest.fixture
async def address() -> AsyncIterator[str]:
    made = await server.new_database()
    yield made
    await server.drop_database(made)


async def test_a_game_goes_on_after_the_bot_was_killed(tmp_path: Path, driver: Driver, address: str) -> None:
    async with evening(tmp_path, driver=driver, DATABASE_URL=address) as held:
        message = await started(held)
        await make(held, held.move(message))
        await held.bot.restart()
        await make(held, held.move(message))
        assert not (await held.people[0].slash("stats")).failed
        assert not held.bot.database.exists()
        assert await held.bot.stop() == 0


@server.needs_own_server
async def test_play_goes_on_after_the_server_has_died(tmp_path: Path, address: str) -> None:
    async with evening(tmp_path, DATABASE_URL=address) as held:
        message = await started(held)
        await make(held, held.move(message))
        await asyncio.to_thread(server.crash)
        turn = held.move(message)
        try:
            await turn.press()
            await turn.by.wait_for(lambda: turn.by.private() and WITHOUT_DATABASE in turn.by.private()[-1].text)
        finally:
            await asyncio.to_thread(server.start)
        assert "the database cannot be reached" in held.bot.log_text
        await make(held, held.move(message))
        held.bot.log.clear()  # the errors in the log were expected
