"""Many tables at once, whatever ends them and whoever is deleted meanwhile: what is over is counted, once."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest

from bot.engine.core import Rejected
from bot.host.commands import Command, FillWithAi, Join, Leave, Start, Stop, Tick
from bot.host.former_players import is_ghost
from bot.host.model import House, Stage, Table
from bot.store.sqlite.rebuild import rebuild
from tests.host.test_anything import GAMES_PLAYED, USERS, some_command
from tests.host.world import World, world
from tests.stats.evenings import contents

TABLES = 36
HOUSES = (
    House(pause_seconds=0, ai_for_away=False, away_after=2),
    House(pause_seconds=0, away_after=1, count_ai=True),
    House(pause_seconds=0, ai_for_left=True, count_ai=True),
    House(pause_seconds=0, ai_for_left=True),
    House(pause_seconds=0, counts=False),
)


async def play(here: World, number: int, rng: Random) -> None:
    """Play at a table until it is over, or for long enough; steps of other tables come in between."""
    game, options = rng.choice(GAMES_PLAYED)
    host, *others = rng.sample(USERS, 4)
    house = rng.choice(HOUSES)._replace(tables_at_once=TABLES)
    table = await here.tables.open(number % 3, number, Join(host, "x"), game=game, options=options, house=house)
    begin: list[Command] = [Join(user, "x") for user in others]
    for command in [*begin, *([FillWithAi(host)] if rng.random() < 0.4 else []), Start(host)]:
        with suppress(Rejected):  # they may have been deleted, and so have left
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


async def trouble(here: World, rng: Random, playing: asyncio.Future[list[None]]) -> None:
    """Spoil transactions, delete people, and let them keep out of statistics, while others play."""

    def poison(connection: sqlite3.Connection) -> NoReturn:
        connection.execute("DELETE FROM ends")
        raise RuntimeError("poison")

    turn = 0
    while not playing.done():
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)
        dice, user = rng.random(), rng.choice(USERS)
        turn += 1
        if turn % 50 == 0:
            await here.tables.forget(user)
        elif dice < 0.9:
            with pytest.raises(Exception, match="poison"):
                await here.store.work(poison)
        elif dice < 0.97:
            await here.store.stats.set_off(user, rng.random() < 0.5)
        elif dice < 0.98:
            await here.store.stats.close_season(rng.randrange(3), here.clock.now())
        else:
            await here.store.stats.set_absent(rng.randrange(3), user, here.clock.now())


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_over_is_counted_and_rebuilt_alike(tmp_path: Path, seed: int) -> None:
    path, rng = tmp_path / "coyote.sqlite3", Random(seed)
    async with world(path, max_loaded=20) as here:
        playing = asyncio.gather(*[play(here, number, Random(rng.random())) for number in range(TABLES)])
        await asyncio.gather(playing, trouble(here, rng, playing))
    with closing(sqlite3.connect(path)) as connection:
        over = connection.execute("SELECT id FROM tables WHERE stage = 'over' ORDER BY id").fetchall()
        assert over
        for counted in ("ends", "games"):
            assert connection.execute(f"SELECT table_id FROM {counted} ORDER BY table_id").fetchall() == over  # noqa: S608
        for guild in range(3):
            sql = "SELECT number FROM ends WHERE guild = ? ORDER BY nth"
            numbers = [number for (number,) in connection.execute(sql, (guild,))]
            assert numbers == list(range(1, len(numbers) + 1))
        for table, column in (("totals", "user"), ("pairs", "user"), ("pairs", "other"), ("game_seats", "user")):
            people = connection.execute(f"SELECT {column} FROM {table} WHERE {column} < 0").fetchall()  # noqa: S608
            assert not people, f"{table} names somebody who is no person, or none any more"
        seated = [user for (user,) in connection.execute("SELECT user FROM seats")]
        assert any(is_ghost(user) for user in seated)
    live = contents(path)
    assert rebuild(path, lambda *_: None) == len(over)
    assert contents(path) == live
