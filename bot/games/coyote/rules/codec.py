"""Writes a match and its actions as plain data, and reads them back; raises ValueError for malformed data.

Everything is written with field names. Fields of a match that have their default value are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_type_hints

import msgspec

from bot.engine.core import Json, Leave, Rejected
from bot.engine.packing import reader
from bot.games.coyote.rules.actions import (
    Action,
    Announce,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Redo,
    Reveal,
    Shuffle,
    Turnabout,
    UseCoyote,
    Withdraw,
)
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.rules.state import Bidding, Match, Round, State
from bot.games.coyote.rules.view import Phase

VERSION: Final = 2
"""The version of the documents that are written here."""

VERBS: Final[dict[str, Any]] = {
    "bid": Bid,
    "call": Call,
    "approve": Approve,
    "reverse": Turnabout,
    "redo": Redo,
    "announce": Announce,
    "coin": Flip,
    "withdraw": Withdraw,
    "peek": Peek,
    "coyote_card": UseCoyote,
    "bet": Bet,
    "leave": Leave,
    "deal": Deal,
    "shuffle": Shuffle,
    "reveal": Reveal,
}
_WRITTEN: Final = {verb: (name, ("do", *verb._fields)) for name, verb in VERBS.items()}
"""How each verb is written: its name, and the keys of its document."""

_NO_DEFAULT: Final = object()
"""Stands in for the default of a field that must be given."""


def _fields(verb: Any) -> tuple[tuple[str, Callable[[Json], Any], Any], ...]:
    """Return how an action is read: each field's name, reader and default."""
    defaults = verb._field_defaults
    return tuple((name, reader(kind), defaults.get(name, _NO_DEFAULT)) for name, kind in get_type_hints(verb).items())


_SHAPES: Final = {name: (verb, _fields(verb)) for name, verb in VERBS.items()}

_phase = reader(Phase)
_asked = reader(int)
_match = reader(Match)
_round = reader(Round)
_bidding = reader(Bidding)
_bets = reader(tuple[tuple[int, int | None], ...])


def dump_action(action: Action) -> Json:
    """Write an action: `do` names the verb, the rest are its fields."""
    name, keys = _WRITTEN[type(action)]
    return dict(zip(keys, (name, *action)))  # noqa: B905 - `strict` would take a third of the time


def load_action(document: Json) -> Action:
    """Read an action; raise ValueError if the document is not one."""
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
    if unread or _NO_DEFAULT in values:
        raise ValueError(f"a {name} has the fields {verb._fields}")
    action: Action = tuple.__new__(verb, values)  # every field has a value, and the constructor is slower
    return action


class _Document(msgspec.Struct, omit_defaults=True, gc=False):
    """A match in the form in which it is written."""

    version: int
    rules: dict[str, Any]
    phase: Phase
    asked: int
    match: msgspec.Raw
    round: msgspec.Raw
    bidding: Bidding
    bets: tuple[tuple[int, int | None], ...] = ()
    pending: Json = None


_NAMES: Final = frozenset(_Document.__struct_fields__)


def _without_retired(bidding: Json) -> Json:
    """Drop a field that earlier versions wrote: whether the standing bid was repeated after a change of direction."""
    return (
        {name: value for name, value in bidding.items() if name != "turned"} if isinstance(bidding, dict) else bidding
    )


def dump(state: State) -> Json:
    """Write a match."""
    return _Document(
        VERSION,
        state.rules.plain,
        state.phase,
        state.asked,
        state.match.written,
        state.round.written,
        state.bidding,
        state.bets,
        None if state.pending is None else dump_action(state.pending),
    )


def load(document: Json) -> State:
    """Read a match; raise ValueError if the document is damaged or of another version."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise ValueError(f"not a match of Coyote in version {VERSION}")
    if unknown := document.keys() - _NAMES:
        raise ValueError(f"a match of Coyote has no {', '.join(sorted(unknown))}")
    pending = document.get("pending")
    try:
        state = State(
            rules=rules_from(document["rules"]),
            phase=_phase(document["phase"]),
            asked=_asked(document["asked"]),
            match=_match(document["match"]),
            round=_round(document["round"]),
            bidding=_bidding(_without_retired(document["bidding"])),
            bets=_bets(document.get("bets", ())),  # type: ignore[arg-type]  # seats are integers at run time
            pending=None if pending is None else load_action(pending),  # type: ignore[arg-type]  # checked by apply
        )
    except (KeyError, AttributeError, Rejected) as damage:
        raise ValueError(f"a damaged match of Coyote: {damage!r}") from None
    if (state.phase is Phase.SHUFFLE) != (state.pending is not None):
        raise ValueError("a damaged match of Coyote: a pending action and a shuffle must come together")
    return state
