"""What the options change: hunting in winter, declining, prestige for the accepter, and the length of the match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Rejected
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.options import MOST_ROUNDS, RANGES, Options, Problem, options_from, options_of
from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, no, raid, table

NO_HUNT = {"winter_hunting": False}
MUST_PROVE = {"decline_when_able": False}
BOTH_GAIN = {"accepter_gains": True}


@table(
    case(
        "tribes hunt in winter",
        given(round=11, black="arm2 arm3"),
        expect(legal=["donate", "end", "gift", "hunt"]),
        do("black", "hunt", discard="arm2"),
    ),
    case(
        "unless the options forbid it",
        given(round=11, black="arm2 arm3", options=NO_HUNT),
        expect(legal=["donate", "end", "gift"]),
        no("not_in_winter", "black", "hunt", discard="arm2"),
        expect(timeout={"do": "end", "seat": 0, "tribe": "black"}),
    ),
    case(
        "which they do in winter only",
        given(round=9, black="arm2 arm3 arm4", options=NO_HUNT),
        do("black", "hunt", discard="arm2"),
    ),
)
def test_hunting_in_winter_is_r18(case: Case) -> None:
    check(case)


@table(
    case(
        "a tribe may decline although it could prove its worth",
        given(black="stick arm2 arm3", red="arm4", prestige={"red": 1}),
        do("black", "disdain", target="red"),
        expect(legal=["decline", "prove"]),
        do("red", "decline"),
        expect(prestige={"red": 0}),
    ),
    case(
        "unless the options say that it must prove it",
        given(black="stick arm2 arm3", red="arm4", prestige={"red": 1}, options=MUST_PROVE),
        do("black", "disdain", target="red"),
        expect(legal=["prove"]),
        no("must_prove", "red", "decline"),
        do("red", "prove", card="arm4"),
        expect(prestige={"red": 1}),
    ),
    case(
        "a tribe that cannot prove it still declines",
        given(black="stick arm2 arm3", red="arm3 horse", options=MUST_PROVE),
        do("black", "disdain", target="red"),
        expect(legal=["decline"], timeout={"do": "decline", "seat": 3, "tribe": "red"}),
        do("red", "decline"),
    ),
    case(
        "and without an answer the first proof is used even if there is no prestige to lose",
        given(black="stick arm2 arm3", red="arm4 stick", prestige={"red": 0}, options=MUST_PROVE),
        do("black", "disdain", target="red"),
        expect(timeout={"do": "prove", "seat": 3, "tribe": "red", "card": "weapon4"}),
    ),
    case(
        "otherwise nothing is spent on prestige that is not there",
        given(black="stick arm2 arm3", red="arm4 stick", prestige={"red": 0}),
        do("black", "disdain", target="red"),
        expect(timeout={"do": "decline", "seat": 3, "tribe": "red"}),
    ),
)
def test_declining_when_able_is_r16(case: Case) -> None:
    check(case)


@table(
    case(
        "only the proposer gains",
        given(black="red3 arm2 arm3", proposals={"red": "black2"}),
        do("black", "accept", target="red", card="red3"),
        expect(prestige={"red": 1, "black": 0}, events=["AllianceMade", "PrestigeChanged"]),
    ),
    case(
        "unless the options let both gain",
        given(black="red3 arm2 arm3", proposals={"red": "black2"}, options=BOTH_GAIN),
        do("black", "accept", target="red", card="red3"),
        expect(prestige={"red": 1, "black": 1}, events=["AllianceMade", "PrestigeChanged", "PrestigeChanged"]),
    ),
    case(
        "up to four, as always",
        given(black="red3 arm2 arm3", proposals={"red": "black2"}, prestige={"black": 4}, options=BOTH_GAIN),
        do("black", "accept", target="red", card="red3"),
        expect(prestige={"red": 1, "black": 4}),
    ),
)
def test_prestige_for_the_accepter_is_r24(case: Case) -> None:
    check(case)


SHORT = {"rounds": 3}


@table(
    case(
        "the last round before winter has two actions and allows disdain",
        given(round=3, phase="start", black="stick", options=SHORT),
        do("black", "take", cards="arm2 horse"),
        expect(actions_left=2),
        do("black", "disdain", target="red"),
    ),
    case(
        "the first winter round brings one card and one action",
        given(round=4, phase="start", black="stick", options=SHORT),
        no("wrong_cards needed=1", "black", "take", cards="arm2 horse"),
        do("black", "take", cards="arm2"),
        expect(actions_left=1),
        no("not_in_winter", "black", "disdain", target="red"),
    ),
    case(
        "a double defence still takes the one action of the first winter round",
        given(round=4, black="arm2 arm3", raids=(raid("red", "black", "red4", 5),), options=SHORT),
        do("black", "double_defend", cards="arm2 arm3"),
        expect(turn="yellow", raids=[]),
    ),
    case(
        "and is not possible in the second",
        given(round=5, black="arm2 arm3", raids=(raid("red", "black", "red4", 5),), options=SHORT),
        no("not_in_winter", "black", "double_defend", cards="arm2 arm3"),
    ),
    case(
        "the second winter round brings no cards",
        given(round=5, phase="start", black="stick arm2", options=SHORT),
        expect(phase="act", actions_left=1),
    ),
    case(
        "after the third it is over",
        given(round=6, turn="red", options=SHORT),
        do("red", "end"),
        expect(phase="over", rounds_ended=6),
    ),
    case(
        "no double raid in winter",
        given(round=4, black="black1 black2", options=SHORT),
        no("not_in_winter", "black", "double_raid", target="red", cards="black1 black2"),
    ),
)
def test_winter_follows_the_length_of_the_match(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("rounds", RANGES["rounds"])
def test_every_length_has_three_rounds_of_winter(rounds: int) -> None:
    rng = Random(rounds)
    state = GAME.setup({"rounds": rounds}, 3, None)
    view = GAME.view_for(state, None)
    seasons = []
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        state = GAME.apply(state, GAME.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng)).state
        view = GAME.view_for(state, None)
        seasons.append((view.round, view.actions_left))
    assert GAME.rounds_ended(state) == view.options.last_round == rounds + 3 <= MOST_ROUNDS
    assert {number for number, left in seasons if left == 2} == {*range(1, rounds + 1)}


@pytest.mark.parametrize(
    ("options", "problem", "details"),
    [
        ({"rounds": 2}, Problem.OUT_OF_RANGE, {"option": "rounds", "value": 2, "lowest": 3, "highest": 9}),
        ({"rounds": 10}, Problem.OUT_OF_RANGE, {"option": "rounds", "value": 10, "lowest": 3, "highest": 9}),
        ({"rounds": True}, Problem.OUT_OF_RANGE, {"option": "rounds", "value": True, "lowest": 3, "highest": 9}),
        ({"min_players": 1}, Problem.OUT_OF_RANGE, {"option": "min_players", "value": 1, "lowest": 2, "highest": 6}),
        ({"max_players": 7}, Problem.OUT_OF_RANGE, {"option": "max_players", "value": 7, "lowest": 2, "highest": 6}),
        ({"min_players": 5, "max_players": 4}, Problem.LIMITS_CROSSED, {"lowest": 5, "highest": 4}),
        *(
            ({name: 1}, Problem.NOT_ALLOWED, {"option": name, "value": 1, "allowed": (False, True)})
            for name in ("winter_hunting", "decline_when_able", "accepter_gains")
        ),
        ({"hours": 1}, Problem.UNKNOWN_OPTION, {"option": "hours", "allowed": Options._fields}),
    ],
)
def test_options_that_cannot_be_played(options: dict[str, Any], problem: Problem, details: dict[str, Any]) -> None:
    with pytest.raises(Rejected) as refused:
        options_from(options)
    assert refused.value.reason is problem
    assert refused.value.details == details


@pytest.mark.parametrize(
    ("options", "players", "problem"),
    [
        ({"min_players": 4}, 3, Problem.TOO_FEW_PLAYERS),
        ({"max_players": 4}, 5, Problem.TOO_MANY_PLAYERS),
        ({"min_players": 3, "max_players": 3}, 3, None),
        ({"min_players": 2, "max_players": 2}, 2, None),
    ],
)
def test_limits_on_players(options: dict[str, Any], players: int, problem: Problem | None) -> None:
    if problem is None:
        assert GAME.setup(options, players, None).players == players
        return
    with pytest.raises(Rejected) as refused:
        GAME.setup(options, players, None)
    assert refused.value.reason is problem


def test_the_view_says_which_options_are_in_force() -> None:
    chosen = {"rounds": 5, "min_players": 3, "max_players": 4, **NO_HUNT, **MUST_PROVE, **BOTH_GAIN}
    state = GAME.setup(chosen, 3, None)
    assert options_of(GAME.view_for(state, None).options) == {"tribes": ["black", "yellow", "green"], **chosen}
    assert GAME.load(GAME.dump(state)) == state
    assert options_of(GAME.setup({}, 3, None).options) == {"tribes": ["black", "yellow", "green"]}
