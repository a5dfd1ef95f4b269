"""Whole games with the real bot process on the sandbox; `make soak` plays all of them, a normal run a sample.

Games in which the bot is killed in the same phase are played at the same time, each in its own channel. The process is
killed once all of them have reached that phase.
"""

import asyncio
from collections import deque
from pathlib import Path

import pytest

from sandbox.people import Person
from tests.e2e import soak
from tests.e2e.harness import Evening, evening
from tests.e2e.matrix import Row, every_game, kills, sample
from tests.e2e.players import Game, can_look, is_won, newest
from tests.games.drivers import DRIVERS

ROWS = soak.shuffled(every_game()) if soak.WANTED else [row for driver in DRIVERS for row in sample(driver)]
GAMES_AT_ONCE = 6
"""Cap on games that share a bot process."""
MAX_REPEATED_REQUESTS = 6
"""Cap on DM requests repeated after a kill: that many may have been sent but not noted, half of a full table."""


def _groups() -> list[list[Row]]:
    groups = []
    for driver in DRIVERS:
        for kill in kills(driver):
            rows = [row for row in ROWS if (row.driver, row.kill) == (driver, kill)]
            groups += [rows[first : first + GAMES_AT_ONCE] for first in range(0, len(rows), GAMES_AT_ONCE)]
    return soak.shuffled(groups) if soak.WANTED else groups


SCALE = 100.0
OPEN_DM, SEND = "POST /users/@me/channels", "POST /channels/{channel_id}/messages"


@pytest.mark.parametrize("rows", _groups(), ids=lambda rows: f"{rows[0].driver.name}-{rows[0].kill}-{len(rows)}")
async def test_whole_games(tmp_path: Path, rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = soak.left(rows)
    soak.be_patient(monkeypatch)
    async with evening(tmp_path, 1, driver=rows[0].driver, scale=SCALE) as held:
        held.sandbox.api.requests = deque()
        killed = SharedKill(held, len(rows))
        async with asyncio.TaskGroup() as games:
            for number, row in enumerate(rows):
                games.create_task(_play(held, row, number, killed))
    soak.note(rows)


class SharedKill:
    """Restarts the bot once all games have reached the same phase; until then, they wait."""

    def __init__(self, held: Evening, games: int) -> None:
        self._held = held
        self._barrier = asyncio.Barrier(games)
        self._back = asyncio.Event()

    async def wait(self) -> None:
        if await self._barrier.wait() == 0:
            await self._held.bot.restart()
            self._back.set()
        await self._back.wait()


async def _play(held: Evening, row: Row, number: int, killed: SharedKill) -> None:
    *players, bystander = crowd = held.room(f"room-{number}", row.players + 1)
    for person in crowd:
        person.dms_open = row.dms
    assert bystander.where is not None
    game = Game(held, players, row.way, seed=row.players, onlookers=[bystander], aim=row.kill)

    async def hook(phase: str) -> None:
        if phase == row.kill:
            await killed.wait()
        message = newest(bystander)
        if message is not None and can_look(message):
            assert (await held.look(bystander, message)).failed is None

    options = held.driver.options(row.kind, row.players, full=soak.WANTED)
    final = await game.play(hook, clock="2h", **options)
    assert is_won(final), row
    assert row.kill in {"never", *game.visited}, row
    assert game.compared > 0, row
    if not row.dms:
        _check_nobody_was_written_to_twice(held, players, killed=row.kill != "never")
    await bystander.wait_for(lambda: not any("it's your turn" in each.text for each in bystander.read()))


def _check_nobody_was_written_to_twice(held: Evening, players: list[Person], *, killed: bool) -> None:
    """Fail if a DM was sent or opened twice; only requests that a kill interrupted may be repeated."""
    ids = {person.id for person in players}
    opened = [str(each.body["recipient_id"]) for each in held.sandbox.api.requests if each.route == OPEN_DM]
    opened = [user for user in opened if user in ids]
    assert len(opened) - len(set(opened)) <= (MAX_REPEATED_REQUESTS if killed else 0)
    dms = {held.sandbox.world.dm_of[user].id for user in ids if user in held.sandbox.world.dm_of}
    tried = [each.path for each in held.sandbox.api.requests if each.route == SEND and each.path.split("/")[4] in dms]
    assert len(tried) - len(set(tried)) <= (MAX_REPEATED_REQUESTS if killed else 0)
