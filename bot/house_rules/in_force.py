"""Lists the rules that one table plays by, each with what the book says about it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from bot.house_rules.game_settings import GAME_SETTINGS, Book, GameSettings, settings_of
from bot.house_rules.kinds import Values
from bot.house_rules.saved import Saved
from bot.house_rules.settings import Setting


class Origin(Enum):
    """Where a rule of a table comes from."""

    BOOK = "book"
    """The book says so first of all."""
    OFFERED = "offered"
    """The book leaves it to the players, and these chose it."""
    CHANGED = "changed"
    """The book says something else."""
    UNFELT = "unfelt"
    """The book says something else, but nobody at this table notices."""
    OURS = "ours"
    """The book says nothing, and the value is our usual one."""
    OURS_CHANGED = "ours_changed"
    """The book says nothing, and the value is not our usual one."""


class RuleInForce(NamedTuple):
    """One rule of a table."""

    setting: Setting
    value: Any
    compared: Any
    """What the value is to be compared with: what the book has for this edition, or our usual value if it is silent."""
    origin: Origin


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
        value = values.get(setting.full_key, setting.usual(values))
        if setting.leads:  # the book is that of the edition, whichever it is
            found.append(RuleInForce(setting, value, value, Origin.BOOK))
        else:
            usual = setting.usual(values)
            found.append(_compared(GAME_SETTINGS[game], setting, value, usual, (options, players)))
    return found


def plays_saved(game: str, options: Mapping[str, Any]) -> bool:
    """Return whether a table plays with something that the server saved, such as a deck of its own."""
    return any(options.get(each.key) is not None for each in settings_of(game) if isinstance(each.kind, Saved))


def _compared(
    game: GameSettings, setting: Setting, value: Any, usual: Any, at: tuple[Mapping[str, Any], int]
) -> RuleInForce:
    """Compare a value with the book, or with our usual one where the book is silent."""
    options, players = at
    book = game.in_book(setting.key, options)
    if book is Book.SILENT:
        return RuleInForce(setting, value, usual, Origin.OURS if value == usual else Origin.OURS_CHANGED)
    if book is Book.AS_USUAL:
        book = usual
    if value == book:
        origin = Origin.BOOK
    elif game.allowed_by_book(setting.key, value, options, players):
        origin = Origin.OFFERED
    elif value == usual and not game.is_felt(setting.key, book, players):
        origin = Origin.UNFELT
    else:
        origin = Origin.CHANGED
    return RuleInForce(setting, value, book, origin)
