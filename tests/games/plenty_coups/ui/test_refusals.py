"""Every refusal has a sentence that says what to do now."""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Any

import pytest

from bot.engine.core import DEALER, Rejected
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.options import Problem
from bot.screens.refusals import refusal_screen, refusal_text
from tests.games.plenty_coups.contract import candidate
from tests.games.plenty_coups.ui.tables import SAY, a_table
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered

LOOK = SAY("table.button.look")
ALWAYS: dict[StrEnum, dict[str, Any]] = {
    Reason.ACTIONS_LEFT: {"actions": 2},
    Reason.TOO_WEAK: {"above": 5},
    Reason.TOO_LOW: {"at_least": 3},
    Reason.PROPOSAL_TOO_LOW: {"above": 3},
    Reason.TOO_FEW_PLAYERS: {"lowest": 4},
    Reason.TOO_FEW_HORSES: {"lowest": 2},
    Reason.TOO_MANY_HORSES: {"highest": 3},
    Reason.UNDONE_TOO_OFTEN: {"highest": 6},
    Problem.NOT_ALLOWED: {"option": "winter_hunting", "value": 3, "allowed": (False, True)},
    Problem.OUT_OF_RANGE: {"option": "rounds", "value": 12, "lowest": 3, "highest": 9},
    Problem.LIMITS_CROSSED: {"lowest": 5, "highest": 3},
    Problem.UNKNOWN_OPTION: {"option": "x", "allowed": ("tribes",)},
    Problem.TOO_FEW_PLAYERS: {"players": 1, "lowest": 2},
    Problem.TOO_MANY_PLAYERS: {"players": 7, "highest": 6},
    Problem.NOT_TRIBES: {"value": "x", "needed": 3, "allowed": ("black", "yellow")},
    Problem.NO_SUCH_STARTER: {"starter": 9},
}


@pytest.mark.parametrize("reason", [*Reason, *Problem], ids=lambda reason: f"{type(reason).__name__}.{reason.name}")
def test_every_reason_has_a_sentence(reason: StrEnum) -> None:
    refused = Rejected(reason, **ALWAYS.get(reason, {}))
    told = refusal_text(SAY, refused, a_table(4))
    assert told != SAY("refused.unknown")
    assert told.endswith((".", "?"))
    shown = refusal_screen(SAY, refused, a_table(4), message=1)
    assert ("👁" in told) == any(f"👁 {LOOK}" in line for line in rendered(shown).splitlines()[1:])
    check_limits(shown)


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        (Rejected(Reason.TOO_WEAK, above=5), "A raid with attack 5 stands there already, and yours must be stronger."),
        (
            Rejected(Reason.TOO_WEAK, at_least=6),
            "The raid on you has attack 6, and your weapons must make at least that.",
        ),
        (Rejected(Reason.TOO_LOW, above=3), "That takes a warrior above 3."),
        (Rejected(Reason.TOO_LOW, at_least=3), "That takes a warrior of at least 3."),
        (Rejected(Reason.WRONG_CARDS, needed=2), "That takes exactly this many cards: 2."),
        (Rejected(Reason.WRONG_CARDS), "Those cards don't do that."),
    ],
)
def test_sentences_name_the_values(refused: Rejected, expected: str) -> None:
    assert refusal_text(SAY, refused, a_table(4)).startswith(expected)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_refusal_of_the_rules_can_be_shown(players: int) -> None:
    rng, table, told = Random(players), a_table(players), set[str]()
    state = GAME.setup({}, players, None)
    while prompts := GAME.prompts(state):
        for _ in range(6):
            try:
                GAME.apply(state, candidate(state, rng))
            except Rejected as refused:
                told.add(refusal_text(SAY, refused, table))
        move = GAME.deal(state, rng) if prompts[0].seat == DEALER else prompts[0].pick(rng)
        state = GAME.apply(state, move).state
    assert SAY("refused.unknown") not in told
    assert len(told) > 10
