"""An interaction is carried out once, however often Discord delivers it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord_ui.interactions.deliveries import REMEMBERED_SECONDS, Deliveries
from bot.host.ports import StoreFault
from bot.store.sqlite.store import SqliteStore


async def written(store: SqliteStore) -> frozenset[int]:
    """Return the interactions that are noted as refused, once all notes are written."""
    await store.set_meta("anything", "written after them")
    return await store.refused()


async def test_an_interaction_is_new_only_once(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    here, elsewhere = Deliveries(store), Deliveries(store)
    assert here.is_first(5)
    assert not here.is_first(5)
    assert elsewhere.is_first(5)  # each bot remembers for itself
    await store.close()


async def test_a_refused_interaction_is_known_after_a_restart(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    before = Deliveries(store)
    assert before.is_first(5)
    before.refused(5)
    assert before.is_first(6)
    await store.close()
    store = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    after = Deliveries(store)
    await after.recall()
    assert not after.is_first(5)
    assert after.is_first(6)  # if it was applied, the log knows it
    await store.close()


async def test_interactions_are_forgotten_once_nothing_could_answer_them(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    deliveries = Deliveries(store)
    assert deliveries.is_first(5)
    deliveries.refused(5)
    deliveries._rotated_at -= REMEMBERED_SECONDS  # as if that time had passed
    assert not deliveries.is_first(5)
    assert await written(store) == {5}
    deliveries._rotated_at -= REMEMBERED_SECONDS
    assert deliveries.is_first(5)
    assert await written(store) == frozenset()
    await store.close()


async def test_a_note_that_cannot_be_written_disturbs_nobody(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    deliveries = Deliveries(store)
    await store.close()
    deliveries.refused(5)
    with pytest.raises(StoreFault):
        await store.refused()
