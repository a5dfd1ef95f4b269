"""Provides immutable records that are quick to make and read, and writes them as JSON."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Final, Self

import msgspec
from msgspec.structs import replace

_write: Final = msgspec.json.Encoder().encode


def encode(value: Any) -> str:
    """Write plain data and frozen records as JSON, without spaces."""
    try:
        return _write(value).decode()
    except UnicodeEncodeError:  # half a surrogate pair in a hostile name, which JSON can only escape
        return json.dumps(msgspec.to_builtins(value, enc_hook=_read_raw), separators=(",", ":"))


def _read_raw(written: Any) -> Any:
    return json.loads(bytes(written))


class Frozen(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An immutable record, written as a JSON object of its fields, leaving out those with their default value.

    Reading it takes half the time of a named tuple and making it a third, but it cannot be unpacked. The garbage
    collector skips it: data that never changes forms no cycles.
    """

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with some values replaced; named as in named tuples."""
        return replace(self, **changes)


class WrittenOnce(Frozen, frozen=True, dict=True, gc=True):
    """A frozen record that keeps its own JSON, for parts that stay the same while the document around them changes."""

    @cached_property
    def written(self) -> msgspec.Raw:
        """The record's JSON, encoded once; it goes into the document in place of the record."""
        return msgspec.Raw(encode(self))
