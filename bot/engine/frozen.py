"""Immutable records that every action makes, reads and writes, and how they are written."""

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
    except UnicodeEncodeError:  # half of a surrogate pair in a hostile name: JSON can only escape it
        return json.dumps(msgspec.to_builtins(value, enc_hook=_read_raw), separators=(",", ":"))


def _read_raw(written: Any) -> Any:
    return json.loads(bytes(written))


class Frozen(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An immutable record, written as a JSON object by the names of its fields, without those that have their default.

    It is read in half the time of a named tuple and made in a third, but cannot be unpacked. The garbage collector
    skips it: data that never changes forms no cycles.
    """

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values; named as it is for named tuples."""
        return replace(self, **changes)


class WrittenOnce(Frozen, frozen=True, dict=True, gc=True):
    """A frozen record that keeps its own JSON, for parts that stay the same while the document around them changes."""

    @cached_property
    def written(self) -> msgspec.Raw:
        """Its JSON, encoded once; it goes into the document in place of the record."""
        return msgspec.Raw(encode(self))
