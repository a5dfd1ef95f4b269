"""Why a player who is asked nothing may not act, and why a verb cannot be used now."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Leave, Seat
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.codec import VERBS
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import Phase
from tests.games.plenty_coups.contract import OPENINGS
from tests.games.plenty_coups.rules.cases import do, given, raid
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

UNLISTED = ("leave", "deal", "shuffle")


def position(*moves: Any, **script: Any) -> State:
    table = ScriptTable({"shuffles": [], **given(**script)})
    for move in moves:
        table.move(move)
    return table.state


def why_not(state: State, do: str, seat: int = 0, **known: Any) -> str | None:
    refused = GAME.why_not_verb(state, Seat(seat), do, known)
    return None if refused is None else str(refused.reason)


def why_not_asked(state: State, seat: int) -> str | None:
    refused = GAME.why_not_asked(state, Seat(seat))
    return None if refused is None else str(refused.reason)


def test_others_wait_for_the_tribe_that_must_decide() -> None:
    assert why_not_asked(position(black="arm2"), 1) == "not_your_decision"
    gift = do("black", "gift", target="green", discard="arm2", card="arm3")
    assert why_not_asked(position(gift, black="arm2 arm3"), 0) == "not_your_decision"


def test_everybody_waits_for_the_dealer() -> None:
    opened = GAME.setup({}, 3, None)
    assert why_not_asked(opened, 0) == "dealers_move"
    assert why_not(opened, "take") == "dealers_move"
    state = position(black="arm2")
    stock = state.stock._replace(offer=(), pile=(), discards=state.stock.pile + state.stock.offer)
    assert why_not_asked(state.with_turn(phase=Phase.REFILL)._replace(stock=stock), 0) == "dealers_move"


def test_a_player_who_has_left_plays_no_more() -> None:
    state = GAME.apply(position(black="arm2"), Leave(Seat(2))).state
    assert why_not_asked(state, 2) == "not_playing"
    assert why_not_asked(state, 1) == "not_your_decision"


def test_after_the_match_nobody_acts() -> None:
    over = position(do("red", "end"), round=12, turn="red")
    assert why_not_asked(over, 0) == "match_over"
    assert why_not(over, "end", 3) == "match_over"


@pytest.mark.parametrize(
    ("verb", "known", "script", "reason"),
    [
        ("take", {}, {}, "not_now"),
        ("raid", {"tribe": "red"}, {"black": "black4"}, "not_your_decision"),
        ("raid", {"tribe": "brown"}, {}, "malformed"),
        ("raid", {"target": []}, {}, "malformed"),
        ("raid", {"target": "black"}, {"black": "black4"}, "no_other_tribe"),
        ("raid", {"target": "white"}, {"black": "black4"}, "no_other_tribe"),
        ("raid", {"target": "red"}, {"black": "black4", "alliances": ({"black": "red2", "red": "black3"},)}, "ally"),
        ("raid", {"target": "green"}, {"black": "black4", "alliances": ({"black": "red2", "red": "black3"},)}, None),
        ("raid", {}, {"black": "arm2 horse"}, "not_held"),
        ("raid", {}, {"black": "black1"}, None),
        ("raid", {"target": "red"}, {"black": "black1", "raids": (raid("green", "red", "green4", 5),)}, "not_held"),
        ("raid", {"target": "green"}, {"black": "black1", "raids": (raid("green", "red", "green4", 5),)}, None),
        (
            "raid",
            {},
            {"black": "black1", "actions_left": 0, "alliances": ({"black": "red2", "red": "black3"},)},
            "no_action_left",
        ),
        ("double_raid", {}, {"round": 10, "black": "black1 black2"}, "not_in_winter"),
        ("accept", {}, {"black": "red1"}, "no_proposal"),
        ("accept", {}, {"black": "red1", "proposals": {"red": "black2"}}, None),
        ("accept", {}, {"black": "green1", "proposals": {"red": "black2"}}, "not_held"),
        ("disdain", {}, {"black": "stick", "disdained": "yellow green red"}, "already_disdained"),
        ("disdain", {}, {"black": "stick", "disdained": "yellow green"}, None),
        ("breed", {}, {"black": "arm2"}, "not_held"),
        ("defend", {}, {"black": "arm2"}, "not_under_raid"),
        ("defend", {}, {"black": "arm2", "raids": (raid("red", "black", "red2", 3),)}, "not_held"),
        ("end", {}, {"black": "arm2"}, "actions_left"),
        ("undo", {}, {"black": "arm2"}, "nothing_to_undo"),
        ("hunt", {}, {"black": "arm2"}, None),
        ("hunt", {"target": "red"}, {"black": "arm2"}, None),
        ("dance", {}, {}, None),
        ("leave", {}, {}, None),
    ],
)
def test_reasons(verb: str, known: dict[str, Any], script: dict[str, Any], reason: str | None) -> None:
    assert why_not(position(**script), verb, **known) == reason


def test_undoing_is_refused_only_to_others() -> None:
    bred = position(do("black", "breed"), black="horse arm2 arm3")
    assert why_not(bred, "undo") is None
    assert why_not(bred, "undo", 1) == "not_your_decision"


def test_declining_may_be_forbidden() -> None:
    script = {"black": "stick arm2 arm3", "red": "arm4", "options": {"decline_when_able": False}}
    state = position(do("black", "disdain", target="red"), **script)
    assert why_not(state, "decline", 3) == Reason.MUST_PROVE
    assert why_not(state, "prove", 3) is None


@pytest.mark.parametrize(("options", "players"), OPENINGS)
def test_exactly_the_verbs_that_are_listed_have_no_reason_against_them(options: dict[str, Any], players: int) -> None:
    rng = Random(players)
    state = GAME.setup(options, players, None)
    while prompts := GAME.prompts(state):
        (prompt,) = prompts
        if prompt.seat == DEALER:
            state = GAME.apply(state, GAME.deal(state, rng)).state
            continue
        listed = {choice.verb for choice in prompt.choices}
        may_undo = GAME.view_for(state, None).may_undo
        for name, verb in VERBS.items():
            if name not in UNLISTED:
                may = may_undo if name == "undo" else verb in listed
                assert (why_not(state, name, prompt.seat) is None) == may, name
                other = Seat((prompt.seat + 1) % players)
                assert why_not(state, name, other) == "not_your_decision"
        for choice in prompt.choices:
            if "target" in choice.verb._fields:  # type: ignore[attr-defined]
                do = next(name for name, verb in VERBS.items() if verb is choice.verb)
                for target in choice.fields[1]:
                    assert why_not(state, do, prompt.seat, target=target.name.lower()) is None
        state = GAME.apply(state, prompt.pick(rng)).state
