"""What viewers see, clause by clause of section 7; the contract tests check it in random play."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import DEALER, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.view import CoyoteView, Phase
from tests.games.coyote.rules.cases import A, B, C, D, table


def worn(view: CoyoteView) -> list[Any]:
    return [seat.worn for seat in view.seats]


def test_everybody_sees_every_feather_but_their_own() -> None:
    game = table("1 2 3 4", players=5, out="D")
    assert worn(game.view("A")) == [None, (2,), (3,), (), (4,)]
    assert worn(game.view("C")) == [(1,), (2,), None, (), (4,)]
    assert [seat.feathers for seat in game.view("A").seats] == [1, 1, 1, 0, 1]


@pytest.mark.parametrize("viewer", ["D", None])
def test_bystanders_and_the_eliminated_see_no_live_feather(viewer: str | None) -> None:
    game = table("1 2 3 4 5", players=5, out="D", variant=True).play("A bid 1", "B coin replace")
    view = game.view(viewer)
    assert worn(view) == [None] * 5
    assert [seat.covered for seat in view.seats] == [None] * 5
    assert [seat.feathers for seat in view.seats] == [1, 2, 1, 0, 1]
    assert (view.turn, view.bid, view.bidder, view.prompt) == (B, 1, A, None)


def test_after_the_match_everybody_sees_the_last_round_but_no_live_feather() -> None:
    game = table("3 4", players=2, tokens={"B": 2}).play("A bid 5", "B call")
    for viewer in ("A", "B", None):
        view = game.view(viewer)
        assert worn(view) == [None, None]
        assert view.last is not None
        assert view.last.cards.worn == ((3,), (4,))
        assert (view.phase, view.winner, view.prompt) == (Phase.OVER, A, None)


def test_between_rounds_there_is_no_feather_and_no_bid() -> None:
    game = table("3 4 5", variant=True).play("A bid 5", "B coin guess 4", "C call")
    view = game.view("B")
    assert worn(view) == [(), None, ()]
    assert [seat.withdrawn for seat in view.seats] == [False, False, False]
    assert (view.bid, view.bidder, view.turn, view.ladder, view.duty) == (None, None, None, (), None)
    assert (view.phase, view.caller, view.bettors, view.shuffled) == (Phase.DEAL, None, (), False)


def test_before_the_opening_bid_there_is_no_bidder() -> None:
    view = table("3 4 5").view("B")
    assert (view.bid, view.bidder, view.direction, view.doubled, view.used) == (None, None, 1, False, ())
    assert (view.viewer, view.rules.edition, view.phase) == (B, "feathers", Phase.BIDDING)
    assert (view.coyote_used, view.coyote_card, view.coyote_holder, view.centre) == (False, None, None, None)


def test_only_the_prompted_player_sees_the_question() -> None:
    game = table("3 4 5")
    assert game.view("A").prompt == game.prompt
    assert [game.view(name).prompt for name in ("B", "C", None)] == [None, None, None]
    game.play("A bid 5", "B call")
    assert [game.view(name).prompt for name in ("A", "B", "C", None)] == [None] * 4


def test_an_eliminated_player_sees_neither_the_centre_nor_the_coyote_card() -> None:
    game = table("1 2 3 4 10 15", "peek", variant=True, players=4, holder="A").play(
        "A bid 1", "B peek", "B bid 2", "C bid 3", "D bid 4", "A coyote", "A bid 5"
    )
    assert [game.view(name).centre for name in ("A", "B", "C", "D", None)] == [None, 10, None, None, None]
    assert [game.view(name).coyote_card for name in ("A", "B", "C", "D", None)] == [15, None, None, None, None]
    game.play("D leave")
    assert [game.view(name).centre for name in ("A", "B", "C", "D", None)] == [None] * 5
    assert [game.view(name).coyote_card for name in ("A", "B", "C", "D", None)] == [None] * 5


def test_a_right_guess_is_open_to_all_and_its_covered_feather_only_to_the_others() -> None:
    game = table("1 2 3 4 5", players=5, out="E", variant=True).play(
        "A bid 1", "B coin replace", "B bid 2", "C bid 3", "D bid 4", "A bid 5", "B coin guess 5"
    )
    for viewer in ("A", "B", "E", None):
        assert game.view(viewer).seats[B].worn == (5,)
        assert game.view(viewer).seats[B].withdrawn
    assert game.view("A").seats[B].covered == (2,)
    assert game.view("B").seats[B].covered is None
    assert game.view(None).seats[B].covered is None
    assert game.view("E").seats[B].covered is None


def test_a_seat_outside_the_table_sees_what_a_bystander_sees() -> None:
    game = table("3 4 5")
    for stranger in (DEALER, Seat(7)):
        assert worn(rules.view_for(game.state, stranger)) == [None, None, None]


def test_a_view_has_the_size_of_the_pile_and_the_cards_of_the_discard() -> None:
    game = table("3 4 5", discard="9 10").play("A bid 5", "B call", "deal")
    view = game.view("C")
    assert (view.pile, view.discard) == (22, (9, 10, 3, 4, 5))
    assert (view.starter, view.number, view.out) == (A, 2, ())
    assert view.coins == tuple((coin, 0) for coin in ("extra", "reverse", "skip", "replace", "guess"))
    assert D not in [seat.seat for seat in view.seats]
    assert [seat.seat for seat in view.seats] == [A, B, C]


def test_players_get_private_news_when_feathers_move_but_not_after_bids_and_calls() -> None:
    game = table("1 2 3 4 5 6", players=4, out="D", variant=True)
    dealt, bid = game.state, game.play("A bid 5").state
    assert rules.private_news(dealt, bid) == ()
    replaced = game.play("B coin replace").state
    assert rules.private_news(bid, replaced) == (A, B, C)
    ended = game.play("B bid 9", "C call").state
    assert rules.private_news(replaced, ended) == ()
    assert (rules.rounds_ended(dealt), rules.rounds_ended(ended)) == (0, 1)


def test_a_peek_is_private_news_for_the_player_who_peeked() -> None:
    game = table("1 2 3 4", "peek").play("A bid 5")
    before = game.state
    assert rules.private_news(before, game.play("B peek").state) == (B,)


def test_the_open_view_shows_every_card_and_belongs_to_nobody() -> None:
    game = table("1 2 3 4 5", variant=True, players=4).play("A bid 1", "B coin replace")
    view = rules.GAME.open_view(game.state)
    assert worn(view) == [(1,), (5,), (3,), (4,)]
    assert [seat.covered for seat in view.seats] == [(), (2,), (), ()]
    assert (view.viewer, view.prompt, view.bid) == (None, None, 1)


def test_the_open_view_shows_the_centre() -> None:
    game = table("1 2 3 4", "peek")
    assert rules.GAME.open_view(game.state).centre == 4
    assert game.view().centre is None


def test_everybody_may_see_the_choices_of_a_prompt() -> None:
    prompt = table("1 2 3").play("A bid 5").prompt
    assert rules.GAME.public_choices(prompt) == prompt.choices != ()
