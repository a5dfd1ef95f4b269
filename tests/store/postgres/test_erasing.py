"""Erasing somebody who has played much: nobody else may wait for long, because others write on the same connection."""

from __future__ import annotations

import asyncio

from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import UserId
from bot.store.postgres import erasing
from bot.store.postgres.store import PostgresStore
from tests.host.world import HOST
from tests.store.contract.test_exactly_once import opened
from tests.store.postgres.server import connect


async def test_the_number_of_statements_does_not_grow_with_the_number_of_games(
    store: PostgresStore, address: str
) -> None:
    connection = await connect(address)
    counts = []
    for first, last in ((0, 3), (3, 40)):
        await asyncio.gather(*[store.commit([opened(f"t{number}", number)]) for number in range(first, last)])
        await connection.execute("UPDATE tables SET stage = 'over', next_due = NULL")
        statements: list[str] = []
        former_id = UserId(FIRST_FORMER_ID - first)
        with connection.query_logger(lambda record, statements=statements: statements.append(record.query)):
            async with connection.transaction():
                await erasing.erase(connection, HOST, former_id, [])
        counts.append(len(statements))
        assert not await store.privacy.knows(HOST)
        documents = await connection.fetch("SELECT document FROM tables WHERE document LIKE $1", f"%{former_id}%")
        assert len(documents) == last - first
    await connection.close()
    assert counts[0] == counts[1]
