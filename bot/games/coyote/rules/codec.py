"""A match and its actions as plain data and back, with a version. What is malformed is refused by ValueError.

A state is written by position, an action by name: states are written after every action and read rarely,
the log of actions is what people read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_type_hints

from bot.engine.core import Json, Leave, Rejected
from bot.engine.packing import reader
from bot.games.coyote.rules.actions import (
    Action,
    Announced,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Redo,
    Shuffle,
    Turnabout,
    UseCoyote,
)
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.rules.highlights import Highlights
from bot.games.coyote.rules.results import Result
from bot.games.coyote.rules.state import Bidding, Match, Round, State
from bot.games.coyote.rules.view import Phase

VERSION: Final = 1

VERBS: Final[dict[str, Any]] = {
    "bid": Bid,
    "call": Call,
    "approve": Approve,
    "reverse": Turnabout,
    "redo": Redo,
    "coin": Flip,
    "peek": Peek,
    "coyote_card": UseCoyote,
    "bet": Bet,
    "leave": Leave,
    "deal": Deal,
    "shuffle": Shuffle,
}
_WRITTEN: Final = {verb: (name, ("do", *verb._fields)) for name, verb in VERBS.items()}


_NEEDED: Final = object()
"""Stands for the default of a field that has none."""


def _fields(verb: Any) -> tuple[tuple[str, Callable[[Json], Any], Any], ...]:
    """Return how an action is read: each field with its reader and default."""
    defaults = verb._field_defaults
    return tuple((name, reader(kind), defaults.get(name, _NEEDED)) for name, kind in get_type_hints(verb).items())


_SHAPES: Final = {name: (verb, _fields(verb)) for name, verb in VERBS.items()}

_phase = reader(Phase)
_asked = reader(int)
_match = reader(Match)
_round = reader(Round)
_bidding = reader(Bidding)
_bets = reader(tuple[tuple[int, int | None], ...])


def _completed(match: Json) -> Json:
    """Add what a match did not yet remember when an earlier release wrote it: highlights, parts of its last round."""
    if not isinstance(match, list | tuple):
        return match
    if len(match) == len(Match.__struct_fields__) - 1:
        match = [*match, Highlights()]
    *rest, last, best = match
    return [*rest, _remembered(last), best]


def _remembered(last: Json) -> Json:
    """Add to the end of a round whose eyes turned, and what was guessed."""
    if not isinstance(last, list | tuple):
        return last
    lacking = len(Result.__struct_fields__) - len(last)
    return [*last, *((), (), None)[-lacking:]] if lacking in (1, 3) else last


def _filled(played: Json) -> Json:
    """Add what a round did not yet remember when an earlier release wrote it: the pile's renewal."""
    old = isinstance(played, list | tuple) and len(played) == len(Round.__struct_fields__) - 2
    return [*played, (), ()] if old else played


def _told(bidding: Json) -> Json:
    """Add what the ladder did not yet remember when an earlier release wrote it: which bids were refused."""
    if not isinstance(bidding, list | tuple) or len(bidding) != len(Bidding.__struct_fields__):
        return bidding
    *rest, ladder = bidding
    if not isinstance(ladder, list | tuple):
        return bidding
    old = len(Announced.__struct_fields__) - 1
    rungs = [[*rung, False] if isinstance(rung, list | tuple) and len(rung) == old else rung for rung in ladder]
    return [*rest, rungs]


def dump_action(action: Action) -> Json:
    """Write an action: `do` names the verb, the rest are its fields."""
    name, keys = _WRITTEN[type(action)]
    return dict(zip(keys, (name, *action)))  # noqa: B905 - being strict takes a third of the time


def load_action(document: Json) -> Action:
    """Read an action; raise ValueError if it is none."""
    name = document.get("do") if isinstance(document, dict) else None
    if not isinstance(name, str) or name not in _SHAPES:
        raise ValueError(f"not an action of Coyote: {document!r}")
    verb, fields = _SHAPES[name]
    unread = len(document) - 1
    values = []
    for field, read, default in fields:
        if field in document:
            unread -= 1
            values.append(read(document[field]))
        else:
            values.append(default)
    if unread or _NEEDED in values:
        raise ValueError(f"a {name} has the fields {verb._fields}")
    action: Action = tuple.__new__(verb, values)  # there is one for each field; by its constructor it takes longer
    return action


def dump(state: State) -> Json:
    """Write a match."""
    return {
        "version": VERSION,
        "rules": state.rules.plain,
        "phase": state.phase,
        "asked": state.asked,
        "match": state.match.written,
        "round": state.round.written,
        "bidding": state.bidding,
        "bets": state.bets,
        "pending": None if state.pending is None else dump_action(state.pending),
    }


def load(document: Json) -> State:
    """Read a match; raise ValueError if the document is damaged or of another version."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise ValueError(f"not a match of Coyote in version {VERSION}")
    try:
        pending = document["pending"]
        state = State(
            rules=rules_from(document["rules"]),
            phase=_phase(document["phase"]),
            asked=_asked(document["asked"]),
            match=_match(_completed(document["match"])),
            round=_round(_filled(document["round"])),
            bidding=_bidding(_told(document["bidding"])),
            bets=_bets(document["bets"]),  # type: ignore[arg-type]  # seats are integers at run time
            pending=None if pending is None else load_action(pending),  # type: ignore[arg-type]  # checked by apply
        )
    except (KeyError, AttributeError, Rejected) as damage:
        raise ValueError(f"a damaged match of Coyote: {damage!r}") from None
    if (state.phase is Phase.SHUFFLE) != (state.pending is not None):
        raise ValueError("a damaged match of Coyote: the dealer shuffles for an action that waits, and only then")
    return state
