"""The picture coins of `feathers` (section 4; R40 to R50, R65)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.engine.core import Choice
from bot.games.coyote.rules.actions import (
    CoinFlipped,
    Dealt,
    Flip,
    Guessed,
    PileRenewed,
    Reason,
    RoundEnded,
    Withdraw,
    Withdrew,
)
from bot.games.coyote.rules.editions import COINS
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Duty, Phase
from tests.games.coyote.rules.cases import A, B, C, D, Table, table

ALL = ["coin extra", "coin reverse", "coin skip", "coin replace", "coin guess"]
SUPPLY = {"extra": 2, "reverse": 1, "skip": 2, "replace": 2, "guess": 1}
MANY = dict.fromkeys(COINS, 9)


def coins(pile: str = "3 4 5 6 7 8", **details: Any) -> Table:
    return table(pile, **{"variant": True, "players": 4, **details})


@pytest.mark.parametrize(
    ("moves", "verbs"),
    [
        ([], ["bid", *ALL]),
        (["A bid 5"], ["bid", "call", *ALL]),
        (["A coin extra"], ["bid"]),
        (["A bid 5", "B coin replace"], ["bid"]),
        (["A bid 5", "B coin reverse"], ["bid"]),
        (["A bid 5", "B coin reverse", "B bid 6"], ["bid", "call", *[coin for coin in ALL if coin != "coin reverse"]]),
        (["A bid 999"], ["call", "coin skip", "coin guess"]),
        (
            ["A bid 5", "B coin skip", "C coin skip"],
            ["bid", "call", "coin extra", "coin reverse", "coin replace", ALL[4]],
        ),
        (
            ["A bid 5", "B coin skip", "C coin guess 5", "D coin skip"],
            ["bid", "coin extra", "coin reverse", "coin replace"],
        ),
        (["A bid 999", "B coin guess 4", "C coin skip"], ["call"]),
    ],
)
def test_which_verbs_are_open(moves: list[str], verbs: list[str]) -> None:
    assert coins().play(*moves).verbs == verbs


def test_a_guess_names_a_face_of_the_deck() -> None:
    game = coins()
    faces = (*range(1, 11), 15, 20, -5, -10, "?", "max0", "max-", "x2", 0)
    assert Choice(Flip, (("guess",), faces)) in game.prompt.choices
    assert Choice(Flip, (("skip",), (None,))) in game.prompt.choices
    refusal = game.refuse("A coin guess 11")
    assert (refusal.reason, refusal.details) == (Reason.NEEDS_GUESS, {"allowed": faces})


def test_extra_lays_the_top_feather_open() -> None:
    game = coins().play("A coin extra")
    assert game.events == (CoinFlipped(A, "extra", 7),)
    view = game.view("A")
    assert view.seats[A].opened == (7,)
    assert view.seats[A].worn is None
    assert game.view().seats[A].opened == (7,)
    assert (view.turn, view.duty, dict(view.coins)) == (A, Duty.RAISE, {**SUPPLY, "extra": 1})
    game.play("A bid 25", "B call")
    assert game.last.counted is not None
    assert game.last.counted.total == 25
    assert game.last.loser == B
    assert dict(game.play("deal").view().coins) == SUPPLY


def test_an_open_special_acts() -> None:
    game = coins("3 4 5 6 x2").play("A coin extra", "A bid 36", "B call")
    assert game.last.counted is not None
    assert game.last.counted.total == 36


def test_reverse_flips_the_direction_for_the_rest_of_the_round() -> None:
    game = coins(coins=MANY).play("A coin reverse")
    assert game.events == (CoinFlipped(A, "reverse", None),)
    assert (game.view().turn, game.view().direction, game.view().duty) == (A, -1, Duty.RAISE)
    assert game.play("A bid 1").view().turn == D
    game.play("D coin reverse", "D bid 2")
    assert (game.view().turn, game.view().direction) == (A, 1)


def test_skip_passes_the_turn_and_nothing_else() -> None:
    game = coins().play("A bid 5")
    asked = game.prompt.id
    game.play("B coin skip")
    assert game.events == (CoinFlipped(B, "skip", None),)
    view = game.view()
    assert (view.turn, view.bid, view.bidder, view.duty) == (C, 5, A, None)
    assert dict(view.coins) == {**SUPPLY, "skip": 1}
    assert game.prompt.id == asked + 1


def test_replace_covers_the_old_feather() -> None:
    game = coins().play("A bid 5", "B coin replace")
    assert game.events == (CoinFlipped(B, "replace", None),)
    assert game.view("A").seats[B].worn == (7,)
    assert game.view("A").seats[B].covered == (4,)
    assert (game.view("B").seats[B].worn, game.view("B").seats[B].covered) == (None, None)
    assert game.view("B").seats[B].feathers == 2
    assert (game.view().turn, game.view().duty) == (B, Duty.RAISE)
    game.play("B bid 21", "C call")
    assert game.last.counted is not None
    assert (game.last.counted.total, game.last.counted.cards) == (21, (3, 7, 5, 6))
    assert game.last.cards.covered == ((), (4,), (), ())
    assert sorted(map(int, game.view().discard)) == [3, 4, 5, 6, 7]


def test_a_covered_night_counts_zero_but_still_causes_a_shuffle() -> None:
    game = coins("3 night 5 6 7 8").play("A bid 5", "B coin replace", "B bid 21", "C call")
    assert game.last.counted is not None
    assert "night" not in game.last.counted.cards
    assert game.last.night
    game.play("deal 1 2 4 5")
    assert game.events == (Dealt(2, B, True),)
    assert game.view().pile == 26


def test_a_player_who_guesses_right_leaves_the_round_safely() -> None:
    game = coins().play("A bid 5", "B coin guess 4")
    assert game.events == (CoinFlipped(B, "guess", None), Guessed(B, 4, 4, True))
    view = game.view()
    assert (view.turn, view.bid, view.bidder) == (C, 5, A)
    assert [seat.withdrawn for seat in view.seats] == [False, True, False, False]
    assert view.seats[B].worn == (4,)
    assert game.view("B").seats[B].worn == (4,)
    assert game.view("B").seats[C].worn == (5,)
    assert game.refuse("B bid 6").reason is Reason.NOT_YOUR_TURN
    game.play("C bid 6", "D bid 7", "A bid 18")
    assert game.view().turn == C
    game.play("C call")
    assert game.last.counted is not None
    assert game.last.counted.total == 18


@pytest.mark.parametrize(("worn", "named"), [("night", "0"), ("max0", "max0"), ("-5", "-5"), ("?", "?")])
def test_a_guess_is_by_value_or_by_symbol(worn: str, named: str) -> None:
    game = coins(f"{worn} 4 5 6 7 8").play(f"A coin guess {named}")
    assert isinstance(game.events[1], Guessed)
    assert game.events[1].right
    assert game.view().turn == B


def test_a_guess_after_replace_is_about_the_feather_in_front() -> None:
    game = coins(coins=MANY).play("A coin replace", "A bid 1", "B bid 2", "C bid 3", "D bid 4", "A coin guess 7")
    assert game.events[1] == Guessed(A, 7, 7, True)


def test_a_wrong_guess_costs_a_coin_and_ends_the_round_uncounted() -> None:
    game = coins("3 4 ? 6 7 8").play("A bid 5", "B coin guess 9")
    result = game.last
    assert game.events == (CoinFlipped(B, "guess", None), Guessed(B, 9, 4, False), RoundEnded(result))
    assert (result.ending, result.counted, result.loser, result.penalty) == (Ending.GUESS, None, B, 1)
    assert (result.caller, result.bidder, result.bid, result.next_starter) == (None, A, 5, B)
    assert result.named == 9
    assert game.view().seats[B].tokens == 1
    assert game.view().pile == 26
    assert game.view().discard == (3, 4, "?", 6)
    assert game.view().starter == B


def test_a_wrong_guess_that_eliminates_lets_the_next_seat_start() -> None:
    game = coins("3 4 night 6 7 8", tokens={"B": 2}).play("A bid 5", "B coin guess 9")
    assert (game.last.eliminated, game.last.next_starter, game.last.night) == (B, C, True)


def test_the_round_is_void_when_all_but_one_have_withdrawn() -> None:
    game = coins("3 4 night", players=3, coins=MANY).play("A bid 5", "B coin guess 4", "C coin guess 0")
    result = game.last
    assert game.events == (CoinFlipped(C, "guess", None), Guessed(C, 0, "night", True), RoundEnded(result))
    assert (result.ending, result.loser, result.penalty, result.next_starter) == (Ending.VOID, None, 0, A)
    assert (result.counted, result.eliminated, result.night) == (None, None, True)
    assert [seat.tokens for seat in game.view().seats] == [0, 0, 0]


@pytest.mark.parametrize(
    ("details", "moves", "move", "reason"),
    [
        ({}, ["A coin extra"], "A coin skip", Reason.MUST_RAISE),
        ({}, ["A coin extra"], "A call", Reason.MUST_RAISE),
        ({}, ["A bid 5", "B coin extra"], "B call", Reason.MUST_RAISE),
        ({}, ["A bid 5", "B coin extra"], "B bid 5", Reason.BID_TOO_LOW),
        ({}, ["A coin reverse", "A bid 1"], "D coin reverse", Reason.NO_COIN_LEFT),
        ({}, [], "A coin skip 5", Reason.NEEDS_NO_GUESS),
        ({}, [], "A coin extra 5", Reason.NEEDS_NO_GUESS),
        ({}, [], "A coin guess", Reason.NEEDS_GUESS),
        ({}, [], "A coin guess night", Reason.NEEDS_GUESS),
        ({}, [], "A coin double", Reason.NOT_IN_THIS_GAME),
        ({}, [], "A bid 5 extra B", Reason.NOT_IN_THIS_GAME),
        ({}, ["A bid 5"], "B approve", Reason.NOT_IN_THIS_GAME),
        ({}, ["A bid 5"], "C coin skip", Reason.NOT_YOUR_TURN),
        ({"actions_off": ["skip"]}, [], "A coin skip", Reason.SWITCHED_OFF),
        ({"coins": {**SUPPLY, "skip": 0}}, [], "A coin skip", Reason.NO_COIN_LEFT),
        ({"actions_off": list(COINS)}, [], "A coin skip", Reason.NOT_IN_THIS_GAME),
        ({"players": 2}, [], "A coin skip", Reason.TWO_LEFT),
        ({"players": 4, "out": "BD"}, [], "A coin skip", Reason.TWO_LEFT),
        ({"players": 3, "coins": MANY}, ["A bid 5", "B coin skip", "C coin skip"], "A call", Reason.OWN_BID),
        ({"players": 3, "coins": MANY}, ["A bid 5", "B coin skip", "C coin skip"], "A coin skip", Reason.OWN_BID),
        ({"players": 3, "coins": MANY}, ["A bid 5", "B coin skip", "C coin skip"], "A coin guess 3", Reason.OWN_BID),
        ({"players": 3}, ["A bid 999"], "B coin extra", Reason.NO_HIGHER_NUMBER),
        ({"players": 3}, ["A bid 999"], "B coin replace", Reason.NO_HIGHER_NUMBER),
        ({"players": 3}, ["A bid 999"], "B coin reverse", Reason.NO_HIGHER_NUMBER),
        ({"players": 3}, ["A bid 999", "B coin skip"], "C coin skip", Reason.BIDDER_WOULD_BE_STUCK),
        ({"players": 3}, ["A bid 999", "B coin skip"], "C coin guess 5", Reason.BIDDER_WOULD_BE_STUCK),
    ],
)
def test_why_a_coin_is_refused(details: dict[str, Any], moves: list[str], move: str, reason: Reason) -> None:
    assert coins(**details).play(*moves).refuse(move).reason is reason


def test_a_player_who_gets_their_own_bid_back_must_raise_but_may_flip_first() -> None:
    game = coins(players=3, coins=MANY).play("A bid 5", "B coin skip", "C coin skip")
    assert game.verbs == ["bid", "coin extra", "coin reverse", "coin replace"]
    game.play("A coin reverse", "A bid 6")
    assert game.view().turn == C


@pytest.mark.parametrize("coin", ["extra", "replace"])
def test_a_coin_that_needs_a_card_waits_for_the_shuffle(coin: str) -> None:
    game = coins("3 4 5 6", rest="discard").play("A bid 5")
    asked, left = game.prompt.id, dict(game.view().coins)
    game.play(f"B coin {coin}")
    assert game.events == ()
    assert (game.view().phase, game.view().turn, dict(game.view().coins)) == (Phase.SHUFFLE, None, left)
    assert game.prompt.id == asked + 1
    game.play("shuffle 9")
    assert game.events == (PileRenewed(26), CoinFlipped(B, coin, 9 if coin == "extra" else None))
    assert game.prompt.id == asked + 2
    assert (game.view().pile, game.view().discard, game.view().phase) == (25, (), Phase.BIDDING)
    seat = game.view("A").seats[B]
    assert (seat.worn, seat.opened, seat.covered) == (((4,), (9,), ()) if coin == "extra" else ((9,), (), (4,)))


def test_a_view_lists_the_cards_that_went_back_under_the_pile() -> None:
    game = coins("3 4 5 6", rest="discard", coins=MANY, players=5, out="E").play("A bid 5")
    seen_before = Counter(game.view().discard)
    assert game.view("A").returned == ()
    game.play("B coin replace", "shuffle 9 8", "B bid 6")
    assert Counter(game.view("A").returned) == seen_before - Counter([9])
    assert Counter(game.view("B").returned) == seen_before, "B does not see the feather in front"
    assert Counter(game.view().returned) == seen_before, "nor does a bystander"
    assert Counter(game.view("E").returned) == seen_before, "nor does a player who is out"
    game.play("C coin extra", "C bid 7")
    assert Counter(game.view("B").returned) == Counter(game.view().returned) == seen_before - Counter([8])
    game.play("D call", "deal")
    assert game.view("A").returned == ()


@pytest.mark.parametrize("coin", ["skip", "reverse", "guess 4"])
def test_other_coins_do_not_wait(coin: str) -> None:
    game = coins("3 4 5 6", rest="discard").play("A bid 5", f"B coin {coin}")
    assert game.view().phase is Phase.BIDDING


def test_without_any_card_left_extra_and_replace_cannot_be_chosen() -> None:
    game = coins(" ".join(["1"] * 12), players=12, deck={"1": 12})
    assert game.verbs == ["bid", "coin reverse", "coin skip", "coin guess"]
    assert game.refuse("A coin extra").reason is Reason.NO_CARD_LEFT
    assert game.refuse("A coin replace").reason is Reason.NO_CARD_LEFT


def test_a_right_guess_may_leave_the_choice() -> None:
    game = coins(right_guess="choose").play("A bid 5", "B coin guess 4")
    assert game.events == (CoinFlipped(B, "guess", None), Guessed(B, 4, 4, True, may_stay=True))
    assert (game.view().turn, game.view().duty, game.verbs) == (B, Duty.CHOOSE, ["bid", "withdraw"])
    for viewer in ("A", "B", None):
        assert game.view(viewer).seats[B].worn == (4,), "it lies open"
    assert game.prompt.timeout == Withdraw(B)
    assert game.refuse("B call").reason is Reason.MUST_BID_OR_WITHDRAW
    assert game.refuse("B coin skip").reason is Reason.MUST_BID_OR_WITHDRAW
    game.play("B bid 6", "C bid 7")
    assert game.view("B").seats[B].worn == (4,), "all know it for the rest of the round"
    assert not game.view().seats[B].withdrawn


def test_a_player_who_guessed_right_may_sit_out_instead() -> None:
    game = coins(right_guess="choose").play("A bid 5", "B coin guess 4", "B withdraw")
    assert game.events == (Withdrew(B),)
    assert (game.view().turn, game.view().duty, game.view().seats[B].withdrawn) == (C, None, True)
    assert game.refuse("C withdraw").reason is Reason.NOTHING_TO_LEAVE


def test_a_known_feather_that_is_covered_is_hidden_again() -> None:
    game = coins(right_guess="choose", coins=MANY).play("A coin guess 3", "A bid 5", "B bid 6", "C bid 7", "D bid 8")
    game.play("A coin replace")
    assert game.view("A").seats[A].worn is None
    assert game.view("B").seats[A].worn == (7,)


def test_at_the_highest_bid_a_right_guess_can_only_sit_out() -> None:
    game = coins(right_guess="choose").play("A bid 999", "B coin guess 4")
    assert game.verbs == ["withdraw"]
