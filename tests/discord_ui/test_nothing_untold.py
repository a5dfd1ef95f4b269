from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.discord_ui import wire
from bot.discord_ui.wire import Refused
from bot.host.commands import Join
from tests.discord_ui.paper import CHANNEL, Evening, fails_once, lobby
from tests.host.world import GUEST, THIRD

BAD_REQUEST = 50035


def names(held: Evening) -> list[str]:
    return [name for name in (f"<@{GUEST}>", f"<@{THIRD}>") if name in held.paper.newest(CHANNEL)]


async def test_what_happens_while_a_message_is_refused_is_told_all_the_same(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:

        async def refuse() -> None:
            await held.tables.submit(held.id, Join(THIRD, "Cem"))
            raise Refused(BAD_REQUEST, 400)

        held.paper.faults[CHANNEL] = refuse
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.told()
        assert names(held) == [f"<@{GUEST}>", f"<@{THIRD}>"]


async def test_a_thread_is_opened_as_often_as_it_is_archived(tmp_path: Path) -> None:
    async with lobby(tmp_path) as held:

        async def archived() -> None:
            raise Refused(wire.ARCHIVED, 400)

        for number, person in enumerate((GUEST, THIRD), 1):
            held.paper.faults[CHANNEL] = archived
            await held.tables.submit(held.id, Join(person, "Ben"))
            await held.told()
            assert held.paper.unarchived == number
            assert len(names(held)) == number


async def test_a_fault_of_the_store_on_top_of_a_refusal_is_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:

        async def refuse() -> None:
            fails_once(held, monkeypatch)
            raise Refused(BAD_REQUEST, 400)

        held.paper.faults[CHANNEL] = refuse
        await held.tables.submit(held.id, Join(GUEST, "Ben"))
        await held.told()
        assert names(held) == [f"<@{GUEST}>"]


async def test_a_table_message_that_could_not_be_noted_shows_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as held:
        failed = fails_once(held, monkeypatch, lambda: held.tables.submit(held.id, Join(GUEST, "Ben")))
        held.publisher.move(held.id)
        await asyncio.wait_for(failed.wait(), 20)
        await held.told()
        assert names(held) == [f"<@{GUEST}>"]
