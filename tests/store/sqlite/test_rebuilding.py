"""Rebuilding statistics by the command, and leaderboards of a crowd that was never played for."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bench.crowd import fill
from bot.__main__ import main
from bot.host.model import UserId
from bot.stats.figures import figures_of
from bot.stats.model import Board
from bot.store.sqlite.counting import record_end
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.stats.evenings import contents, keep, play
from tests.store.databases import SqliteFile

ALL = Board(1, "coyote")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(path, BEGIN)
    yield opened
    await opened.close()


async def played(store: SqliteStore, *numbers: int) -> None:
    for number in numbers:
        await keep(store, play(f"t{number}", 1, [UserId(11), UserId(12), UserId(13)], Random(number)))


async def test_the_end_of_a_game_is_recorded_once(store: SqliteStore, path: Path) -> None:
    await played(store, 1)
    before = await contents(SqliteFile(path))
    match = play("t1", 1, [UserId(11), UserId(12), UserId(13)], Random(1))
    for _ in range(2):
        await store.work(lambda connection: record_end(connection, match.over.id, 1))
    assert await contents(SqliteFile(path)) == before


async def test_a_rebuild_is_refused_while_the_bot_uses_the_file(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(path))
    await played(store, 1, 2)
    assert main(["stats", "rebuild"]) == 3
    assert "in use" in capsys.readouterr().err
    await store.close()
    assert main(["stats", "rebuild"]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("The statistics of 2 games are rebuilt.\n", "")
    monkeypatch.setenv("DATABASE_PATH", str(path.with_name("nothing")))
    assert main(["stats", "rebuild"]) == 3
    assert not path.with_name("nothing").exists()


@pytest.mark.parametrize("size", [1, 3, 10])
async def test_all_pages_together_are_the_whole_leaderboard(path: Path, size: int) -> None:
    await (await SqliteStore.open(path, BEGIN)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        fill(connection, 1, 60, 600)
    store = await SqliteStore.open(path, BEGIN)
    for by in figures_of("coyote").rankings:
        whole = (await store.stats.leaderboard(ALL, by, size=1000)).lines
        assert [(-line.score, line.user) for line in whole] == sorted((-line.score, line.user) for line in whole)
        assert [line.rank for line in whole] == [1 + sum(other.score > line.score for other in whole) for line in whole]
        pages = -(-len(whole) // size)
        paged = [await store.stats.leaderboard(ALL, by, number, size=size) for number in range(1, pages + 1)]
        assert [line for page in paged for line in page.lines] == list(whole)
    await store.close()
