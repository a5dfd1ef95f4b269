"""Helpers for tests of wrong presses: a server with four people, three of whom play."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from sandbox.messagelog import Message
from sandbox.people import Person
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening
from tests.games.drivers import COYOTE

WAY = "Open the table"


def labels(message: Message) -> list[str | None]:
    return [button.get("label") for button in message.buttons]


@pytest_asyncio.fixture
async def held(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Evening]:
    """Four people, and the game of the test; Coyote if it is about no other."""
    driver: Driver = request.getfixturevalue("driver") if "driver" in request.fixturenames else COYOTE
    async with evening(tmp_path, 4, driver=driver) as found:
        yield found


async def started(held: Evening, **options: object) -> tuple[Message, Person, Person]:
    """Start a game of three; return the table message, the player in turn, and another player."""
    ana, ben, chloe, _ = held.people
    message = await held.open_table(ana, clock="2h", **options)
    for person in (ben, chloe):
        assert not (await person.click(message, "Join")).failed
    await ana.click(message, "Start")
    await ana.wait_for(lambda: held.driver.asked(message))
    turn = held.in_turn(message)
    return message, turn, next(person for person in (ana, ben, chloe) if person is not turn)
