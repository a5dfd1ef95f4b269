"""Takes over documents of version 1, in which records were lists: gives their values the names of the fields.

Only the shape is changed here. What comes out goes through the strict readers, like any other document.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bot.engine.core import Json

Change: TypeAlias = Callable[[Json], Json]


def keep(value: Json) -> Json:
    """Leave a value as it is."""
    return value


def named(**fields: Change) -> Change:
    """Return a change from a list to an object: the names in their old order, each with the change to its value.

    A shorter list was written before the last fields were added; they have their defaults.
    """

    def change(values: Json) -> Json:
        if not isinstance(values, list) or len(values) > len(fields):
            raise ValueError(f"{values!r} is not a list of at most {len(fields)} values")
        return {name: inner(value) for (name, inner), value in zip(fields.items(), values, strict=False)}

    return change


def each(inner: Change) -> Change:
    """Return a change to every item of a list."""

    def change(values: Json) -> Json:
        if not isinstance(values, list):
            raise ValueError(f"{values!r} is not a list")
        return [inner(value) for value in values]

    return change


def optional(inner: Change) -> Change:
    """Return a change to a value that may be null."""
    return lambda value: None if value is None else inner(value)


def object_with(**fields: Change) -> Change:
    """Return a change to some values of an object; the others stay as they are."""

    def change(document: Json) -> Json:
        if not isinstance(document, dict):
            raise ValueError(f"{document!r} is not an object")
        return {name: fields.get(name, keep)(value) for name, value in document.items()}

    return change
