"""Helpers that describe JSON values; each returns a piece of JSON Schema."""

from typing import Any

Json = dict[str, Any]

ALL_PERMISSIONS = 2**54 - 1
"""Every permission bit that Discord reserves, including unused ones."""
MAX_COLOUR = 0xFFFFFF
"""Largest RGB colour."""
MAX_INT32 = 2**31 - 1
"""Largest signed 32-bit integer."""

BOOLEAN: Json = {"type": "boolean"}
NUMBER: Json = {"type": "number"}

# discord.py sends ids and permissions as numbers or strings; Discord accepts both.
ID: Json = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$", "minimum": 0}
PERMISSIONS: Json = {"type": ["string", "integer"], "pattern": "^[0-9]+$", "minimum": 0, "maximum": ALL_PERMISSIONS}


def text(*, longest: int | None = None, shortest: int = 0) -> Json:
    """Describe a string; the bounds count characters."""
    bounds = {"minLength": shortest or None, "maxLength": longest}
    return {"type": "string", **{key: bound for key, bound in bounds.items() if bound is not None}}


def integer(low: int | None = None, high: int | None = None) -> Json:
    """Describe an integer between two inclusive bounds."""
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer", **{key: bound for key, bound in bounds.items() if bound is not None}}


def choice(*values: int | str) -> Json:
    """Describe a value from a fixed set."""
    return {"type": "integer" if isinstance(values[0], int) else "string", "enum": list(values)}


def list_of(item: Json, **bounds: Any) -> Json:
    """Describe a list of items of one kind; `bounds` are extra JSON Schema keywords."""
    return {"type": "array", "items": item, **bounds}


def either(*kinds: Json) -> Json:
    """Describe a value of one of several kinds."""
    return {"anyOf": list(kinds)}


def fields(needed: Json | None = None, optional: Json | None = None, never_null: Json | None = None) -> Json:
    """Describe an object by its fields; other fields are not allowed.

    An optional field may also be null, unless it is listed in `never_null`.
    """
    needed, optional, never_null = needed or {}, optional or {}, never_null or {}
    return {
        "type": "object",
        "required": list(needed),
        "properties": needed | never_null | {name: nullable(kind) for name, kind in optional.items()},
        "additionalProperties": False,
    }


def nullable(kind: Json) -> Json:
    """Describe a value that may also be null."""
    if "type" not in kind:
        return either({"type": "null"}, kind)
    known = kind["type"] if isinstance(kind["type"], list) else [kind["type"]]
    allowed = {"enum": [*kind["enum"], None]} if "enum" in kind else {}
    return kind | {"type": [*known, "null"]} | allowed
