"""Guessing along: after a call the reveal is a move of the dealer, so that people who watch have time to guess."""

from __future__ import annotations

import pytest

from bot.engine.core import DEALER, GuessQuestion, Rejected
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import Reason
from bot.games.coyote.rules.editions import Problem, rules_from
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Phase
from tests.games.coyote.rules.cases import A, B, C, table


def test_without_it_a_call_is_revealed_at_once() -> None:
    game = table("3 4 5").play("A bid 5", "B call")
    assert game.last.ending is Ending.SHOWDOWN
    assert rules.GAME.guess_question(game.state) is None


def test_after_a_call_nobody_but_the_dealer_moves() -> None:
    game = table("3 4 5", guess_along=5).play("A bid 5", "B call")
    view = game.view("C")
    assert (view.phase, view.caller, view.bidder, view.bid, view.turn) == (Phase.CALLED, B, A, 5, None)
    assert game.prompt.seat == DEALER
    assert view.seats[C].worn is None, "the feathers are still hidden"
    assert game.refuse("B bid 6").reason is Reason.NOT_NOW
    assert game.refuse("C call").reason is Reason.NOT_NOW


def test_the_reveal_is_the_same_as_without_waiting() -> None:
    moves = ("A bid 13", "B call")
    at_once = table("3 4 5").play(*moves)
    later = table("3 4 5", guess_along=5).play(*moves, "reveal")
    assert later.last == at_once.last
    assert rules.GAME.guess_answer(later.state) == B


def test_a_bid_that_holds_proves_the_bidder_right() -> None:
    game = table("3 4 5", guess_along=5).play("A bid 12", "B call", "reveal")
    assert rules.GAME.guess_answer(game.state) == A


def test_only_a_pending_call_can_be_guessed_at() -> None:
    game = table("3 4 5", guess_along=5)
    assert rules.GAME.guess_question(game.play("A bid 5").state) is None
    assert rules.GAME.guess_question(game.play("B call").state) == GuessQuestion(1, (A, B), True)
    assert rules.GAME.guess_question(game.play("reveal").state) is None


def test_in_peek_people_can_guess_while_the_others_bet() -> None:
    game = table("3 4 5 1", "peek", players=4, variant=True, guess_along=5).play("A bid 5", "B call")
    assert rules.GAME.guess_question(game.state) == GuessQuestion(1, (A, B), False)
    game.play("C bet A", "D bet B")
    assert game.view().phase is Phase.CALLED
    assert rules.GAME.guess_question(game.state) == GuessQuestion(1, (A, B), True)
    assert [(bet.seat, bet.on) for bet in game.play("reveal").last.bets] == [(2, A), (3, B)]


def test_nothing_is_revealed_before_a_call_or_twice() -> None:
    game = table("3 4 5", guess_along=5)
    assert game.refuse("reveal").reason is Reason.NOT_NOW
    assert game.play("A bid 5", "B call", "reveal").refuse("reveal").reason is Reason.NOT_NOW


def test_the_match_is_over_after_the_last_reveal() -> None:
    game = table("3 4", guess_along=5, players=2, tokens={"B": 2}).play("A bid 5", "B call", "reveal")
    assert game.refuse("reveal").reason is Reason.MATCH_OVER


def test_a_reveal_may_have_to_wait_for_a_shuffle() -> None:
    game = table("? 4 5", guess_along=5, rest="discard").play("A bid 5", "B call", "reveal")
    assert game.view().phase is Phase.SHUFFLE
    assert rules.GAME.guess_question(game.state) is None
    assert game.play("shuffle 7").last.ending is Ending.SHOWDOWN


def test_a_round_that_ends_without_a_call_has_no_answer() -> None:
    game = table("3 4 5", guess_along=5).play("A bid 5", "B call", "C leave")
    assert game.last.ending is Ending.LEFT
    assert rules.GAME.guess_answer(game.state) is None
    assert rules.GAME.guess_answer(table("3 4 5").state) is None


@pytest.mark.parametrize("seconds", [-1, 16, True, None])
def test_other_times_are_refused(seconds: object) -> None:
    with pytest.raises(Rejected) as refused:
        rules_from({"guess_along": seconds})
    assert refused.value.reason is Problem.OUT_OF_RANGE
