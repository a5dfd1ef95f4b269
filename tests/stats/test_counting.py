from __future__ import annotations

import asyncio
import logging
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.crowd import fill
from bot.__main__ import main
from bot.engine.core import Seat
from bot.host.former_players import GHOSTS
from bot.host.model import House, Stage, TableId, UserId
from bot.host.ports import Preferences
from bot.stats.figures import FIGURES, Counted, GameFigures, figures_of
from bot.stats.model import Board
from bot.store.sqlite import counting, standings
from bot.store.sqlite.counting import ended
from bot.store.sqlite.rebuild import rebuild
from bot.store.sqlite.store import SqliteStore
from tests.host.evening import BEGIN
from tests.stats.evenings import COUNTING, HOUR, Match, changes, contents, keep, play, with_ai

ROOT = Path(__file__).parents[2]
ANA, BEN, CLEO, DAN = (UserId(10**17 + number) for number in range(4))
ALL = Board(1, "coyote")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coyote.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(path, BEGIN)
    yield opened
    if not opened._closed:
        await opened.close()


def game(number: int, *users: UserId, house: House = COUNTING, **more: Any) -> Match:
    """Return a match that nobody leaves; the same number gives the same match."""
    now = BEGIN + number * HOUR
    return play(f"t{number}", 1, list(users or (ANA, BEN, CLEO)), Random(number), now, house, **more)


async def played(store: SqliteStore, *numbers: int, users: tuple[UserId, ...] = (), **more: Any) -> None:
    for number in numbers:
        await keep(store, game(number, *users, **more))


async def test_nothing_is_counted_before_the_end(store: SqliteStore, path: Path) -> None:
    begin, end = changes(game(1))
    await store.commit([begin])
    assert not any(contents(path).values())
    assert (await store.stats.history(1)).games == 0
    await store.commit([end])
    assert (await store.stats.history(1)).games == 1


async def test_a_game_is_counted_once(store: SqliteStore, path: Path) -> None:
    await played(store, 1)
    before = contents(path)
    for _ in range(2):
        await store.work(lambda connection: ended(connection, game(1).over.id, 1))
    assert contents(path) == before


async def test_a_game_that_was_stopped_is_not_counted(store: SqliteStore, path: Path) -> None:
    begin, end = changes(game(1))
    await store.commit([begin, end._replace(table=end.table._replace(stage=Stage.CLOSED))])
    assert not any(contents(path).values())


async def test_games_are_numbered_in_each_server(store: SqliteStore) -> None:
    for number, guild in enumerate((1, 2, 1, 1, 2)):
        await keep(store, play(f"t{number}", guild, [ANA, BEN, CLEO], Random(number)))
    assert [past.number for past in (await store.stats.history(1)).lines] == [3, 2, 1]
    assert [past.table for past in (await store.stats.history(2)).lines] == ["t4", "t1"]
    third = await store.stats.game(1, 3)
    assert third is not None
    assert third.table == "t3"
    assert await store.stats.game(1, 4) is None
    assert [past.number for past in (await store.stats.history(1, 2, size=2)).lines] == [1]
    assert (await store.stats.history(1, 9, size=2)).number == 2


async def test_the_end_is_kept_even_if_the_log_cannot_be_read(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, end = changes(game(1))
    await store.commit([begin])
    with caplog.at_level(logging.ERROR):
        await store.commit([end._replace(log=end.log[:-3])])
    assert "is not counted" in caplog.text
    loaded = await store.load(end.table.id)
    assert loaded is not None
    assert loaded.table.stage is Stage.OVER
    assert not any(contents(path).values())
    with monkeypatch.context() as patched:  # and a mistake in the middle of counting leaves no half
        patched.setattr(counting, "_write_seats", lambda *_: 1 / 0)
        await played(store, 3)
    assert not any(contents(path).values())
    await played(store, 2)
    live = contents(path)
    await store.close()
    rebuild(path, lambda *_: None)
    assert [number for _, _, number, *_ in contents(path)["games"]] == [2, 3], "it is counted once that is mended"
    assert contents(path)["games"][1] == live["games"][0]
    store = await SqliteStore.open(path, BEGIN)
    assert [past.number for past in (await store.stats.history(1)).lines] == [3, 2]
    await store.close()


@pytest.mark.parametrize(
    ("house", "ai", "counted"),
    [
        (COUNTING, False, True),
        (COUNTING, True, False),
        (COUNTING._replace(count_ai=True), True, True),
        (COUNTING._replace(counts=False, count_ai=True), False, False),
    ],
)
async def test_what_counts(store: SqliteStore, house: House, ai: bool, counted: bool) -> None:
    match = game(1, house=house)
    await keep(store, with_ai(match) if ai else match)
    (past,) = (await store.stats.history(1)).lines
    assert (past.ai, past.counted) == (ai, counted)
    assert (await store.stats.card(ALL, ANA)).totals.games == counted


async def test_an_ai_is_nobody_and_rates_nobody(store: SqliteStore) -> None:
    house = COUNTING._replace(count_ai=True)
    await played(store, 1, users=(ANA, UserId(-1), UserId(-2)), house=house)
    card = await store.stats.card(ALL, ANA)
    assert (card.totals.games, card.totals.rated, card.totals.rating) == (1, 0, 1000)
    (past,) = (await store.stats.history(1)).lines
    assert [(seat.user, seat.ai) for seat in past.seats] == [(ANA, False), (None, True), (None, True)]
    assert card.victim is card.nemesis is None


async def plenty_coups(store: SqliteStore, *numbers: int) -> None:
    for number in numbers:
        match = play(f"p{number}", 1, [ANA, BEN], Random(number), game="plenty-coups", options={})
        await keep(store, match)


async def test_a_game_without_figures_has_places_ratings_and_boards_of_its_own(store: SqliteStore) -> None:
    await plenty_coups(store, 2)
    card = await store.stats.card(Board(1, "plenty-coups"), ANA)
    assert card.totals.games == card.totals.rated == 1
    assert card.totals.figures == {}
    assert len(card.curve) == 1
    assert card.curve[0].rating == card.totals.rating
    assert await store.stats.editions(1) == (("plenty-coups", ""),)
    for by in figures_of("plenty-coups").rankings:
        page = await store.stats.leaderboard(Board(1, "plenty-coups"), by, minimum=1)
        assert {line.user for line in page.lines} == {ANA, BEN}
    assert (await store.stats.card(ALL, ANA)).totals.games == 0
    replay = await store.stats.replay(1, 1)
    assert replay is not None
    assert all(camp.hand is not None for camp in replay.open_view(len(replay) - 1).camps)


async def test_a_rated_match_of_a_game_without_editions_is_announced_as_rated(store: SqliteStore) -> None:
    await played(store, 1)
    await plenty_coups(store, 2, 3)
    first, second = [await store.stats.ending(TableId(f"p{number}")) for number in (2, 3)]
    assert first is not None
    assert second is not None
    assert first.before == (1000, 1000), "ratings of another game are another matter"
    after = tuple(seat.rating for seat in first.game.seats)
    assert None not in after
    assert second.before == after


def count_moves(players: int, events: Sequence[Any]) -> Counted:
    moves = len(events)
    return Counted(7, [{"moves": moves * seat, "unknown": 1} for seat in range(players)], ((Seat(1), Seat(0), moves),))


async def test_a_game_is_ranked_by_any_figure_that_it_declares(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = GameFigures(
        names=("moves",),
        count=count_moves,
        rankings=("moves", "rating"),
        editions=("short",),
        edition_of=lambda _: "short",
    )
    monkeypatch.setitem(FIGURES, "plenty-coups", declared)
    await plenty_coups(store, 1, 2, 3, 4, 5)
    for edition in ("", "short"):
        board = Board(1, "plenty-coups", edition)
        page = await store.stats.leaderboard(board, "moves", asker=ANA)
        assert [(line.rank, line.user) for line in page.lines] == [(1, BEN), (2, ANA)]
        assert page.lines[0].score == page.lines[0].totals.own("moves") > page.lines[1].score == 0
        assert page.own == page.lines[1]
        card = await store.stats.card(board, BEN)
        assert card.totals.figures == {"moves": page.lines[0].score}
        assert card.totals.rounds == 35
        assert card.victim == (ANA, page.lines[0].score)
        assert len(card.curve) == 5
    await store.stats.set_off(BEN, True)
    await store.stats.set_off(BEN, False)
    await store.close()
    live = contents(path)
    assert rebuild(path, lambda *_: None) == 5
    assert contents(path) == live


async def test_whoever_opts_out_is_nobody_from_then_on(store: SqliteStore, path: Path) -> None:
    await played(store, *range(6))
    await store.stats.set_off(ANA, True)
    await store.prefer(ANA, Preferences(slow=2))
    assert await store.stats.is_off(ANA), "other settings leave it alone"
    before = await store.stats.card(ALL, ANA)
    assert (before.off, before.rank, before.totals.games) == (True, None, 6)
    await played(store, 7, 8)
    assert (await store.stats.card(ALL, ANA)).totals == before.totals
    page = await store.stats.leaderboard(ALL, asker=ANA)
    assert {line.user for line in page.lines} == {BEN, CLEO}
    assert page.own is not None
    assert page.own.rank is None
    last = await store.stats.game(1, 8)
    assert last is not None
    assert [seat.user for seat in last.seats] == [None, BEN, CLEO]
    assert all(seat.rating is not None for seat in last.seats[1:]), "the others are rated among themselves"
    both = await store.stats.versus(ALL, BEN, CLEO)
    assert both.games == both.a.ahead + both.b.ahead == 8
    assert [past.number for past in both.last] == [8, 7, 6, 5, 4]
    assert (await store.stats.versus(ALL, BEN, ANA)).games == 6
    for user in (BEN, CLEO):
        card = await store.stats.card(ALL, user)
        assert ANA not in {rival.user for rival in (card.victim, card.nemesis) if rival}
    live = contents(path)
    await store.stats.set_off(ANA, False)
    assert {line.user for line in (await store.stats.leaderboard(ALL)).lines} == {ANA, BEN, CLEO}
    await store.stats.set_off(ANA, True)
    assert contents(path) == live


async def test_rounds_are_those_that_ended_unless_the_game_counts_them(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(store, 1)
    counted = await store.stats.game(1, 1)
    await store.close()
    monkeypatch.setitem(FIGURES, "coyote", GameFigures())
    rebuild(path, lambda *_: None)
    again = await SqliteStore.open(path, BEGIN)
    ended_only = await again.stats.game(1, 1)
    await again.close()
    assert counted is not None
    assert ended_only is not None
    assert ended_only.rounds == counted.rounds > 1


async def test_people_who_left_the_server_are_off_its_boards_until_they_play(store: SqliteStore, path: Path) -> None:
    await played(store, *range(6))
    before = contents(path)
    await store.stats.set_absent(1, BEN, BEGIN)
    assert BEN not in {line.user for line in (await store.stats.leaderboard(ALL)).lines}
    await store.stats.set_absent(1, BEN, BEGIN, absent=False)
    assert contents(path) == before
    await store.stats.set_absent(1, BEN, BEGIN)
    absent = contents(path)
    await store.close()
    rebuild(path, lambda *_: None)
    assert contents(path) == absent
    again = await SqliteStore.open(path, BEGIN)
    await played(again, 7)
    assert BEN in {line.user for line in (await again.stats.leaderboard(ALL)).lines}
    after = contents(path)
    await again.close()
    rebuild(path, lambda *_: None)
    assert contents(path) == after


async def test_deleting_somebody_leaves_their_opponents_as_they_are(store: SqliteStore, path: Path) -> None:
    await played(store, *range(6), users=(ANA, BEN, CLEO, DAN))
    cards = {user: await store.stats.card(ALL, user) for user in (ANA, CLEO, DAN)}
    ghost = GHOSTS - 5

    def pseudonymise(connection: sqlite3.Connection) -> None:
        standings.erase(connection, BEN)
        connection.execute("UPDATE seats SET user = ? WHERE user = ?", (ghost, BEN))

    await store.work(pseudonymise)
    for user, before in cards.items():
        assert (await store.stats.card(ALL, user)).totals == before.totals
        assert (await store.stats.versus(ALL, user, BEN)).games == 0
    assert (await store.stats.card(ALL, BEN)).totals.games == 0
    live = contents(path)
    assert str(int(BEN)) not in str(live)
    await store.close()
    rebuild(path, lambda *_: None)
    assert contents(path) == live, "a rebuild after the deletion rates the others as before"


async def test_whoever_had_no_game_that_counts_is_nobody_after_a_rebuild(store: SqliteStore, path: Path) -> None:
    await played(store, 1, house=COUNTING._replace(counts=False))

    def pseudonymise(connection: sqlite3.Connection) -> None:
        standings.erase(connection, BEN)
        connection.execute("UPDATE seats SET user = ? WHERE user = ?", (GHOSTS - 5, BEN))

    await store.work(pseudonymise)
    live = contents(path)
    await store.close()
    rebuild(path, lambda *_: None)
    assert contents(path) == live


async def test_whoever_is_deleted_during_a_game_keeps_out_of_it(store: SqliteStore, path: Path) -> None:
    await played(store, 1, 2)
    begin, end = changes(game(3))
    await store.commit([begin])

    def pseudonymise(connection: sqlite3.Connection) -> None:
        standings.erase(connection, BEN)
        connection.execute("UPDATE seats SET user = ? WHERE user = ?", (GHOSTS - 5, BEN))

    await store.work(pseudonymise)
    await store.commit([end])
    live = contents(path)
    assert str(GHOSTS - 5) not in str(live), "a former player has no figures and is on no board"
    await store.close()
    rebuild(path, lambda *_: None)
    assert contents(path) == live


async def test_a_server_can_be_forgotten(store: SqliteStore, path: Path) -> None:
    await played(store, 1, 2)
    await keep(store, play("other", 2, [ANA, BEN, CLEO], Random(1)))
    await store.stats.close_season(1, BEGIN)
    await store.work(lambda connection: standings.erase_guild(connection, 1))
    assert (await store.stats.history(1)).games == 0
    assert len(await store.stats.seasons(1)) == 1
    rows = contents(path)
    assert len(rows["games"]) == 1
    assert {board for board, *_ in rows["totals"]} == {board for board, *_ in rows["boards"]}
    assert (await store.stats.card(Board(2, "coyote"), ANA)).totals.games == 1


async def test_the_table_of_a_closed_season_is_kept(store: SqliteStore, path: Path) -> None:
    await played(store, *range(5))
    first = (await store.stats.seasons(1))[0]
    assert first.closed is None
    running = await store.stats.leaderboard(Board(1, "coyote", period=first.period), "wins")
    assert await store.stats.close_season(1, BEGIN + 7) == first._replace(closed=BEGIN + 7)
    assert [season.number for season in await store.stats.seasons(1)] == [2, 1]
    await played(store, 6, 7)
    kept = await store.stats.leaderboard(Board(1, "coyote", period=first.period), "wins")
    assert kept == running
    assert len(kept.lines) == 3
    assert (await store.stats.card(Board(1, "coyote", period="season-2"), ANA)).totals.games == 2
    assert (await store.stats.card(Board(1, "coyote", period="season-2"), ANA)).totals.rated == 2
    assert [past.season for past in (await store.stats.history(1)).lines] == [2, 2, 1, 1, 1, 1, 1]
    live = contents(path)
    await store.close()
    rebuild(path, lambda *_: None)
    assert contents(path) == live


async def test_the_order_of_games_matters_to_the_rating_alone(tmp_path: Path) -> None:
    cards = []
    for order in ((1, 2, 3, 4), (3, 4, 1, 2)):
        store = await SqliteStore.open(tmp_path / f"{order}.sqlite3", BEGIN)
        await played(store, *order)
        cards.append((await store.stats.card(ALL, ANA)).totals)
        await store.close()
    one, other = cards
    assert one.mu != other.mu
    moving = {"mu": 0.0, "sigma": 0.0, "rating": 0, "run": 0, "best_run": 0}
    assert one._replace(**moving) == other._replace(**moving)  # type: ignore[arg-type]


async def test_the_curve_is_the_rating_after_each_game(store: SqliteStore) -> None:
    await played(store, 1, 2, options={"edition": "feathers"})
    await played(store, 3, options={"edition": "scout"})
    every, scout = await store.stats.card(ALL, ANA), await store.stats.card(Board(1, "coyote", "scout"), ANA)
    assert [point.number for point in every.curve] == [1, 2, 3]
    assert every.curve[-1].rating == every.totals.rating
    assert [(point.number, point.rating) for point in scout.curve] == [(3, scout.totals.rating)]


async def test_a_replay_shows_to_each_what_they_saw(store: SqliteStore) -> None:
    match = game(3, options={"edition": "peek", "variant": True})
    await keep(store, match)
    replay = await store.stats.replay(1, 1)
    assert replay is not None
    assert await store.stats.replay(1, 2) is None
    assert replay.users == (ANA, BEN, CLEO)
    assert replay.view(len(replay) - 1, None).winner is not None
    hidden = 0
    for step, moment in enumerate(replay.moments):
        opened = replay.open_view(step)
        for seat in range(3):
            seen = replay.view(step, seat)  # type: ignore[arg-type]
            mine, open_mine = seen.seats[seat], opened.seats[seat]
            if open_mine.worn:
                assert open_mine.worn is not None
                hidden += mine.worn is None
        assert moment.round >= 1
    assert hidden, "nobody sees their own feather"
    rounds = [moment.round for moment in replay.moments]
    assert rounds == sorted(rounds)
    assert {1, 2} <= set(rounds)


async def test_a_rebuild_needs_the_file_for_itself(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(path))
    await played(store, 1, 2)
    assert main(["stats", "rebuild"]) == 3
    assert "in use" in capsys.readouterr().err
    await store.close()
    assert main(["stats", "rebuild"]) == 0
    assert capsys.readouterr().out.splitlines() == ["2 of 2 games", "The statistics of 2 games are rebuilt."]
    monkeypatch.setenv("DATABASE_PATH", str(path.with_name("nothing")))
    assert main(["stats", "rebuild"]) == 3
    assert not path.with_name("nothing").exists()


async def test_a_rebuild_that_is_killed_leaves_the_old_statistics(store: SqliteStore, path: Path) -> None:
    await played(store, *range(30))
    await store.close()
    live = contents(path)
    # A log that counts differently now: whether the rebuild took place can be seen.
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE actions SET thought = 7 WHERE thought IS NOT NULL")
    connection.close()
    script = (
        "import os, sys; import bot.games.registry\n"
        "from pathlib import Path; from bot.store.sqlite import rebuild as r, recount; recount.GAMES_PER_REPORT = 10\n"
        "r.rebuild(Path(sys.argv[1]), lambda done, of: done == 20 and os.kill(os.getpid(), 9))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(path), cwd=ROOT, stderr=subprocess.DEVNULL
    )
    assert await process.wait() == -signal.SIGKILL
    assert contents(path) == live
    assert rebuild(path, lambda *_: None) == 30
    assert contents(path) != live
    assert {sum(row[6:8]) % 8 for row in contents(path)["game_seats"] if row[7]} == {0}


@pytest.mark.parametrize("size", [1, 3, 10])
async def test_pages_together_are_the_whole_board_whichever_way_they_are_found(path: Path, size: int) -> None:
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
