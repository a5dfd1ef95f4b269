"""What the view says of what has just happened, of the last round and of the final points."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.engine.core import DEALER, Leave, Seat
from bot.games.plenty_coups.rules.actions import Undo
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.events import CoupStruck, Event, RaidCameHome, RaidRepelled, TurnBegan
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.undoing import KEPT_FOR_A_ROUND
from bot.games.plenty_coups.rules.view import NotAdded, RoundSummary, Score
from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, raid, table
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

ALLIED = ({"black": "red2", "red": "black3"},)
BLACK, YELLOW, GREEN, RED = Tribe.BLACK, Tribe.YELLOW, Tribe.GREEN, Tribe.RED


@table(
    case(
        "the news of a turn add up",
        given(black="horse arm2 arm3"),
        do("black", "breed"),
        expect(news=["Bred black"]),
        do("black", "hunt", discard="arm2"),
        expect(news=["Bred black", "Hunted black arm2"]),
    ),
    case(
        "the turn before the present one is still told, the one before that is not",
        given(
            black="horse horse horse",
            yellow="horse arm2 arm3",
            offer="arm3 stick",
            pile="arm2 arm4 arm3 white1 white2 white3 blue1",
        ),
        do("black", "breed"),
        do("black", "breed"),
        expect(news=["Bred black", "Bred black", "TurnEnded black", "OfferOpened arm2+arm4", "TurnBegan 5 yellow"]),
        do("yellow", "take", cards="arm2 stick"),
        do("yellow", "breed"),
        do("yellow", "hunt", discard="arm2"),
        do("yellow", "hunt_discard", cards="arm2 arm3"),
        expect(
            news=[
                "TurnBegan 5 yellow",
                "Taken yellow arm2+stick",
                "Bred yellow",
                "Hunted yellow arm2",
                "HuntEnded yellow arm2+arm3",
                "TurnEnded yellow",
                "OfferOpened white2+white3",
                "TurnBegan 5 green",
            ]
        ),
    ),
)
def test_news(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_news_are_those_of_this_turn_and_the_one_before(players: int) -> None:
    rng = Random(players)
    state = GAME.setup({}, players, None)
    told: list[object] = []
    longest = 0
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        action = GAME.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng)
        if rng.random() < 0.01:
            action = Leave(rng.choice(GAME.seated(state)))
        state, events = GAME.apply(state, action)
        told += events
        begun = [place for place, event in enumerate(told) if isinstance(event, TurnBegan)]
        expected = told[begun[-2] :] if len(begun) > 1 else told
        for viewer in (None, *map(Seat, range(players))):
            assert [*GAME.view_for(state, viewer).news] == expected
        longest = max(longest, len(expected))
    assert longest < 60


@table(
    case(
        "what came home, was won, repelled and struck in a round",
        given(
            turn="red",
            phase="take",
            offer="stick arm2 arm3 arm4",
            red="arm4 arm2",
            raids=(raid("red", "black", "red1", 2), raid("green", "red", "green1", 2)),
            horses={"black": 2, "red": 1},
            prestige={"red": 1},
        ),
        expect(rounds_ended=0, last_round=None),
        do("red", "take", cards="stick arm2"),
        do("red", "coup"),
        do("red", "defend", cards="arm4"),
        expect(
            round=6,
            rounds_ended=5,
            last_round={
                "red": {"raids_home": 1, "horses_won": 1, "raids_repelled": 1, "coups": 1, "prestige": 2, "horses": 2},
                "black": {
                    "raids_home": 0,
                    "horses_won": 0,
                    "raids_repelled": 0,
                    "coups": 0,
                    "prestige": 0,
                    "horses": 1,
                },
            },
        ),
        do("black", "timeout"),
        expect(rounds_ended=5),
    ),
    case(
        "a raid that finds no horse has come home as well",
        given(
            turn="red", phase="take", raids=(raid("red", "black", "red1", 2),), horses={"black": 0}, red="horse arm2"
        ),
        do("red", "timeout"),
        do("red", "hunt", discard="arm2"),
        do("red", "timeout"),
        do("red", "timeout"),
        do("red", "timeout"),
        expect(last_round={"red": {"raids_home": 1, "horses_won": 0}}),
    ),
    case(
        "a raid that is bought off has come home",
        given(turn="red", red="black4 arm2 horse", raids=(raid("black", "red", "white1", 1),)),
        do("red", "propose", target="black", card="black4"),
        do("red", "breed"),
        expect(last_round={"black": {"raids_home": 1, "horses_won": 1}}),
    ),
    case(
        "what was taken back does not count",
        given(turn="red", red="stick arm2 horse", coups_open=1),
        do("red", "coup"),
        do("red", "undo"),
        do("red", "breed"),
        do("red", "hunt", discard="arm2"),
        do("red", "timeout"),
        expect(last_round={"red": {"coups": 0, "prestige": 0}}),
    ),
    case(
        "the last round has ended with the match, before an empty herd costs prestige",
        given(round=12, turn="red", horses={"black": 0}, prestige={"black": 2}),
        do("red", "end"),
        expect(rounds_ended=12, prestige={"black": 1}, last_round={"black": {"prestige": 2}}),
    ),
    case(
        "a round that breaks off because only one player is left has not ended",
        given("black yellow green", round=5, turn="yellow"),
        do("black", "leave"),
        do("green", "leave"),
        expect(phase="over", rounds_ended=0, last_round=None),
    ),
)
def test_round_summaries(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_round_is_summed_up_from_what_there_was_before_it(players: int) -> None:
    rng = Random(players)
    state = GAME.setup({}, players, Seat(0))
    had = {camp.tribe: (0, 1) for camp in state.camps.values()}
    told: Counter[type] = Counter()
    seen: list[RoundSummary] = []
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        state, events = GAME.apply(state, GAME.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng))
        told.update(map(type, events))
        summary = GAME.view_for(state, None).last_round
        if summary is not None and (not seen or seen[-1] != summary):
            seen.append(summary)
            assert {each.tribe: (each.prestige_before, each.horses_before) for each in summary.tribes} == had
            had = {each.tribe: (each.prestige, each.horses) for each in summary.tribes}
            assert [each.tribe for each in summary.tribes] == [*state.camps]
            assert GAME.rounds_ended(state) == summary.round
    assert [summary.round for summary in seen] == [*range(1, 13)]
    tribes = [each for summary in seen for each in summary.tribes]
    assert sum(each.raids_home for each in tribes) == told[RaidCameHome] > 0
    assert sum(each.raids_repelled for each in tribes) == told[RaidRepelled]
    assert sum(each.coups for each in tribes) == told[CoupStruck]


def scores(**position: object) -> dict[Tribe, Score | None]:
    state = ScriptTable({"shuffles": [], **given(round=12, turn="red", **position)}).state  # type: ignore[arg-type]
    over = GAME.apply(state, GAME.prompts(state)[0].timeout).state
    return {camp.tribe: camp.score for camp in GAME.view_for(over, None).camps}


def test_points_are_added_up_line_by_line() -> None:
    found = scores(
        horses={"black": 7, "yellow": 0, "green": 0, "red": 6},
        prestige={"black": 2, "yellow": 3, "green": 0, "red": 2},
        alliances=ALLIED,
    )
    added, own = None, NotAdded.NO_ALLY
    assert found == {
        BLACK: Score(2, 2, 7, before_penalty=2, own=4, ally=RED, not_added=added, place=1),
        YELLOW: Score(2, 0, 2, before_penalty=3, own=2, ally=None, not_added=own, place=3),
        GREEN: Score(0, 0, 0, before_penalty=0, own=0, ally=None, not_added=own, place=4),
        RED: Score(2, 1, 7, before_penalty=2, own=3, ally=BLACK, not_added=added, place=1),
    }


@pytest.mark.parametrize(
    ("prestige", "horses", "why"),
    [
        ({"black": 2, "red": 2}, {}, None),
        ({"black": 1, "red": 2}, {}, NotAdded.LOW_PRESTIGE),
        ({"black": 2, "red": 1}, {}, NotAdded.ALLY_LOW_PRESTIGE),
        ({"black": 1, "red": 1}, {}, NotAdded.BOTH_LOW_PRESTIGE),
        ({"black": 2, "red": 2}, {"red": 0}, NotAdded.ALLY_LOW_PRESTIGE),
    ],
)
def test_why_the_points_of_an_ally_are_not_added(
    prestige: dict[str, int], horses: dict[str, int], why: NotAdded | None
) -> None:
    score = scores(prestige=prestige, horses=horses, alliances=ALLIED)[BLACK]
    assert score
    assert (score.ally, score.not_added) == (RED, why)
    assert score.total == (score.own if why else 4)


def test_a_neutral_ally_adds_nothing() -> None:
    score = scores(prestige={"black": 4}, neutral={"black": "white3"})[BLACK]
    assert score
    assert (score.ally, score.not_added, score.total) == (Tribe.WHITE, NotAdded.NEUTRAL_ALLY, 4)


def test_the_third_tribe_has_points_but_no_place() -> None:
    state = ScriptTable({"shuffles": [], **given("black green yellow", players=2, round=12, turn="yellow")}).state
    over = GAME.apply(state, GAME.prompts(state)[0].timeout).state
    places = [camp.score and camp.score.place for camp in GAME.view_for(over, None).camps]
    assert places == [1, None, 1]


def test_a_match_that_breaks_off_costs_no_empty_herd_prestige() -> None:
    script = given("black yellow green", round=12, turn="yellow", horses={"black": 0}, prestige={"black": 2})
    state = ScriptTable({"shuffles": [], **script}).state
    for seat in (1, 2):
        state = GAME.apply(state, Leave(Seat(seat))).state
    score = GAME.view_for(state, None).camps[0].score
    assert score
    assert (score.before_penalty, score.outside, score.place) == (2, 2, 1)


def test_undoing_takes_the_news_back_too() -> None:
    state = ScriptTable({"shuffles": [], **given(black="horse arm2 arm3")}).state
    bred = ScriptTable({"shuffles": [], **given(black="horse arm2 arm3")})
    bred.move(do("black", "breed"))
    undone = GAME.apply(bred.state, Undo(Seat(0), BLACK)).state
    assert GAME.view_for(undone, None).news == GAME.view_for(state, None).news == ()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_what_happened_between_tribes_is_kept_since_the_last_turn_of_the_tribe_in_turn(players: int) -> None:
    rng = Random(players)
    state = GAME.setup({}, players, None)
    told: list[Event] = []
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        state, events = GAME.apply(state, GAME.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng))
        told += events
        turns = len(state.camps) + 1
        begun = [place for place, event in enumerate(told) if isinstance(event, TurnBegan)]
        since = told[begun[-turns] :] if len(begun) >= turns else told
        earlier = since[: len(since) - len(state.news)]
        for viewer in (None, *map(Seat, range(players))):
            view = GAME.view_for(state, viewer)
            assert [*view.lately] == [event for event in earlier if type(event) in KEPT_FOR_A_ROUND]
        assert GAME.load(GAME.dump(state)) == state


def test_a_match_that_was_stored_without_the_news_of_the_round_can_be_read() -> None:
    assert "lately" not in GAME.dump(ScriptTable({"shuffles": [], **given()}).state)


def test_a_round_says_whose_raid_was_repelled() -> None:
    script = given(round=10, turn="red", red="arm4", raids=(raid("green", "red", "green1", 2),))
    table = ScriptTable({"shuffles": [], **script})
    table.move(do("red", "defend", cards="arm4"))
    summary = GAME.view_for(table.state, None).last_round
    assert summary
    assert {each.tribe: each.repelled for each in summary.tribes} == {
        BLACK: None,
        YELLOW: None,
        GREEN: None,
        RED: GREEN,
    }
