"""Lists the rules that one table plays by, each with what the book says about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.house_rules.game_settings import GAME_SETTINGS, settings_of
from bot.house_rules.kinds import Values
from bot.house_rules.saved import Saved
from bot.house_rules.settings import Setting


class RuleInForce(NamedTuple):
    """One rule of a table."""

    setting: Setting
    value: Any
    usual: Any
    """The value that the book gives first, for the edition that the table plays."""
    differs: bool
    """Whether the table plays it in a way that the book does not have."""


def values_at(game: str, options: Mapping[str, Any]) -> Values:
    """Return a table's options as values by the full keys of the game's settings."""
    return {setting.full_key: options[setting.key] for setting in settings_of(game) if setting.key in options}


def rules_in_force(game: str, options: Mapping[str, Any], players: int) -> list[RuleInForce]:
    """Return every rule that means something at a table with these options and this many players.

    Saved things such as decks are left out: options have their contents, which the game itself shows.
    """
    values = values_at(game, options)
    switches = {setting.full_key: setting for setting in settings_of(game)}
    found = []
    for setting in settings_of(game):
        switch = None if setting.waits_for is None else switches.get(setting.waits_for)
        is_off = switch is not None and not values.get(switch.full_key, switch.usual(values))
        if isinstance(setting.kind, Saved) or is_off or not setting.applies(values):
            continue
        usual = setting.usual(values)
        value = values.get(setting.full_key, usual)
        if setting.leads:  # the book is that of the edition, whichever it is
            found.append(RuleInForce(setting, value, value, differs=False))
            continue
        allowed = value == usual or GAME_SETTINGS[game].allowed_by_book(setting.key, value, options, players)
        found.append(RuleInForce(setting, value, usual, differs=not allowed))
    return found
