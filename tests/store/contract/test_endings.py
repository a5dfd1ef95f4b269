"""How games change ratings, closing a season only once, and looking up absent people again."""

import asyncio
from collections import Counter
from random import Random

from bot.host.model import House, TableId, UserId
from bot.stats.model import Board
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.stats.evenings import COUNTING, HOUR, Match, contents, keep, play
from tests.stats.test_absences import EVERYBODY, ai_wins, evening_of_four, goes_away
from tests.store.databases import Database

ANA, BEN, CLEO = (UserId(10**17 + number) for number in range(3))
AWAY = EVERYBODY[1]


def game(number: int, house: House = COUNTING, guild: int = 1) -> Match:
    return play(f"t{number}", guild, [ANA, BEN, CLEO], Random(number), BEGIN + number * HOUR, house)


async def test_an_ending_has_the_ratings_before_and_after(store: Store) -> None:
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


async def test_each_server_has_its_own_ratings(store: Store) -> None:
    await keep(store, game(1))
    await keep(store, game(2, guild=2))
    elsewhere = await store.stats.ending(TableId("t2"))
    assert elsewhere is not None
    assert elsewhere.game.number == 1
    assert elsewhere.before == (1000, 1000, 1000)


async def test_opted_out_users_have_no_rating_change_and_running_games_no_ending(store: Store) -> None:
    await store.stats.set_opted_out(BEN, True)
    await keep(store, game(1))
    ending = await store.stats.ending(TableId("t1"))
    assert ending is not None
    assert ending.before == (1000, None, 1000)
    assert ending.game.seats[1].user is None
    assert await store.stats.ending(TableId("nowhere")) is None


async def test_closing_a_season_twice_at_once_closes_it_once(store: Store) -> None:
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


async def test_the_user_absent_longest_is_looked_up_first(store: Store) -> None:
    await keep(store, game(1))
    for at, user in enumerate((BEN, ANA, CLEO)):
        await store.stats.set_absent(1, user, BEGIN + at)
    await store.stats.set_absent(1, UserId(10**17 + 3), BEGIN)  # ignored, since this user never played here
    assert await store.stats.absent_since(1, BEGIN + 2, 5) == (BEN, ANA)
    assert await store.stats.absent_since(1, BEGIN + 9, 2) == (BEN, ANA)
    assert await store.stats.absent_since(2, BEGIN + 9, 5) == ()
    await store.stats.set_absent(1, BEN, BEGIN + 9, absent=False)
    assert await store.stats.absent_since(1, BEGIN + 9, 5) == (ANA, CLEO)


async def test_ratings_cannot_be_dodged_and_a_rebuild_agrees(store: Store, database: Database) -> None:
    evening = evening_of_four()
    goes_away(evening, AWAY)
    ai_wins(evening, AWAY)
    begun = evening_of_four().table
    await keep(store, Match(begun, evening.table, (), tuple(evening.log), BEGIN, evening.now))
    ratings = Counter({user: (await store.stats.card(Board(1, "coyote"), user)).totals.rating for user in EVERYBODY})
    assert ratings[AWAY] < 1000 < max(ratings.values())
    assert (await store.stats.card(Board(1, "coyote"), AWAY)).totals.wins == 0
    assert sum([(await store.stats.card(Board(1, "coyote"), user)).totals.wins for user in EVERYBODY]) == 1
    live = await contents(database)
    await store.close()
    await database.rebuild()
    assert await contents(database) == live
