"""What finished games leave behind: totals, ratings, leaderboards, seasons, history, and rebuilding all of it."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.core import Seat
from bot.host.former_players import FIRST_FORMER_ID
from bot.host.model import House, Stage, TableId, UserId
from bot.host.ports import Conflict, Preferences
from bot.stats.figures import FIGURES, Counted, GameFigures, figures_of
from bot.stats.model import Board
from bot.store import counted
from bot.store.janitor import DAY_MILLIS
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.stats.evenings import COUNTING, HOUR, Match, changes, contents, keep, play, with_ai
from tests.store.databases import KINDS, Database

ROOT = Path(__file__).parents[3]
ANA, BEN, CLEO, DAN = (UserId(10**17 + number) for number in range(4))
ALL = Board(1, "coyote")
FORMER = UserId(FIRST_FORMER_ID - 5)


def game(number: int, *users: UserId, house: House = COUNTING, **more: Any) -> Match:
    """Return a match that nobody leaves; the same number gives the same match."""
    now = BEGIN + number * HOUR
    return play(f"t{number}", 1, list(users or (ANA, BEN, CLEO)), Random(number), now, house, **more)


async def played(store: Store, *numbers: int, users: tuple[UserId, ...] = (), **more: Any) -> None:
    for number in numbers:
        await keep(store, game(number, *users, **more))


async def test_nothing_is_counted_before_the_end(store: Store, database: Database) -> None:
    begin, end = changes(game(1))
    await store.commit([begin])
    assert not any((await contents(database)).values())
    assert (await store.stats.history(1)).games == 0
    await store.commit([end])
    assert (await store.stats.history(1)).games == 1


async def test_a_game_is_counted_once(store: Store, database: Database) -> None:
    begin, end = changes(game(1))
    await store.commit([begin, end])
    before = await contents(database)
    for _ in range(2):
        with pytest.raises(Conflict):
            await store.commit([end])
    assert await contents(database) == before
    assert (await store.stats.card(ALL, ANA)).totals.games == 1


async def test_a_game_that_was_stopped_is_not_counted(store: Store, database: Database) -> None:
    begin, end = changes(game(1))
    await store.commit([begin, end._replace(table=end.table._replace(stage=Stage.CLOSED))])
    assert not any((await contents(database)).values())


async def test_games_are_numbered_in_each_server(store: Store) -> None:
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


async def test_a_game_ends_even_if_it_cannot_be_counted(
    store: Store, database: Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, end = changes(game(1))
    await store.commit([begin])
    with caplog.at_level(logging.ERROR):
        await store.commit([end._replace(log=end.log[:-3])])
    assert "was not counted" in caplog.text
    loaded = await store.load(end.table.id)
    assert loaded is not None
    assert loaded.table.stage is Stage.OVER
    assert not any((await contents(database)).values())
    with monkeypatch.context() as patched:  # a failure in the middle of counting leaves nothing behind
        patched.setattr(counted.Match, "seat_rows", lambda *_: 1 / 0)
        await played(store, 3)
    assert not any((await contents(database)).values())
    await played(store, 2)
    live = await contents(database)
    await store.close()
    await database.rebuild()
    rebuilt = await contents(database)
    assert [number for _, _, number, *_ in rebuilt["games"]] == [2, 3], "a rebuild counts the game that failed"
    assert rebuilt["games"][1] == live["games"][0]
    again = await database.open()
    assert [past.number for past in (await again.stats.history(1)).lines] == [3, 2]
    await again.close()


@pytest.mark.parametrize(
    ("house", "ai", "counted"),
    [
        (COUNTING, False, True),
        (COUNTING, True, True),
        (COUNTING._replace(count_ai=True), True, True),
        (COUNTING._replace(counts=False), True, False),
        (COUNTING._replace(counts=False, count_ai=True), False, False),
    ],
)
async def test_house_rules_and_ai_moves_decide_what_counts(store: Store, house: House, ai: bool, counted: bool) -> None:
    match = game(1, house=house)
    await keep(store, with_ai(match) if ai else match)
    (past,) = (await store.stats.history(1)).lines
    assert (past.ai, past.counted) == (ai, counted)
    assert (await store.stats.card(ALL, ANA)).totals.games == counted


@pytest.mark.parametrize("count_ai", [True, False])
async def test_a_match_with_ais_in_seats_of_their_own_counts_if_the_house_says_so(store: Store, count_ai: bool) -> None:
    await played(store, 1, users=(ANA, BEN, UserId(-2)), house=COUNTING._replace(count_ai=count_ai))
    (past,) = (await store.stats.history(1)).lines
    assert (past.ai, past.counted) == (True, count_ai)


async def test_ai_players_have_no_statistics_and_change_no_rating(store: Store) -> None:
    house = COUNTING._replace(count_ai=True)
    await played(store, 1, users=(ANA, UserId(-1), UserId(-2)), house=house)
    card = await store.stats.card(ALL, ANA)
    assert (card.totals.games, card.totals.rated, card.totals.rating) == (1, 0, 1000)
    (past,) = (await store.stats.history(1)).lines
    assert [(seat.user, seat.ai) for seat in past.seats] == [(ANA, False), (None, True), (None, True)]
    assert card.victim is card.nemesis is None


async def plenty_coups(store: Store, *numbers: int) -> None:
    for number in numbers:
        match = play(f"p{number}", 1, [ANA, BEN], Random(number), game="plenty-coups", options={})
        await keep(store, match)


async def test_a_second_game_has_places_ratings_figures_and_boards_of_its_own(store: Store) -> None:
    await plenty_coups(store, 2)
    card = await store.stats.card(Board(1, "plenty-coups"), ANA)
    assert card.totals.games == card.totals.rated == 1
    assert set(card.totals.figures) == set(figures_of("plenty-coups").names)
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


async def test_a_rated_match_of_a_game_without_editions_is_announced_as_rated(store: Store) -> None:
    await played(store, 1)
    await plenty_coups(store, 2, 3)
    first, second = [await store.stats.ending(TableId(f"p{number}")) for number in (2, 3)]
    assert first is not None
    assert second is not None
    assert first.before == (1000, 1000), "each game has its own ratings"
    after = tuple(seat.rating for seat in first.game.seats)
    assert None not in after
    assert second.before == after


def count_moves(players: int, events: Sequence[Any]) -> Counted:
    moves = len(events)
    return Counted(7, [{"moves": moves * seat, "unknown": 1} for seat in range(players)], ((Seat(1), Seat(0), moves),))


async def test_a_game_is_ranked_by_any_figure_that_it_declares(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
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
    await store.stats.set_opted_out(BEN, True)
    await store.stats.set_opted_out(BEN, False)
    await store.close()
    live = await contents(database)
    assert await database.rebuild() == 5
    assert await contents(database) == live


async def test_a_user_who_opts_out_is_no_longer_counted_or_shown(store: Store, database: Database) -> None:
    await played(store, *range(6))
    await store.stats.set_opted_out(ANA, True)
    await store.save_preferences(ANA, Preferences(slow=2))
    assert await store.stats.is_opted_out(ANA), "changing other settings does not opt them in again"
    before = await store.stats.card(ALL, ANA)
    assert (before.opted_out, before.rank, before.totals.games) == (True, None, 6)
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
    first = await store.stats.game(1, 1)
    assert first is not None
    assert [seat.user for seat in first.seats] == [None, BEN, CLEO], "they are not named in earlier games either"
    both = await store.stats.versus(ALL, BEN, CLEO)
    assert both.games == both.a.ahead + both.b.ahead == 8
    assert [past.number for past in both.last] == [8, 7, 6, 5, 4]
    assert (await store.stats.versus(ALL, BEN, ANA)).games == 6
    for user in (BEN, CLEO):
        card = await store.stats.card(ALL, user)
        assert ANA not in {rival.user for rival in (card.victim, card.nemesis) if rival}
    live = await contents(database)
    await store.stats.set_opted_out(ANA, False)
    assert {line.user for line in (await store.stats.leaderboard(ALL)).lines} == {ANA, BEN, CLEO}
    assert {seat.user for seat in (await store.stats.history(1, 1, size=9)).lines[-1].seats} == {ANA, BEN, CLEO}
    await store.stats.set_opted_out(ANA, True)
    assert await contents(database) == live


async def test_if_a_game_does_not_count_rounds_those_that_ended_are_counted(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(store, 1)
    counted = await store.stats.game(1, 1)
    await store.close()
    monkeypatch.setitem(FIGURES, "coyote", GameFigures())
    await database.rebuild()
    again = await database.open()
    ended_only = await again.stats.game(1, 1)
    await again.close()
    assert counted is not None
    assert ended_only is not None
    assert ended_only.rounds == counted.rounds > 1


async def test_people_who_left_are_on_no_board_until_they_play_again(store: Store, database: Database) -> None:
    await played(store, *range(6))
    before = await contents(database)
    await store.stats.set_absent(1, BEN, BEGIN)
    assert BEN not in {line.user for line in (await store.stats.leaderboard(ALL)).lines}
    await store.stats.set_absent(1, BEN, BEGIN, absent=False)
    assert await contents(database) == before
    await store.stats.set_absent(1, BEN, BEGIN)
    absent = await contents(database)
    await store.close()
    await database.rebuild()
    assert await contents(database) == absent
    again = await database.open()
    await played(again, 7)
    assert BEN in {line.user for line in (await again.stats.leaderboard(ALL)).lines}
    after = await contents(database)
    await again.close()
    await database.rebuild()
    assert await contents(database) == after


async def test_deleting_a_user_does_not_change_their_opponents(store: Store, database: Database) -> None:
    await played(store, *range(6), users=(ANA, BEN, CLEO, DAN))
    cards = {user: await store.stats.card(ALL, user) for user in (ANA, CLEO, DAN)}
    await store.erase(BEN, FORMER, [], [])
    for user, before in cards.items():
        assert (await store.stats.card(ALL, user)).totals == before.totals
        assert (await store.stats.versus(ALL, user, BEN)).games == 0
    assert (await store.stats.card(ALL, BEN)).totals.games == 0
    live = await contents(database)
    assert str(int(BEN)) not in str(live)
    await store.close()
    await database.rebuild()
    assert await contents(database) == live, "a rebuild after the deletion rates the others as before"


async def test_a_rebuild_gives_no_figures_to_a_former_player_without_counted_games(
    store: Store, database: Database
) -> None:
    await played(store, 1, house=COUNTING._replace(counts=False))
    await store.erase(BEN, FORMER, [], [])
    live = await contents(database)
    await store.close()
    await database.rebuild()
    assert await contents(database) == live


async def test_a_user_deleted_during_a_game_is_not_counted_in_it(store: Store, database: Database) -> None:
    await played(store, 1, 2)
    begin, end = changes(game(3))
    await store.commit([begin])
    await store.erase(BEN, FORMER, [], [begin.table.id])
    await store.commit([end])
    live = await contents(database)
    assert str(FORMER) not in str(live), "a former player has no figures and is on no board"
    assert str(int(BEN)) not in str(live)
    await store.close()
    await database.rebuild()
    assert await contents(database) == live


async def test_a_server_can_be_forgotten(store: Store, database: Database) -> None:
    await played(store, 1, 2)
    await keep(store, play("other", 2, [ANA, BEN, CLEO], Random(1)))
    await store.stats.close_season(1, BEGIN)
    await store.bot_removed(1, BEGIN - DAY_MILLIS)
    while await store.privacy.clear(1, BEGIN):
        pass
    assert (await store.stats.history(1)).games == 0
    assert len(await store.stats.seasons(1)) == 1
    assert (await store.stats.leaderboard(ALL, minimum=1)).lines == ()
    rows = await contents(database)
    assert len(rows["games"]) == 1
    assert {board for board, *_ in rows["totals"]} == {Board(*row[:4]) for row in rows["boards"]}
    assert (await store.stats.card(Board(2, "coyote"), ANA)).totals.games == 1


async def test_the_leaderboard_of_a_closed_season_is_kept(store: Store, database: Database) -> None:
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
    assert (await store.stats.close_season(1, BEGIN + 9)).number == 2
    assert [(season.number, season.closed) for season in await store.stats.seasons(1)] == [
        *((3, None), (2, BEGIN + 9), (1, BEGIN + 7)),
    ]
    live = await contents(database)
    await store.close()
    await database.rebuild()
    assert await contents(database) == live


@pytest.mark.parametrize("kind", KINDS)
async def test_the_order_of_games_affects_only_ratings(kind: str, tmp_path: Path) -> None:
    cards = []
    for order in ((1, 2, 3, 4), (3, 4, 1, 2)):
        folder = tmp_path / str(order[0])
        folder.mkdir()
        database = KINDS[kind](folder)
        await database.make()
        store = await database.open()
        await played(store, *order)
        cards.append((await store.stats.card(ALL, ANA)).totals)
        await store.close()
        await database.drop()
    one, other = cards
    assert one.mu != other.mu
    moving = {"mu": 0.0, "sigma": 0.0, "rating": 0, "run": 0, "best_run": 0}
    assert one._replace(**moving) == other._replace(**moving)  # type: ignore[arg-type]


async def test_the_curve_shows_the_rating_after_each_game(store: Store) -> None:
    await played(store, 1, 2, options={"edition": "feathers"})
    await played(store, 3, options={"edition": "scout"})
    every, scout = await store.stats.card(ALL, ANA), await store.stats.card(Board(1, "coyote", "scout"), ANA)
    assert [point.number for point in every.curve] == [1, 2, 3]
    assert every.curve[-1].rating == every.totals.rating
    assert [(point.number, point.rating) for point in scout.curve] == [(3, scout.totals.rating)]


async def test_a_replay_shows_each_player_what_they_saw(store: Store) -> None:
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


async def test_a_rebuild_that_is_killed_leaves_the_old_statistics(store: Store, database: Database) -> None:
    await played(store, *range(30))
    await store.close()
    live = await contents(database)
    # Change the log, so that a completed rebuild would give other statistics.
    await database.execute("UPDATE actions SET thought = 7 WHERE thought IS NOT NULL")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.store.rebuilding_process", database.address, "20"),
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
    )
    assert await process.wait() == -signal.SIGKILL
    assert await contents(database) == live
    assert await database.rebuild() == 30
    rebuilt = await contents(database)
    assert rebuilt != live
    thinking = await database.rows("game_seats", "thought", "thoughts")
    assert any(thoughts for _, thoughts in thinking)
    assert all(thought == 7 * thoughts for thought, thoughts in thinking)


@pytest.mark.parametrize("size", [1, 3, 10])
async def test_all_pages_together_are_the_whole_leaderboard(store: Store, size: int) -> None:
    rng, people = Random(3), [UserId(10**17 + number) for number in range(40)]
    await asyncio.gather(*[keep(store, play(f"t{n}", 1, rng.sample(people, 4), rng)) for n in range(50)])
    for by in figures_of("coyote").rankings:
        whole = (await store.stats.leaderboard(ALL, by, minimum=2, size=1000)).lines
        assert len(whole) > 20
        assert [(-line.score, line.user) for line in whole] == sorted((-line.score, line.user) for line in whole)
        assert [line.rank for line in whole] == [1 + sum(other.score > line.score for other in whole) for line in whole]
        pages = -(-len(whole) // size)
        paged = [await store.stats.leaderboard(ALL, by, number, size=size) for number in range(1, pages + 1)]
        assert [line for page in paged for line in page.lines] == list(whole)
        assert {page.pages for page in paged} == {pages}


async def test_what_is_asked_of_one_person(store: Store) -> None:
    await played(store, 1, 2, 3)
    assert [await store.stats.finished(ANA, "coyote", most) for most in (2, 9)] == [2, 3]
    assert await store.stats.finished(ANA, "plenty_coups", 9) == 0
    assert await store.stats.finished(DAN, "coyote", 9) == 0
    await keep(store, play("elsewhere", 5, [ANA, BEN, DAN], Random(9), BEGIN + 9 * HOUR, COUNTING))
    assert await store.stats.guilds_of(ANA, 9) == (5, 1)
    assert await store.stats.guilds_of(ANA, 1) == (5,)
    assert await store.stats.guilds_of(CLEO, 9) == (1,)
    assert await store.stats.have_met(1, ANA, CLEO)
    assert not await store.stats.have_met(5, ANA, CLEO)


async def test_the_months_in_which_a_server_has_played(store: Store) -> None:
    assert await store.stats.months(1) == ()
    for number, month in enumerate((0, 2, 1)):
        now = BEGIN + month * 31 * 24 * HOUR
        await keep(store, play(f"t{number}", 1, [ANA, BEN, CLEO], Random(number), now, COUNTING))
    months = await store.stats.months(1)
    assert len(months) == 3
    assert list(months) == sorted(months, reverse=True)
