"""Reads the settings that somebody asks for at one table, checks them, and makes the table's terms from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.core import Rejected
from bot.house_rules.changes import leaders_first
from bot.house_rules.game_settings import GAME_SETTINGS
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_rules import ServerRules, Terms
from bot.house_rules.settings import PerTable


class Typed(str):
    """A value as somebody typed it, still to be read."""

    __slots__ = ()


def table_terms(rules: ServerRules, game: str, wanted: Mapping[str, Any], *, manager: bool) -> Terms:
    """Return what a table is opened with; raise Rejected if a wish is invalid, not allowed, or cannot be played.

    `wanted` has values, or `Typed` ones, by the keys of settings.
    """
    terms = rules.terms(game, check_wishes(rules, game, wanted, manager=manager))
    if game in GAME_SETTINGS:
        GAME_SETTINGS[game].check_options(terms.options)
    return terms


def check_wishes(rules: ServerRules, game: str, wanted: Mapping[str, Any], *, manager: bool) -> dict[str, Any]:
    """Return the wishes as checked values by full key; raise Rejected where this person may not change the setting."""
    wishes: dict[str, Any] = {}
    values = dict(rules.values)
    for setting, value in leaders_first(wanted, game):
        basis = rules.basis()._replace(values=values)
        checked = setting.read(value, basis) if isinstance(value, Typed) else setting.check(value, basis)
        if setting.per_table is PerTable.NEVER:
            raise setting.refusal(HouseReason.SERVER_WIDE, values)
        if not manager and checked != rules.value(setting):
            if setting.per_table is PerTable.MANAGERS:
                raise setting.refusal(HouseReason.SERVER_WIDE, values)
            if setting.per_table is PerTable.LESS and checked:
                raise setting.refusal(HouseReason.ONLY_LESS, values)
        wishes[setting.full_key] = checked
        if setting.leads:
            values[setting.full_key] = checked
    return wishes


def read_pairs(typed: str) -> dict[str, Any]:
    """Read "key=value, key=value"; a part without "=" belongs to the value before it, as in "coins=extra 2, skip 1"."""
    pairs: dict[str, str] = {}
    last: str | None = None
    for part in filter(None, (part.strip() for part in typed.split(","))):
        key, equals, value = part.partition("=")
        if equals:
            last = key.strip().casefold()
            pairs[last] = value.strip()
        elif last is None:
            raise Rejected(HouseReason.NOT_A_PAIR, value=part)
        else:
            pairs[last] = f"{pairs[last]}, {part}"
    return {key: Typed(value) for key, value in pairs.items()}
