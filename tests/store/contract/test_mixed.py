"""Many tables at once, while people are deleted and transactions fail: each finished game is counted once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

import pytest

from bot.engine.core import Rejected
from bot.host.commands import Command, FillWithAi, Join, Leave, Start, Stop, Tick
from bot.host.former_players import is_former_id
from bot.host.model import House, Stage, Table
from bot.host.ports import Conflict
from tests.host.test_anything import GAMES_PLAYED, USERS, some_command
from tests.host.world import World
from tests.stats.evenings import contents
from tests.store.databases import Database, host_on

TABLES = 36
TURNS_PER_DELETION = 50
"""How often somebody is deleted; it happens at least once, however soon the games are over."""
POISONED = 900
HOUSES = (
    House(pause_seconds=0, ai_for_away=False, away_after=2),
    House(pause_seconds=0, away_after=1, count_ai=True),
    House(pause_seconds=0, ai_for_left=True, count_ai=True),
    House(pause_seconds=0, ai_for_left=True),
    House(pause_seconds=0, counts=False),
)


async def play(here: World, number: int, rng: Random) -> None:
    """Play at a table until it is over, for 600 commands at most; other tables play in between."""
    game, options = rng.choice(GAMES_PLAYED)
    host, *others = rng.sample(USERS, 4)
    house = rng.choice(HOUSES)._replace(tables_at_once=TABLES)
    table = await here.tables.open(number % 3, number, Join(host, "x"), game=game, options=options, house=house)
    begin: list[Command] = [Join(user, "x") for user in others]
    for command in [*begin, *([FillWithAi(host)] if rng.random() < 0.4 else []), Start(host)]:
        with suppress(Rejected):  # the user may have been deleted and so have left the table
            table = await here.tables.submit(table.id, command)
    for _ in range(600):
        if not table.is_open:
            return
        here.clock.move(rng.choice([0, 100, 500, 3000]))
        with suppress(Rejected):
            table = await here.tables.submit(table.id, _command(table, rng))


def _command(table: Table, rng: Random) -> Command:
    dice = rng.random()
    if table.stage is Stage.LOBBY:
        return Start(table.host)
    if dice < 0.01:
        return Leave(rng.choice(USERS))
    if dice < 0.012:
        return Stop(table.host, manager=True)
    return Tick() if dice < 0.2 else some_command(table, rng)


async def disturb(here: World, rng: Random, playing: asyncio.Future[list[None]]) -> None:
    """Make transactions fail, delete users and let some opt out of statistics while the others play."""
    await here.store.keep_house(POISONED, 1, "{}", [])
    turn = 0
    while not playing.done() or turn < TURNS_PER_DELETION:
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)
        dice, user = rng.random(), rng.choice(USERS)
        turn += 1
        if turn % TURNS_PER_DELETION == 0:
            await here.tables.forget(user)
        elif dice < 0.9:
            with pytest.raises(Conflict):  # everything else in its transaction has to be written without it
                await here.store.keep_house(POISONED, 9, "{}", [])
        elif dice < 0.97:
            await here.store.stats.set_opted_out(user, rng.random() < 0.5)
        elif dice < 0.98:
            await here.store.stats.close_season(rng.randrange(3), here.clock.now())
        else:
            await here.store.stats.set_absent(rng.randrange(3), user, here.clock.now())


@pytest.mark.parametrize("seed", range(3))
async def test_every_finished_game_is_counted_and_a_rebuild_agrees(database: Database, seed: int) -> None:
    rng = Random(seed)
    async with host_on(database, max_loaded=20) as here:
        playing = asyncio.gather(*[play(here, number, Random(rng.random())) for number in range(TABLES)])
        await asyncio.gather(playing, disturb(here, rng, playing))
    over = sorted(table for table, stage in await database.rows("tables", "id", "stage") if stage == "over")
    assert over
    for counted in ("ends", "games"):
        assert sorted(table for (table,) in await database.rows(counted, "table_id")) == over
    ends = sorted(await database.rows("ends", "nth", "guild", "number"))
    for guild in range(3):
        numbers = [number for _, its_guild, number in ends if its_guild == guild]
        assert numbers == list(range(1, len(numbers) + 1))
    for table, column in (("totals", "user"), ("pairs", "user"), ("pairs", "other"), ("game_seats", "user")):
        named = [user for (user,) in await database.rows(table, column) if user is not None and user < 0]
        assert not named, f"{table} names an AI player or a former player"
    assert any(is_former_id(user) for (user,) in await database.rows("seats", "user"))
    assert await database.rows("house_rules", "guild", "seq") == [(POISONED, 1)]
    live = await contents(database)
    assert await database.rebuild() == len(over)
    assert await contents(database) == live
