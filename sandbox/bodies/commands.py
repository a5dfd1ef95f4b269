"""The fields of application commands and their options."""

from sandbox import commands as types
from sandbox.bodies.components import CHANNEL_TYPES
from sandbox.bodies.kinds import BOOLEAN, ID, NUMBER, PERMISSIONS, Json, choice, either, fields, integer, list_of, text

MAX_SAFE_INTEGER = 2**53 - 1
"""Largest integer that JavaScript represents exactly; its negative is the lower bound."""
MAX_OPTION_CHARACTERS = 6000
"""Cap on the characters of a string option."""
MAX_TRANSLATION_CHARACTERS = 100
"""Cap on the characters of a translated name or description."""

SAFE_INTEGER = integer(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
TRANSLATIONS: Json = {"type": "object", "additionalProperties": text(shortest=1, longest=MAX_TRANSLATION_CHARACTERS)}


def _choice(value: Json) -> Json:
    return fields({"name": text(), "value": value}, {"name_localizations": TRANSLATIONS})


TEXT_CHOICE = _choice(text())
INTEGER_CHOICE = _choice(SAFE_INTEGER)
NUMBER_CHOICE = _choice(NUMBER)


def _option(kind: int, optional: Json) -> Json:
    translated = {"name_localizations": TRANSLATIONS, "description_localizations": TRANSLATIONS}
    return fields({"type": choice(kind), "name": text(), "description": text()}, translated | optional)


def _value(kind: int, optional: Json | None = None) -> Json:
    return _option(kind, {"required": BOOLEAN} | (optional or {}))


def _value_with_choices(kind: int, of: Json, bounds: Json) -> Json:
    return _value(kind, {"choices": list_of(of), "autocomplete": BOOLEAN} | bounds)


VALUES = (
    _value_with_choices(
        types.STRING,
        TEXT_CHOICE,
        {"min_length": integer(0, MAX_OPTION_CHARACTERS), "max_length": integer(1, MAX_OPTION_CHARACTERS)},
    ),
    _value_with_choices(types.INTEGER, INTEGER_CHOICE, {"min_value": SAFE_INTEGER, "max_value": SAFE_INTEGER}),
    _value_with_choices(types.NUMBER, NUMBER_CHOICE, {"min_value": NUMBER, "max_value": NUMBER}),
    *(_value(kind) for kind in (types.BOOLEAN, types.USER, types.ROLE, types.MENTIONABLE, types.ATTACHMENT)),
    _value(types.CHANNEL, {"channel_types": list_of(CHANNEL_TYPES, uniqueItems=True)}),
)
SUBCOMMAND = _option(types.SUBCOMMAND, {"options": list_of(either(*VALUES))})
SUBCOMMAND_GROUP = _option(types.SUBCOMMAND_GROUP, {"options": list_of(SUBCOMMAND)})

_COMMON: Json = {
    "name_localizations": TRANSLATIONS,
    "description": text(),
    "description_localizations": TRANSLATIONS,
    "options": list_of(either(*VALUES, SUBCOMMAND, SUBCOMMAND_GROUP)),
    "default_member_permissions": PERMISSIONS,
    "dm_permission": BOOLEAN,
    "contexts": list_of(choice(0, 1, 2), minItems=1, uniqueItems=True),
    "integration_types": list_of(choice(0, 1), minItems=1, uniqueItems=True),
    "nsfw": BOOLEAN,
}
_TYPE = {"type": choice(1, 2, 3)}

NEW = fields({"name": text()}, _COMMON | _TYPE)
EDIT = fields({}, _COMMON, never_null={"name": text()})
ALL = list_of(fields({"name": text()}, _COMMON | _TYPE | {"id": ID}))
