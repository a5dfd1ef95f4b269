"""How people guessed along: counted with the match, on a board of its own, and deleted with the person."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.host.model import Guesser, UserId
from bot.stats.figures import GUESS_ALONG, GUESSED, GUESSED_RIGHT
from bot.stats.model import Board
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.stats.evenings import contents, keep, play
from tests.store.databases import Database

GUILD = 7
PLAYERS = [UserId(101), UserId(102), UserId(103)]
ZOE, YAN = UserId(98_765_432_101), UserId(98_765_432_102)
BOARD = Board(GUILD, GUESS_ALONG)


async def store_match(store: Store, number: int, *guessers: Guesser, **house: Any) -> None:
    match = play(f"t{number}", GUILD, PLAYERS, Random(number), BEGIN + number * 10_000_000)
    over = match.over._replace(guessers=guessers, house=match.over.house._replace(**house))
    await keep(store, match._replace(begun=match.begun._replace(house=over.house), over=over))


async def lines(store: Store, by: str = GUESSED_RIGHT, asker: UserId | None = None) -> list[tuple[int, int, int]]:
    page = await store.stats.leaderboard(BOARD, by, asker=asker, minimum=1)
    return [(line.user, line.totals.own(GUESSED_RIGHT), line.totals.own(GUESSED)) for line in page.lines]


async def test_guesses_are_added_up_and_ranked(store: Store) -> None:
    await store_match(store, 1, Guesser(ZOE, 3, 1), Guesser(YAN, 4, 2), Guesser(UserId(5)))
    await store_match(store, 2, Guesser(ZOE, 2, 2, made_before=3, right_before=1))
    assert await lines(store) == [(ZOE, 3, 5), (YAN, 2, 4)]
    assert await lines(store, GUESSED) == [(ZOE, 3, 5), (YAN, 2, 4)]


async def test_people_who_opted_out_are_neither_counted_nor_shown(store: Store) -> None:
    await store_match(store, 1, Guesser(ZOE, 3, 1), Guesser(YAN, 4, 2))
    await lines(store)
    await store.stats.set_opted_out(ZOE, True)
    assert await lines(store) == [(YAN, 2, 4)]
    await store_match(store, 2, Guesser(ZOE, 9, 9))
    await store.stats.set_opted_out(ZOE, False)
    assert await lines(store) == [(YAN, 2, 4), (ZOE, 1, 3)]


async def test_a_match_that_does_not_count_has_no_guesses_on_the_board(store: Store) -> None:
    await store_match(store, 1, Guesser(ZOE, 3, 1), counts=False)
    assert await lines(store) == []


async def test_a_rebuild_counts_the_same(store: Store, database: Database) -> None:
    await store_match(store, 1, Guesser(ZOE, 3, 1), Guesser(YAN, 4, 2))
    await store_match(store, 2, Guesser(ZOE, 2, 2))
    before = await lines(store)
    await store.close()
    counted = await contents(database)
    await database.rebuild()
    assert await contents(database) == counted
    again = await database.open()
    assert await lines(again) == before
    await again.close()


async def test_somebody_who_only_guessed_is_known_exported_and_deleted(store: Store) -> None:
    await store_match(store, 1, Guesser(ZOE, 3, 1), Guesser(YAN, 4, 2))
    assert await store.privacy.knows(ZOE)
    found = await store.privacy.export(ZOE)
    assert found["statistics"]["guesses"] == [{"guild": str(GUILD), "number": 1, "made": 3, "right": 1}]
    assert [table["roles"] for table in found["tables"]] == [["guessers"]]
    await store.erase(ZOE, UserId(-(10**15)), [], [])
    assert not await store.privacy.knows(ZOE)
    assert await lines(store) == [(YAN, 2, 4)]
    table = await store.load((await store.stats.game(GUILD, 1)).table)  # type: ignore[union-attr]
    assert table is not None
    assert [each.user for each in table.table.guessers] == [YAN]
