"""What the end of a game did to ratings, seasons that are closed once, and people who are looked for again."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.host.model import House, TableId, UserId
from bot.stats.model import Board
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.stats.evenings import COUNTING, HOUR, Match, keep, play

ANA, BEN, CLEO = (UserId(10**17 + number) for number in range(3))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(tmp_path / "coyote.sqlite3", BEGIN)
    yield opened
    await opened.close()


def game(number: int, house: House = COUNTING, guild: int = 1) -> Match:
    return play(f"t{number}", guild, [ANA, BEN, CLEO], Random(number), BEGIN + number * HOUR, house)


async def test_an_ending_tells_the_ratings_before_and_after(store: SqliteStore) -> None:
    await keep(store, game(1))
    first = await store.stats.ending(TableId("t1"))
    assert first is not None
    assert first.game.number == 1
    assert first.before == (1000, 1000, 1000)
    await keep(store, game(2, COUNTING._replace(counts=False)))
    unrated = await store.stats.ending(TableId("t2"))
    assert unrated is not None
    assert unrated.before == (None, None, None)
    assert not unrated.game.counted
    await keep(store, game(3))
    third = await store.stats.ending(TableId("t3"))
    assert third is not None
    assert third.before == tuple(seat.rating for seat in first.game.seats)
    assert [seat.rating for seat in third.game.seats] != list(third.before)


async def test_ratings_of_another_server_are_another_matter(store: SqliteStore) -> None:
    await keep(store, game(1))
    await keep(store, game(2, guild=2))
    elsewhere = await store.stats.ending(TableId("t2"))
    assert elsewhere is not None
    assert elsewhere.game.number == 1
    assert elsewhere.before == (1000, 1000, 1000)


async def test_who_keeps_out_has_no_change_and_a_running_game_no_ending(store: SqliteStore) -> None:
    await store.stats.set_off(BEN, True)
    await keep(store, game(1))
    ending = await store.stats.ending(TableId("t1"))
    assert ending is not None
    assert ending.before == (1000, None, 1000)
    assert ending.game.seats[1].user is None
    assert await store.stats.ending(TableId("nowhere")) is None


async def test_of_two_who_close_a_season_at_once_one_does(store: SqliteStore) -> None:
    await keep(store, game(1))
    assert await store.stats.has_games(1, "season-1")
    assert not await store.stats.has_games(1, "season-2")
    closed = await asyncio.gather(*[store.stats.close_season(1, BEGIN, 1) for _ in range(3)])
    assert [season.number for season in closed] == [1, 1, 1]
    assert [season.number for season in await store.stats.seasons(1)] == [2, 1]
    await keep(store, game(2))
    assert await store.stats.has_games(1, "season-2")
    kept = await store.stats.card(Board(1, "coyote", period="season-1"), ANA)
    assert kept.totals.games == 1


async def test_who_was_missing_longest_is_looked_for_first(store: SqliteStore) -> None:
    await keep(store, game(1))
    for at, user in enumerate((BEN, ANA, CLEO)):
        await store.stats.set_absent(1, user, BEGIN + at)
    await store.stats.set_absent(1, UserId(10**17 + 3), BEGIN)  # whoever never played here is not noted
    assert await store.stats.absent_since(1, BEGIN + 2, 5) == (BEN, ANA)
    assert await store.stats.absent_since(1, BEGIN + 9, 2) == (BEN, ANA)
    assert await store.stats.absent_since(2, BEGIN + 9, 5) == ()
    await store.stats.set_absent(1, BEN, BEGIN + 9, absent=False)
    assert await store.stats.absent_since(1, BEGIN + 9, 5) == (ANA, CLEO)
