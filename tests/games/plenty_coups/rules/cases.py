"""A small language for rule cases: a position, moves, refusals, and what must then be true.

A case is a game script of the kind that `script_adapter` plays; whatever a case does not mention is filled in.
Two things go beyond the scripts: a refusal names its reason, and `events` lists the events of the last move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from bot.games.plenty_coups.rules.cards import DECK
from tests.games.plenty_coups.rules import script_adapter

Step = dict[str, Any]
LIST_FIELDS = ("cards",)
FIRST_OFFERED = ("horse", "stick", "arm2", "arm3", "arm4")


class Case(NamedTuple):
    title: str
    script: dict[str, Any]
    steps: tuple[Step, ...]


def case(title: str, script: dict[str, Any], *steps: Step) -> Case:
    return Case(title, script, steps)


def table(*cases: Case) -> pytest.MarkDecorator:
    """Decorate a test, so that it runs once for each case."""
    return pytest.mark.parametrize("case", [pytest.param(each, id=each.title.replace(" ", "-")) for each in cases])


def check(case: Case) -> None:
    script_adapter.run({"id": case.title, "shuffles": [], **case.script, "steps": [*case.steps]})


def do(tribe: str, verb: str, **fields: str) -> Step:
    written = {name: value.split() if name in LIST_FIELDS else value for name, value in fields.items()}
    return {"tribe": tribe, "do": verb, **written}


def no(reason: str, tribe: str, verb: str, **fields: str) -> Step:
    return {**do(tribe, verb, **fields), "refused": reason}


def expect(**keys: Any) -> Step:
    return {"expect": keys}


def hand(**hands: str) -> dict[str, list[str]]:
    return {tribe: cards.split() for tribe, cards in hands.items()}


def raid(by: str, target: str, cards: str, value: int, side: str = "raid") -> dict[str, Any]:
    return {"by": by, "target": target, "cards": cards.split(), "value": value, "side": side}


def given(
    tribes: str = "black yellow green red",
    *,
    players: int | None = None,
    round: int = 5,  # noqa: A002 - the scripts' word
    turn: str = "black",
    phase: str = "act",
    offer: str | None = None,
    pile: str | None = None,
    shuffles: tuple[str, ...] = (),
    horses: dict[str, int] | None = None,
    plain: int = 12,
    prestige: dict[str, int] | None = None,
    raids: tuple[dict[str, Any], ...] = (),
    proposals: dict[str, str] | None = None,
    alliances: tuple[dict[str, str], ...] = (),
    neutral: dict[str, str] | None = None,
    disdained: str = "",
    actions_left: int | None = None,
    coups_open: int = 0,
    free_gift_used: bool = False,
    options: dict[str, Any] | None = None,
    **hands: str,
) -> dict[str, Any]:
    """Make a position. A tribe without a hand of its own gets one horse card.

    The rest of the deck is the pile or, if a `pile` is given, the discards.
    """
    names = tribes.split()
    winter = round - (options or {}).get("rounds", 9)
    rest = [script_adapter.written(card) for card in DECK]
    taken = {tribe: hands.get(tribe, "horse").split() for tribe in names}
    laid = [
        *(card for cards in taken.values() for card in cards),
        *(card for each in raids for card in each["cards"]),
        *(proposals or {}).values(),
        *(card for each in alliances for card in each.values()),
        *(neutral or {}).values(),
        *(["stick"] * len(disdained.split())),
        *(pile or "").split(),
        *(offer or "").split(),
    ]
    for card in laid:
        rest.remove(card)
    offered = (offer or "").split()
    if offer is None:
        wanted = 4 if phase == "start" or winter > 1 else 3 if winter == 1 else 2
        offered = [card for card in FIRST_OFFERED if card in rest][:wanted]
        for card in offered:
            rest.remove(card)
    state: dict[str, Any] = {
        "round": round,
        "turn": turn,
        "phase": phase,
        "hands": taken,
        "offer": offered,
        "pile": rest if pile is None else pile.split(),
        "discard": [] if pile is None else rest,
        "horses": {tribe: (horses or {}).get(tribe, 3) for tribe in names},
        "plain": plain,
        "prestige": {tribe: (prestige or {}).get(tribe, 0) for tribe in names},
        "raids": [*raids],
        "proposals": [{"by": by, "to": card[:-1], "card": card} for by, card in (proposals or {}).items()],
        "alliances": [{"cards": each} for each in alliances],
        "neutral": neutral or {},
        "disdained": disdained.split(),
    }
    if phase == "act":
        left = (2 if winter < 1 else 1) if actions_left is None else actions_left
        state |= {"actions_left": left, "coups_open": coups_open, "free_gift_used": free_gift_used}
    return {
        "players": players or len(names),
        "tribes": names,
        "setup": {"state": state},
        "shuffles": [each.split() for each in shuffles],
        "options": options or {},
    }
