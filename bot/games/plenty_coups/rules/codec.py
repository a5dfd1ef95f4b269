"""Writes a match and its actions as plain data, and reads them. Malformed data raises ValueError.

Everything is written with field names. Fields that have their default value are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from bot.engine.core import DEALER, Json, Leave, Rejected
from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules import actions, readers
from bot.games.plenty_coups.rules.actions import Action
from bot.games.plenty_coups.rules.cards import DECK, NAMES, STICK, TRIBE_NAMES, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.options import Options, options_of, read_options
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.undoing import steps_back, with_steps_back
from bot.games.plenty_coups.rules.view import Phase

VERSION: Final = 1
"""The version of the documents that are written."""
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
    "undo": actions.Undo,
}
_VERB_NAMES: Final = {verb: name for name, verb in VERBS.items()}


def _plain(value: Any) -> Json:
    """Write one value: records by their fields, cards and tribes by name."""
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    return _record(value)


def _record(value: Any) -> dict[str, Json]:
    """Write a record without the fields that have their default value."""
    names = value.__struct_fields__ if isinstance(value, Frozen) else value._fields
    unwritten = readers.defaults(type(value))
    parts = [(name, getattr(value, name)) for name in names]
    return {name: _plain(part) for name, part in parts if name not in unwritten or part != unwritten[name]}


def _event(value: Any) -> Json:
    return {"event": type(value).__name__, **_record(value)}


def _same(value: Json) -> Json:
    return value


_WRITERS: Final[Mapping[type, Callable[[Any], Json]]] = {
    Card: NAMES.__getitem__,
    Tribe: TRIBE_NAMES.__getitem__,
    Phase: str,
    Options: options_of,
    tuple: lambda items: [_plain(item) for item in items],
    dict: lambda items: [_plain(item) for item in items.values()],
    frozenset: sorted,
    **dict.fromkeys((int, bool, str, type(None)), _same),
    **dict.fromkeys(readers.EVENTS.values(), _event),
}
"""How values are written, by type; all other types are records."""


def dump(state: State) -> Json:
    """Write a match."""
    document = {"version": VERSION, **_record(replace(state, earlier=None))}
    if steps := steps_back(state):
        document["earlier"] = _plain(steps)
    return document


def dump_action(action: Action) -> Json:
    """Write an action: `do` names the verb."""
    return {"do": _VERB_NAMES[type(action)], **_plain(action)}


def load(document: Json) -> State:
    """Read a match that `dump` wrote."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise ValueError(f"expected a match of version {VERSION}")
    document = dict(document)
    del document["version"]
    players = readers.integer(2, 6, document.pop("players", None))
    options = _options(document.pop("options", None), players)
    steps = readers.steps(document.pop("earlier", []))
    state = readers.record(State, readers.STATE, document, options=options, players=players)
    state = with_steps_back(state, steps)
    _check(state)
    return state


def upgrade(document: Json) -> Json:
    """Add the options to a document that was written before they were kept: the book's rules."""
    return {"options": {}, **document} if isinstance(document, dict) else document


def _options(chosen: Json, players: int) -> Options:
    if not isinstance(chosen, dict):
        raise ValueError(f"expected an object, not {chosen!r}")
    try:
        return read_options(chosen, players, None)
    except Rejected as refused:
        raise ValueError(f"expected options that can be played: {refused.reason}") from None


def _check(state: State) -> None:
    """Raise ValueError if the parts of a match do not fit together."""
    owners = sorted(camp.owner for camp in state.camps.values() if camp.owner is not None)
    if owners != list(range(state.players)) or len(state.camps) != max(state.players, 3):
        raise ValueError("expected one camp per player, and a third for two")
    named = {state.turn.tribe, state.turn.actor, *state.raids, *(raid.raider for raid in state.raids.values())}
    if state.gift:
        named |= {state.gift.giver, state.gift.target}
    if not named <= state.camps.keys():
        raise ValueError("expected only tribes that are in play")
    if (state.gift is None) is (state.turn.phase is Phase.GIFT):
        raise ValueError("expected an unfinished gift in its phase and in no other")
    if state.turn.round > state.options.last_round:
        raise ValueError("expected no round after the last")
    dealt = state.turn.round > 0 or state.turn.phase is Phase.REFILL
    if ordered(cards_of(state)) != (DECK if dealt else ()):
        raise ValueError(f"expected the {len(DECK)} cards, each in one place")
    if state.earlier:
        _check(state.earlier)


def cards_of(state: State) -> Cards:
    """Return every card of the match, wherever it is."""
    cards = [*state.stock.offer, *state.stock.pile, *state.stock.discards]
    for camp in state.camps.values():
        cards += [*camp.hand, *(card for card in (camp.proposal, camp.bond) if card), *[STICK] * camp.disdained]
    for raid in state.raids.values():
        cards += raid.warriors
    return (*cards, state.gift.card) if state.gift else tuple(cards)


_ACTION_FIELDS: Final[Mapping[str, Callable[[Json], Any]]] = {
    "seat": partial(readers.integer, DEALER, 5),
    "tribe": readers.tribe,
    "target": readers.tribe,
    "card": readers.card,
    "discard": readers.card,
    "warrior": readers.card,
    "weapon": readers.card,
    "cards": readers.card_set,
    "warriors": readers.card_sequence,
    "order": readers.card_sequence,
    "starter": partial(readers.optional, readers.seat),
}


def load_action(document: Json) -> Action:
    """Read an action that `dump_action` wrote; cards whose order does not matter are put into canonical order."""
    if not isinstance(document, dict) or not isinstance(document.get("do"), str) or document["do"] not in VERBS:
        raise ValueError(f"expected an action that does one of {', '.join(VERBS)}")
    verb = VERBS[document["do"]]
    fields = {name: _ACTION_FIELDS[name] for name in verb._fields}
    action: Action = readers.record(verb, fields, {name: value for name, value in document.items() if name != "do"})
    return action
