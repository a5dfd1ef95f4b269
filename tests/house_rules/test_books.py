"""House rules are stored on disk, cached in memory, and never stale."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.engine.core import Rejected
from bot.games.coyote.decks import read_deck
from bot.games.coyote.settings import DECKS
from bot.host.model import UserId
from bot.host.ports import Conflict, StoreFault
from bot.house_rules import documents
from bot.house_rules.changes import Change, Changed, change, save
from bot.house_rules.documents import MARK, FileRefused, export, read_file
from bot.house_rules.game_settings import all_settings, by_key, setting_of
from bot.house_rules.kinds import Basis
from bot.house_rules.repository import Houses
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import SettingScope
from bot.screens.house.forms import reasons_text
from bot.store.sqlite.store import SqliteStore
from bot.text.catalogue import catalogue

GUILD, OTHER, ANA = 100, 200, UserId(11)


def save_deck(rules: ServerRules, name: str, deck: Any, *, use: bool) -> Changed:
    return save(rules, setting_of("deck"), DECKS, name, deck, use=use)


def to(**wanted: Any) -> Callable[[ServerRules], Changed]:
    return lambda rules: change(rules, wanted)


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    yield opened
    await opened.close()


async def test_changes_are_logged_with_user_and_time(store: SqliteStore) -> None:
    houses = Houses(store, lambda: 5_000)
    await houses.change(GUILD, ANA, to(threshold=4, pings=False))
    await houses.change(GUILD, ANA, to(threshold=2))
    await houses.change(GUILD, ANA, lambda rules: save_deck(rules, "Small", read_deck("1..9×2"), use=True))
    fresh = Houses(store, lambda: 0)
    rules = await fresh.rules_for(GUILD)
    assert rules.values == {"threshold": 2, "pings": False, "deck": "Small"}
    assert rules == await houses.rules_for(GUILD)
    assert rules.seq == 3
    assert (await fresh.rules_for(OTHER)) == ServerRules(OTHER)
    lines = await houses.log(GUILD)
    assert [line.change for line in lines] == [
        Change("decks", None, {"name": "Small", "cards": "1×2 2×2 3×2 4×2 5×2 6×2 7×2 8×2 9×2"}),
        Change("deck", None, ["Small"]),
        Change("threshold", [4], [2]),
        Change("pings", None, [False]),
        Change("threshold", None, [4]),
    ]
    assert {(line.at, line.user) for line in lines} == {(5_000, ANA)}
    assert await houses.log(GUILD, before=lines[3].number) == lines[4:]
    assert await houses.log(OTHER) == []


async def test_a_change_that_is_refused_or_empty_leaves_no_trace(store: SqliteStore) -> None:
    houses = Houses(store, lambda: 0)
    with pytest.raises(Rejected):
        await houses.change(GUILD, ANA, to(threshold=9))
    assert (await houses.change(GUILD, ANA, to(threshold=3))).changes == ()
    assert await store.house(GUILD) is None
    assert await houses.log(GUILD) == []


async def test_simultaneous_changes_are_made_one_after_the_other(store: SqliteStore) -> None:
    houses = Houses(store, lambda: 0, max_cached=1)
    keys = ("threshold", "pause_seconds", "away_after", "lobby_minutes", "ranked_after")
    both = [houses.change(guild, ANA, to(**{key: 4})) for key in keys for guild in (GUILD, OTHER)]
    reading = [houses.rules_for(guild) for guild in (GUILD, OTHER)]
    await asyncio.gather(*both, *reading)
    for guild in (GUILD, OTHER):
        assert (await houses.rules_for(guild)).values == dict.fromkeys(keys, 4)
        assert (await houses.rules_for(guild)).seq == len(keys)


async def test_a_change_that_could_not_be_written_is_not_in_memory_either(store: SqliteStore) -> None:
    houses = Houses(store, lambda: 0)
    await houses.change(GUILD, ANA, to(threshold=4))
    await Houses(store, lambda: 0).change(GUILD, ANA, to(threshold=5))  # as if another process had written
    with pytest.raises(Conflict):
        await houses.change(GUILD, ANA, to(pings=False))
    assert (await houses.rules_for(GUILD)).values == {"threshold": 5}
    await houses.change(GUILD, ANA, to(pings=False))
    assert (await houses.rules_for(GUILD)).values == {"threshold": 5, "pings": False}
    houses.forget(GUILD)
    assert (await houses.rules_for(GUILD)).seq == 3


async def test_memory_agrees_with_the_store_after_a_cancelled_change(store: SqliteStore) -> None:
    houses = Houses(store, lambda: 0)
    task = asyncio.create_task(houses.change(GUILD, ANA, to(threshold=4)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    kept = await store.house(GUILD)
    assert (await houses.rules_for(GUILD)).values == ({} if kept is None else {"threshold": 4})


async def test_a_closed_store_refuses(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "coyote.sqlite3", 0)
    houses = Houses(store, lambda: 0)
    await houses.rules_for(GUILD)
    await store.close()
    with pytest.raises(StoreFault):
        await houses.change(GUILD, ANA, to(threshold=4))
    assert (ServerRules(GUILD)).values == {}


def test_an_old_document_is_read_leniently() -> None:
    document = {
        "version": 1,
        "rules": {"threshold": 7, "edition": "scout", "min_bid": None, "gone": 1, "coins": {}, "deck": "Lost"},
        "decks": {"Odd": [["dragon", 1]], "Small": [[1, 9]]},
    }
    rules = documents.load(GUILD, 3, json.dumps(document))
    assert rules.values == {"edition": "scout", "min_bid": None}
    assert rules.saved == {"decks": {"Small": ((1, 9),)}}
    with pytest.raises(ValueError, match="version 1 or 2"):
        documents.load(GUILD, 3, '{"version": 3}')


def everything() -> ServerRules:
    """Return rules in which every setting differs from its default."""
    rules = save_deck(ServerRules(GUILD), "Small", read_deck("1..9×3 x2 −3"), use=False).rules
    wanted: dict[str, Any] = {"edition": "tomahawk"}
    basis = Basis(wanted, rules.saved)
    for setting in all_settings():
        if setting.key not in ("edition", "channels", "role", "language") and setting.applies(wanted):
            usual = setting.usual(wanted)
            wanted[setting.key] = next(each for each in setting.kind.offers(basis) if each != usual)
    return change(rules, wanted | {"channels": [5, 6], "role": 7, "min_players": 3, "max_players": 9}).rules


def test_a_file_round_trips() -> None:
    rules = everything()
    assert len(rules.values) == len(all_settings()) - 2, "all but the coins, and the one language"
    here = Basis(channels=frozenset({5, 6}), roles=frozenset({7}))
    found = read_file(ServerRules(OTHER), export(rules), here)
    assert found.changed.rules == rules._replace(guild=OTHER, seq=1)
    assert found.foreign == ()
    assert read_file(found.changed.rules, export(rules), here).changed.changes == ()
    elsewhere = read_file(ServerRules(OTHER), export(rules), Basis(channels=frozenset(), roles=frozenset()))
    assert elsewhere.foreign == ("channels", "role")
    of_server = {setting.key for setting in all_settings() if setting.scope is SettingScope.SERVER} - {"ranked_after"}
    assert {k: v for k, v in rules.values.items() if k not in of_server} == elsewhere.changed.rules.values
    assert documents.load(OTHER, 1, documents.dump(found.changed.rules)) == found.changed.rules


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        json.dumps({MARK: "1"}),
        json.dumps({MARK: 1, "rules": [], "decks": {}}),
        json.dumps({MARK: 1, "more": 1}),
        json.dumps({MARK: 1, "rules": {"threshold": True}}),
        json.dumps({MARK: 1, "rules": {"threshold": 1e308}}),
        json.dumps({MARK: 1, "rules": {"channels": [["x"]]}}),
        json.dumps({MARK: 1, "rules": {"channels": [0]}}),
        json.dumps({MARK: 1, "rules": {"role": "9" * 40}}),
        json.dumps({MARK: 1, "rules": {"deck": "Lost"}}),
        json.dumps({MARK: 1, "decks": {"A": [[1, 2, 3]]}}),
        json.dumps({MARK: 1, "decks": {"A": 5}}),
        json.dumps({MARK: 1, "decks": {"A": {"1": -1}}}),
        json.dumps({MARK: 1, "decks": {f"D{n}": "1" for n in range(21)}}),
        json.dumps({MARK: [1] * 5000}),
        json.dumps({MARK: 1, "rules": {"deck": "DEEP"}}).replace('"DEEP"', "[" * 700 + "]" * 700),
        json.dumps({MARK: 1, "rules": {"deck": "DEEP"}}).replace('"DEEP"', '{"a":' * 700 + "1" + "}" * 700),
        *[
            json.dumps({MARK: 1, "rules": dict.fromkeys(by_key(), bad)})
            for bad in ([1] * 500, 10**999, "x" * 900, 1e308)
        ],
        json.dumps({MARK: 1, "decks": {f"D{n}": [1] * 900 for n in range(9)}}),
    ],
)
def test_what_is_no_export_is_refused_in_one_message(text: str) -> None:
    with pytest.raises(FileRefused) as refused:
        read_file(ServerRules(GUILD), text, Basis(channels=frozenset({1}), roles=frozenset()))
    assert refused.value.reasons
    assert len(reasons_text(catalogue(), refused.value.reasons)) < 4000
