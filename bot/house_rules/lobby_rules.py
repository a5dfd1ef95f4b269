"""Changes to the rules of one table while it is in its lobby: what can be changed, and what a change leads to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from bot.engine.core import Rejected
from bot.house_rules.game_settings import GAME_SETTINGS, setting_of, settings_of
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_rules import ServerRules, Terms
from bot.house_rules.settings import SHARED_SETTINGS, Setting, SettingScope
from bot.house_rules.wishes import check_wishes

_SHARED: Final = ("turn_seconds", "pause_seconds", "away_after", "away_seconds", "reminders")
"""The hosting settings that a lobby can change: its clocks."""


class NewTerms(NamedTuple):
    """What a table would play by after a change."""

    terms: Terms
    changes: tuple[tuple[str, Any, Any], ...]
    """A setting's full key, its old and its new value."""


def lobby_settings(game: str, rules: ServerRules) -> list[Setting]:
    """Return the settings that a lobby can change, with these rules in force."""
    shared = [setting for setting in SHARED_SETTINGS if setting.key in _SHARED]
    return [setting for setting in (*settings_of(game), *shared) if setting.applies(rules.values)]


def rules_at(server: ServerRules, wishes: Mapping[str, Any]) -> ServerRules:
    """Return the server's rules as one table plays them, with its own wishes."""
    return server._replace(values={**server.values, **wishes})


def new_terms(
    server: ServerRules, game: str, wishes: Mapping[str, Any], wanted: Mapping[str, Any], *, manager: bool
) -> NewTerms:
    """Add to a table's wishes what its host wants; raise Rejected if that is invalid or cannot be played.

    `wanted` has values, or `Typed` ones, by keys. Earlier wishes that do not fit a new edition are dropped.
    """
    settings = {key: setting_of(key, game) for key in wanted}
    for setting in settings.values():
        if setting.scope is not SettingScope.GAME and setting.key not in _SHARED:
            raise setting.refusal(HouseReason.AT_OPENING, server.values)
    leaders = {key: value for key, value in wishes.items() if setting_of(key, game).leads}
    named = {settings[key].full_key: value for key, value in wanted.items()}
    checked = check_wishes(server, game, {**leaders, **named}, manager=manager)
    after = {**_still_fitting(server, game, wishes, checked), **checked}
    terms = server.terms(game, after)
    if game in GAME_SETTINGS:
        GAME_SETTINGS[game].check_options(terms.options)
    return NewTerms(terms, _changes(server, game, wishes, after))


def _still_fitting(
    server: ServerRules, game: str, wishes: Mapping[str, Any], checked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the earlier wishes that are still possible; those that follow a setting go when it changes."""
    kept: dict[str, Any] = {}
    for key, value in wishes.items():
        setting = setting_of(key, game)
        leader = None if setting.follows is None else setting_of(setting.follows)
        moved = leader is not None and _value(server, leader, wishes) != _value(server, leader, checked)
        if key in checked or moved:
            continue
        try:
            leaders = {each: checked[each] for each in checked if setting_of(each, game).leads}
            check_wishes(server, game, {**leaders, key: value}, manager=True)  # who may wish it was judged before
        except Rejected:
            continue
        kept[key] = value
    return kept


def _value(server: ServerRules, setting: Setting, wishes: Mapping[str, Any]) -> Any:
    return rules_at(server, wishes).value(setting)


def _changes(
    server: ServerRules, game: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[tuple[str, Any, Any], ...]:
    found = []
    for key in {**after, **before}:
        setting = setting_of(key, game)
        old, new = _value(server, setting, before), _value(server, setting, after)
        if old != new:
            found.append((key, old, new))
    return tuple(found)
