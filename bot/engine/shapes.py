"""Checks whether an action's fields have exactly the annotated types.

To Python, `True` and `1.0` equal 1, so rules that only compare values would let them into a match. Which values are
legal is for the rules to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import repeat
from operator import call
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NewType, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec.structs import astuple

from bot.engine.frozen import Frozen

Test: TypeAlias = Callable[[Any], bool]


Known: TypeAlias = Mapping[type, Collection[Any]]
"""For some record types, all values that exist, such as the faces of cards."""


def shape_of(record: Any, known: Known = MappingProxyType({})) -> Test:
    """Return a test that a value is this kind of record, and that every field has its annotated type."""
    tests = tuple(_test(hint, known) for hint in get_type_hints(record).values())
    size = len(tests)

    def has_shape(value: Any) -> bool:
        return type(value) is record and len(value) == size and all(map(call, tests, value))

    def is_frozen_with_shape(value: Any) -> bool:
        return type(value) is record and all(map(call, tests, astuple(value)))

    test = is_frozen_with_shape if issubclass(record, Frozen) else has_shape
    values = known.get(record)
    if values is None:
        return test
    # Nearly always it is one of the known values itself; only a copy of one has to be looked at.
    originals = {id(value) for value in values}
    return lambda value: id(value) in originals or (test(value) and value in values)


def _test(kind: Any, known: Known) -> Test:
    options = _options(kind)
    types = _plain_types(options)
    if types is not None:
        return lambda value: type(value) in types
    if len(options) > 1:
        tests = tuple(_test(option, known) for option in options)
        return lambda value: any(map(call, tests, repeat(value)))
    return _tuple(kind, known) if get_origin(kind) is tuple else shape_of(kind, known)


def _tuple(kind: Any, known: Known) -> Test:
    """Return a test of a tuple of any length, such as cards in an order; actions have no other kind of tuple."""
    item, _ = get_args(kind)
    types = _plain_types(_options(item))
    if types is not None:
        return lambda value: type(value) is tuple and types.issuperset(map(type, value))
    test = _test(item, known)
    originals = {id(value) for value in known.get(item, ())}
    return lambda value: type(value) is tuple and (originals.issuperset(map(id, value)) or all(map(test, value)))


def _plain_types(options: tuple[Any, ...]) -> frozenset[type] | None:
    """Return the types that a value may have; None if there is more to test than its type."""
    types: set[type] = set()
    for option in options:
        if get_origin(option) is Literal:
            types.update(map(type, get_args(option)))
        elif isinstance(option, type) and get_origin(option) is None and not issubclass(option, tuple | Frozen):
            types.add(option)
        else:
            return None
    return frozenset(types)


def _options(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union; any other type is returned as its only member."""
    if isinstance(kind, NewType):
        return _options(kind.__supertype__)
    if get_origin(kind) in (Union, UnionType):
        return tuple(option for member in get_args(kind) for option in _options(member))
    return (NoneType,) if kind is None else (kind,)
