"""Changes to a server's rules, as pure functions: they return the next rules, or raise Rejected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from bot.engine.core import Rejected
from bot.house_rules.game_settings import GAME_SETTINGS, SavedThings, all_settings, saving_settings, setting_of
from bot.house_rules.kinds import Basis
from bot.house_rules.saved import MAX_SAVED, Saved
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting, SettingScope

UNSET: Final = object()
"""Given in place of a value, to reset a setting to its usual one."""


class SettingChange(NamedTuple):
    """One line of the log.

    The key is a setting's full key, and a value is wrapped in a list, because None is a value too; a bare None stands
    for the usual value. For a saved thing, the key is that of its kind.
    """

    key: str
    old: Any
    new: Any


class ChangeResult(NamedTuple):
    """The outcome of a change; if nothing has changed, the rules are the old ones."""

    rules: ServerRules
    changes: tuple[SettingChange, ...]


def change(rules: ServerRules, wanted: Mapping[str, Any], basis: Basis | None = None) -> ChangeResult:
    """Set or unset several settings at once; refuse all of it if the outcome could not be played."""
    basis = basis or rules.basis()
    values = dict(rules.values)
    named = {setting.full_key: (setting, value) for setting, value in leaders_first(wanted)}
    for setting, value in named.values():
        _put(values, setting, value, basis)
    _drop_what_does_not_fit(values, basis, frozenset(named))
    return _changed(rules, rules._replace(values=values))


def leaders_first(wanted: Mapping[str, Any], game: str | None = None) -> list[tuple[Setting, Any]]:
    """Return each setting with its wanted value, leading settings first; raise Rejected if a key is unknown."""
    found = [(setting_of(key, game), value) for key, value in wanted.items()]
    return sorted(found, key=lambda pair: not pair[0].leads)


def _put(values: dict[str, Any], setting: Setting, value: Any, basis: Basis) -> None:
    """Keep a value that differs from the usual one; otherwise unset it."""
    if value is not UNSET:
        value = setting.check(value, basis._replace(values=values))
    if value is UNSET or value == setting.usual(values):
        values.pop(setting.full_key, None)
    else:
        values[setting.full_key] = value


def _drop_what_does_not_fit(values: dict[str, Any], basis: Basis, named: frozenset[str]) -> None:
    """Unset what no longer fits a leading setting, and what now equals the usual value."""
    for setting in all_settings():
        key = setting.full_key
        if setting.scope is not SettingScope.GAME or setting.leads or key not in values or key in named:
            continue
        try:
            _put(values, setting, values[key], basis)
        except Rejected:
            del values[key]


def _changed(before: ServerRules, after: ServerRules) -> ChangeResult:
    changes = [
        SettingChange(key, _wrapped(before.values, key), _wrapped(after.values, key))
        for key in (setting.full_key for setting in all_settings())
        if _wrapped(before.values, key) != _wrapped(after.values, key)
    ]
    for _, kind in saving_settings():
        changes += _changes_of_saved(kind, before.saved.get(kind.key, {}), after.saved.get(kind.key, {}))
    if not changes:
        return ChangeResult(before, ())
    for name, game in GAME_SETTINGS.items():
        game.check_options(after.options(name))
    return ChangeResult(after._replace(seq=before.seq + 1), tuple(changes))


def _wrapped(values: Mapping[str, Any], key: str) -> list[Any] | None:
    return [values[key]] if key in values else None


def _changes_of_saved(kind: Saved, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[SettingChange]:
    def written(name: str, things: Mapping[str, Any]) -> dict[str, str] | None:
        return {"name": name, kind.contents: kind.write_contents(things[name])} if name in things else None

    names = sorted({*before, *after})
    return [
        SettingChange(kind.key, written(name, before), written(name, after))
        for name in names
        if before.get(name) != after.get(name)
    ]


def save(rules: ServerRules, setting: Setting, kind: Saved, name: str, thing: Any, *, use: bool) -> ChangeResult:
    """Save something under a name, replacing what had that name; with `use`, the setting also chooses it."""
    name = kind.read_name(name)
    known = rules.saved.get(kind.key, {})
    name = next((each for each in known if each.casefold() == name.casefold()), name)
    if name not in known and len(known) >= MAX_SAVED:
        raise kind.too_many()
    values = {**rules.values, setting.full_key: name} if use else rules.values
    saved = {**rules.saved, kind.key: {**known, name: thing}}
    return _changed(rules, rules._replace(values=values, saved=saved))


def drop(rules: ServerRules, setting: Setting, kind: Saved, name: str) -> ChangeResult:
    """Delete something that was saved; a setting that had chosen it has its usual value again."""
    known = rules.saved.get(kind.key, {})
    if name not in known:
        raise kind.unknown(name, tuple(known))
    values = {key: value for key, value in rules.values.items() if (key, value) != (setting.full_key, name)}
    left = {each: thing for each, thing in known.items() if each != name}
    saved = merged({key: things for key, things in rules.saved.items() if key != kind.key}, {kind.key: left})
    return _changed(rules, rules._replace(values=values, saved=saved))


def replace(rules: ServerRules, values: Mapping[str, Any], saved: SavedThings, basis: Basis) -> ChangeResult:
    """Replace all of a server's settings, and add `saved` to what the server has saved."""
    together = merged(rules.saved, saved)
    for _, kind in saving_settings():
        if len(together.get(kind.key, ())) > MAX_SAVED:
            raise kind.too_many()
    base = rules._replace(saved=together)
    wanted = {setting.full_key: values.get(setting.full_key, UNSET) for setting in all_settings()}
    changed = change(base, wanted, basis._replace(saved=together))
    return _changed(rules, changed.rules._replace(seq=rules.seq))


def merged(saved: SavedThings, more: SavedThings) -> SavedThings:
    """Return both together; where names are the same, `more` wins."""
    both = {key: {**saved.get(key, {}), **more.get(key, {})} for key in {**saved, **more}}
    return {key: things for key, things in both.items() if things}


def reset_all(rules: ServerRules) -> ChangeResult:
    """Unset everything; what is saved stays."""
    return _changed(rules, rules._replace(values={}))
