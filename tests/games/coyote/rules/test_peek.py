"""`peek`: eyes, the centre card, and the trickster's bets and Coyote card (section 5; R44, R52 to R58)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import Choice
from bot.games.coyote.rules.actions import (
    Bet,
    BetPlaced,
    Called,
    CoyoteUsed,
    MatchWon,
    Peeked,
    PileRenewed,
    Reason,
    RoundEnded,
)
from bot.games.coyote.rules.results import SettledBet
from bot.games.coyote.rules.view import Duty, Phase
from tests.games.coyote.rules.cases import A, B, C, D, E, Table, table


def peek(pile: str = "1 2 3 4 10 15", **details: Any) -> Table:
    """Deal 1 to 4 to four players; the centre card is 10, which makes 20 in all, and the next card is 15."""
    return table(pile, **{"edition": "peek", "players": 4, **details})


def trickster(pile: str = "1 2 3 4 10 15", **details: Any) -> Table:
    return peek(pile, **{"variant": True, **details})


AROUND = ["A bid 1", "B bid 2", "C bid 3", "D bid 4"]


@pytest.mark.parametrize(
    ("game", "details", "moves", "verbs"),
    [
        (peek, {}, [], ["bid"]),
        (peek, {}, ["A bid 1"], ["bid", "call", "peek"]),
        (peek, {}, ["A bid 1", "B peek"], ["bid"]),
        (peek, {}, ["A bid 999"], ["call"]),
        (peek, {"eyes": {"B": (0, 3)}}, ["A bid 1"], ["bid", "call"]),
        (peek, {"holder": "A"}, AROUND, ["bid", "call", "peek"]),
        (trickster, {"holder": "A"}, AROUND, ["bid", "call", "peek", "usecoyote"]),
        (trickster, {"holder": "B"}, AROUND, ["bid", "call", "peek"]),
        (trickster, {"holder": "B"}, ["A bid 1"], ["bid", "call", "peek"]),
        (trickster, {"holder": "A"}, [*AROUND, "A peek"], ["bid", "usecoyote"]),
        (trickster, {"holder": "A"}, [*AROUND, "A coyote"], ["bid", "peek"]),
        (trickster, {"holder": "A"}, [*AROUND, "A coyote", "A peek"], ["bid"]),
        (trickster, {"holder": "A"}, ["A bid 1", "B bid 2", "C bid 3", "D bid 999"], ["call"]),
    ],
)
def test_which_verbs_are_open(game: Any, details: dict[str, Any], moves: list[str], verbs: list[str]) -> None:
    assert game(**details).play(*moves).verbs == verbs


def test_peeking_at_the_centre_card_closes_an_eye() -> None:
    game = peek().play("A bid 1")
    asked = game.prompt.id
    game.play("B peek")
    assert game.events == (Peeked(B),)
    assert game.view("B").centre == 10
    assert [game.view(name).centre for name in ("A", "C", None)] == [None, None, None]
    view = game.view()
    assert (view.seats[B].eyes, view.peeked, view.duty, view.turn) == ((1, 2), (B,), Duty.RAISE, B)
    assert game.prompt.id == asked + 1
    game.play("B bid 2", "C bid 3", "D bid 4", "A peek", "A bid 5", "B peek")
    assert game.view().peeked == (B, A)
    assert game.view().seats[B].eyes == (0, 3)
    game.play("B bid 6", "C call", "deal 1 2 3 4")
    assert game.view("B").centre is None
    assert game.view().peeked == ()


@pytest.mark.parametrize(
    ("game", "details", "moves", "move", "reason"),
    [
        (peek, {}, [], "A peek", Reason.FIRST_TURN),
        (peek, {}, ["A bid 1", "B peek"], "B peek", Reason.MUST_RAISE),
        (peek, {}, ["A bid 1", "B peek"], "B call", Reason.MUST_RAISE),
        (peek, {"eyes": {"B": (0, 2)}}, ["A bid 1"], "B peek", Reason.NO_OPEN_EYE),
        (peek, {}, ["A bid 999"], "B peek", Reason.NO_HIGHER_NUMBER),
        (peek, {}, ["A bid 1"], "C peek", Reason.NOT_YOUR_TURN),
        (peek, {"holder": "B"}, ["A bid 1"], "B coyote", Reason.NOT_IN_THIS_GAME),
        (trickster, {"holder": "A", "actions_off": ["coyote_card"]}, AROUND, "A coyote", Reason.SWITCHED_OFF),
        (trickster, {"holder": "B"}, ["A bid 1"], "B coyote", Reason.FIRST_TURN),
        (trickster, {"holder": "A"}, [], "A coyote", Reason.FIRST_TURN),
        (trickster, {"holder": "B"}, AROUND, "A coyote", Reason.NOT_THE_HOLDER),
        (trickster, {}, AROUND, "A coyote", Reason.NOT_THE_HOLDER),
        (trickster, {"holder": "A"}, [*AROUND, "A coyote"], "A coyote", Reason.ALREADY_USED),
        (trickster, {"holder": "A"}, [*AROUND, "A coyote"], "A call", Reason.MUST_RAISE),
        (
            trickster,
            {"holder": "A"},
            ["A bid 1", "B bid 2", "C bid 3", "D bid 999"],
            "A coyote",
            Reason.NO_HIGHER_NUMBER,
        ),
        (trickster, {"holder": "C"}, [*AROUND, "A bid 5"], "B coin skip", Reason.NOT_IN_THIS_GAME),
    ],
)
def test_why_a_peek_or_coyote_card_is_refused(
    game: Any, details: dict[str, Any], moves: list[str], move: str, reason: Reason
) -> None:
    assert game(**details).play(*moves).refuse(move).reason is reason


@pytest.mark.parametrize(
    ("eyes", "after"),
    [((2, 1), (2, 0)), ((3, 0), (2, 0)), ((0, 3), (0, 2)), ((1, 1), (1, 0)), ((0, 2), (0, 1)), ((2, 0), (1, 0))],
)
def test_the_loser_gives_up_a_closed_eye_first(eyes: tuple[int, int], after: tuple[int, int]) -> None:
    game = peek(eyes={"B": eyes}).play("A bid 20", "B call")
    assert game.last.loser == B
    assert game.view().seats[B].eyes == after
    assert (game.last.penalty, game.last.next_starter) == (1, B)


@pytest.mark.parametrize(("eyes", "after"), [((2, 1), (3, 0)), ((3, 0), (3, 0)), ((0, 2), (1, 1))])
@pytest.mark.parametrize(("bid", "winner"), [(20, A), (21, B)])
def test_the_winner_opens_a_closed_eye(bid: int, winner: int, eyes: tuple[int, int], after: tuple[int, int]) -> None:
    game = peek(eyes={"A": eyes, "B": eyes}).play(f"A bid {bid}", "B call")
    assert game.view().seats[winner].eyes == after
    assert game.last.opened == (() if eyes == after else (winner,))
    assert game.last.closed == ()
    assert game.view().seats[C].eyes == (2, 1)
    assert [seat.tokens for seat in game.view().seats] == [0, 0, 0, 0]


@pytest.mark.parametrize("eyes", [(1, 0), (0, 1)])
def test_a_player_without_eyes_is_out_and_the_seat_on_their_left_starts(eyes: tuple[int, int]) -> None:
    game = peek(eyes={"B": eyes}).play("A bid 20", "B call")
    assert (game.last.eliminated, game.last.next_starter) == (B, C)
    assert game.view().seats[B].eyes == (0, 0)


def test_everything_is_shuffled_after_every_round() -> None:
    game = peek().play("A bid 1", "B call", "deal 5 6 7 8 9")
    assert game.view().shuffled
    assert (game.view().pile, game.view().discard) == (12, ())
    assert game.view("A").seats[B].worn == (6,)


@pytest.mark.parametrize(("cards", "needed"), [(7, False), (6, True)])
def test_the_centre_needs_a_card_too(cards: int, needed: bool) -> None:
    game = table(" ".join(["1"] * cards), "peek", players=6, deck={"1": 13}, rest="discard")
    assert game.view().shuffled is needed


def test_bets_are_secret_and_simultaneous() -> None:
    game = trickster(players=5).play("A bid 1", "B call")
    assert game.events == (Called(B, A, 1),)
    asked = {prompt.id for prompt in game.prompts}
    assert [prompt.seat for prompt in game.prompts] == [C, D, E]
    assert all(prompt.choices == (Choice(Bet, ((A, B, None),)),) for prompt in game.prompts)
    view = game.view("C")
    assert (view.phase, view.turn, view.caller, view.bettors) == (Phase.BETS, None, B, (C, D, E))
    assert (view.bid, view.bidder, view.own_bet) == (1, A, None)
    game.play("D bet B")
    assert game.events == (BetPlaced(D),)
    assert {prompt.id for prompt in game.prompts} == asked
    assert game.view().bettors == (C, E)
    assert game.view("D").own_bet == (B,)
    assert [game.view(name).own_bet for name in ("C", "E", "A", None)] == [None] * 4
    assert game.play("C bet nobody").view("C").own_bet == (None,)
    assert game.view("D").prompt is None
    assert game.view("E").prompt is not None
    game.play("E bet A")
    result = game.last
    assert game.events == (BetPlaced(E), RoundEnded(result))
    assert result.bets == (SettledBet(D, B, False), SettledBet(C, None, False), SettledBet(E, A, True))
    assert game.prompt.id == asked.pop() + 1
    assert [seat.eyes for seat in game.view().seats] == [(2, 1), (1, 1), (0, 3), (0, 3), (2, 1)]
    assert (result.opened, result.closed) == ((A, E), (D, C))


@pytest.mark.parametrize(
    ("eyes", "on", "after"),
    [
        ((1, 2), "A", (2, 1)),
        ((3, 0), "A", (3, 0)),
        ((1, 2), "B", (0, 3)),
        ((0, 3), "B", (0, 3)),
        ((2, 0), "nobody", (1, 1)),
    ],
)
def test_a_right_bet_opens_an_eye_and_a_wrong_one_closes_one(
    eyes: tuple[int, int], on: str, after: tuple[int, int]
) -> None:
    game = trickster(players=3, eyes={"C": eyes}).play("A bid 1", "B call", f"C bet {on}")
    assert game.view().seats[C].eyes == after
    assert (C in game.last.opened) is (after[0] > eyes[0])
    assert (C in game.last.closed) is (after[0] < eyes[0])


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ([], "C bet A", Reason.NOT_NOW),
        (["A bid 1"], "C bet A", Reason.NOT_NOW),
        (["A bid 1", "B call"], "A bet A", Reason.NOT_A_BETTOR),
        (["A bid 1", "B call"], "B bet A", Reason.NOT_A_BETTOR),
        (["A bid 1", "B call"], "C bet D", Reason.NO_SUCH_TARGET),
        (["A bid 1", "B call"], "E bet A", Reason.NOT_PLAYING),
        (["A bid 1", "B call", "C bet A"], "C bet B", Reason.ALREADY_BET),
        (["A bid 1", "B call"], "C bid 5", Reason.NOT_NOW),
        (["A bid 1", "B call"], "B call", Reason.NOT_NOW),
        (["A bid 1", "B call"], "B peek", Reason.NOT_NOW),
        (["A bid 1", "B call"], "shuffle", Reason.NOT_NOW),
        (["A bid 1", "B call"], "deal", Reason.NOT_NOW),
    ],
)
def test_why_a_bet_is_refused(moves: list[str], move: str, reason: Reason) -> None:
    assert trickster().play(*moves).refuse(move).reason is reason


def test_with_two_players_nobody_bets() -> None:
    game = trickster("1 2 10", players=2).play("A bid 1", "B call")
    assert game.view().phase is Phase.DEAL
    assert game.last.bets == ()


def test_bets_can_be_switched_off() -> None:
    game = trickster(actions_off=["bet"]).play("A bid 1", "B call")
    assert game.last.loser == B
    assert game.view().coyote_holder == B


def test_the_coyote_card_adds_a_card_that_only_its_player_knows() -> None:
    game = trickster(holder="A").play(*AROUND)
    asked = game.prompt.id
    game.play("A coyote")
    assert game.events == (CoyoteUsed(A),)
    assert game.prompt.id == asked + 1
    assert game.view("A").coyote_card == 15
    assert [game.view(name).coyote_card for name in ("B", None)] == [None, None]
    view = game.view("B")
    assert (view.coyote_used, view.coyote_holder, view.duty, view.pile) == (True, A, Duty.RAISE, 11)
    game.play("A bid 35", "B call", "C bet A", "D bet A")
    assert game.last.counted is not None
    assert game.last.counted.cards == (1, 2, 3, 4, 10, 15)
    assert game.last.loser == B
    assert (game.last.cards.centre, game.last.cards.beside) == (10, 15)
    assert game.view().coyote_holder == B
    assert not game.view().coyote_used


def test_an_eliminated_player_does_not_get_the_coyote_card() -> None:
    game = trickster(players=3, eyes={"B": (0, 1)}, holder="A").play("A bid 1", "B call", "C bet nobody")
    assert game.last.eliminated == B
    assert game.view().coyote_holder is None


def test_without_the_variant_nobody_gets_the_coyote_card() -> None:
    assert peek().play("A bid 1", "B call").view().coyote_holder is None


@pytest.mark.parametrize(("leaver", "holder"), [("A", None), ("B", A)], ids=["the holder leaves", "another leaves"])
def test_who_holds_the_coyote_card_after_somebody_left(leaver: str, holder: int | None) -> None:
    game = trickster(holder="A").play("A bid 1", f"{leaver} leave")
    assert game.view().coyote_holder == holder
    between = trickster(holder="C").play("A bid 1", "B call", "C bet A", "D bet A")
    assert between.view().coyote_holder == B
    assert between.play("B leave").view().coyote_holder is None
    again = trickster(holder="C").play("A bid 1", "B call", "C bet A", "D bet A", "A leave")
    assert again.view().coyote_holder == B


def test_eyes_closed_in_a_void_round_stay_closed() -> None:
    game = peek().play("A bid 1", "B peek", "D leave")
    assert game.view().seats[B].eyes == (1, 2)
    assert game.play("deal 1 2 3 4").view().turn == A


def test_leaving_during_the_bets_voids_the_round() -> None:
    game = trickster().play("A bid 1", "B call", "C bet A", "D leave")
    assert (game.last.loser, game.last.counted, game.last.bets) == (None, None, ())
    assert [seat.eyes for seat in game.view().seats] == [(1, 2)] * 4
    assert game.play("deal 1 2 3 4").view("C").own_bet is None


DECK = {str(value): 1 for value in range(1, 15)} | {"?": 1}


def test_the_last_bet_waits_for_the_shuffle_and_stays_secret() -> None:
    game = trickster("1 ? 3 4", players=3, deck=DECK, rest="discard", max_players=12, min_players=3)
    game.play("A bid 1", "B call")
    asked = game.prompts[0].id
    game.play("C bet B")
    assert game.events == ()
    assert (game.view().phase, game.prompt.id) == (Phase.SHUFFLE, asked + 1)
    assert game.view().caller is None
    game.play("shuffle 14")
    assert game.events == (PileRenewed(11), BetPlaced(C), RoundEnded(game.last))
    assert game.last.counted is not None
    assert game.last.counted.total == 1 + 3 + 4 + 14
    assert game.last.bets == (SettledBet(C, B, False),)


def test_the_coyote_card_waits_for_the_shuffle() -> None:
    game = trickster("1 2 3 4", players=3, deck=DECK, rest="discard", holder="A", max_players=12)
    game.play("A bid 1", "B bid 2", "C bid 3", "A coyote")
    assert game.events == ()
    game.play("shuffle 14")
    assert game.events == (PileRenewed(11), CoyoteUsed(A))
    assert game.view("A").coyote_card == 14


def test_without_any_card_left_the_coyote_card_cannot_be_used() -> None:
    deck = {"1": 13}
    game = trickster(" ".join(["1"] * 13), players=12, deck=deck, holder="A", out="L").play(
        *(f"{name} bid {number}" for number, name in enumerate("ABCDEFGHIJK"))
    )
    assert "usecoyote" in game.verbs
    full = trickster(" ".join(["1"] * 13), players=12, deck=deck, holder="A").play(
        *(f"{name} bid {number}" for number, name in enumerate("ABCDEFGHIJKL"))
    )
    assert full.refuse("A coyote").reason is Reason.NO_CARD_LEFT


def test_the_winner_of_the_last_round_is_the_winner_of_the_match() -> None:
    game = peek(players=2, eyes={"B": (1, 0)}).play("A bid 1", "B call")
    assert game.events[-1] == MatchWon(A)
    assert game.view().winner == A
