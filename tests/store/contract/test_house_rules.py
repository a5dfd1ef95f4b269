"""House rules are stored in the database and cached in memory, and the cache is never outdated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.engine.core import Rejected
from bot.games.coyote.decks import read_deck
from bot.games.coyote.settings import DECKS
from bot.host.model import UserId
from bot.host.ports import Conflict, StoreFault
from bot.house_rules.changes import ChangeResult, SettingChange, change, save
from bot.house_rules.game_settings import setting_of
from bot.house_rules.repository import HouseLogRow, HouseRulesRepository
from bot.house_rules.server_rules import ServerRules
from bot.store.ports import Store

GUILD, OTHER, ANA = 100, 200, UserId(11)


def to(**wanted: Any) -> Callable[[ServerRules], ChangeResult]:
    return lambda rules: change(rules, wanted)


def use_small_deck(rules: ServerRules) -> ChangeResult:
    return save(rules, setting_of("deck"), DECKS, "Small", read_deck("1..9×2"), use=True)


async def test_changes_are_logged_with_user_and_time(store: Store) -> None:
    houses = HouseRulesRepository(store, lambda: 5_000)
    await houses.change(GUILD, ANA, to(threshold=4, pings=False))
    await houses.change(GUILD, ANA, to(threshold=2))
    await houses.change(GUILD, ANA, use_small_deck)
    fresh = HouseRulesRepository(store, lambda: 0)
    rules = await fresh.rules_for(GUILD)
    assert rules.values == {"threshold": 2, "pings": False, "deck": "Small"}
    assert rules == await houses.rules_for(GUILD)
    assert rules.seq == 3
    assert (await fresh.rules_for(OTHER)) == ServerRules(OTHER)
    lines = await houses.log(GUILD)
    assert [line.change for line in lines] == [
        SettingChange("decks", None, {"name": "Small", "cards": "1×2 2×2 3×2 4×2 5×2 6×2 7×2 8×2 9×2"}),
        SettingChange("deck", None, ["Small"]),
        SettingChange("threshold", [4], [2]),
        SettingChange("pings", None, [False]),
        SettingChange("threshold", None, [4]),
    ]
    assert {(line.at, line.user) for line in lines} == {(5_000, ANA)}
    assert await houses.log(GUILD, before=lines[3].number) == lines[4:]
    assert await houses.log(OTHER) == []


async def test_a_change_that_is_refused_or_empty_leaves_no_trace(store: Store) -> None:
    houses = HouseRulesRepository(store, lambda: 0)
    with pytest.raises(Rejected):
        await houses.change(GUILD, ANA, to(threshold=9))
    assert (await houses.change(GUILD, ANA, to(threshold=3))).changes == ()
    assert await store.house(GUILD) is None
    assert await houses.log(GUILD) == []


async def test_simultaneous_changes_are_all_kept(store: Store) -> None:
    houses = HouseRulesRepository(store, lambda: 0, max_cached=1)
    keys = ("threshold", "pause_seconds", "away_after", "lobby_minutes", "ranked_after")
    both = [houses.change(guild, ANA, to(**{key: 4})) for key in keys for guild in (GUILD, OTHER)]
    reading = [houses.rules_for(guild) for guild in (GUILD, OTHER)]
    await asyncio.gather(*both, *reading)
    for guild in (GUILD, OTHER):
        assert (await houses.rules_for(guild)).values == dict.fromkeys(keys, 4)
        assert (await houses.rules_for(guild)).seq == len(keys)


async def test_a_change_that_could_not_be_written_is_not_in_memory_either(store: Store) -> None:
    houses = HouseRulesRepository(store, lambda: 0)
    await houses.change(GUILD, ANA, to(threshold=4))
    await HouseRulesRepository(store, lambda: 0).change(
        GUILD, ANA, to(threshold=5)
    )  # as if another process had written
    with pytest.raises(Conflict):
        await houses.change(GUILD, ANA, to(pings=False))
    assert (await houses.rules_for(GUILD)).values == {"threshold": 5}
    await houses.change(GUILD, ANA, to(pings=False))
    assert (await houses.rules_for(GUILD)).values == {"threshold": 5, "pings": False}
    houses.forget(GUILD)
    assert (await houses.rules_for(GUILD)).seq == 3


async def test_memory_agrees_with_the_store_after_a_cancelled_change(store: Store) -> None:
    houses = HouseRulesRepository(store, lambda: 0)
    task = asyncio.create_task(houses.change(GUILD, ANA, to(threshold=4)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    kept = await store.house(GUILD)
    assert (await houses.rules_for(GUILD)).values == ({} if kept is None else {"threshold": 4})


async def test_a_closed_store_refuses(store: Store) -> None:
    houses = HouseRulesRepository(store, lambda: 0)
    await houses.rules_for(GUILD)
    await store.close()
    with pytest.raises(StoreFault):
        await houses.change(GUILD, ANA, to(threshold=4))
    assert (ServerRules(GUILD)).values == {}


async def test_a_change_is_written_with_its_lines_or_not_at_all(store: Store) -> None:
    lines = [HouseLogRow(GUILD, 7, ANA, key, None, "[4]") for key in ("threshold", "away_after")]
    await store.keep_house(GUILD, 1, '{"ü": 1}', lines)
    with pytest.raises(Conflict):
        await store.keep_house(GUILD, 3, "{}", lines)
    with pytest.raises(Conflict):
        await store.keep_house(GUILD, 1, "{}", lines)
    assert await store.house(GUILD) == (1, '{"ü": 1}')
    found = await store.house_log(GUILD, None, 10)
    assert [row for _, row in found] == lines[::-1], "the newest first, and nothing of the changes that failed"
    assert await store.house_log(GUILD, found[0][0], 10) == found[1:]
    assert await store.house_log(GUILD, None, 1) == found[:1]


async def test_of_two_changes_at_once_one_is_refused(store: Store) -> None:
    line = HouseLogRow(GUILD, 7, ANA, "threshold", None, "[4]")
    await store.keep_house(GUILD, 1, "{}", [])
    answers = await asyncio.gather(
        *[store.keep_house(GUILD, 2, f"[{number}]", [line]) for number in range(5)], return_exceptions=True
    )
    assert [type(answer) for answer in answers].count(Conflict) == 4
    won = answers.index(None)
    assert await store.house(GUILD) == (2, f"[{won}]")
    assert len(await store.house_log(GUILD, None, 10)) == 1
