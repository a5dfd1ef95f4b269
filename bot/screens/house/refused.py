"""The parts of a refusal that are about a setting: the form of its sentence, and what the sentence names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.house_rules.game_settings import find_setting
from bot.house_rules.kinds import EMPTY, OneOf, Switch, Time, Values
from bot.house_rules.list_kinds import Several
from bot.house_rules.settings import Setting
from bot.screens.house.words import name_of, typed_times, value_of, words_of
from bot.screens.words import duration, plainly
from bot.text.catalogue import Catalogue

_MAX_SECONDS: Final = 10**9
"""Longer times are not written in days and hours, but as the number that was typed."""
_SETTING_DETAILS: Final = ("option", "value", "lowest", "highest", "nearest", "allowed")
_CONDITION_DETAILS: Final = ("other", "given", "needed")


def setting_forms(details: Mapping[str, Any]) -> list[str]:
    """Return endings of the sentence's text key that fit the refused setting or saved thing."""
    noun, setting = details.get("noun"), _setting(details)
    forms = [] if noun is None else [f"_{noun}", f"_{noun}_bare"]
    return forms if setting is None else [*forms, f"_{words_of(setting).refusal_form(setting, _values(details))}"]


def setting_slots(say: Catalogue, details: Mapping[str, Any]) -> dict[str, str]:
    """Return the slots of a refusal's sentence that are about a setting; what was typed is made inert."""
    if "option" not in details:
        return {}
    setting, values = _setting(details), _values(details)
    if setting is None:
        return {name: plainly(say, details[name]) for name in _SETTING_DETAILS if _is_there(details, name)}
    slots = {
        name: _slot(say, setting, name, details[name], values) for name in _SETTING_DETAILS if _is_there(details, name)
    }
    if isinstance(setting.kind, Time):
        slots["examples"] = typed_times(say, setting.kind)
    other = find_setting(str(details.get("other")))
    if other is not None:
        slots["given"] = value_of(say, other, details["given"], values)
        slots["needed"] = say.listing([value_of(say, other, each, values) for each in details["needed"]])
    return slots


def is_of_setting(details: Mapping[str, Any], name: str) -> bool:
    """Return whether `setting_slots` covers this detail."""
    return name == "values" or ("option" in details and name in (*_SETTING_DETAILS, *_CONDITION_DETAILS))


def _setting(details: Mapping[str, Any]) -> Setting | None:
    return find_setting(str(details["option"])) if "option" in details else None


def _values(details: Mapping[str, Any]) -> Values:
    values: Values = details.get("values") or EMPTY
    return values


def _is_there(details: Mapping[str, Any], name: str) -> bool:
    value = details.get(name)
    return value is not None and not (name == "allowed" and not value)


def _slot(say: Catalogue, setting: Setting, name: str, value: Any, values: Values) -> str:
    if name == "option":
        return name_of(say, setting, values)
    if name == "allowed":
        return say.either([_as_value(say, setting, each, values) for each in value])
    if type(value) is int and isinstance(setting.kind, Time) and abs(value) < _MAX_SECONDS:
        return duration(say, value)
    if name in ("lowest", "highest"):
        return words_of(setting).limit(say, setting, value, values)
    return _as_value(say, setting, value, values) if name == "nearest" else plainly(say, value)


def _as_value(say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
    if isinstance(setting.kind, OneOf | Switch):
        return value_of(say, setting, value, values)
    return (
        words_of(setting).item(say, setting, value, values)
        if isinstance(setting.kind, Several)
        else plainly(say, value)
    )
