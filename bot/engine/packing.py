"""Reads plain data into typed values, guided by their annotations.

Frozen records are read by the names of their fields. Every value is checked against its annotation, and unknown or
missing names are refused, so that a damaged or forged document never becomes half a match.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT
from msgspec.structs import fields

from bot.engine.core import Json
from bot.engine.frozen import Frozen

T = TypeVar("T")
Reader = Callable[[Json], Any]


def reader(kind: type[T]) -> Callable[[Json], T]:
    """Return a function that reads a `kind` from plain data, or raises ValueError."""
    return _reader(kind)


def _reader(kind: Any) -> Reader:
    if isinstance(kind, NewType):
        return _reader(kind.__supertype__)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        options = tuple(_reader(option) for option in get_args(kind) if option is not NoneType)
        return _union(options, kind, optional=NoneType in get_args(kind))
    if origin is Literal:
        return _literal(get_args(kind))
    if origin is tuple:
        return _tuple(get_args(kind))
    if issubclass(kind, Frozen):
        return _record(kind)
    if issubclass(kind, tuple):
        raise TypeError(f"{kind.__name__} would be written by position; make it a Frozen record")
    return kind if issubclass(kind, Enum) else _exactly(kind)


def _exactly(kind: type) -> Reader:
    def read(value: Json) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is not of type {kind.__name__}")
        return value

    return read


def _literal(known: tuple[Any, ...]) -> Reader:
    def read(value: Json) -> Any:
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"{value!r} is none of {known}")
        return value

    return read


def _union(options: tuple[Reader, ...], kind: Any, *, optional: bool) -> Reader:
    def read(value: Json) -> Any:
        if optional and value is None:
            return None
        for option in options:
            try:
                return option(value)
            except ValueError:
                continue
        raise ValueError(f"{value!r} is not {kind}")

    return read


def _tuple(items: tuple[Any, ...]) -> Reader:
    if items[-1] is Ellipsis:
        item = _reader(items[0])
        return lambda value: tuple([item(each) for each in _list(value)])
    readers = tuple(_reader(item) for item in items)
    return lambda value: _fixed(value, readers)


def _fixed(value: Json, readers: tuple[Reader, ...]) -> tuple[Any, ...]:
    values = _list(value)
    if len(values) != len(readers):
        raise ValueError(f"{len(values)} values where {len(readers)} belong")
    return tuple([read(each) for read, each in zip(readers, values, strict=True)])


def _list(value: Json) -> Any:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{value!r} is not a list")
    return value


def _record(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    parts = tuple((field.name, _reader(hints[field.name]), field.default) for field in fields(kind))

    def read(document: Json) -> Any:
        if not isinstance(document, dict):
            raise ValueError(f"{document!r} is not an object")
        unread = len(document)
        values = []
        for name, read_field, default in parts:
            if name in document:
                unread -= 1
                values.append(read_field(document[name]))
            elif default is NODEFAULT:
                raise ValueError(f"{kind.__name__} lacks {name}")
            else:
                values.append(default)
        if unread:
            raise ValueError(f"{kind.__name__} has no {', '.join(sorted(document.keys() - hints.keys()))}")
        return kind(*values)

    return read
