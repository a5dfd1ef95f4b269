"""Many processes on one database: people play on while processes and the database are killed."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

import pytest

from bot.host.deadlines import next_due
from bot.host.model import Stage, Table, TableId
from bot.store.postgres.store import PostgresStore
from tests.e2e.cluster import (
    PATIENCE,
    STUCK_SECONDS,
    ClusterProcess,
    Disturbances,
    Party,
    cluster,
    final_tables,
    open_prompts,
    shown_prompts,
)
from tests.e2e.players import newest
from tests.store.postgres import server
from tests.store.postgres.server import drop_database, needs_own_server, new_database

SHARDS = 4
IS_SOAK = "CLUSTER_SOAK" in os.environ
TABLES = int(os.environ.get("CLUSTER_TABLES") or (200 if IS_SOAK else 20))
SECONDS = float(os.environ.get("CLUSTER_SECONDS") or (300 if IS_SOAK else 30))
PACE = float(os.environ.get("CLUSTER_PACE") or (20.0 if IS_SOAK else 2.0))
"""Seconds between two presses at a table. With 200 tables, a faster pace would exceed Discord's limit for one bot."""
KILL_SECONDS = 5.0
SEED = int(os.environ.get("CLUSTER_SEED") or 7)


@pytest.fixture
async def address() -> AsyncIterator[str]:
    made = await new_database()
    yield made
    await drop_database(made)


async def _kill_some(running: ClusterProcess, rng: Random, disturbances: Disturbances) -> int:
    """Kill a random process every few seconds, and the database twice; return how often a process was killed."""
    began, kills = time.monotonic(), 0
    database_at = [began + SECONDS * part for part in (0.35, 0.7)]
    while time.monotonic() - began < SECONDS:
        await asyncio.sleep(KILL_SECONDS)
        if children := running.children:
            kills += 1
            os.kill(rng.choice(children), signal.SIGKILL)
        if database_at and time.monotonic() > database_at[0]:
            database_at.pop(0)
            killed = time.monotonic()
            await asyncio.to_thread(server.crash)
            await asyncio.to_thread(server.start)
            disturbances.database.append((killed, time.monotonic()))
    return kills


@needs_own_server
async def test_nothing_is_lost_while_processes_and_the_database_are_killed(tmp_path: Path, address: str) -> None:
    async with cluster(address, tmp_path, shards=SHARDS) as running:
        parties = _parties(running)
        stop, disturbances = asyncio.Event(), Disturbances(running.sandbox, SHARDS)
        watching = asyncio.create_task(disturbances.watch())
        playing = [asyncio.create_task(party.play(stop)) for party in parties]
        await asyncio.sleep(2 * PACE)
        kills = await _kill_some(running, Random(SEED), disturbances)
        await asyncio.sleep(KILL_SECONDS)
        stop.set()
        await asyncio.gather(*playing)
        watching.cancel()
        assert running.sandbox.gateway.refused_identifies == 0
        tables, logged, overdue = await _read(address, parties)
        presses = [press for party in parties for press in party.presses]
        _report(parties, disturbances, kills)

        # Nothing that was acknowledged is lost, and nothing happened twice.
        accepted = {press.interaction for press in presses if press.is_accepted}
        assert len(accepted) > TABLES
        assert len(logged) == len(set(logged))
        assert accepted <= set(logged)

        # The last message of each table shows its last state.
        assert any(open_prompts(table) for table in tables.values())
        for party in parties:
            table = tables[party.name]
            if table.stage is Stage.PLAYING:
                assert shown_prompts(newest(party.people[0])) == open_prompts(table), (party.name, table.id)
        assert not overdue

        # Nobody waits for long after something has died.
        for press in presses:
            if not press.is_acknowledged:
                waits = disturbances.ends([press.shard], press.at - STUCK_SECONDS)
                assert any(press.at < end and press.at > end - STUCK_SECONDS - 3 for end in waits) or any(
                    killed - 3 < press.at < back + STUCK_SECONDS for killed, back in disturbances.database
                ), press
        for _, lost, served in disturbances.losses:
            away = [back for killed, back in disturbances.database if killed < served and lost < back]
            assert served < max([lost, *away]) + STUCK_SECONDS
        for party in parties:
            for at, seconds in party.shown_after:
                ends = [end for end in disturbances.ends([party.shard], at - STUCK_SECONDS) if end < at + PATIENCE]
                assert at + seconds < max([at, *ends]) + STUCK_SECONDS, (party.name, at, seconds)
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
        with_ai = number % 10 == 0
        parties.append(Party(running.sandbox, f"p{number}", SHARDS, seed=number, pace=PACE, with_ai=with_ai))
    assert {party.shard for party in parties} == set(range(SHARDS))
    return parties


async def _read(address: str, parties: Sequence[Party]) -> tuple[dict[str, Table], list[int], list[TableId]]:
    """Wait until everything is sent; return the tables, the logged interactions, and tables with a missed deadline."""
    store = await PostgresStore.open(address, int(time.time() * 1000), member="examiner")
    try:
        async with asyncio.timeout(PATIENCE):
            while await store.fetch("SELECT 1 FROM outbox WHERE kind <> 'ping' LIMIT 1"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        tables = await final_tables(store, parties)
        found = await store.fetch("SELECT interaction_id FROM actions WHERE interaction_id IS NOT NULL")
        late = int(time.time() * 1000) - int(STUCK_SECONDS * 1000)
        overdue = [table.id for table in tables.values() if (due := next_due(table)) is not None and due < late]
        return tables, [interaction for (interaction,) in found], overdue
    finally:
        await store.close()


def _report(parties: Sequence[Party], disturbances: Disturbances, kills: int) -> None:
    presses = [press for party in parties for press in party.presses]
    losses = sorted(back - lost for _, lost, back in disturbances.losses)
    shown = sorted(seconds for party in parties for _, seconds in party.shown_after)
    away = [back - killed for killed, back in disturbances.database]
    print(
        f"\n{len(presses)} presses at {TABLES} tables: {sum(each.is_accepted for each in presses)} accepted,"
        f" {sum(not each.is_acknowledged for each in presses)} unanswered. {kills} processes killed; a shard was lost"
        f" {len(losses)} times, for {max(losses, default=0):.1f} s at most. The database was away {len(away)} times,"
        f" for {max(away, default=0):.1f} s at most. A move was shown after {shown[len(shown) // 2]:.2f} s (median),"
        f" {shown[int(len(shown) * 0.99)]:.2f} s (p99), {shown[-1]:.2f} s (all)."
    )
