"""A thousand simulated games: live statistics equal a recount from the logs, and a rebuild changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.games.coyote.rules.editions import EDITIONS
from bot.host.model import House, UserId
from bot.stats.figures import figures_of
from bot.stats.model import Board, Totals
from bot.store.counted import read_totals
from bot.store.ports import Store
from tests.host.evening import BEGIN
from tests.stats.evenings import HOUR, contents, keep, play, with_ai
from tests.stats.recount import Recount, recount
from tests.store.databases import KINDS, Database

GAMES = 400
PEOPLE = [UserId(10**17 + number) for number in range(40)]
HOUSES = [
    *[House(pause_seconds=0)] * 7,
    House(pause_seconds=0, count_ai=True),
    House(pause_seconds=0, counts=False),
    House(pause_seconds=0, away_after=1),
]


class Played(NamedTuple):
    """A database in which games were played, and what a recount finds in their logs."""

    database: Database
    counted: Recount


async def play_all(database: Database, games: int, seed: int) -> list[tuple[str, int]]:
    """Play games of every edition in two servers; return each table with a user who had opted out of statistics."""
    rng = Random(seed)
    store = await database.open()
    off: set[UserId] = set()
    kept_out: list[tuple[str, int]] = []
    try:
        for number in range(games):
            users = rng.sample(PEOPLE, rng.choice([3, 3, 4, 4, 5, 6]))
            ai = rng.random()
            if ai < 0.05:
                users[-1] = UserId(-1)
            options: dict[str, Any] = {"edition": rng.choice([*EDITIONS]), "variant": rng.random() < 0.5}
            house, now = rng.choice(HOUSES), BEGIN + number * 3 * HOUR
            match = play(f"t{number}", rng.choice([1, 1, 2]), users, rng, now, house, options=options)
            if 0.05 <= ai < 0.1:
                match = with_ai(match)
            if rng.random() < 0.05:  # a user opts out, or in again
                user = rng.choice(PEOPLE)
                off ^= {user}
                await store.stats.set_opted_out(user, user in off)
            written = keep(store, match)
            if number % 7 == 0:  # the others share transactions, as simultaneous games do
                await written
            kept_out += [(f"t{number}", user) for user in users if user in off]
        await written
    finally:
        await store.close()
    return kept_out


@pytest.fixture(scope="module", params=KINDS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    database = KINDS[request.param](tmp_path_factory.mktemp("stats"))
    asyncio.run(database.make())
    off = asyncio.run(play_all(database, GAMES, 6))
    yield Played(database, asyncio.run(recount(database, off)))
    asyncio.run(database.drop())


async def test_totals_equal_a_recount(played: Played) -> None:
    database, counted = played
    rows = await contents(database)
    found = {(*_where(board), user): read_totals(values) for board, user, *values, _ranked in rows["totals"]}
    assert found.keys() == counted.totals.keys()
    assert len(rows["games"]) == GAMES
    for where, expected in counted.totals.items():
        totals = found[where]
        for name in Totals._fields:
            if name == "rating":
                assert abs(totals.rating - (1000 + 40 * (expected["mu"] - 3 * expected["sigma"]))) <= 0.5001
            elif name == "win_rate":
                assert totals.win_rate == 1000 * expected["wins"] // expected["games"]
            elif name in ("mu", "sigma"):
                assert getattr(totals, name) == pytest.approx(expected[name], rel=1e-9)
            elif name == "figures":
                assert totals.figures == {own: expected[own] for own in figures_of("coyote").names}, where
            else:
                assert getattr(totals, name) == expected[name], (where, name)
    names = (set(Totals._fields) | set(figures_of("coyote").names)) - {"rating", "win_rate", "figures"}
    assert all(sum(expected[name] for expected in counted.totals.values()) for name in names), "every figure occurred"


async def test_pairs_equal_a_recount(played: Played) -> None:
    database, counted = played
    rows = await contents(database)
    found = {(*_where(board), user, other): tuple(values) for board, user, other, *values in rows["pairs"]}
    assert found == {
        where: tuple(pair[name] for name in ("games", "ahead", "behind", "dealt", "taken"))
        for where, pair in counted.pairs.items()
    }


def _where(board: Board) -> tuple[int, str, str]:
    return board.guild, board.edition, board.period


async def test_leaderboards_equal_sorting_everybody(played: Played) -> None:
    database, counted = played
    store = await database.open()
    try:
        hidden = {user for user in PEOPLE if await store.stats.is_opted_out(user)}
        assert hidden
        for board in (Board(1, "coyote"), Board(2, "coyote", "peek"), Board(1, "coyote", "scout", "season-1")):
            for by, minimum in [*[(by, 5) for by in figures_of("coyote").rankings], ("win_rate", 30)]:
                await _equals_sorting(store, counted, board, by, minimum=minimum, hidden=hidden)
        assert (await store.stats.leaderboard(Board(1, "coyote"), minimum=5)).minimum == 5
    finally:
        await store.close()


async def _equals_sorting(
    store: Store, counted: Recount, board: Board, by: str, *, minimum: int, hidden: set[UserId]
) -> None:
    scores: dict[int, int] = {}
    for (guild, edition, period, user), figures in counted.totals.items():
        if Board(guild, "coyote", edition, period) == board and figures["games"] >= minimum and user not in hidden:
            score = figures[by]
            if by == "rating":
                score = (await store.stats.card(board, UserId(user))).totals.rating
            if by == "win_rate":
                score = 1000 * figures["wins"] // figures["games"]
            scores[user] = score
    ordered = sorted(scores, key=lambda user: (-scores[user], user))
    expected = [(1 + sum(score > scores[user] for score in scores.values()), user, scores[user]) for user in ordered]
    found = []
    pages = 1
    page = 0
    while page < pages:
        page += 1
        shown = await store.stats.leaderboard(board, by, page, asker=PEOPLE[page], minimum=minimum, size=7)
        pages = shown.pages
        found += [(line.rank, line.user, line.score) for line in shown.lines]
        own = [line for line in expected if line[1] == PEOPLE[page]]
        if own:
            assert shown.own is not None
            assert (shown.own.rank, shown.own.user, shown.own.score) == own[0]
        elif shown.own is not None:
            assert shown.own.rank is None
    assert found == expected
    assert pages == max(1, -(-len(expected) // 7))


async def test_a_rebuild_changes_nothing(played: Played) -> None:
    database, _ = played
    live = await contents(database)
    told: list[tuple[int, int]] = []
    assert await database.rebuild(lambda done, of: told.append((done, of))) == GAMES
    assert told[-1] == (GAMES, GAMES)
    assert await contents(database) == live
