"""Statistics screens keep to Discord's limits, and their button arguments are read back or refused."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES
from bot.games.coyote.rules.actions import RoundEnded
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.highlights import highlight_words
from bot.games.coyote.ui.words import HIDDEN
from bot.host.model import Ai, UserId
from bot.screens.custom_ids import CustomId, Verb, parse
from bot.screens.layout import PublicScreen
from bot.screens.replay import chapters, frame_of, replay_screen
from bot.screens.stats.card import card_screen
from bot.screens.stats.choices import scope_ranking
from bot.screens.stats.graph import HEIGHT, WIDTH, graph
from bot.screens.stats.history import game_line, history_screen
from bot.screens.stats.leaderboard import leaderboard_screen
from bot.screens.stats.queries import (
    CardQuery,
    LeaderboardQuery,
    ReplayStep,
    Scope,
    VersusQuery,
    parse_board,
    parse_card,
    parse_pair,
    parse_step,
)
from bot.screens.stats.scopes import Offer
from bot.screens.stats.versus import versus_screen
from bot.stats.figures import FIGURES as GAME_FIGURES
from bot.stats.figures import GameFigures, figures_of
from bot.stats.model import Board, Card, History, Rival, Season, Side, Versus
from bot.stats.replay import Replay
from tests.games.coyote.contract import OPENINGS, answer
from tests.screens import stats_scenes
from tests.screens.films import a_film, film, finished
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.screens.scenes import HOSTILE, SAY, seats
from tests.screens.stats_scenes import CURVE, FIGURES, a_game, a_page

WIDEST = UserId(10**20 - 1)
HUGE = FIGURES._replace(
    **{name: 10**9 for name in FIGURES._fields if name not in ("mu", "sigma", "win_rate", "figures")},
    figures=dict.fromkeys(FIGURES.figures, 10**9),
)
LONGEST = "a-game-of-many-words"
MANY = Offer(
    tuple(
        (game, edition)
        for game in ("coyote", "plenty-coups", LONGEST)
        for edition in ("", "feathers", "peek", "scout", "tomahawk", "plenty_coups", "the-longest-of-names")
    ),
    tuple(f"20{year}-{month:02}" for year in range(30, 26, -1) for month in range(12, 0, -1)),
    tuple(Season(number, None) for number in range(1234, 1200, -1)),
)
scopes = st.builds(
    Scope,
    st.sampled_from(("", "feathers", "plenty_coups", "plenty-coups", "the-longest-of-names")),
    st.sampled_from(("all", "2026-11", "season-1", "season-9999")),
    st.sampled_from(("", "plenty-coups", LONGEST)),
)
users = st.integers(1, 2**63 - 1).map(UserId)


@pytest.mark.parametrize("name", stats_scenes.screens())
def test_every_screen_is_within_the_limits(name: str) -> None:
    check_limits(stats_scenes.screens()[name])


@pytest.mark.parametrize("period", ["all", "season-1", "1999-01", "season-1234"])
def test_the_widest_screens_are_within_the_limits(period: str) -> None:
    board = Board(int(WIDEST), LONGEST, "the-longest-of-names", period)
    for by in figures_of("coyote").rankings:
        page = a_page(by, board, number=99_999, pages=100_000, ranked=10**6)
        lines = tuple(line._replace(user=WIDEST, totals=HUGE) for line in page.lines)
        check_limits(leaderboard_screen(PublicScreen, SAY, page._replace(lines=lines), MANY, WIDEST))
    rival = Rival(WIDEST, 10**9)
    card = Card(board, WIDEST, HUGE, 10**6, 10**6, 5, rival, rival, CURVE * 11, False)
    check_limits(card_screen(PublicScreen, SAY, card, MANY))
    full = a_game(10**9 - 1, 12, rounds=999, ai=True, counted=False)
    tied = full._replace(seats=tuple(seat._replace(user=WIDEST, place=1) for seat in full.seats))
    side = Side(WIDEST, HUGE, 10**6, 10**6)
    check_limits(versus_screen(PublicScreen, SAY, Versus(board, 10**6, side, side, _numbered(full, 5)), MANY))
    check_limits(history_screen(PublicScreen, SAY, History(1, 10**5, 10**6, _numbered(full, 10)), WIDEST))
    check_limits(history_screen(PublicScreen, SAY, History(1, 1, 1, (tied,)), None))


def _numbered(game: Any, count: int) -> tuple[Any, ...]:
    return tuple(game._replace(number=game.number - n) for n in range(count))


@pytest.mark.parametrize(("options", "players"), OPENINGS, ids=str)
def test_replays_of_random_games_are_within_the_limits(options: dict[str, Any], players: int) -> None:
    rng = Random(f"{options}{players}")
    replay = _random_match(options, players, rng)
    table, game = finished(replay, number=10**9 - 1)
    people = seats(players, ("W" * 32, *HOSTILE))
    table = table._replace(players=tuple(person._replace(user=WIDEST) for person in people))
    last = len(replay) - 1
    for step in {0, last, *rng.sample(range(len(replay)), min(12, len(replay)))}:
        for eyes in (None, *rng.sample(range(players), 2)):
            at = ReplayStep(game.number, step, None if eyes is None else Seat(eyes))
            check_limits(replay_screen(SAY, table, frame_of(replay, game, at)))


def _random_match(options: dict[str, Any], players: int, rng: Random) -> Replay:
    rules = RULES["coyote"]
    state, moves = rules.setup(options, players, None), []
    while rules.outcome(state) is None:
        question = rng.choice(rules.prompts(state))
        action = rules.deal(state, rng) if question.seat == DEALER else answer(question, rng)
        moves.append(action)
        state = rules.apply(state, action).state
    return film(options, players, moves)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_never_sees_its_own_feather_in_a_replay(seat: int) -> None:
    table, replay, game = a_film()
    looked = 0
    for step in range(len(replay)):
        view = replay.view(step, Seat(seat))
        if view.phase is not Phase.BIDDING or not view.seats[seat].living:
            continue
        looked += 1
        shown = rendered(replay_screen(SAY, table, frame_of(replay, game, ReplayStep(7, step, Seat(seat)))))
        (own,) = [line for line in shown.splitlines() if f"○ <@{1001 + seat}>" in line]
        assert HIDDEN in own
        assert shown.count(f"**{HIDDEN}**") == 1
    assert looked > 3


def test_an_ai_move_is_marked_only_if_the_name_does_not_show_it() -> None:
    table, replay, game = a_film()
    bid = replace(frame_of(replay, game, ReplayStep(7, 1)), actor="ai")
    assert SAY("replay.by_ai") in rendered(replay_screen(SAY, table, bid))
    ai = table.players[0]._replace(ai=Ai("Pebble", "cautious", 2))
    own = table._replace(players=(ai, *table.players[1:]))
    assert SAY("replay.by_ai") not in rendered(replay_screen(SAY, own, bid))


def test_a_replay_offers_its_best_moments_and_names_each_where_it_happened() -> None:
    table, replay, game = a_film()
    first = replay_screen(SAY, table, frame_of(replay, game, ReplayStep(7)))
    assert rendered(first).count("✨ ") == 2 * len(replay.highlights), "a sentence and a button each"
    jumps = [each for each in first.walk_children() if isinstance(each, ui.Button) and str(each.emoji) == "✨"]
    assert len(jumps) == len(replay.highlights) > 1
    for highlight, jump in zip(replay.highlights, jumps, strict=True):
        there = parse(str(jump.custom_id))
        at = parse_step(None if there is None else there.argument)
        assert at is not None
        assert at.step == highlight.step
        shown = rendered(replay_screen(SAY, table, frame_of(replay, game, at)))
        assert SAY("replay.highlights") not in shown
        assert f"✨ {highlight_words(SAY, table, highlight.what).sentence}" in shown


def test_a_replay_knows_its_rounds() -> None:
    _, replay, game = a_film()
    found = chapters(replay)
    assert [chapter.number for chapter in found] == list(range(1, game.rounds + 1))
    endings = [event.result for chapter in found for event in chapter.events if isinstance(event, RoundEnded)]
    assert [ending.number for ending in endings] == [chapter.number for chapter in found]
    beyond = frame_of(replay, game, ReplayStep(7, 99_999, Seat(11)))
    assert beyond.at == ReplayStep(7, len(replay) - 1, None)


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """Count a game with the longest possible name, too."""
    GAME_FIGURES[LONGEST] = GameFigures()
    yield
    del GAME_FIGURES[LONGEST]


@given(users, users, scopes, st.sampled_from(figures_of("coyote").rankings))
def test_arguments_round_trip(a: UserId, b: UserId, scope: Scope, by: str) -> None:
    assert parse_card(str(CardQuery(a, scope))) == CardQuery(a, scope)
    assert parse_card(str(a)) == CardQuery(a)
    assert parse_pair(str(VersusQuery(a, b, scope))) == VersusQuery(a, b, scope)
    board = LeaderboardQuery(by).within(scope)
    assert board.by == by or scope.game, "only another game has other figures"
    assert parse_board(str(board)) == board
    assert parse(str(CustomId(Verb.BOARD, prompt=100_000, argument=str(board)))) is not None


def test_arguments_leave_out_the_name_of_the_main_game() -> None:
    assert str(Scope.of(Board(1, "coyote", "peek"))) == "peek.all"
    assert parse_card("1.coyote.peek.all") == parse_card("1.peek.all")
    assert str(Scope.of(Board(1, "plenty-coups", "", "season-3"))) == "plenty-coups.any.season-3"
    assert parse_board("rating.plenty-coups.any.all") == LeaderboardQuery(scope=Scope(game="plenty-coups"))
    assert parse_board("exact.plenty-coups.any.all") is None, "that game has no such figure"


def test_a_game_that_the_bot_does_not_host_is_refused() -> None:
    assert parse_card("1.bridge.any.all") is None
    assert parse_pair("1.2.bridge.any.all") is None
    assert parse_board("rating.bridge.any.all") is None


def test_a_guild_that_never_played_the_main_game_is_shown_what_it_played() -> None:
    assert Offer().default_scope == Scope()
    assert Offer((("coyote", ""), ("plenty-coups", ""))).default_scope == Scope()
    assert Offer((("plenty-coups", ""),)).default_scope == Scope(game="plenty-coups")


def test_a_figure_of_one_game_tells_which_game_is_meant() -> None:
    assert scope_ranking("coups") == Scope(game="plenty-coups")
    assert scope_ranking("exact") == Scope()
    assert scope_ranking("wins") is None, "every game counts those"
    assert scope_ranking("nonsense") is None


def test_a_game_without_figures_of_its_own_has_a_card_and_a_leaderboard() -> None:
    offer = Offer((("coyote", ""), ("plenty-coups", "")))
    board = Board(1, "plenty-coups")
    plain = FIGURES._replace(figures={})
    card = rendered(
        card_screen(PublicScreen, SAY, Card(board, WIDEST, plain, 1, 9, 5, None, None, CURVE, False), offer)
    )
    assert "Plenty Coups" in card
    assert "coin" not in card
    shown = rendered(leaderboard_screen(PublicScreen, SAY, a_page("wins", board), offer, WIDEST))
    assert "rating.plenty-coups.any.all" in shown
    assert "exact" not in shown


@given(st.integers(1, 999_999_999), st.integers(0, 99_999), st.none() | st.integers(0, 11).map(Seat))
def test_steps_round_trip(game: int, step: int, eyes: Seat | None) -> None:
    at = ReplayStep(game, step, eyes)
    assert parse_step(str(at)) == at
    assert parse_step(f"{at}.first") == at
    assert parse_step(str(game)) == ReplayStep(game)
    assert parse(str(CustomId(Verb.REPLAY, prompt=1, argument=f"{at}.first"))) is not None


@pytest.mark.parametrize(
    "forged", [None, "", "0", "01", "-1", "1.any", "1.any.", "1.any.2026-00", "1.any.season-0", "٣", str(2**63)]
)
def test_forged_arguments_are_refused(forged: str | None) -> None:
    assert parse_card(forged) is None
    assert parse_pair(forged) is None
    assert parse_board(forged) is None
    assert parse_step(f"{forged}.0") is None


@pytest.mark.parametrize(
    "forged", ["0.0.all", "1.0", "1.0.any", "1.00.all", "1.0.100", "1.-1.all", "1.0.all.ALL", "1e3"]
)
def test_forged_steps_are_refused(forged: str) -> None:
    assert parse_step(forged) is None


@given(st.lists(st.integers(-500, 3000), min_size=1, max_size=300))
def test_a_graph_is_small_and_shows_the_highest_and_the_lowest(values: list[int]) -> None:
    rows = graph(values)
    assert 1 <= len(rows) <= HEIGHT
    assert all(len(row) <= WIDTH + 6 for row in rows)
    drawn = "\n".join(rows)
    assert str(max(values)) in drawn
    assert str(min(values)) in drawn


def test_a_graph_rises_and_falls() -> None:
    assert graph([1, 2, 3]) == ["3   █", "   ▅█", "1 ▁██"]
    assert graph([5, 5]) == ["5 ██"]


def test_a_persons_own_place_is_told_apart_from_who_won() -> None:
    game = a_game(1, 3)
    loser = next(seat for seat in game.seats if seat.place == 3)
    line = game_line(SAY, game, loser.user)
    assert f"<@{loser.user}> came 3rd of 3" in line
    assert "came" not in game_line(SAY, game, None)
