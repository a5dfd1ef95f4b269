"""Rules that all editions share: bids, calls, penalties and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import DEALER, Choice, Outcome, Rejected, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import Announced, Bid, Call, Called, Deal, Flip, MatchWon, Reason, RoundEnded
from bot.games.coyote.rules.editions import HIGHEST_BID
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Phase
from tests.games.coyote.rules.cases import A, B, C, D, table

NOBODY = (None,)


def test_bids_rise_and_the_turn_goes_clockwise() -> None:
    game = table("3 4 5").play("A bid 1")
    assert game.events == (Announced(A, 1, None, None),)
    assert game.view().turn == B
    game.play("B bid 2", "C bid 9")
    view = game.view()
    assert (view.turn, view.bid, view.bidder, view.direction) == (A, 9, C, 1)
    assert view.ladder == (Announced(A, 1, None, None), Announced(B, 2, None, None), Announced(C, 9, None, None))


def test_the_opener_can_only_bid_but_the_others_can_also_call() -> None:
    game = table("3 4 5")
    assert game.prompt.choices == (Choice(Bid, (range(-999, 1000), NOBODY, NOBODY)),)
    assert game.play("A bid 7").prompt.choices == (Choice(Bid, (range(8, 1000), NOBODY, NOBODY)), Choice(Call))
    assert game.play("B bid 999").prompt.choices == (Choice(Call),)


@pytest.mark.parametrize("edition", ["scout", "tomahawk"])
def test_the_lowest_bid_is_one_in_the_elder_editions(edition: str) -> None:
    game = table("3 4 5", edition)
    assert game.prompt.choices == (Choice(Bid, (range(1, 1000), NOBODY, NOBODY)),)
    assert game.refuse("A bid 0").reason is Reason.BID_TOO_LOW


@pytest.mark.parametrize(
    ("before", "move", "reason", "lowest"),
    [
        ([], "A bid -1000", Reason.BID_TOO_LOW, -999),
        ([], "A bid 1000", Reason.BID_TOO_HIGH, -999),
        ([], "A call", Reason.NOTHING_TO_ANSWER, -999),
        ([], "B bid 5", Reason.NOT_YOUR_TURN, -999),
        ([], "B call", Reason.NOT_YOUR_TURN, -999),
        ([], "D bid 5", Reason.NOT_PLAYING, -999),
        (["A bid 5"], "B bid 5", Reason.BID_TOO_LOW, 6),
        (["A bid 5"], "B bid 4", Reason.BID_TOO_LOW, 6),
        (["A bid 5"], "A bid 6", Reason.NOT_YOUR_TURN, 6),
        (["A bid 5"], "C call", Reason.NOT_YOUR_TURN, 6),
        (["A bid 999"], "B bid 1000", Reason.BID_TOO_HIGH, 1000),
        (["A bid 5"], "B bid 6 plain C", Reason.NEEDS_NO_TARGET, 6),
        (["A bid 5"], "B bid 6 double", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B approve", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B reverse", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B redo", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B coin skip", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B coin nonsense", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B peek", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B coyote", Reason.NOT_IN_THIS_GAME, 6),
        (["A bid 5"], "B bet A", Reason.NOT_NOW, 6),
    ],
)
def test_a_refusal_gives_the_reason_and_the_lowest_bid(
    before: list[str], move: str, reason: Reason, lowest: int
) -> None:
    game = table("3 4 5").play(*before)
    refusal = game.refuse(move)
    assert refusal.reason is reason
    view = game.view()
    stands = {"turn": view.turn, "bid": view.bid, "lowest": lowest, "highest": 999, "may_call": view.bid is not None}
    assert view.turn is not None
    assert refusal.details == stands | {"after": (view.turn + 1) % 3}


def test_a_refusal_says_who_acts_next() -> None:
    game = table("3 4 5 6", "scout", variant=True, players=4).play("A bid 5", "B bid 6 next D")
    assert game.refuse("A bid 7").details["after"] == A
    assert game.play("D redo").refuse("A bid 7").details["after"] == D


@pytest.mark.parametrize(
    ("edition", "moves", "move", "may_call"),
    [
        ("feathers", ["A bid 5"], "B bid 5", True),
        ("feathers", [], "A bid -1000", False),
        ("feathers", ["A bid 5", "B coin extra"], "B bid 5", False),
        ("feathers", ["A bid 5", "B coin skip", "C coin skip"], "A bid 5", False),
        ("peek", ["A bid 5", "B peek"], "B bid 5", False),
        ("scout", ["A bid 5", "B redo"], "A bid 0", False),
        ("scout", ["A bid 5", "B redo", "A bid 6"], "B bid 6", True),
        ("tomahawk", ["A bid 5", "B reverse"], "A bid 5", False),
    ],
)
def test_a_refusal_says_whether_calling_is_open(edition: str, moves: list[str], move: str, may_call: bool) -> None:
    game = table("3 4 5 6", edition, variant=True).play(*moves)
    refusal = game.refuse(move)
    assert (refusal.reason, refusal.details["may_call"]) == (Reason.BID_TOO_LOW, may_call)
    assert (Choice(Call) in game.prompt.choices) is may_call


@pytest.mark.parametrize("move", ["A bid 5", "A call", "A approve", "A redo", "A reverse", "A coin skip", "A peek"])
def test_between_rounds_it_is_the_dealers_move(move: str) -> None:
    game = table("3 4 5").play("A bid 5", "B call")
    refusal = game.refuse(move)
    assert (refusal.reason, refusal.details) == (Reason.DEALERS_MOVE, {})


def test_an_eliminated_player_cannot_act() -> None:
    game = table("3 4 5", out="C", players=3)
    assert game.refuse("C bid 5").reason is Reason.NOT_PLAYING
    assert game.refuse("C leave").reason is Reason.NOT_PLAYING
    assert game.refuse("C bet A").reason is Reason.NOT_PLAYING


@pytest.mark.parametrize("move", ["A bid 5", "B call", "A leave", "A bet B", "shuffle", "C approve"])
def test_after_the_match_nothing_is_accepted(move: str) -> None:
    game = table("3 4", players=2, tokens={"B": 2}).play("A bid 5", "B call")
    assert game.view().phase is Phase.OVER
    assert game.prompts == ()
    refusal = game.refuse(move)
    assert (refusal.reason, refusal.details) == (Reason.MATCH_OVER, {})
    with pytest.raises(Rejected) as dealt:
        rules.apply(game.state, Deal(DEALER))
    assert dealt.value.reason is Reason.MATCH_OVER


@pytest.mark.parametrize(
    ("bid", "loser", "starter"), [(11, B, A), (12, B, A), (13, A, B)], ids=["more", "equal", "less"]
)
def test_the_caller_was_wrong_unless_the_total_is_less(bid: int, loser: int, starter: int) -> None:
    game = table("3 4 5").play(f"A bid {bid}", "B call")
    result = game.last
    assert (result.loser, result.penalty, result.next_starter) == (loser, 1, starter)
    assert (result.caller, result.bidder, result.bid, result.number) == (B, A, bid, 1)
    assert result.ending is Ending.SHOWDOWN
    assert result.counted is not None
    assert result.counted.total == 12
    assert result.cards.worn == ((3,), (4,), (5,))
    assert (result.eliminated, result.bets, result.night) == (None, (), False)
    assert game.events == (Called(B, A, bid), RoundEnded(result))
    assert [seat.tokens for seat in game.view().seats] == [int(seat == loser) for seat in (A, B, C)]


def test_a_call_on_zero_names_zero() -> None:
    game = table("3 4 5").play("A bid 0", "B call")
    assert game.events[0] == Called(B, A, 0)
    assert game.last.loser == B


STARTERS: list[tuple[str, dict[str, Any], dict[str, int], int | None]] = [
    ("scout", {}, {}, B),
    ("scout", {}, {"B": 2}, A),
    ("scout", {"if_starter_is_out": "left"}, {"B": 2}, C),
    ("scout", {"next_starter": "winner"}, {}, A),
    ("tomahawk", {}, {}, B),
    ("tomahawk", {}, {"B": 2}, A),
    ("tomahawk", {"threshold": 5}, {"B": 3}, B),
    ("tomahawk", {"threshold": 2}, {"B": 1}, A),
    ("feathers", {}, {}, A),
    ("feathers", {}, {"B": 2}, A),
    ("feathers", {"next_starter": "loser"}, {}, B),
    ("feathers", {"next_starter": "loser"}, {"B": 2}, C),
    ("feathers", {"next_starter": "loser", "if_starter_is_out": "duellist"}, {"B": 2}, A),
]


@pytest.mark.parametrize(("edition", "options", "tokens", "starter"), STARTERS)
def test_who_opens_the_next_round(edition: str, options: dict[str, Any], tokens: dict[str, int], starter: int) -> None:
    """The caller B is wrong in every case."""
    game = table("3 4 5 6", edition, players=4, tokens=tokens, **options).play("A bid 5", "B call")
    is_out = tokens.get("B", 0) + 1 >= options.get("threshold", 3)
    assert game.last.loser == B
    assert game.last.next_starter == starter
    assert game.last.eliminated == (B if is_out else None)
    assert game.view().starter == starter
    assert game.play("deal").view().turn == starter


def test_eliminated_seats_are_skipped() -> None:
    game = table("3 4 5", players=4, out="B").play("A bid 1")
    assert game.view().turn == C
    game.play("C bid 2", "D bid 3")
    assert game.view().turn == A
    assert game.view().seats[B].living is False


def test_the_last_player_wins_at_once_without_shuffle_or_starter() -> None:
    game = table("night 4", "scout", players=2, tokens={"A": 2}).play("A bid 5", "B call")
    result = game.last
    assert (result.eliminated, result.next_starter, result.night) == (A, None, True)
    assert game.events == (Called(B, A, 5), RoundEnded(result), MatchWon(B))
    view = game.view()
    assert (view.phase, view.winner, view.starter, view.turn, view.out) == (Phase.OVER, B, None, None, (A,))
    assert rules.seated(game.state) == ()


def test_places_count_back_from_the_winner() -> None:
    game = table("3 4 5 6", players=5, out="D", tokens={"B": 2, "A": 2, "E": 2})
    assert rules.outcome(game.state) is None
    game.play("A bid 5", "B call", "deal", "A bid 999", "C call", "deal")
    assert rules.outcome(game.state) is None
    assert rules.seated(game.state) == (C, 4)
    game.play("C bid -99", "E call")
    assert rules.outcome(game.state) == Outcome((C,), (3, 4, 1, 5, 2))


def test_each_question_has_its_own_number() -> None:
    game = table("3 4 5")
    first = game.prompt.id
    assert game.play("A bid 5").prompt.id == first + 1
    assert game.play("B call").prompt.id == first + 2
    assert game.prompt.seat == DEALER
    assert (game.prompt.choices, game.prompt.timeout) == ((), None)
    assert game.play("deal").prompt.id == first + 3
    assert game.play("C leave").prompt.id == first + 4
    assert game.play("B leave").prompts == ()
    assert game.state.asked == first + 5


@pytest.mark.parametrize(
    "action",
    [
        None,
        (0, 5),
        Bid(A, 5.5),  # type: ignore[arg-type]
        Bid(A, True),
        Bid(A, "5"),  # type: ignore[arg-type]
        Bid(A, float("inf")),  # type: ignore[arg-type]
        Bid(False, 5),  # type: ignore[arg-type]
        Bid(A, 5, 3),  # type: ignore[arg-type]
        Bid(A, 5, None, "B"),  # type: ignore[arg-type]
        Call(0.0),  # type: ignore[arg-type]
        Flip(A, ["guess"]),  # type: ignore[arg-type]
        Deal(-1.0),  # type: ignore[arg-type]
    ],
)
def test_a_field_of_a_wrong_type_is_refused(action: Any) -> None:
    game = table("3 4 5")
    with pytest.raises(Rejected) as refused:
        rules.apply(game.state, action)
    assert refused.value.reason is Reason.MALFORMED


@pytest.mark.parametrize("starter", [True, "0", -1, 3])
def test_only_a_seat_at_the_table_can_be_chosen_to_begin(starter: Any) -> None:
    with pytest.raises(Rejected) as refused:
        rules.setup({}, 3, starter)
    assert refused.value.reason is Reason.WRONG_STARTER


def test_a_seat_without_a_prompt_is_told_why() -> None:
    state = table("3 4 5").state
    refused = rules.why_not_asked(state, B)
    assert refused is not None
    assert refused.reason is Reason.NOT_YOUR_TURN
    assert rules.why_not_asked(state, A) is None


def test_the_reason_why_a_verb_is_not_open_does_not_depend_on_a_number() -> None:
    def why(game: Any, seat: Seat, do: str, **known: Any) -> Reason | None:
        refused = rules.why_not_verb(game.state, seat, do, known)
        return None if refused is None else Reason(refused.reason)

    game = table("1 2 3").play("A bid 5")
    assert why(game, A, "bid") is Reason.NOT_YOUR_TURN
    assert why(game, B, "bid") is None
    assert why(game, B, "bid", plus="double") is Reason.NOT_IN_THIS_GAME
    assert why(game, B, "bid", target=A) is Reason.NEEDS_NO_TARGET
    assert why(game, B, "coin", coin="guess") is Reason.NOT_IN_THIS_GAME
    assert why(game, B, "bet") is Reason.NOT_NOW
    assert why(game, B, "call") is None
    highest = table("1 2 3").play(f"A bid {HIGHEST_BID}")
    assert why(highest, B, "bid") is Reason.BID_TOO_LOW


def test_a_round_concerns_its_duellists_or_the_one_who_guessed_wrong() -> None:
    assert rules.concerned(table("3 4 5").state) == ()
    called = table("3 4 5").play("A bid 20", "B call")
    assert set(rules.concerned(called.state)) == {A, B}
    guessed = table("3 4 5", variant=True).play("A coin guess 7")
    assert rules.concerned(guessed.state) == (A,)
