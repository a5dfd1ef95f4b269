"""Exactly the offered actions are accepted, in positions that cover every verb."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from bot.engine.core import Leave, Rejected
from bot.games.plenty_coups.rules.actions import Action, Deal, Shuffle
from bot.games.plenty_coups.rules.cards import FACES, Tribe, faces_of, ordered
from bot.games.plenty_coups.rules.choices import prompts
from bot.games.plenty_coups.rules.codec import VERBS
from bot.games.plenty_coups.rules.game import apply
from bot.games.plenty_coups.rules.state import State
from tests.games.plenty_coups.rules.cases import Case, case, do, given, raid
from tests.games.plenty_coups.rules.script_adapter import ScriptTable

ALLIED = ({"black": "red2", "red": "black3"},)

POSITIONS = [
    case(
        "pacts",
        given(
            "black yellow green red blue",
            black="red1 red3 green3 yellow4 white2",
            proposals={"green": "black2", "blue": "red2"},
            raids=(raid("red", "black", "blue1", 1),),
        ),
    ),
    case(
        "a better proposal",
        given(
            "black yellow green red blue",
            black="green1 green3 yellow4 stick",
            proposals={"green": "black4", "yellow": "black1"},
            alliances=ALLIED,
        ),
    ),
    case(
        "neutral colours",
        given("black yellow green", black="red2 red3 blue1 blue4 white1", neutral={"black": "red1", "green": "blue2"}),
    ),
    case(
        "raids and weapons",
        given(
            black="black1 black4 white2 white3 arm2 arm3 arm4",
            raids=(raid("yellow", "black", "yellow4", 5), raid("green", "red", "green2", 3)),
        ),
    ),
    case(
        "no marker at home",
        given(
            "black yellow green red blue white",
            black="black3 black4 arm2",
            raids=tuple(raid("black", target, f"{target}1", 1) for target in ("yellow", "green", "red", "blue")),
        ),
    ),
    case("a coup on return", given(black="stick horse arm2 arm2", coups_open=1, disdained="red")),
    case(
        "one action and an ally",
        given(
            black="stick horse arm4 white1",
            actions_left=1,
            alliances=ALLIED,
            raids=(raid("green", "black", "blue1", 1),),
        ),
    ),
    case("winter", given(round=10, black="arm2 arm3 horse white1 white2", raids=(raid("green", "black", "blue1", 1),))),
    case(
        "deep winter",
        given(round=12, black="arm2 arm3 horse white1 stick", raids=(raid("green", "black", "blue1", 1),)),
    ),
    case("taking", given(phase="start", offer="arm2 arm2 horse stick")),
    case("taking one", given(phase="start", round=10, offer="arm2 arm2 horse stick")),
    case("a hunt", given(black="arm2 horse horse"), do("black", "hunt", discard="arm2")),
    case("a gift", given(black="arm2 horse horse"), do("black", "gift", target="red", discard="arm2", card="horse")),
    case("disdain", given(black="stick", red="stick arm4 arm3 white4"), do("black", "disdain", target="red")),
    case("the third tribe", given("black green yellow", players=2, round=6, turn="green", green="black1 horse stick")),
]


def everything(state: State) -> Iterator[Action]:
    """Yield every action of the prompted seat, with the cards in hand and one that is not."""
    (prompt,) = prompts(state)
    actor = state.turn.actor
    near = faces_of(ordered(state.camps[actor].hand + state.stock.offer))
    cards = (*near, next(card for card in FACES if card not in near))
    several = [chosen for size in (1, 2) for chosen in product(cards, repeat=size)]
    for verb in VERBS.values():
        if verb in (Deal, Shuffle, Leave):
            continue
        kinds: dict[str, Any] = {"target": tuple(Tribe), "cards": several, "warriors": several}
        for fields in product(*(kinds.get(field, cards) for field in verb._fields[2:])):
            yield verb(prompt.seat, actor, *fields)


def accepted(state: State, action: Action) -> bool:
    try:
        apply(state, action)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("position", [pytest.param(each, id=each.title.replace(" ", "-")) for each in POSITIONS])
def test_exactly_the_offered_actions_are_accepted(position: Case) -> None:
    table = ScriptTable({"shuffles": [], **position.script})
    for step in position.steps:
        table.move(step)
    (prompt,) = prompts(table.state)
    offered = [action for choice in prompt.choices for action in choice.actions(prompt.seat)]
    # Equal tuples of different verbs are different actions.
    allowed = {(type(action), action) for action in everything(table.state) if accepted(table.state, action)}
    assert {(type(action), action) for action in offered} == allowed
    assert len(offered) == len(allowed), "something is offered twice"
    assert (type(prompt.timeout), prompt.timeout) in allowed
