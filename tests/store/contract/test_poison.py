"""A write that fails leaves nothing behind, and everything that shares its transaction is still written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.host.commands import Join
from bot.host.model import TableId, UserId
from bot.host.ports import Change, Conflict, Message, Preferences
from bot.house_rules.repository import HouseLogRow
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.store.contract.test_exactly_once import opened, step
from tests.store.databases import Database

TOO_LARGE = 2**70
NO_TEXT = "lone \ud800"
POISONS: dict[str, Callable[[Store], Awaitable[None]]] = {
    "a number that is too large": lambda store: store.commit([opened("poison", TOO_LARGE, 5)]),
    "a text that is none": lambda store: store.set_meta("poison", NO_TEXT),
    "a setting that is not allowed": lambda store: store.save_preferences(UserId(5), Preferences(slow=3)),
    "an interaction that is no number": lambda store: store.commit([_odd(opened("poison", 98))]),
    "an older state": lambda store: store.commit([step(opened("poison", 98).table, Join(UserId(5), "x"))]),
    "house rules from nowhere": lambda store: store.keep_house(
        6, 9, "{}", [HouseLogRow(6, BEGIN, UserId(5), "poison", None, None)]
    ),
    "a message of no table": lambda store: store.mark_done(
        [], placed=[Message(TableId("poison"), "table", None, 1, 2, BEGIN)]
    ),
    "half a message": lambda store: store.mark_done(
        [],
        placed=[
            Message(TableId("t1"), "table", None, 1, 5, BEGIN),
            Message(TableId("t1"), "ping", None, 1, TOO_LARGE, BEGIN),
        ],
    ),
}


def _odd(change: Change) -> Change:
    return change._replace(interaction_id="poison")


@pytest.mark.parametrize("poison", POISONS.values(), ids=POISONS)
@pytest.mark.parametrize("others", [0, 1, 30])
async def test_a_poisoned_write_fails_alone(
    store: Store, database: Database, poison: Callable[[Store], Awaitable[None]], others: int
) -> None:
    await store.keep_house(6, 1, "{}", [])
    await store.commit([opened("t1", 1)])
    before = {table: sorted(await database.rows(table), key=repr) for table in await database.tables()}
    good = [store.commit([opened(f"o{number}", 1000 + number, 1000 + number)]) for number in range(others)]
    bad = asyncio.ensure_future(poison(store))
    more = [store.commit([opened(f"m{number}", 2000 + number, 2000 + number)]) for number in range(others)]
    async with asyncio.timeout(30):
        (answer,) = await asyncio.gather(bad, return_exceptions=True)
        await asyncio.gather(*good, *more)
    assert isinstance(answer, Exception)
    assert len(await store.open_in(1)) == 1 + 2 * others
    if not others:
        assert {table: sorted(await database.rows(table), key=repr) for table in await database.tables()} == before
    assert await store.meta("poison") is None
    assert await store.messages(TableId("t1")) == ()
    assert await store.house(6) == (1, "{}")
    assert await store.house_log(6, None, 9) == []
    assert not await store.privacy.knows(UserId(5))
    await store.commit([opened("poison", 98, 5)])  # neither its table nor its interaction was used up


async def test_many_poisoned_writes_among_good_ones(store: Store) -> None:
    await store.keep_house(6, 1, "{}", [])
    answers = await asyncio.gather(
        *[
            store.keep_house(6, 9, "{}", []) if number % 3 else store.commit([opened(f"t{number}", number)])
            for number in range(90)
        ],
        return_exceptions=True,
    )
    assert {type(answer) for answer in answers[1::3]} == {Conflict}
    assert set(answers[::3]) == {None}
    assert len(await store.open_in(1)) == 30
