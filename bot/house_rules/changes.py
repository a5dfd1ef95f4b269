"""Changing a server's rules, pure: the next rules and what goes into the log, or `Rejected` and nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from bot.engine.core import Rejected
from bot.games.coyote.rules.cards import Deck
from bot.games.coyote.rules.editions import rules_from
from bot.house_rules.kinds import Ground
from bot.house_rules.list_kinds import MOST_DECKS, deck_name, write_deck
from bot.house_rules.problems import Misfit
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, SETTINGS, PerGame, Scope, Setting, setting_of

UNSET: Final = object()
"""In place of a value: back to the usual."""
DECKS: Final = "decks"
"""The log's key for saved decks."""


class Change(NamedTuple):
    """One line of the log. Of a setting: None stands for the usual, and a value for itself, in a list of one.

    Wrapped, because nothing is a value too: the lowest bid can be set to none.
    """

    key: str
    old: Any
    new: Any


class Changed(NamedTuple):
    """What a change comes to; without changes the rules are the ones that were asked."""

    rules: ServerRules
    changes: tuple[Change, ...]


def change(rules: ServerRules, wanted: Mapping[str, Any], ground: Ground | None = None) -> Changed:
    """Set or unset several settings at once; refused as a whole if the outcome could not be played."""
    ground = ground or rules.ground()
    values = dict(rules.values)
    if "edition" in wanted:
        _put(values, BY_KEY["edition"], wanted["edition"], ground)
    ground = ground._replace(edition=rules._replace(values=values).edition)
    for key, value in wanted.items():
        setting = setting_of(key)
        if value is UNSET:
            values.pop(setting.key, None)
        elif setting.key != "edition":
            _put(values, setting, value, ground)
    _drop_what_does_not_fit(values, ground, wanted)
    return _changed(rules, rules._replace(values=values))


def _put(values: dict[str, Any], setting: Setting, value: Any, ground: Ground) -> None:
    """Keep a value that differs from the usual; one that does not is as good as unset."""
    if value is UNSET:
        values.pop(setting.key, None)
        return
    value = setting.check(value, ground)
    if value == setting.usual(ground.edition):
        values.pop(setting.key, None)
    else:
        values[setting.key] = value


def _drop_what_does_not_fit(values: dict[str, Any], ground: Ground, wanted: Mapping[str, Any]) -> None:
    """Take out what another edition brought along: its actions, its coins, what has become the usual."""
    for setting in SETTINGS:
        if setting.key in values and setting.key not in wanted and setting.scope is Scope.GAME:
            if setting.key == "edition":
                continue
            try:
                _put(values, setting, values[setting.key], ground)
            except Rejected:
                del values[setting.key]


def _changed(before: ServerRules, after: ServerRules) -> Changed:
    changes = [
        Change(setting.key, _wrapped(before.values, setting.key), _wrapped(after.values, setting.key))
        for setting in SETTINGS
        if _wrapped(before.values, setting.key) != _wrapped(after.values, setting.key)
    ]
    for name in sorted({*before.decks, *after.decks}):
        old, new = before.decks.get(name), after.decks.get(name)
        if old != new:
            changes.append(Change(DECKS, _written(name, old), _written(name, new)))
    if not changes:
        return Changed(before, ())
    rules_from(after.terms({}).options)
    return Changed(after._replace(seq=before.seq + 1), tuple(changes))


def _wrapped(values: Mapping[str, Any], key: str) -> list[Any] | None:
    return [values[key]] if key in values else None


def _written(name: str, deck: Deck | None) -> dict[str, str] | None:
    return None if deck is None else {"name": name, "cards": write_deck(deck)}


def save_deck(rules: ServerRules, name: str, deck: Deck, *, use: bool) -> Changed:
    """Save a deck under a name, in place of one of that name, and play with it if wanted."""
    name = deck_name(name)
    name = next((known for known in rules.decks if known.casefold() == name.casefold()), name)
    if name not in rules.decks and len(rules.decks) >= MOST_DECKS:
        raise Rejected(Misfit.TOO_MANY_DECKS, highest=MOST_DECKS)
    values = {**rules.values, "deck": name} if use else rules.values
    return _changed(rules, rules._replace(values=values, decks={**rules.decks, name: deck}))


def drop_deck(rules: ServerRules, name: str) -> Changed:
    """Forget a deck; a house that played with it plays with the edition's own."""
    if name not in rules.decks:
        raise Rejected(Misfit.NO_SUCH_DECK, value=name, allowed=tuple(rules.decks), nearest=None)
    values = {key: value for key, value in rules.values.items() if (key, value) != ("deck", name)}
    decks = {known: deck for known, deck in rules.decks.items() if known != name}
    return _changed(rules, rules._replace(values=values, decks=decks))


def replace(rules: ServerRules, values: Mapping[str, Any], decks: Mapping[str, Deck], ground: Ground) -> Changed:
    """Put other rules, and further decks, in place of all of a server's."""
    together = {**rules.decks, **decks}
    if len(together) > MOST_DECKS:
        raise Rejected(Misfit.TOO_MANY_DECKS, highest=MOST_DECKS)
    base = rules._replace(decks=together)
    wanted = {setting.key: values.get(setting.key, UNSET) for setting in SETTINGS}
    changed = change(base, wanted, ground._replace(decks=together))
    return _changed(rules, changed.rules._replace(seq=rules.seq))


def reset_all(rules: ServerRules) -> Changed:
    """Unset everything; saved decks stay."""
    return _changed(rules, rules._replace(values={}))


def wish(rules: ServerRules, wanted: Mapping[str, Any], *, manager: bool) -> dict[str, Any]:
    """Check what somebody wants for one table; Rejected where that is not theirs to change."""
    edition = BY_KEY["edition"]
    played = edition.check(wanted["edition"], rules.ground()) if "edition" in wanted else rules.edition
    ground = rules.ground()._replace(edition=played)
    wishes: dict[str, Any] = {}
    for key, value in wanted.items():
        setting = setting_of(key)
        checked = setting.read(value, ground) if isinstance(value, Typed) else setting.check(value, ground)
        if setting.scope is Scope.SERVER or setting.key == "tables_at_once":
            raise Rejected(Misfit.SERVER_WIDE, option=setting.key, edition=played)
        if not manager and checked != rules.value(setting):
            if setting.per_game is PerGame.NEVER:
                raise Rejected(Misfit.SERVER_WIDE, option=setting.key, edition=played)
            if setting.per_game is PerGame.LESS and checked:
                raise Rejected(Misfit.ONLY_LESS, option=setting.key, edition=played)
        wishes[setting.key] = checked
    return wishes


class Typed(str):
    """A value as somebody typed it, still to be read."""

    __slots__ = ()
