"""The move that is played for a player who does not answer (R60)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.coyote.rules.actions import Bet, Bid, Call
from tests.games.coyote.rules.cases import A, B, C, D, table

COINS = {"variant": True, "players": 4}
ACTIONS = {"edition": "tomahawk", "variant": True}
SPECIALS = {"edition": "scout", "variant": True}
TRICKS = {"edition": "peek", "variant": True, "holder": "B"}


@pytest.mark.parametrize(
    ("details", "moves", "default"),
    [
        ({}, [], Bid(A, 1)),
        ({"edition": "scout"}, [], Bid(A, 1)),
        ({"edition": "scout", "min_bid": 7}, [], Bid(A, 7)),
        ({"min_bid": 0}, [], Bid(A, 0)),
        ({"min_bid": -50}, [], Bid(A, -50)),
        ({}, ["A bid 5"], Call(B)),
        ({}, ["A bid 999"], Call(B)),
        (COINS, ["A coin skip"], Bid(B, 1)),
        (COINS, ["A coin extra"], Bid(A, 1)),
        (COINS, ["A coin guess 3"], Bid(B, 1)),
        (COINS, ["A bid 5", "B coin extra"], Bid(B, 6)),
        (COINS, ["A bid 5", "B coin replace"], Bid(B, 6)),
        (COINS, ["A bid 5", "B coin reverse"], Bid(B, 6)),
        (COINS, ["A bid 998", "B coin reverse"], Bid(B, 999)),
        (COINS, ["A bid 5", "B coin skip"], Call(C)),
        (COINS, ["A bid 5", "B coin guess 4"], Call(C)),
        ({**COINS, "players": 3}, ["A bid 5", "B coin guess 4", "C coin skip"], Bid(A, 6)),
        ({**COINS, "players": 3}, ["A bid -5", "B coin guess 4", "C coin skip"], Bid(A, -4)),
        (ACTIONS, ["A bid 5", "B approve"], Call(C)),
        (ACTIONS, ["A bid 5", "B reverse"], Bid(A, 6)),
        (ACTIONS, ["A bid 5", "B redo"], Bid(A, 6)),
        (ACTIONS, ["A bid 5", "B redo", "A bid 3"], Call(B)),
        (ACTIONS, ["A bid 5", "B bid 999", "C redo"], Bid(B, 6)),
        (ACTIONS, ["A bid 999", "B redo"], Bid(A, 1)),
        ({**ACTIONS, "min_bid": None}, ["A bid 999", "B redo"], Bid(A, -999)),
        (ACTIONS, ["A bid 998", "B redo"], Bid(A, 999)),
        (ACTIONS, ["A bid 5", "B approve", "C redo"], Bid(B, 6)),
        (SPECIALS, ["A bid 5 next C"], Call(C)),
        ({"edition": "peek"}, ["A bid 5", "B peek"], Bid(B, 6)),
        (TRICKS, ["A bid 1", "B bid 5", "C bid 7", "A bid 8", "B coyote"], Bid(B, 9)),
        (TRICKS, ["A bid 1", "B bid 5", "C bid 7", "A bid 8", "B peek", "B coyote"], Bid(B, 9)),
    ],
)
def test_the_default_never_depends_on_what_its_player_sees(
    details: dict[str, Any], moves: list[str], default: Bid | Call
) -> None:
    game = table("3 4 5 6", **details).play(*moves)
    assert game.prompt.timeout == default
    assert game.prompt.seat == default.seat
    assert type(game.prompt.timeout) is type(default)


def test_a_bettor_who_does_not_answer_bets_on_nobody() -> None:
    game = table("3 4 5 6 7", "peek", variant=True, players=4).play("A bid 5", "B call")
    assert [(prompt.seat, prompt.timeout) for prompt in game.prompts] == [(C, Bet(C, None)), (D, Bet(D, None))]
