"""Options of a match, and the moves of the dealer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Rejected, Seat
from bot.games.plenty_coups.rules.actions import Deal, Reason, Shuffle
from bot.games.plenty_coups.rules.cards import DECK, FACES, PROOFS, STICK, Cards, Tribe, name_of
from bot.games.plenty_coups.rules.choices import prompts
from bot.games.plenty_coups.rules.game import GAME, apply, deal, setup
from bot.games.plenty_coups.rules.options import Options, Problem
from tests.games.plenty_coups.rules.cases import given
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

COLOURS = ("black", "yellow", "green", "red", "blue", "white")


@pytest.mark.parametrize(
    ("options", "players", "starter", "problem", "details"),
    [
        ({"hours": 9}, 4, None, Problem.UNKNOWN_OPTION, {"option": "hours", "allowed": Options._fields}),
        ({}, 1, None, Problem.TOO_FEW_PLAYERS, {"players": 1, "lowest": 2}),
        ({}, 7, None, Problem.TOO_MANY_PLAYERS, {"players": 7, "highest": 6}),
        ({}, 4, 4, Problem.NO_SUCH_STARTER, {"starter": 4}),
        ({}, 4, -1, Problem.NO_SUCH_STARTER, {"starter": -1}),
        *(
            ({"tribes": wanted}, 3, None, Problem.NOT_TRIBES, {"value": wanted, "needed": 3, "allowed": COLOURS})
            for wanted in (
                "black",
                ["black", "yellow"],
                ["black", "yellow", "yellow"],
                ["black", "yellow", "brown"],
                ["black", "yellow", "green", "red"],
                ["black", "yellow", []],
            )
        ),
    ],
)
def test_impossible_openings_are_refused(
    options: dict[str, Any], players: int, starter: int | None, problem: Problem, details: dict[str, Any]
) -> None:
    with pytest.raises(Rejected) as refusal:
        setup(options, players, None if starter is None else Seat(starter))
    assert refusal.value.reason is problem
    assert refusal.value.details == details


@pytest.mark.parametrize(("players", "tribes"), [(2, 3), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_tribes_by_seat(players: int, tribes: int) -> None:
    state = setup({}, players, None)
    assert [*state.camps] == [*Tribe][:tribes]
    chosen = setup({"tribes": ["white", "blue", "red", "green", "yellow", "black"][:tribes]}, players, None)
    assert [*chosen.camps] == [*Tribe][: -1 - tribes : -1]
    assert state.plain == 5 * tribes
    assert {camp.horses for camp in state.camps.values()} == {1}


def test_the_deck_has_54_cards() -> None:
    assert len(DECK) == 54
    assert [DECK.count(card) for card in FACES] == [1] * 24 + [4] * 3 + [10, 8]
    assert sorted(DECK) == [*DECK]
    assert len(PROOFS) == 8
    assert [name_of(card) for card in FACES[:5]] == ["black1", "black2", "black3", "black4", "yellow1"]
    assert [name_of(card) for card in FACES[-5:]] == ["weapon2", "weapon3", "weapon4", "horse", "stick"]


@pytest.mark.parametrize(
    ("starter", "action", "reason"),
    [
        (0, Deal(DEALER, DECK[1:]), Reason.WRONG_ORDER),
        (0, Deal(DEALER, (*DECK[1:], STICK)), Reason.WRONG_ORDER),
        (0, Deal(Seat(0), DECK), Reason.NOT_NOW),
        (0, Deal(DEALER, DECK, Seat(0)), Reason.WRONG_STARTER),
        (None, Deal(DEALER, DECK), Reason.WRONG_STARTER),
        (None, Deal(DEALER, DECK, Seat(3)), Reason.WRONG_STARTER),
        (None, Deal(DEALER, DECK, Seat(-1)), Reason.WRONG_STARTER),
        (0, Shuffle(DEALER, ()), Reason.NOT_NOW),
    ],
)
def test_wrong_deals_are_refused(starter: int | None, action: Deal | Shuffle, reason: Reason) -> None:
    state = setup({}, 3, None if starter is None else Seat(starter))
    with pytest.raises(Rejected) as refusal:
        apply(state, action)
    assert refusal.value.reason is reason


def waiting_for_a_shuffle() -> ScriptTable:
    """Return a table that needs a card from an empty pile and waits for the test to shuffle."""

    class UnshuffledTable(ScriptTable):
        def shuffle(self) -> None:
            """Do nothing; the test shuffles."""

    script = given(black="horse", actions_left=1, pile="")
    table = UnshuffledTable({"shuffles": [], **script})
    table.move({"tribe": "black", "do": "breed"})
    return table


def test_only_the_dealer_shuffles_and_only_the_discards() -> None:
    state = waiting_for_a_shuffle().state
    assert GAME.load(GAME.dump(state)) == state
    discards = state.stock.discards
    (prompt,) = prompts(state)
    assert prompt.seat == DEALER

    def refused(action: Any) -> Reason:
        with pytest.raises(Rejected) as refusal:
            apply(state, action)
        reason = refusal.value.reason
        assert isinstance(reason, Reason)
        return reason

    assert refused(Shuffle(Seat(0), discards)) is Reason.NOT_NOW
    assert refused(Shuffle(DEALER, discards[1:])) is Reason.WRONG_ORDER
    assert refused(Deal(DEALER, DECK)) is Reason.NOT_NOW
    table = waiting_for_a_shuffle()
    with pytest.raises(Rejected) as refusal:
        table.move({"tribe": "black", "do": "end"})
    assert refusal.value.reason is Reason.DEALERS_MOVE
    after = apply(state, Shuffle(DEALER, discards)).state
    assert after.stock.discards == ()
    assert len(after.stock.pile) == len(discards) - 2


def test_players_wait_for_the_deal() -> None:
    table = waiting_for_a_shuffle()
    table.state = setup({"tribes": ["black", "yellow", "green", "red"]}, 4, Seat(0))
    with pytest.raises(Rejected) as refusal:
        table.move({"tribe": "black", "do": "end"})
    assert refusal.value.reason is Reason.DEALERS_MOVE


def test_the_dealers_order_comes_from_the_random_generator() -> None:
    chosen = setup({}, 3, Seat(2))
    dealt = deal(chosen, Random(3))
    assert isinstance(dealt, Deal)
    assert (dealt.seat, dealt.starter) == (DEALER, None)
    assert sorted(dealt.order) == [*DECK]
    assert dealt == deal(chosen, Random(3)) != deal(chosen, Random(4))
    starters = {
        action.starter for seed in range(40) if isinstance(action := deal(setup({}, 3, None), Random(seed)), Deal)
    }
    assert starters == {0, 1, 2}
    waiting = waiting_for_a_shuffle().state
    shuffled = deal(waiting, Random(3))
    assert isinstance(shuffled, Shuffle)
    assert shuffled.seat == DEALER
    assert as_set(shuffled.order) == as_set(waiting.stock.discards)
    assert shuffled.order != waiting.stock.discards


def as_set(cards: Cards) -> list[Any]:
    return sorted(cards)
