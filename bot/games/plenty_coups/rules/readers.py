"""Reads the parts of a match from plain data, strictly. Malformed data raises ValueError."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar, get_args, get_type_hints

from msgspec import NODEFAULT
from msgspec.structs import fields

from bot.engine.core import Json, Seat
from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules.best import Best
from bot.games.plenty_coups.rules.cards import CARD_NAMED, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.events import Event
from bot.games.plenty_coups.rules.options import MOST_ROUNDS
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.state import MARKERS, MOST_UNDONE, Camp, Gift, Raids, Stock, Tally, Turn
from bot.games.plenty_coups.rules.undoing import StepBack
from bot.games.plenty_coups.rules.view import Phase, RoundSummary, TribeRound

_MAX_COUNT: Final = 1000
"""More than any count in a match can reach, except that of the questions."""

T = TypeVar("T")
Reader = Callable[[Json], T]


def integer(lowest: int, highest: int, value: Json) -> int:
    """Read a whole number within limits; True and False do not count as numbers."""
    if type(value) is not int or not lowest <= value <= highest:
        raise ValueError(f"expected a whole number from {lowest} to {highest}, not {value!r}")
    return value


def _flag(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {value!r}")
    return value


def _named(names: Mapping[str, T], value: Json) -> T:
    """Read something that is written by name."""
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"expected one of {', '.join(names)}, not {value!r}")
    return names[value]


def optional(reader: Reader[T], value: Json) -> T | None:
    """Read something that may be missing."""
    return None if value is None else reader(value)


def many(reader: Reader[T], value: Json) -> tuple[T, ...]:
    """Read a list."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list, not {value!r}")
    return tuple(reader(item) for item in value)


_known_defaults: Final[dict[Any, Mapping[str, Any]]] = {}


def defaults(kind: Any) -> Mapping[str, Any]:
    """Return the defaults of a record's fields; what equals its default is not written."""
    if kind not in _known_defaults:
        _known_defaults[kind] = (
            {field.name: field.default for field in fields(kind) if field.default is not NODEFAULT}
            if issubclass(kind, Frozen)
            else kind._field_defaults
        )
    return _known_defaults[kind]


def record(kind: type[T], readers: Mapping[str, Reader[Any]], value: Json, **known: Any) -> T:
    """Read a record with these fields, of which those with a default may be missing; `known` are its other fields."""
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, not {value!r}")
    if value.keys() - readers.keys() or readers.keys() - value.keys() - defaults(kind).keys():
        raise ValueError(f"expected the fields {', '.join(readers)}, not {', '.join(map(str, value))}")
    return kind(**known, **{name: readers[name](given) for name, given in value.items()})


card: Reader[Card] = partial(_named, CARD_NAMED)
tribe: Reader[Tribe] = partial(_named, {each.name.lower(): each for each in Tribe})
seat = partial(integer, 0, 5)
_count = partial(integer, 0, _MAX_COUNT)
_points = partial(integer, 0, MARKERS)
_asked = partial(integer, 0, 10**9)
_undone = partial(integer, 0, MOST_UNDONE)
card_sequence: Reader[Cards] = partial(many, card)


def card_set(value: Json) -> Cards:
    """Read cards whose order does not matter, and put them into canonical order."""
    return ordered(card_sequence(value))


_TURN: Final[Mapping[str, Reader[Any]]] = {
    "round": partial(integer, 0, MOST_ROUNDS),
    "tribe": tribe,
    "phase": partial(_named, {phase.value: phase for phase in Phase}),
    "actor": tribe,
    "actions_left": partial(integer, 0, 2),
    "coups_open": _points,
    "defence_coup_open": _flag,
    "free_gift_used": _flag,
    "draws": partial(integer, 0, 2),
    "voided": partial(integer, 0, 10),
}
turn: Reader[Turn] = partial(record, Turn, _TURN)
_RAID: Final[Mapping[str, Reader[Any]]] = {
    "raider": tribe,
    "target": tribe,
    "warriors": card_sequence,
    "value": _count,
    "prestige_side": _flag,
}
_raid: Reader[RaidOut] = partial(record, RaidOut, _RAID)


def _raids(value: Json) -> Raids:
    """Read the raids that are out, at most one on each camp."""
    raids = many(_raid, value)
    by_target = {raid.target: raid for raid in raids}
    if len(by_target) < len(raids):
        raise ValueError("expected at most one raid on each camp")
    return by_target


_BY_TYPE: Final[Mapping[Any, Reader[Any]]] = {
    bool: _flag,
    int: _count,
    Seat: seat,
    Tribe: tribe,
    Card: card,
    RaidOut: _raid,
}


def _by_type(hint: Any) -> Reader[Any]:
    """Return the reader of a field with this annotation: a known type, or an optional one, or a tuple of them."""
    inner = get_args(hint)
    if not inner:
        return _BY_TYPE[hint]
    return partial(optional if type(None) in inner else many, _by_type(inner[0]))


def _by_types(kind: Any) -> Mapping[str, Reader[Any]]:
    return {name: _by_type(hint) for name, hint in get_type_hints(kind).items()}


EVENTS: Final = {kind.__name__: kind for kind in get_args(Event)}
_EVENT_FIELDS: Final = {name: _by_types(kind) for name, kind in EVENTS.items() if name != "Undone"}
"""The fields of each kind of event in the news, and how they are read. An undo is never in the news."""


def event(value: Json) -> Event:
    """Read one event of the news; its key `event` names its kind."""
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, not {value!r}")
    fields_of_event = _named(_EVENT_FIELDS, value.get("event"))
    kind = EVENTS[value["event"]]
    happened: Event = record(kind, fields_of_event, {key: value[key] for key in value if key != "event"})
    return happened


_CAMP: Final[Mapping[str, Reader[Any]]] = {
    "tribe": tribe,
    "owner": partial(optional, seat),
    "hand": card_set,
    "horses": _count,
    "prestige": _points,
    "proposal": partial(optional, card),
    "bond": partial(optional, card),
    "disdained": _flag,
    "received": partial(optional, card),
    "given": partial(optional, card),
    "tally": partial(record, Tally, _by_types(Tally)),
    "best": partial(record, Best, _by_types(Best)),
}
_camp: Reader[Camp] = partial(record, Camp, _CAMP)
_SUMMARY: Final[Mapping[str, Reader[Any]]] = {
    "round": partial(integer, 1, MOST_ROUNDS),
    "tribes": partial(many, partial(record, TribeRound, _by_types(TribeRound))),
}
_STOCK: Final[Mapping[str, Reader[Any]]] = {"offer": card_set, "pile": card_sequence, "discards": card_sequence}
_GIFT: Final[Mapping[str, Reader[Any]]] = {"giver": tribe, "target": tribe, "card": card}
_STEP: Final[Mapping[str, Reader[Any]]] = {
    "turn": turn,
    "camps": partial(many, _camp),
    "raids": _raids,
    "plain": _count,
    "offer": card_set,
    "discards": _count,
    "news": _count,
    "asked": _asked,
    "undone": _undone,
}
steps: Reader[tuple[StepBack, ...]] = partial(many, partial(record, StepBack, _STEP))

STATE: Final[Mapping[str, Reader[Any]]] = {
    "starter": partial(optional, seat),
    "left": lambda value: frozenset(many(seat, value)),
    "turn": turn,
    "camps": lambda value: {camp.tribe: camp for camp in many(_camp, value)},
    "raids": _raids,
    "plain": _count,
    "stock": partial(record, Stock, _STOCK),
    "gift": partial(optional, partial(record, Gift, _GIFT)),
    "asked": _asked,
    "news": partial(many, event),
    "lately": partial(many, event),
    "last_round": partial(optional, partial(record, RoundSummary, _SUMMARY)),
    "undone": _undone,
}
"""How each part of a match is read, except its options, its number of players and its earlier states."""
