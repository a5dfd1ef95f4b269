"""A server's rules as text: the document that the store keeps, and the file that is exported and imported.

The store's document is our own and is read leniently: a setting that no longer exists, or a value that is no longer
valid, is left out. The values of a game that is not registered are kept as they are. A file may come from anywhere: it
is checked as a whole and refused with every reason at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from bot.engine.core import Rejected
from bot.house_rules.changes import ChangeResult, merged, replace
from bot.house_rules.game_settings import (
    GAME_SETTINGS,
    SavedThings,
    all_settings,
    by_key,
    find_setting,
    saving_settings,
    setting_of,
)
from bot.house_rules.kinds import Basis
from bot.house_rules.reasons import HouseReason
from bot.house_rules.saved import Saved
from bot.house_rules.server_kinds import Channels, Role
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting

VERSION: Final = 2
"""The version of the store's document."""
FILE_VERSION: Final = 1
"""The version of an exported file."""
MARK: Final = "coyote_house_rules"
"""The key that tells an exported file from any other JSON; its value is the version."""
MAX_FILE_BYTES: Final = 50_000
"""Cap on the size of a file; a server with everything saved needs a third of it."""
MAX_REASONS: Final = 8
"""Cap on the reasons that are given for one refused file, so that they fit into a message."""
_SHARED: Final = "shared"
_GAMES: Final = "games"
_VALUES: Final = "values"
_SAVED: Final = "saved"
_RULES: Final = "rules"


# The store's document: {"version", "shared": {key: value}, "games": {name: {"values": {…}, "saved": {plural: {…}}}}}


def dump(rules: ServerRules) -> str:
    """Write the document."""
    games: dict[str, dict[str, Any]] = {name: {_VALUES: {}, _SAVED: {}} for name in GAME_SETTINGS}
    shared: dict[str, Any] = {}
    for setting in all_settings():
        if rules.is_set(setting):
            section = shared if setting.game is None else games[setting.game][_VALUES]
            section[setting.key] = rules.values[setting.full_key]
    for setting, kind in saving_settings():
        if setting.game is not None and kind.key in rules.saved:
            games[setting.game][_SAVED][kind.plural] = dict(rules.saved[kind.key])
    used = {name: game for name, game in games.items() if game[_VALUES] or game[_SAVED]}
    return json.dumps({"version": VERSION, _SHARED: shared, _GAMES: {**rules.other_games, **used}})


def load(guild: int, seq: int, document: str) -> ServerRules:
    """Read the document; raise ValueError if it is damaged or of an unknown version."""
    read = json.loads(document)
    version = read.get("version") if isinstance(read, dict) else None
    if version == 1:
        read = _from_version_1(read)
    elif version != VERSION:
        raise ValueError(f"not house rules in version 1 or {VERSION}")
    saved = _load_saved(read[_GAMES])
    kept: dict[str, Any] = {}
    for setting in all_settings():  # in this order: each may depend on those before it
        section = read[_SHARED] if setting.game is None else read[_GAMES].get(setting.game, {}).get(_VALUES, {})
        if setting.key in section:
            try:
                kept[setting.full_key] = setting.check(section[setting.key], Basis(kept, saved))
            except Rejected:
                continue
    others = {name: section for name, section in read[_GAMES].items() if name not in GAME_SETTINGS}
    return ServerRules(guild, kept, saved, seq, others)


def _load_saved(games: Mapping[str, Any]) -> SavedThings:
    saved: dict[str, dict[str, Any]] = {}
    for setting, kind in saving_settings():
        things = games.get(setting.game or "", {}).get(_SAVED, {}).get(kind.plural, {})
        for name, contents in things.items():
            try:
                saved.setdefault(kind.key, {})[name] = kind.check_contents(contents)
            except Rejected:
                continue
    return {key: things for key, things in saved.items() if things}


def _from_version_1(read: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a document of version 1, which kept the values of all settings together."""
    shared: dict[str, Any] = {}
    games: dict[str, Any] = {name: {_VALUES: {}, _SAVED: {}} for name in GAME_SETTINGS}
    for key, value in read[_RULES].items():
        setting = find_setting(key)
        if setting is not None:
            section = shared if setting.game is None else games[setting.game][_VALUES]
            section[setting.key] = value
    for setting, kind in saving_settings():
        if setting.game is not None:
            games[setting.game][_SAVED][kind.plural] = read.get(kind.key, {})
    return {_SHARED: shared, _GAMES: games}


# The file: {MARK: version, "rules": {full key: value}, key of a saved kind: {name: contents as typed}}


def export(rules: ServerRules) -> str:
    """Write the file: what differs from the usual, and what is saved, in a form that people can read."""
    settings = by_key()
    values = {key: _ids_to_text(settings[key], value) for key, value in rules.values.items()}
    saved = {
        kind.key: {name: kind.write_contents(each) for name, each in rules.saved.get(kind.key, {}).items()}
        for _, kind in saving_settings()
    }
    return json.dumps({MARK: FILE_VERSION, _RULES: values, **saved}, indent=2, ensure_ascii=False) + "\n"


def _ids_to_text(setting: Setting, value: Any) -> Any:
    """Write ids as text, because many programs that read JSON round large numbers."""
    if not isinstance(setting.kind, Channels | Role) or value is None:
        return value
    return [str(each) for each in value] if isinstance(value, list) else str(value)


class Import(NamedTuple):
    """What a file would change."""

    result: ChangeResult
    foreign: tuple[str, ...]
    """Full keys of settings that name channels or roles of another server; these stay as they are."""


class FileRefused(Exception):
    """A file that cannot be imported, and everything that is wrong with it."""

    def __init__(self, reasons: list[Rejected]) -> None:
        super().__init__(f"{len(reasons)} reasons")
        self.reasons = reasons[:MAX_REASONS]


def read_file(rules: ServerRules, text: str, basis: Basis) -> Import:
    """Check a file as a whole; raise FileRefused if anything in it is invalid. `basis` has the server's channels."""
    values, written = _parse(text)
    reasons: list[Rejected] = []
    saved = {kind.key: _read_saved(kind, written[kind.key], reasons) for _, kind in saving_settings()}
    basis = basis._replace(saved=merged(rules.saved, saved))
    checked, foreign = _check_values(rules, values, basis, reasons)
    if reasons:
        raise FileRefused(reasons)
    try:
        return Import(replace(rules, checked, saved, basis), foreign)
    except Rejected as refused:
        raise FileRefused([refused]) from None


def _read_saved(kind: Saved, written: Mapping[str, Any], reasons: list[Rejected]) -> dict[str, Any]:
    things: dict[str, Any] = {}
    for name, contents in written.items():
        read = kind.read_contents if isinstance(contents, str) else kind.check_contents
        try:
            things[kind.read_name(name)] = read(contents)
        except Rejected as refused:
            reasons.append(refused)
    return things


def _check_values(
    rules: ServerRules, values: dict[str, Any], basis: Basis, reasons: list[Rejected]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    checked: dict[str, Any] = {}
    foreign: list[str] = []
    for key in sorted(values, key=_comes_later):
        try:
            setting = setting_of(key)
            checked[setting.full_key] = setting.check(
                _ids_from_text(setting, values[key]), basis._replace(values=checked)
            )
        except Rejected as refused:
            if refused.reason in (HouseReason.NOT_A_CHANNEL, HouseReason.NOT_A_ROLE) and _is_id(
                refused.details.get("value")
            ):
                foreign.append(str(refused.details["option"]))
                checked[foreign[-1]] = rules.value(setting_of(foreign[-1]))
            else:
                reasons.append(refused)
    return checked, tuple(foreign)


def _comes_later(key: str) -> bool:
    """Return whether a key is judged after the leading settings."""
    setting = find_setting(key)
    return setting is None or not setting.leads


def _is_id(value: Any) -> bool:
    return type(value) is int and 0 < value < 2**63


def _ids_from_text(setting: Setting, value: Any) -> Any:
    """Read ids that were written as text."""
    if not isinstance(setting.kind, Channels | Role):
        return value
    if isinstance(value, list):
        return [_ids_from_text(setting, each) for each in value]
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20 else value


def _parse(text: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the file's values and what it has saved, by the kinds' keys; both are unchecked."""
    if len(text) > MAX_FILE_BYTES:
        raise FileRefused([Rejected(HouseReason.TOO_LONG, highest=MAX_FILE_BYTES)])
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        raise FileRefused([Rejected(HouseReason.NOT_AN_EXPORT)]) from None
    if not isinstance(read, dict) or MARK not in read or _is_too_deep(read):
        raise FileRefused([Rejected(HouseReason.NOT_AN_EXPORT)])
    if read[MARK] != FILE_VERSION:
        raise FileRefused([Rejected(HouseReason.OTHER_VERSION, value=read[MARK], highest=FILE_VERSION)])
    parts = {key: read.get(key, {}) for key in (_RULES, *(kind.key for _, kind in saving_settings()))}
    if set(read) - {MARK, *parts} or not all(isinstance(part, dict) for part in parts.values()):
        raise FileRefused([Rejected(HouseReason.NOT_AN_EXPORT)])
    return parts.pop(_RULES), parts


def _is_too_deep(value: Any, levels: int = 5) -> bool:
    """Return whether something is nested deeper than rules ever are; a saved list of pairs is the deepest."""
    if not isinstance(value, dict | list):
        return False
    within = value.values() if isinstance(value, dict) else value
    return not levels or any(_is_too_deep(each, levels - 1) for each in within)
