"""Writes a match as version 1 of the stored format did: without field names, in the order that it had then."""

from __future__ import annotations

from enum import Enum
from typing import Any

from bot.games.coyote.rules.actions import Announced
from bot.games.coyote.rules.codec import dump_action
from bot.games.coyote.rules.counting import Count, CountStep
from bot.games.coyote.rules.results import Result, SettledBet, Spread
from bot.games.coyote.rules.state import Bidding, Match, Round, State

ORDER: dict[type, str] = {
    Spread: "worn opened covered centre beside",
    CountStep: "kind cards value",
    Count: "total cards steps",
    SettledBet: "seat on right",
    Result: "number ending cards caller bidder bid counted loser penalty eliminated next_starter bets night"
    " opened closed named",
    Match: "living out tokens eyes coyote_holder starter rounds pile discard shuffle_due last best",
    Round: "number starter shuffled active cards peeked coins returned drawn",
    Announced: "seat number how target refused",
    Bidding: "direction turn bid bidder above duty doubled approved turned looked asker used ladder",
}

RETIRED: dict[str, Any] = {"best": [None, None], "turned": False}
"""Fields that matches no longer have, with the value that version 1 wrote when there was nothing to keep."""


def positional(value: Any, order: dict[type, str] = ORDER) -> Any:
    """Return plain data in which each record is the list of its fields."""
    if type(value) in order:
        return [positional(getattr(value, name, RETIRED.get(name)), order) for name in order[type(value)].split()]
    if isinstance(value, tuple):
        return [positional(each, order) for each in value]
    return value.value if isinstance(value, Enum) else value


def without_retired(match: dict[str, Any]) -> dict[str, Any]:
    """Return a match of version 1 without what was kept in fields that matches no longer have."""
    parts = {"match": Match, "bidding": Bidding}
    return match | {
        part: [RETIRED.get(name, value) for name, value in zip(ORDER[kind].split(), match[part], strict=True)]
        for part, kind in parts.items()
    }


def version_1(state: State) -> dict[str, Any]:
    """Return a match as version 1 wrote it."""
    return {
        "version": 1,
        "rules": state.rules.plain,
        "phase": state.phase.value,
        "asked": state.asked,
        "match": positional(state.match),
        "round": positional(state.round),
        "bidding": positional(state.bidding),
        "bets": positional(state.bets),
        "pending": None if state.pending is None else dump_action(state.pending),
    }
