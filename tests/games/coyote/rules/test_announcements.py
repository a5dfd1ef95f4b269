"""`scout`'s six specials and `tomahawk`'s six actions (sections 2 and 3; R30 to R39, R64)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.core import Choice
from bot.games.coyote.rules.actions import (
    Announced,
    AnnouncementAdded,
    Approve,
    Bid,
    Call,
    Called,
    DirectionChanged,
    Reason,
    Redo,
    RedoDemanded,
)
from bot.games.coyote.rules.view import Duty
from tests.games.coyote.rules.cases import A, B, C, D, Table, table


def scout(pile: str = "3 4 5 1", **details: Any) -> Table:
    return table(pile, **{"edition": "scout", "variant": True, "players": 4, **details})


def tomahawk(pile: str = "3 4 5 6", **details: Any) -> Table:
    return table(pile, **{"edition": "tomahawk", "variant": True, "players": 4, **details})


WITH_A_BID = ["bid double", "bid extra", "bid next"]


@pytest.mark.parametrize(
    ("game", "moves", "verbs"),
    [
        (scout, [], ["bid", *WITH_A_BID, "bid reverse"]),
        (scout, ["A bid 5"], ["bid", "call", "approve", "redo", *WITH_A_BID, "bid reverse"]),
        (scout, ["A bid 5", "B approve"], ["bid", "call", "redo", *WITH_A_BID, "bid reverse"]),
        (scout, ["A bid 5", "B redo"], ["bid", "bid"]),
        (scout, ["A bid 1", "B redo"], ["bid"]),
        (scout, ["A bid 5", "B redo", "A bid 4"], ["bid", "call"]),
        (scout, ["A bid 5 extra B"], ["bid", "call", "approve", "redo", "bid double", "bid next", "bid reverse"]),
        (scout, ["A bid 5 double", "B bid 6", "C bid 7", "D bid 8"], ["bid", "call"]),
        (scout, ["A bid 998"], ["bid", "call", "approve", "redo", *WITH_A_BID, "bid reverse"]),
        (scout, ["A bid 999"], ["call", "approve", "redo"]),
        (tomahawk, [], ["bid", *WITH_A_BID]),
        (tomahawk, ["A bid 5"], ["bid", "call", "approve", "reverse", "redo", *WITH_A_BID]),
        (tomahawk, ["A bid 5", "B approve"], ["bid", "call", "reverse", "redo", *WITH_A_BID]),
        (tomahawk, ["A bid 5", "B approve", "C bid 6"], ["bid", "call", "reverse", "redo", *WITH_A_BID]),
        (tomahawk, ["A bid 5", "B reverse"], ["bid", *WITH_A_BID]),
        (tomahawk, ["A bid 5", "B redo"], ["bid", "bid"]),
        (tomahawk, ["A bid 5", "B redo", "A bid 9"], ["bid", "call"]),
        (tomahawk, ["A bid 999"], ["call", "approve", "redo"]),
        (tomahawk, ["A bid 998", "B bid 999"], ["call", "approve"]),
    ],
)
def test_which_verbs_are_open(game: Any, moves: list[str], verbs: list[str]) -> None:
    assert game().play(*moves).verbs == verbs


@pytest.mark.parametrize("game", [scout, tomahawk])
def test_an_approver_answers_for_the_same_number(game: Any) -> None:
    match: Table = game(min_bid=None).play("A bid 0", "B approve")
    assert match.events == (Announced(B, 0, "approve", None),)
    assert game().play("A bid 5", "B approve").view().ladder[-1] == Announced(B, 5, "approve", None)
    view = match.view()
    assert (view.turn, view.bid, view.bidder) == (C, 0, B)
    assert view.ladder[-1] == Announced(B, 0, "approve", None)
    assert view.used == ((B, "approve"),)
    match.play("C call")
    assert match.events[0] == Called(C, B, 0)


def test_approving_is_open_again_after_a_raise_in_scout() -> None:
    game = scout().play("A bid 5", "B approve", "C bid 6")
    assert game.play("D approve").view().bidder == D


@pytest.mark.parametrize(
    ("game", "moves", "penalty"),
    [
        (scout, ["A bid 99 double", "B call"], 2),
        (scout, ["A bid 99 double", "B bid 100", "C call"], 1),
        (scout, ["A bid 99 double", "B approve", "C call"], 1),
        (scout, ["A bid 99 double", "B redo", "A bid 100", "B call"], 1),
        (tomahawk, ["A bid 99 double", "B call"], 2),
        (tomahawk, ["A bid 99 double", "B reverse", "A bid 100", "D call"], 1),
        (tomahawk, ["A bid 99", "B reverse", "A bid 100 double", "D call"], 2),
    ],
)
def test_double_applies_only_to_its_own_announcement(game: Any, moves: list[str], penalty: int) -> None:
    match = game().play(*moves)
    assert match.last.penalty == penalty
    assert match.view().seats[match.last.loser].tokens == penalty


def test_a_standing_double_is_shown_until_it_lapses() -> None:
    game = scout().play("A bid 9 double")
    assert game.view().doubled
    assert game.view().used == ((A, "double"),)
    assert not game.play("B approve").view().doubled
    assert not scout().play("A bid 9 double", "B redo").view().doubled
    assert not tomahawk().play("A bid 9 double", "B reverse").view().doubled


def test_a_double_penalty_may_exceed_the_threshold() -> None:
    game = tomahawk(tokens={"A": 2}).play("A bid 99 double", "B call")
    assert game.view().seats[A].tokens == 4
    assert game.last.eliminated == A


def test_about_turn_flips_the_direction_before_the_bid() -> None:
    game = scout().play("A bid 5 reverse")
    assert game.events == (Announced(A, 5, "reverse", None),)
    assert (game.view().direction, game.view().turn) == (-1, D)
    game.play("D bid 6", "C bid 7 reverse")
    assert (game.view().direction, game.view().turn) == (1, D)
    game.play("D bid 8", "A call", "deal")
    assert game.view().direction == 1


def test_change_of_direction_makes_the_bidder_bid_again() -> None:
    game = tomahawk().play("A bid 5", "B reverse")
    assert game.events == (DirectionChanged(B, A),)
    view = game.view()
    assert (view.turn, view.direction, view.duty, view.bid) == (A, -1, Duty.AGAIN, 5)
    assert game.refuse("A bid 5").reason is Reason.BID_TOO_LOW
    game.play("A bid 6 extra D")
    assert game.view().turn == D
    assert game.view().duty is None
    assert game.view().used == ((B, "reverse"), (A, "extra"))


@pytest.mark.parametrize("game", [scout, tomahawk])
def test_an_extra_feather_is_worn_unseen(game: Any) -> None:
    match: Table = game("3 4 5 1 10").play("A bid 5 extra C")
    assert match.events == (Announced(A, 5, "extra", C),)
    assert match.view("A").seats[C].worn == (5, 10)
    assert match.view("C").seats[C].worn is None
    assert match.view("C").seats[C].feathers == 2
    match.play("B call")
    assert match.last.counted is not None
    assert match.last.counted.cards == (3, 4, 5, 10, 1)
    assert match.last.counted.total == 23


def test_the_named_player_acts_next() -> None:
    game = scout().play("A bid 5 next C")
    assert game.events == (Announced(A, 5, "next", C),)
    assert game.view().turn == C
    assert game.play("C bid 6").view().turn == D


@pytest.mark.parametrize(
    ("moves", "spans"),
    [
        (["A bid 5", "B redo"], [range(1, 5), range(6, 1000)]),
        (["A bid 5", "B bid 8", "C redo"], [range(6, 8), range(9, 1000)]),
        (["A bid 5", "B bid 6", "C redo"], [range(7, 1000)]),
        (["A bid 5", "B bid 999", "C redo"], [range(6, 999)]),
        (["A bid 997", "B bid 998", "C redo"], [range(999, 1000)]),
        (["A bid 997", "B bid 999", "C redo"], [range(998, 999)]),
        (["A bid 5", "B approve", "C redo"], [range(6, 1000)]),
    ],
)
def test_start_again_asks_for_another_number_above_the_one_before(moves: list[str], spans: list[range]) -> None:
    game = scout().play(*moves)
    assert game.prompt.choices == tuple(Choice(Bid, (span, (None,), (None,))) for span in spans)


def test_after_the_new_number_the_asker_must_raise_or_call() -> None:
    game = scout().play("A bid 5", "B bid 8", "C redo")
    assert game.events == (RedoDemanded(C, B),)
    view = game.view()
    assert (view.turn, view.duty, view.used) == (B, Duty.OTHER, ((C, "redo"),))
    assert game.refuse("B bid 8").reason is Reason.SAME_NUMBER
    assert game.refuse("B bid 5").reason is Reason.BID_TOO_LOW
    game.play("B bid 6")
    view = game.view()
    assert (view.turn, view.duty, view.bid, view.bidder) == (C, Duty.ANSWER, 6, B)
    assert game.prompt.choices == (Choice(Bid, (range(7, 1000), (None,), (None,))), Choice(Call))
    game.play("C bid 7")
    assert (game.view().turn, game.view().duty) == (D, None)


@pytest.mark.parametrize("game", [scout, tomahawk])
@pytest.mark.parametrize(
    ("moves", "refused"),
    [
        (["A bid 5", "B redo"], [True]),
        (["A bid 5", "B bid 8 extra C", "C redo"], [False, True]),
        (["A bid 5", "B bid 8", "C redo", "B bid 6", "C bid 7"], [False, True, False, False]),
        (["A bid 5", "B approve", "C redo", "B bid 6"], [False, True, False]),
        (["A bid 5", "B bid 8", "C call"], []),
    ],
)
def test_the_ladder_shows_which_bids_were_refused(game: Any, moves: list[str], refused: list[bool]) -> None:
    match: Table = game().play(*moves)
    for viewer in ("A", "C", None):
        assert [rung.refused for rung in match.view(viewer).ladder] == refused


def test_the_turn_returns_to_the_asker_in_any_seat() -> None:
    game = scout().play("A bid 5 next C", "C redo", "A bid 6")
    assert game.view().turn == C
    assert game.play("C bid 7").view().turn == D


def test_start_again_on_a_repeated_number_reaches_back_to_the_bid_before() -> None:
    game = tomahawk(actions_per="player").play("A bid 5", "B bid 9", "C redo", "B bid 7", "C bid 8", "D redo")
    assert game.prompt.choices == (Choice(Bid, (range(9, 1000), (None,), (None,))),)
    game.play("C bid 20", "D bid 21")
    assert game.view().turn == A


REFUSALS: list[tuple[Any, dict[str, Any], list[str], str, Reason]] = [
    (scout, {}, [], "A approve", Reason.NOTHING_TO_ANSWER),
    (scout, {}, [], "A redo", Reason.NOTHING_TO_ANSWER),
    (scout, {}, ["A bid 5"], "B reverse", Reason.NOT_IN_THIS_GAME),
    (scout, {}, ["A bid 5"], "B bid 6 approve", Reason.NOT_IN_THIS_GAME),
    (scout, {}, ["A bid 5"], "B bid 6 nonsense", Reason.NOT_IN_THIS_GAME),
    (scout, {}, ["A bid 5"], "B bid 6 extra", Reason.NEEDS_TARGET),
    (scout, {}, ["A bid 5"], "B bid 6 next", Reason.NEEDS_TARGET),
    (scout, {}, ["A bid 5"], "B bid 6 double C", Reason.NEEDS_NO_TARGET),
    (scout, {}, ["A bid 5"], "B bid 6 reverse C", Reason.NEEDS_NO_TARGET),
    (scout, {}, ["A bid 5"], "B bid 6 extra B", Reason.NO_SUCH_TARGET),
    (scout, {}, ["A bid 5"], "B bid 6 next B", Reason.NO_SUCH_TARGET),
    (scout, {}, ["A bid 5"], "B bid 6 next E", Reason.NO_SUCH_TARGET),
    (scout, {"out": "C"}, ["A bid 5"], "B bid 6 next C", Reason.NO_SUCH_TARGET),
    (scout, {"out": "C"}, ["A bid 5"], "B bid 6 extra C", Reason.NO_SUCH_TARGET),
    (scout, {}, ["A bid 5"], "B bid 5 double", Reason.BID_TOO_LOW),
    (scout, {}, ["A bid 5", "B approve"], "C approve", Reason.JUST_APPROVED),
    (scout, {}, ["A bid 5", "B approve", "C bid 6", "D bid 7", "A bid 8"], "B approve", Reason.ALREADY_USED),
    (scout, {}, ["A bid 5 extra B"], "B bid 6 extra C", Reason.ALREADY_USED),
    (scout, {}, ["A bid 5", "B redo"], "A call", Reason.MUST_NAME_ANOTHER),
    (scout, {}, ["A bid 5", "B redo"], "A approve", Reason.MUST_NAME_ANOTHER),
    (scout, {}, ["A bid 5", "B redo"], "A bid 6 double", Reason.MUST_NAME_ANOTHER),
    (scout, {}, ["A bid 5", "B redo", "A bid 6"], "B redo", Reason.MUST_RAISE_OR_CALL),
    (scout, {}, ["A bid 5", "B redo", "A bid 6"], "B approve", Reason.MUST_RAISE_OR_CALL),
    (scout, {}, ["A bid 5", "B redo", "A bid 6"], "B bid 7 double", Reason.MUST_RAISE_OR_CALL),
    (scout, {}, ["A bid 998", "B bid 999"], "C redo", Reason.NO_OTHER_NUMBER),
    (scout, {}, ["A bid 999", "B approve"], "C redo", Reason.NO_OTHER_NUMBER),
    (scout, {"actions_off": ["approve"]}, ["A bid 5"], "B approve", Reason.SWITCHED_OFF),
    (scout, {"actions_off": ["next"]}, ["A bid 5"], "B bid 6 next C", Reason.SWITCHED_OFF),
    (scout, {"actions_off": ["reverse"]}, ["A bid 5"], "B bid 6 reverse", Reason.SWITCHED_OFF),
    (tomahawk, {}, [], "A reverse", Reason.NOTHING_TO_ANSWER),
    (tomahawk, {}, ["A bid 5"], "B bid 6 reverse", Reason.NOT_IN_THIS_GAME),
    (tomahawk, {}, ["A bid 999"], "B reverse", Reason.NO_HIGHER_NUMBER),
    (tomahawk, {}, ["A bid 5", "B reverse"], "A call", Reason.MUST_RAISE),
    (tomahawk, {}, ["A bid 5", "B reverse"], "A approve", Reason.MUST_RAISE),
    (tomahawk, {}, ["A bid 5", "B reverse"], "A redo", Reason.MUST_RAISE),
    (tomahawk, {}, ["A bid 5", "B reverse"], "A reverse", Reason.MUST_RAISE),
    (tomahawk, {}, ["A bid 5", "B reverse", "A bid 6"], "D reverse", Reason.ALREADY_USED),
    (tomahawk, {}, ["A bid 5", "B approve", "C bid 6"], "D approve", Reason.ALREADY_USED),
    (tomahawk, {}, ["A bid 5 double"], "B bid 6 double", Reason.ALREADY_USED),
    (tomahawk, {"actions_off": ["reverse"]}, ["A bid 5"], "B reverse", Reason.SWITCHED_OFF),
    (tomahawk, {"actions_off": ["redo"]}, ["A bid 5"], "B redo", Reason.SWITCHED_OFF),
    (tomahawk, {"variant": False}, ["A bid 5"], "B reverse", Reason.NOT_IN_THIS_GAME),
    (tomahawk, {"actions_per": "player"}, ["A bid 5", "B approve"], "C approve", Reason.JUST_APPROVED),
    (tomahawk, {"actions_per": "player"}, ["A bid 5 extra B", "B bid 6"], "C bid 7 extra B", Reason.NO_SUCH_TARGET),
    (
        tomahawk,
        {"actions_per": "player"},
        ["A bid 5 double", "B bid 6", "C bid 7", "D bid 8"],
        "A bid 9 double",
        Reason.ALREADY_USED,
    ),
]


@pytest.mark.parametrize(("game", "details", "moves", "move", "reason"), REFUSALS)
def test_why_an_announcement_is_refused(
    game: Any, details: dict[str, Any], moves: list[str], move: str, reason: Reason
) -> None:
    assert game(**details).play(*moves).refuse(move).reason is reason


@pytest.mark.parametrize(
    "moves",
    [
        ["A bid 5 double", "B bid 6 double", "C bid 7 extra D", "D bid 8 extra C"],
        ["A bid 5", "B approve", "C bid 6", "D approve"],
        ["A bid 5", "B reverse", "A bid 6", "D bid 7", "C reverse", "D bid 8"],
        ["A bid 5", "B reverse", "A bid 6", "D reverse", "A bid 7"],
        ["A bid 5", "B reverse", "A bid 6", "D approve", "C reverse"],
        ["A bid 5", "B redo", "A bid 6", "B bid 7", "C reverse"],
        ["A bid 5", "B redo", "A bid 6", "B bid 7", "C redo", "B bid 8", "C bid 9", "D reverse"],
    ],
)
def test_each_player_has_each_action_once_if_the_house_says_so(moves: list[str]) -> None:
    tomahawk(actions_per="player").play(*moves)


def test_nobody_is_offered_a_second_extra_feather() -> None:
    game = tomahawk(players=3, actions_per="player").play("A bid 5", "B bid 6 extra C", "C bid 7 extra B")
    assert "bid extra" not in game.verbs
    assert "bid double" in game.verbs
    assert [choice.fields[2] for choice in game.prompt.choices if choice.verb is Bid] == [(None,), (None,), (B, C)]
    assert Choice(Approve) in game.prompt.choices
    assert Choice(Redo) in game.prompt.choices


def test_an_extra_feather_waits_for_the_discard_to_be_shuffled() -> None:
    game = scout("3 4 5 1", rest="discard").play("A bid 5 extra C")
    assert game.events == ()
    asked = game.prompt.id
    game.play("shuffle 10")
    assert game.view("A").seats[C].worn == (5, 10)
    assert game.prompt.id == asked + 1
    assert game.view().discard == ()
    assert len(game.view("C").returned) == len(game.view("A").returned) + 1, "C does not see their own new feather"


def test_without_any_card_left_there_is_no_extra_feather() -> None:
    deck = {"1": 12}
    game = scout("1 1 1 1 1 1 1 1 1 1 1 1", players=12, deck=deck)
    assert game.verbs == ["bid", "bid double", "bid next", "bid reverse"]
    assert game.refuse("A bid 5 extra B").reason is Reason.NO_CARD_LEFT


def several(**details: Any) -> Table:
    return tomahawk(**{"actions_per_turn": "several", **details})


def test_several_announcements_go_with_one_bid() -> None:
    game = several().play("A bid 5", "B announce double")
    assert game.events == (AnnouncementAdded(B, "double", None),)
    assert (game.view().turn, game.view().duty) == (B, Duty.ANNOUNCED)
    assert game.verbs == ["bid", "announce extra", "announce next"]
    game.play("B announce next D", "B announce extra C")
    assert game.view().collected == (("double", None), ("next", D), ("extra", C))
    assert game.verbs == ["bid"]
    game.play("B bid 6")
    assert (game.view().turn, game.view().doubled, game.view().collected) == (D, True, ())
    assert len(game.view("A").seats[C].worn or ()) == 2
    game.play("D call")
    last = game.view().last
    assert last is not None
    assert last.penalty == 2


def test_a_change_of_direction_leaves_room_for_several_announcements() -> None:
    game = several().play("A bid 5", "B reverse", "A announce double", "A announce next C")
    assert game.view().duty is Duty.AGAIN
    assert game.refuse("A call").reason is Reason.MUST_RAISE
    assert game.play("A bid 6").view().turn == C


def test_announcements_come_before_the_number_or_with_it() -> None:
    assert several().refuse("A bid 5 double").reason is Reason.ANNOUNCE_FIRST
    assert tomahawk().refuse("A announce double").reason is Reason.NOT_IN_THIS_GAME
    game = several().play("A announce double")
    for move, reason in (
        ("A announce double", Reason.ALREADY_USED),
        ("A announce extra", Reason.NEEDS_TARGET),
        ("A announce next A", Reason.NO_SUCH_TARGET),
        ("A announce approve", Reason.NOT_IN_THIS_GAME),
    ):
        assert game.refuse(move).reason is reason
    game.play("A bid 999")
    assert game.refuse("B announce next A").reason is Reason.NO_HIGHER_NUMBER


def test_an_announced_feather_waits_for_the_shuffle() -> None:
    game = several(pile="3 4 5 6", rest="discard").play("A announce extra B", "shuffle 9")
    assert game.view("A").seats[B].worn == (4, 9)
    assert game.view().duty is Duty.ANNOUNCED
