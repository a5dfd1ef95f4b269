"""Section 15: a tribe may take back its last action, as long as nothing hidden came to light through it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Leave, Rejected, Seat
from bot.engine.frozen import encode
from bot.games.plenty_coups.rules.actions import Breed, Reason, Take, Undo
from bot.games.plenty_coups.rules.cards import HORSE, Tribe
from bot.games.plenty_coups.rules.events import Bred, Taken, Undone
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from tests.games.plenty_coups.contract import OPENINGS
from tests.games.plenty_coups.rules.cases import Case, case, check, do, expect, given, hand, no, raid, table
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

ALLIED = ({"black": "red2", "red": "black3"},)


@table(
    case(
        "cards taken are put back and raids that came home are out again",
        given(
            phase="take",
            offer="arm2 arm3 horse stick",
            black="arm4",
            raids=(raid("black", "red", "red1", 1),),
            horses={"black": 1, "red": 2},
        ),
        do("black", "take", cards="horse stick"),
        expect(horses={"black": 2, "red": 1}, coups_open=1, raids=[], may_undo=True),
        do("black", "undo"),
        expect(
            phase="take",
            offer=["arm2", "arm3", "horse", "stick"],
            hand=hand(black="arm4"),
            horses={"black": 1, "red": 2},
            raids=[raid("black", "red", "red1", 1)],
            coups_open=0,
            discard=[],
            may_undo=False,
        ),
    ),
    case(
        "a raid goes back to the hand, and the raid that it displaced stands again",
        given(black="black4 arm2 arm3", raids=(raid("green", "yellow", "green1", 2),)),
        do("black", "raid", target="yellow", cards="black4"),
        do("black", "undo"),
        expect(
            raids=[raid("green", "yellow", "green1", 2)],
            hand=hand(black="arm2 arm3 black4"),
            actions_left=2,
            discard=[],
        ),
    ),
    case(
        "a defence is taken back with the chance of a coup that it gave",
        given(black="arm4 stick horse", raids=(raid("green", "black", "green2", 3),)),
        do("black", "defend", cards="arm4"),
        expect(defence_coup_open=True),
        do("black", "undo"),
        expect(defence_coup_open=False, raids=[raid("green", "black", "green2", 3)]),
    ),
    case(
        "a coup leaves its chance behind again",
        given(black="stick arm2 arm3", coups_open=1, prestige={"black": 1}),
        do("black", "coup"),
        expect(prestige={"black": 2}),
        do("black", "undo"),
        expect(prestige={"black": 1}, coups_open=1, hand=hand(black="arm2 arm3 stick")),
    ),
    case(
        "horses come back to the giver and to the plain",
        given(black="horse arm2 arm3", horses={"black": 3, "red": 3}, prestige={"black": 0}),
        do("black", "donate", target="red", discard="arm2"),
        expect(horses={"black": 1, "red": 5}, prestige={"black": 1}),
        do("black", "undo"),
        expect(horses={"black": 3, "red": 3}, prestige={"black": 0}),
        do("black", "breed"),
        expect(horses={"black": 4}, plain=11),
        do("black", "undo"),
        expect(horses={"black": 3}, plain=12, hand=hand(black="arm2 arm3 horse")),
    ),
    case(
        "proposals and alliances are unmade, and those that they ended stand again",
        given(
            "black yellow green red blue",
            black="yellow4 red3 white1",
            proposals={"green": "yellow2", "red": "black3"},
            neutral={"yellow": "white2"},
        ),
        do("black", "propose", target="yellow", card="yellow4"),
        expect(
            proposals=[
                {"by": "black", "to": "yellow", "card": "yellow4"},
                {"by": "red", "to": "black", "card": "black3"},
            ]
        ),
        do("black", "undo"),
        expect(
            proposals=[
                {"by": "green", "to": "yellow", "card": "yellow2"},
                {"by": "red", "to": "black", "card": "black3"},
            ]
        ),
        do("black", "accept", target="red", card="red3"),
        expect(prestige={"red": 1}, alliances=[{"cards": {"black": "red3", "red": "black3"}}]),
        do("black", "undo"),
        expect(prestige={"red": 0}, alliances=[]),
    ),
    case(
        "a neutral ally goes back to the tribe that had it",
        given("black yellow green", black="red3 arm2 arm3", neutral={"green": "red2"}),
        do("black", "neutral", card="red3"),
        expect(neutral={"black": "red3"}),
        do("black", "undo"),
        expect(neutral={"green": "red2"}, hand=hand(black="arm2 arm3 red3")),
    ),
    case(
        "both actions and the cards taken, one by one, while the free gift keeps the turn open",
        given(
            phase="take",
            offer="arm2 arm3 horse horse",
            black="arm4 arm3",
            red="stick",
            alliances=ALLIED,
        ),
        do("black", "take", cards="horse horse"),
        do("black", "breed"),
        do("black", "breed"),
        expect(actions_left=0, horses={"black": 5}, may_undo=True),
        do("black", "undo"),
        expect(actions_left=1, horses={"black": 4}, may_undo=True),
        do("black", "undo"),
        expect(actions_left=2, horses={"black": 3}, may_undo=True),
        do("black", "undo"),
        expect(phase="take", may_undo=False),
        no("nothing_to_undo", "black", "undo"),
    ),
    case(
        "in two-player games also for the third tribe",
        given("black green yellow", players=2, turn="green", round=5, green="horse arm2 arm3"),
        do("green", "breed", player="black"),
        do("green", "undo", player="black"),
        expect(horses={"green": 3}),
    ),
)
def test_undo(case: Case) -> None:
    check(case)


@table(
    case(
        "the first thing that is asked",
        given(black="arm2 arm3 horse"),
        expect(may_undo=False),
        no("nothing_to_undo", "black", "undo"),
    ),
    case(
        "what another tribe has done",
        given(black="horse arm2 arm3"),
        do("black", "breed"),
        no("not_your_decision", "red", "undo"),
    ),
    case(
        "a hunt, because cards were drawn",
        given(black="arm2 arm3 horse", pile="stick stick arm4"),
        do("black", "breed"),
        do("black", "hunt", discard="arm2"),
        expect(may_undo=False),
        no("nothing_to_undo", "black", "undo"),
    ),
    case(
        "a gift, because the other tribe had to answer",
        given(black="arm2 arm3 horse", red="stick"),
        do("black", "gift", target="red", discard="arm2", card="arm3"),
        no("nothing_to_undo", "red", "undo"),
        do("red", "give", card="stick"),
        expect(phase="act", actions_left=1, may_undo=False),
        no("nothing_to_undo", "black", "undo"),
    ),
    case(
        "a free gift",
        given(black="arm2 arm3 horse", red="stick", alliances=ALLIED),
        do("black", "breed"),
        do("black", "free_gift", card="arm2"),
        do("red", "give", card="stick"),
        expect(may_undo=False),
    ),
    case(
        "disdain",
        given(black="stick arm3 horse", red="arm4"),
        do("black", "disdain", target="red"),
        do("red", "decline"),
        expect(may_undo=False),
        no("nothing_to_undo", "black", "undo"),
    ),
    case(
        "the end of the turn",
        given(black="horse horse arm2"),
        do("black", "breed"),
        do("black", "breed"),
        expect(turn="yellow", may_undo=False),
        no("not_your_decision", "black", "undo"),
        no("nothing_to_undo", "yellow", "undo"),
    ),
    case(
        "the end of the match",
        given(round=12, turn="red"),
        do("red", "end"),
        no("match_over", "red", "undo"),
    ),
    case(
        "what happened before another player left",
        given(black="horse arm2 arm3"),
        do("black", "breed"),
        do("green", "leave"),
        expect(may_undo=False),
        no("nothing_to_undo", "black", "undo"),
    ),
    case(
        "more than six things in one turn",
        given(black="horse arm2 arm3"),
        *[do("black", verb) for verb in ("breed", "undo") * 6],
        do("black", "breed"),
        expect(may_undo=False),
        no("undone_too_often highest=6", "black", "undo"),
    ),
)
def test_what_cannot_be_undone(case: Case) -> None:
    check(case)


def test_after_a_hunt_the_discarding_can_be_undone_but_not_the_hunt() -> None:
    check(
        case(
            "",
            given(black="arm2 arm3 horse", pile="stick stick arm4"),
            do("black", "hunt", discard="arm2"),
            do("black", "hunt_discard", cards="arm3 stick"),
            expect(phase="act", hand=hand(black="horse stick"), may_undo=True),
            do("black", "undo"),
            expect(phase="hunt", hand=hand(black="arm3 horse stick stick"), may_undo=False),
            no("nothing_to_undo", "black", "undo"),
        )
    )


def test_the_count_of_undone_actions_starts_again_with_every_turn() -> None:
    moves = [do("black", verb) for verb in ("breed", "undo") * 6]
    check(
        case(
            "",
            given(black="horse horse arm2", yellow="horse arm2 arm3", offer="arm3 arm4"),
            *moves,
            do("black", "breed"),
            do("black", "breed"),
            do("yellow", "take", cards="arm3 arm4"),
            expect(may_undo=True),
            do("yellow", "undo"),
        )
    )


def test_the_question_gets_a_new_id() -> None:
    state = ScriptTable({"shuffles": [], **given(black="horse arm2 arm3")}).state
    bred = GAME.apply(state, Breed(Seat(0), Tribe.BLACK)).state
    undone = GAME.apply(bred, Undo(Seat(0), Tribe.BLACK)).state
    assert [GAME.questions(each)[0][1] for each in (state, bred, undone)] == [0, 1, 2]


def test_the_event_says_what_was_taken_back_and_the_news_does_not() -> None:
    state = ScriptTable({"shuffles": [], **given(black="horse arm2 arm3", phase="take", offer="horse arm2 arm3 arm4")})
    taken = GAME.apply(state.state, Take(Seat(0), Tribe.BLACK, state.state.stock.offer[2:])).state
    bred = GAME.apply(taken, Breed(Seat(0), Tribe.BLACK)).state
    undone, told = GAME.apply(bred, Undo(Seat(0), Tribe.BLACK))
    assert told == (Undone(Tribe.BLACK, (Bred(Tribe.BLACK),)),)
    assert GAME.view_for(undone, None).news == (Taken(Tribe.BLACK, state.state.stock.offer[2:]),)
    assert HORSE in state.state.stock.offer[2:]


def bare(state: State) -> State:
    """Return the state without the counters that an undo does not turn back."""
    earlier = state.earlier and bare(state.earlier)
    return state._replace(asked=0, undone=0, earlier=earlier)


def after(state: State, action: Any) -> State:
    return GAME.apply(state, action).state


@pytest.mark.parametrize(("options", "players"), OPENINGS)
def test_matches_with_undone_actions_are_the_same_as_without(options: dict[str, Any], players: int) -> None:
    rng = Random(players)
    plain = wavering = GAME.setup(options, players, Seat(0))
    undone = 0
    ids = set()
    while prompts := GAME.prompts(plain):
        (prompt,) = prompts
        action: Any = GAME.deal(plain, rng) if prompt.seat == DEALER else prompt.pick(rng)
        before, plain, wavering = wavering, after(plain, action), after(wavering, action)
        if GAME.view_for(wavering, None).may_undo and rng.random() < 0.5:
            back = after(wavering, Undo(action.seat, action.tribe))
            assert bare(back) == bare(before)
            assert back.asked == wavering.asked + 1
            ids |= {back.asked}
            for viewer in (None, *map(Seat, range(players))):
                seen, seen_before = GAME.view_for(back, viewer), GAME.view_for(before, viewer)
                prompt_now = seen.prompt and seen.prompt._replace(id=0)
                prompt_then = seen_before.prompt and seen_before.prompt._replace(id=0)
                assert seen._replace(prompt=prompt_now, may_undo=False) == seen_before._replace(
                    prompt=prompt_then, may_undo=False
                )
            assert GAME.load(json.loads(encode(GAME.dump(back)))) == back
            wavering = after(back, action)
            undone += 1
        assert bare(wavering) == bare(plain)
        assert GAME.load(json.loads(encode(GAME.dump(wavering)))) == wavering
    assert undone > 5
    assert len(ids) == undone


def test_nobody_undoes_for_a_tribe_that_does_not_decide() -> None:
    state = after(ScriptTable({"shuffles": [], **given(black="horse arm2 arm3")}).state, Breed(Seat(0), Tribe.BLACK))
    for seat, tribe in ((0, Tribe.YELLOW), (1, Tribe.BLACK), (1, Tribe.YELLOW)):
        with pytest.raises(Rejected) as refused:
            GAME.apply(state, Undo(Seat(seat), tribe))
        assert refused.value.reason is Reason.NOT_YOUR_DECISION
    with pytest.raises(Rejected) as refused:
        GAME.apply(after(state, Leave(Seat(0))), Undo(Seat(0), Tribe.BLACK))
    assert refused.value.reason is Reason.NOT_YOUR_DECISION
