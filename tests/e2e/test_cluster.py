"""Many processes on one database: people play on while processes and the database are killed."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

import pytest

from bot.host.deadlines import next_due
from bot.host.model import Stage, Table, TableId
from bot.store.postgres.store import PostgresStore
from tests.e2e.cluster import (
    OPENINGS_PER_SECOND,
    PATIENCE,
    STUCK_SECONDS,
    ClusterProcess,
    Disturbances,
    Party,
    cluster,
    final_tables,
    is_shown,
)
from tests.e2e.players import newest
from tests.store.postgres import server
from tests.store.postgres.server import drop_database, needs_own_server, new_database

SHARDS = 4
IS_SOAK = "CLUSTER_SOAK" in os.environ
TABLES = int(os.environ.get("CLUSTER_TABLES") or (200 if IS_SOAK else 20))
"""Five processes, PostgreSQL and the sandbox with its people share two cores with the other tests: twenty tables, four
moves a second, leave them room to start a killed process again in the time between two kills."""
SECONDS = float(os.environ.get("CLUSTER_SECONDS") or (300 if IS_SOAK else 30))
PACE = float(os.environ.get("CLUSTER_PACE") or 5.0)
"""Seconds between two moves at a table."""
KILL_SECONDS = 5.0
ANSWER_SECONDS = 3.0
"""How long Discord waits for the answer to a press."""
SEED = int(os.environ.get("CLUSTER_SEED") or 7)


@pytest.fixture
async def address() -> AsyncIterator[str]:
    made = await new_database()
    yield made
    await drop_database(made)


async def _kill_some(running: ClusterProcess, rng: Random, disturbances: Disturbances) -> None:
    """Kill a random process every few seconds, and the database twice."""
    began = time.monotonic()
    database_at = [began + SECONDS * part for part in (0.35, 0.7)]
    while time.monotonic() - began < SECONDS:
        await asyncio.sleep(KILL_SECONDS)
        if children := running.children:
            disturbances.kills.append((time.monotonic(), running.kill(rng.choice(children))))
        if database_at and time.monotonic() > database_at[0]:
            database_at.pop(0)
            killed = time.monotonic()
            await asyncio.to_thread(server.crash)
            await asyncio.to_thread(server.start)
            disturbances.database.append((killed, time.monotonic()))


@needs_own_server
async def test_nothing_is_lost_while_processes_and_the_database_are_killed(tmp_path: Path, address: str) -> None:
    async with cluster(address, tmp_path, shards=SHARDS) as running:
        parties = _parties(running)
        stop, disturbances = asyncio.Event(), Disturbances(running.sandbox, SHARDS)
        watching = asyncio.create_task(disturbances.watch())
        playing = [asyncio.create_task(party.play(stop)) for party in parties]
        await asyncio.sleep(TABLES / OPENINGS_PER_SECOND + PACE)
        await _kill_some(running, Random(SEED), disturbances)
        await asyncio.sleep(KILL_SECONDS)
        stop.set()
        await asyncio.gather(*playing)
        watching.cancel()
        assert running.sandbox.gateway.refused_identifies == 0
        tables, wrong, logged, overdue = await _read(address, parties)
        presses = [press for party in parties for press in party.presses]
        _report(parties, disturbances)

        # Nothing that was acknowledged is lost, and nothing happened twice.
        accepted = {press.interaction for press in presses if press.is_accepted}
        assert len(accepted) > TABLES
        assert len(logged) == len(set(logged))
        assert accepted <= set(logged)

        # The last message of each table shows its last state.
        assert len(tables) == TABLES
        assert {table.stage for table in tables.values()} >= {Stage.PLAYING}
        assert not wrong
        assert not overdue

        # Nobody waits for long after something has died.
        for press in presses:
            if not press.is_acknowledged:
                away = [(lost, back) for shard, lost, back in disturbances.losses if shard == press.shard]
                away += [(killed, back + STUCK_SECONDS) for killed, back in disturbances.database]
                assert any(lost - ANSWER_SECONDS < press.at < back for lost, back in away), press
        for shard, lost, served in disturbances.losses:
            since = disturbances.between(shard, lost, served)
            assert served < max(disturbances.may_log_in(shard, lost, served), *since) + STUCK_SECONDS, (shard, lost)
        for party in parties:
            for at, seconds in party.shown_after:
                since = disturbances.between(party.shard, at - STUCK_SECONDS, at + seconds)
                assert at + seconds < max([at, *since]) + STUCK_SECONDS, (party.name, at, seconds)
    errors = [
        line
        for line in running.log_text.splitlines()
        if ("ERROR" in line or "Traceback" in line) and "the database is away" not in line
    ]
    assert not errors, running.log_text[running.log_text.index(errors[0]) :][:5000]


def _parties(running: ClusterProcess) -> list[Party]:
    parties = []
    for number in range(TABLES):
        # A guild's shard follows from its id, which contains the time of its creation.
        while int(time.time() * 1000) % SHARDS != number % SHARDS:
            time.sleep(0.0002)
        kind = {"with_ai": number % 10 == 0, "with_dms": number % 8 == 0}
        parties.append(Party(running.sandbox, f"p{number}", SHARDS, seed=number, pace=PACE, **kind))
    assert {party.shard for party in parties} == set(range(SHARDS))
    return parties


async def _read(
    address: str, parties: Sequence[Party]
) -> tuple[dict[str, Table], list[TableId], list[int], list[TableId]]:
    """Wait until everything is sent; return what the database has.

    These are the tables, those whose last message shows something else, the logged interactions, and tables with a
    missed deadline.
    """
    store = await PostgresStore.open(address, int(time.time() * 1000), member="examiner")
    try:
        async with asyncio.timeout(PATIENCE):
            while await store.fetch("SELECT 1 FROM outbox WHERE kind <> 'ping' LIMIT 1"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        tables = await final_tables(store, parties)
        wrong = await _wrongly_shown(store, parties)
        found = await store.fetch("SELECT interaction_id FROM actions WHERE interaction_id IS NOT NULL")
        late = int(time.time() * 1000) - int(STUCK_SECONDS * 1000)
        overdue = [table.id for table in tables.values() if (due := next_due(table)) is not None and due < late]
        return tables, wrong, [interaction for (interaction,) in found], overdue
    finally:
        await store.close()


async def _wrongly_shown(store: PostgresStore, parties: Sequence[Party]) -> list[TableId]:
    """Return the tables whose last message does not show their last state, even after some time.

    AI players and clocks go on, so a table may be between a step and its message.
    """
    late = time.monotonic() + STUCK_SECONDS
    left = list(parties)
    while True:
        tables = await final_tables(store, left)
        left = [
            party
            for party in left
            if party.name not in tables or not await is_shown(store, tables[party.name], newest(party.people[0]))
        ]
        if not left or time.monotonic() > late:
            return [tables[party.name].id for party in left]
        await asyncio.sleep(0.1)


def _report(parties: Sequence[Party], disturbances: Disturbances) -> None:
    presses = [press for party in parties for press in party.presses]
    losses = sorted(back - lost for _, lost, back in disturbances.losses)
    shown = sorted(seconds for party in parties for _, seconds in party.shown_after)
    away = [back - killed for killed, back in disturbances.database]
    print(
        f"\n{len(presses)} presses at {TABLES} tables: {sum(each.is_accepted for each in presses)} accepted,"
        f" {sum(not each.is_acknowledged for each in presses)} unanswered. {len(disturbances.kills)} processes killed;"
        f" a shard was lost {len(losses)} times, for {max(losses, default=0):.1f} s at most."
        f" The database was away {len(away)} times, for {max(away, default=0):.1f} s at most."
        f" A move was shown after {shown[len(shown) // 2]:.2f} s (median),"
        f" {shown[int(len(shown) * 0.99)]:.2f} s (p99), {shown[-1]:.2f} s (all)."
    )
