"""The ladder of bids says in words, not only by formatting, which bid was refused."""

import pytest

from bot.engine.core import Leave, Seat
from bot.games.coyote.rules.actions import Action, Approve, Bid, Redo
from bot.games.coyote.rules.state import State
from bot.games.coyote.ui.ladder import whole_ladder
from bot.games.coyote.ui.look import bystander_screen, look_screen
from bot.screens.replay import frame_of, replay_screen
from bot.screens.stats.queries import ReplayStep
from tests.screens.films import deal, film, finished
from tests.screens.rendering import rendered
from tests.screens.scenes import SAY, a_table, dealt, played, seen, seen_by, shown

SCOUTS = {"edition": "scout", "variant": True}
A, B, C = Seat(0), Seat(1), Seat(2)


def after(*actions: Action) -> State:
    return played(dealt(SCOUTS, (5, 10, "max0"), 3), *actions)


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ((Bid(A, 9), Redo(B)), "~~9~~ <@1001> (refused)"),
        ((Bid(A, 9, "double"), Redo(B)), "~~9~~ <@1001> (refused)"),
        ((Bid(A, 9), Bid(B, 12), Redo(C)), "**9** <@1001> → ~~12~~ <@1002> (refused)"),
        (
            (Bid(A, 9), Bid(B, 12, "next", C), Redo(C), Bid(B, 10)),
            "9 <@1001> → ~~12~~ <@1002> (next: <@1003>; refused) → **10** <@1002>",
        ),
        ((Bid(A, 9), Approve(B), Redo(C)), "**9** <@1001> → ~~9~~ <@1002> (approved, then refused)"),
        ((Bid(A, 9, "extra", C), Redo(B)), "~~9~~ <@1001> (feather for <@1003>, then refused)"),
        ((Bid(A, 9, "reverse"), Redo(C)), "~~9~~ <@1001> ↺ (refused)"),
    ],
)
def test_a_refused_bid_is_struck_out_and_marked_as_refused(actions: tuple[Action, ...], expected: str) -> None:
    ladder = whole_ladder(SAY, a_table(3, SCOUTS), after(*actions).bidding.ladder)
    assert ladder.replace("\u00a0", " ") == expected


def test_everybody_is_told_that_the_bid_no_longer_counts() -> None:
    table, state = a_table(3, SCOUTS), after(Bid(A, 9), Redo(B))
    screens = [
        shown(table, state),
        look_screen(SAY, table, seen_by(state, A)),
        look_screen(SAY, table, seen_by(state, C)),
        bystander_screen(SAY, table, seen(state)),
    ]
    for screen in map(rendered, screens):
        assert "(refused)" in screen
        assert "Bid to beat" not in screen


def test_a_replay_marks_refused_bids_too() -> None:
    moves: list[Action] = [deal(SCOUTS, 5, 10), Bid(A, 9), Redo(B), Leave(A)]
    replay = film(SCOUTS, 2, moves)
    table, game = finished(replay)
    told = [rendered(replay_screen(SAY, table, frame_of(replay, game, ReplayStep(7, step)))) for step in (1, 2)]
    assert ["Bid to beat" in screen for screen in told] == [True, False]
    assert ["(refused)" in screen for screen in told] == [False, True]
