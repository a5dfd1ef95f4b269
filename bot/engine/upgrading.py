"""Converts documents of version 1, in which records were lists, into objects with named fields.

Only the shape is changed here. The result then goes through the strict readers, like any other document.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.engine.core import Json

Upgrade: TypeAlias = Callable[[Json], Json]


def keep(value: Json) -> Json:
    """Leave a value as it is."""
    return value


DROP: Final = None
"""In place of an upgrade: the value is no longer kept."""


def named(**fields: Upgrade | None) -> Upgrade:
    """Return an upgrade from a list to an object. `fields` are in the order of the list, each with its value's upgrade.

    Version 1 wrote every field, so a list of another length is damaged and is refused.
    """

    def upgrade(values: Json) -> Json:
        if not isinstance(values, list) or len(values) != len(fields):
            raise ValueError(f"{values!r} is not a list of {len(fields)} values")
        pairs = zip(fields.items(), values, strict=True)
        return {name: inner(value) for (name, inner), value in pairs if inner is not DROP}

    return upgrade


def each(inner: Upgrade) -> Upgrade:
    """Return an upgrade that applies `inner` to every item of a list."""

    def upgrade(values: Json) -> Json:
        if not isinstance(values, list):
            raise ValueError(f"{values!r} is not a list")
        return [inner(value) for value in values]

    return upgrade


def optional(inner: Upgrade) -> Upgrade:
    """Return an upgrade that applies `inner` to a value unless it is null."""
    return lambda value: None if value is None else inner(value)


def object_with(**fields: Upgrade) -> Upgrade:
    """Return an upgrade of the named values of an object; the others stay as they are."""

    def upgrade(document: Json) -> Json:
        if not isinstance(document, dict):
            raise ValueError(f"{document!r} is not an object")
        return {name: fields.get(name, keep)(value) for name, value in document.items()}

    return upgrade
