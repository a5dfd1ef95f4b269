"""Opening, dealing, shuffling and leaving (R01, R10, R13, R23, R26, R59, R63)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Outcome, Rejected, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import (
    Called,
    Deal,
    Dealt,
    MatchWon,
    PileRenewed,
    Reason,
    RoundEnded,
    SeatLeft,
    Shuffle,
)
from bot.games.coyote.rules.editions import Problem
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Phase
from tests.games.coyote.rules.cases import A, B, C, D, Table, table, undealt


def refused(game: Table, action: Any) -> Reason:
    with pytest.raises(Rejected) as refusal:
        rules.apply(game.state, action)
    assert isinstance(refusal.value.reason, Reason)
    assert refusal.value.details == {}
    return refusal.value.reason


def test_a_match_opens_with_the_dealers_shuffle() -> None:
    state = rules.setup({}, 3, C)
    (prompt,) = rules.prompts(state)
    assert (prompt.id, prompt.seat, prompt.choices) == (0, DEALER, ())
    assert rules.questions(state) == ((DEALER, 0),)
    view = rules.view_for(state, None)
    assert (view.phase, view.starter, view.number, view.turn, view.last) == (Phase.DEAL, C, 0, None, None)
    assert (view.pile, view.discard, view.out, view.winner) == (0, (), (), None)
    deal = rules.deal(state, Random(1))
    assert isinstance(deal, Deal)
    assert (deal.seat, deal.starter, Counter(deal.order)) == (DEALER, None, state.rules.census)
    after, events = rules.apply(state, deal)
    assert events == (Dealt(1, C, True),)
    assert rules.questions(after) == ((C, 1),)
    assert rules.view_for(after, None).turn == C
    assert rules.seated(after) == (A, B, C)


@pytest.mark.parametrize("seed", range(6))
def test_the_first_starter_is_random_if_nobody_is_chosen(seed: int) -> None:
    state = rules.setup({"edition": "scout"}, 4)
    deal = rules.deal(state, Random(seed))
    assert isinstance(deal, Deal)
    assert deal.starter in (A, B, C, D)
    after, events = rules.apply(state, deal)
    assert events == (Dealt(1, deal.starter, True),)
    assert rules.view_for(after, None).starter == deal.starter


def test_every_seat_can_start_and_every_order_can_be_dealt() -> None:
    state = rules.setup({}, 3)
    deals = [deal for seed in range(40) if isinstance(deal := rules.deal(state, Random(seed)), Deal)]
    assert {deal.starter for deal in deals} == {A, B, C}
    assert len({deal.order for deal in deals}) == 40
    assert rules.deal(state, Random(5)) == rules.deal(state, Random(5))


@pytest.mark.parametrize(
    ("players", "starter", "reason"),
    [
        (3, 3, Reason.WRONG_STARTER),
        (3, -1, Reason.WRONG_STARTER),
        (2, 0, Problem.TOO_FEW_PLAYERS),
        (13, 0, Problem.TOO_MANY_PLAYERS),
    ],
)
def test_an_impossible_table_is_refused(players: int, starter: int, reason: Reason | Problem) -> None:
    with pytest.raises(Rejected) as refusal:
        rules.setup({}, players, Seat(starter))
    assert refusal.value.reason is reason


@pytest.mark.parametrize("starter", [0, 2])
def test_the_first_and_the_last_seat_may_start(starter: int) -> None:
    assert rules.view_for(rules.setup({}, 3, Seat(starter)), None).starter == starter


def test_feathers_are_dealt_in_seat_order_from_the_first_living_seat() -> None:
    game = table("1 2 3", players=4, out="B", starter="C")
    worn = {name: game.view("A" if name != "A" else "C").seats["ABCD".index(name)].worn for name in "ABCD"}
    assert worn == {"A": (1,), "B": (), "C": (2,), "D": (3,)}
    assert (game.view().turn, game.view().number, game.view().pile) == (C, 1, 27)
    assert game.events == (Dealt(1, C, False),)


def test_the_dealer_shuffles_only_when_all_cards_are_to_be_shuffled() -> None:
    game = undealt("1 2 3")
    cards = game.state.rules.cards
    assert refused(game, Deal(DEALER, cards)) is Reason.WRONG_ORDER
    assert rules.deal(game.state, Random(1)) == Deal(DEALER)
    short = undealt("1 2", rest="discard")
    assert refused(short, Deal(DEALER)) is Reason.WRONG_ORDER
    assert refused(short, Deal(DEALER, cards[1:])) is Reason.WRONG_ORDER
    assert refused(short, Deal(DEALER, (*cards[1:], 20))) is Reason.WRONG_ORDER
    assert refused(short, Deal(A, cards)) is Reason.NOT_NOW
    assert refused(short, Shuffle(DEALER, cards)) is Reason.NOT_NOW
    short.play("deal 9 8 7")
    assert short.events == (Dealt(1, A, True),)
    assert (short.view().pile, short.view().discard, short.view().shuffled) == (27, (), True)


@pytest.mark.parametrize(
    ("starter", "named", "reason"),
    [("A", A, Reason.WRONG_STARTER), (None, None, Reason.WRONG_STARTER), (None, D, Reason.WRONG_STARTER)],
)
def test_the_deal_names_a_starter_when_nobody_was_chosen_and_only_then(
    starter: str | None, named: Seat | None, reason: Reason
) -> None:
    assert refused(undealt("1 2 3", starter=starter), Deal(DEALER, (), named)) is reason


def test_a_chosen_starter_may_not_be_out() -> None:
    assert refused(undealt("1 2 3", starter=None, out="C"), Deal(DEALER, (), C)) is Reason.WRONG_STARTER
    assert undealt("1 2 3", starter=None).play("deal B").view().turn == B


def test_nobody_deals_in_the_middle_of_a_round() -> None:
    game = table("1 2 3")
    assert refused(game, Deal(DEALER)) is Reason.NOT_NOW
    assert refused(game, Shuffle(DEALER, ())) is Reason.NOT_NOW


@pytest.mark.parametrize(("pile", "shuffled"), [("1 2 3 4 5 6", False), ("1 2 3 4 5", True)])
def test_a_short_pile_is_shuffled_before_the_deal(pile: str, shuffled: bool) -> None:
    game = table(pile, rest="discard").play("A bid 1", "B call", "deal")
    assert game.view().shuffled is shuffled
    assert game.events == (Dealt(2, A, shuffled),)


def test_eliminated_players_do_not_make_the_pile_short() -> None:
    game = table("1 2 3 4 5", rest="discard", tokens={"B": 2}).play("A bid 1", "B call", "deal")
    assert not game.view().shuffled


@pytest.mark.parametrize(
    ("pile", "moves"),
    [
        ("night 2 3 4", ["A bid 1", "B call"]),
        ("1 ? 3 night", ["A bid 1", "B call"]),
        ("1 night 3", ["A bid 1", "C leave"]),
    ],
)
def test_night_causes_a_shuffle(pile: str, moves: list[str]) -> None:
    game = table(pile, players=3).play(*moves)
    assert game.last.night
    assert game.play("deal").view().shuffled


def test_played_cards_stay_in_the_discard_until_the_next_shuffle() -> None:
    game = table("1 ? 3 20 5").play("A bid 1", "B call")
    assert game.view().discard == (1, "?", 3, 20)
    assert game.view().pile == 26
    assert game.last.counted is not None
    assert game.last.counted.cards == (1, "?", 3, 20)
    before = game.last
    assert game.play("deal").last == before, "the last round can be read while the next one runs"
    game.play("A bid 1", "B call")
    assert len(game.view().discard) == 7


def test_a_question_mark_on_an_empty_pile_waits_for_the_discard() -> None:
    game = table("1 ? 3", rest="discard").play("A bid 5", "B bid 6")
    asked = game.prompt.id
    game.play("C call")
    assert game.events == ()
    view = game.view("A")
    assert (view.phase, view.turn, view.caller, view.prompt) == (Phase.SHUFFLE, None, None, None)
    assert (view.bid, view.bidder, view.seats[C].worn) == (6, B, (3,))
    assert (game.prompt.id, game.prompt.seat) == (asked + 1, DEALER)
    assert game.refuse("C call").reason is Reason.DEALERS_MOVE
    assert refused(game, Deal(DEALER)) is Reason.NOT_NOW
    assert refused(game, Shuffle(A, view.discard)) is Reason.NOT_NOW
    assert refused(game, Shuffle(DEALER, view.discard[1:])) is Reason.WRONG_ORDER
    proposed = rules.deal(game.state, Random(3))
    assert isinstance(proposed, Shuffle)
    assert proposed.seat == DEALER
    assert Counter(proposed.order) == Counter(view.discard)
    game.play("shuffle 20")
    assert game.events == (PileRenewed(27), Called(C, B, 6), RoundEnded(game.last))
    assert game.last.counted is not None
    assert game.last.counted.total == 24
    assert (game.view().pile, game.view().discard) == (26, (1, "?", 3, 20))
    assert game.prompt.id == asked + 2


def test_a_second_question_mark_may_need_the_discard_too() -> None:
    deck = {"?": 2, "5": 12}
    game = table("? ? 5 5", "scout", deck=deck, rest="discard").play("A bid 1", "B call", "shuffle")
    assert game.last.counted is not None
    assert game.last.counted.cards == ("?", "?", 5, 5, 5)


def test_a_question_mark_without_any_card_left_counts_zero() -> None:
    deck = {"?": 1, "5": 11}
    game = table("? " + "5 " * 11, players=12, deck=deck).play("A bid 55", "B call")
    assert game.last.counted is not None
    assert game.last.counted.total == 55


def test_a_player_who_leaves_is_out_and_the_round_is_void() -> None:
    game = table("1 2 3 4", players=4).play("A bid 5", "B leave")
    result = game.last
    assert game.events == (SeatLeft(B), RoundEnded(result))
    assert (result.ending, result.loser, result.penalty, result.counted) == (Ending.LEFT, None, 0, None)
    assert (result.eliminated, result.next_starter, result.caller, result.bid) == (B, A, None, 5)
    assert (game.view().discard, game.view().out) == ((1, 2, 3, 4), (B,))
    assert game.play("deal").view().turn == A
    assert rules.seated(game.state) == (A, C, D)


@pytest.mark.parametrize(
    ("starter", "leaver", "next_starter"), [("A", "A", B), ("D", "D", A), ("B", "C", B), ("C", "C", D)]
)
def test_the_same_seat_starts_again_or_the_next_on_its_left(starter: str, leaver: str, next_starter: int) -> None:
    game = table("1 2 3 4", players=4, starter=starter).play(f"{leaver} leave")
    assert game.last.next_starter == next_starter
    assert (game.last.bid, game.last.bidder) == (None, None)
    between = undealt("1 2 3 4", players=4, starter=starter).play(f"{leaver} leave")
    assert between.view().starter == next_starter


def test_leaving_between_rounds_costs_nobody_anything() -> None:
    game = table("1 2 3 4", players=4).play("A bid 5", "B call")
    before = game.last
    game.play("C leave")
    assert game.events == (SeatLeft(C),)
    assert game.last == before
    view = game.view()
    assert (view.phase, view.out, view.starter) == (Phase.DEAL, (C,), A)
    assert [seat.tokens for seat in view.seats] == [0, 1, 0, 0]
    assert game.play("deal").view().number == 2


def test_leaving_before_the_first_deal_leaves_the_starter_to_chance() -> None:
    game = Table(rules.setup({}, 3)).play("A leave")
    assert game.view().starter is None
    assert rules.seated(game.state) == (B, C)
    assert game.play("deal C").view().turn == C
    assert game.view().shuffled


@pytest.mark.parametrize("moves", [["A bid 5"], ["A bid 5", "B call"]], ids=["in a round", "between rounds"])
def test_the_last_player_who_stays_wins(moves: list[str]) -> None:
    game = table("night 2", "scout", players=2).play(*moves, "A leave")
    assert game.events[0] == SeatLeft(A)
    assert game.events[-1] == MatchWon(B)
    view = game.view()
    assert (view.phase, view.winner, view.starter) == (Phase.OVER, B, None)
    assert rules.outcome(game.state) == Outcome((B,), (2, 1))
    assert game.prompts == ()


@pytest.mark.parametrize("leaver", ["A", "B", "C", "D"])
def test_leaving_while_the_dealer_shuffles_voids_the_round(leaver: str) -> None:
    game = table("1 2 ? 4", players=4, rest="discard").play("A bid 5", "B call", f"{leaver} leave")
    assert game.events == (SeatLeft(Seat("ABCD".index(leaver))), RoundEnded(game.last))
    assert (game.last.ending, game.last.loser, game.last.counted) == (Ending.LEFT, None, None)
    assert game.view().phase is Phase.DEAL
    assert len(game.view().discard) == 30
    assert game.play("deal").view().shuffled


def test_a_position_can_be_set_up_from_any_point() -> None:
    game = undealt("1 2 3", tokens={"B": 2}, players=4, out="D", discard="9 9")
    view = game.view()
    assert [seat.tokens for seat in view.seats] == [0, 2, 0, 0]
    assert [seat.eyes for seat in view.seats] == [(0, 0)] * 4
    assert [seat.living for seat in view.seats] == [True, True, True, False]
    assert (view.discard, view.pile, view.out) == ((9, 9), 28, (D,))
    eyes = undealt("1 2 3", "peek", eyes={"B": (0, 1)}).view()
    assert [seat.eyes for seat in eyes.seats] == [(2, 1), (0, 1), (2, 1)]
