"""Writes a match and its actions as plain data, and reads them. Malformed data raises ValueError."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from bot.engine.core import DEALER, Json, Leave
from bot.games.plenty_coups.rules import actions
from bot.games.plenty_coups.rules.actions import Action
from bot.games.plenty_coups.rules.cards import CARD_NAMED, DECK, STICK, Card, Cards, Tribe, name_of, ordered
from bot.games.plenty_coups.rules.state import LAST_ROUND, MARKERS, Camp, Gift, State, Stock, Turn
from bot.games.plenty_coups.rules.view import Phase, RaidOut

VERSION: Final = 1
_MAX_COUNT: Final = 1000
"""More than any count in a match can reach, except that of the questions."""

T = TypeVar("T")
Reader = Callable[[Json], T]

VERBS: Final[Mapping[str, Any]] = {
    "deal": actions.Deal,
    "shuffle": actions.Shuffle,
    "leave": Leave,
    "take": actions.Take,
    "breed": actions.Breed,
    "raid": actions.Raid,
    "double_raid": actions.DoubleRaid,
    "defend": actions.Defend,
    "double_defend": actions.DoubleDefend,
    "coup": actions.StrikeCoup,
    "gift": actions.LayGift,
    "free_gift": actions.LayFreeGift,
    "give": actions.Give,
    "propose": actions.Propose,
    "accept": actions.Accept,
    "neutral": actions.AllyNeutral,
    "disdain": actions.Disdain,
    "prove": actions.Prove,
    "decline": actions.Decline,
    "donate": actions.Donate,
    "hunt": actions.Hunt,
    "hunt_discard": actions.DiscardAfterHunt,
    "end": actions.End,
}
_VERB_NAMES: Final = {verb: name for name, verb in VERBS.items()}


def _plain(value: Any) -> Json:
    """Write one value: records by their fields, cards and tribes by name."""
    if isinstance(value, Card):
        return name_of(value)
    if isinstance(value, Tribe):
        return value.name.lower()
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return [_plain(item) for item in value.values()]
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def dump(state: State) -> Json:
    """Write a match."""
    return {"version": VERSION, **_plain(state)}


def dump_action(action: Action) -> Json:
    """Write an action: `do` names the verb."""
    return {"do": _VERB_NAMES[type(action)], **_plain(action)}


def _integer(lowest: int, highest: int, value: Json) -> int:
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


def _optional(reader: Reader[T], value: Json) -> T | None:
    return None if value is None else reader(value)


def _many(reader: Reader[T], value: Json) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list, not {value!r}")
    return tuple(reader(item) for item in value)


def _record(kind: Callable[..., T], readers: Mapping[str, Reader[Any]], value: Json) -> T:
    """Read a record that has exactly these fields."""
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, not {value!r}")
    if value.keys() != readers.keys():
        raise ValueError(f"expected the fields {', '.join(readers)}, not {', '.join(map(str, value))}")
    return kind(**{name: reader(value[name]) for name, reader in readers.items()})


_card: Reader[Card] = partial(_named, CARD_NAMED)
_tribe: Reader[Tribe] = partial(_named, {tribe.name.lower(): tribe for tribe in Tribe})
_seat = partial(_integer, 0, 5)
_count = partial(_integer, 0, _MAX_COUNT)
_points = partial(_integer, 0, MARKERS)
_card_sequence: Reader[Cards] = partial(_many, _card)


def _card_set(value: Json) -> Cards:
    """Read cards whose order does not matter, and put them into canonical order."""
    return ordered(_card_sequence(value))


_TURN: Final[Mapping[str, Reader[Any]]] = {
    "round": partial(_integer, 0, LAST_ROUND),
    "tribe": _tribe,
    "phase": partial(_named, {phase.value: phase for phase in Phase}),
    "actor": _tribe,
    "actions_left": partial(_integer, 0, 2),
    "coups_open": _points,
    "defence_coup_open": _flag,
    "free_gift_used": _flag,
    "draws": partial(_integer, 0, 2),
    "voided": partial(_integer, 0, 10),
}
_CAMP: Final[Mapping[str, Reader[Any]]] = {
    "tribe": _tribe,
    "owner": partial(_optional, _seat),
    "hand": _card_set,
    "horses": _count,
    "prestige": _points,
    "proposal": partial(_optional, _card),
    "bond": partial(_optional, _card),
    "disdained": _flag,
}
_RAID: Final[Mapping[str, Reader[Any]]] = {
    "raider": _tribe,
    "target": _tribe,
    "warriors": _card_sequence,
    "value": _count,
    "prestige_side": _flag,
}
_GIFT: Final[Mapping[str, Reader[Any]]] = {"giver": _tribe, "target": _tribe, "card": _card}
_STOCK: Final[Mapping[str, Reader[Any]]] = {"offer": _card_set, "pile": _card_sequence, "discards": _card_sequence}
_STATE: Final[Mapping[str, Reader[Any]]] = {
    "players": partial(_integer, 2, 6),
    "starter": partial(_optional, _seat),
    "left": lambda value: frozenset(_many(_seat, value)),
    "turn": partial(_record, Turn, _TURN),
    "camps": lambda value: {camp.tribe: camp for camp in _many(partial(_record, Camp, _CAMP), value)},
    "raids": partial(_many, partial(_record, RaidOut, _RAID)),
    "plain": _count,
    "stock": partial(_record, Stock, _STOCK),
    "gift": partial(_optional, partial(_record, Gift, _GIFT)),
    "asked": partial(_integer, 0, 10**9),
}


def load(document: Json) -> State:
    """Read a match that `dump` wrote."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise ValueError(f"expected a match of version {VERSION}")
    state = _record(State, _STATE, {name: value for name, value in document.items() if name != "version"})
    owners = sorted(camp.owner for camp in state.camps.values() if camp.owner is not None)
    if owners != list(range(state.players)) or len(state.camps) != max(state.players, 3):
        raise ValueError("expected one camp per player, and a third for two")
    named = {state.turn.tribe, state.turn.actor, *(tribe for raid in state.raids for tribe in raid[:2])}
    if not named <= state.camps.keys() or (state.gift and not {*state.gift[:2]} <= state.camps.keys()):
        raise ValueError("expected only tribes that are in play")
    if (state.gift is None) is (state.turn.phase is Phase.GIFT):
        raise ValueError("expected an unfinished gift in its phase and in no other")
    dealt = state.turn.round > 0 or state.turn.phase is Phase.REFILL
    if ordered(cards_of(state)) != (DECK if dealt else ()):
        raise ValueError(f"expected the {len(DECK)} cards, each in one place")
    return state


def cards_of(state: State) -> Cards:
    """Return every card of the match, wherever it is."""
    cards = [*state.stock.offer, *state.stock.pile, *state.stock.discards]
    for camp in state.camps.values():
        cards += [*camp.hand, *(card for card in (camp.proposal, camp.bond) if card), *[STICK] * camp.disdained]
    for raid in state.raids:
        cards += raid.warriors
    return (*cards, state.gift.card) if state.gift else tuple(cards)


_ACTION_FIELDS: Final[Mapping[str, Reader[Any]]] = {
    "seat": partial(_integer, DEALER, 5),
    "tribe": _tribe,
    "target": _tribe,
    "card": _card,
    "discard": _card,
    "warrior": _card,
    "weapon": _card,
    "cards": _card_set,
    "warriors": _card_sequence,
    "order": _card_sequence,
    "starter": partial(_optional, _seat),
}


def load_action(document: Json) -> Action:
    """Read an action that `dump_action` wrote; cards whose order does not matter are put into canonical order."""
    if not isinstance(document, dict) or not isinstance(document.get("do"), str) or document["do"] not in VERBS:
        raise ValueError(f"expected an action that does one of {', '.join(VERBS)}")
    verb = VERBS[document["do"]]
    readers = {name: _ACTION_FIELDS[name] for name in verb._fields}
    action: Action = _record(verb, readers, {name: value for name, value in document.items() if name != "do"})
    return action
