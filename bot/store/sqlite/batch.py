"""The units that share a transaction, prepared for one SQLite call as they come in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from bot.store.sqlite.statements import Statement
from bot.store.units import Promise, Unit

NUL: Final = r"\u0000"
"""The null character, as JSON writes it."""
_encode: Final = msgspec.json.Encoder().encode


class Batch:
    """Units, and all their rows by kind, as `Statement.several` reads them.

    The long text of a row is not a part of its JSON, where it would be escaped and SQLite would read it three times.
    All long texts together are one value, and each row says where its own begins and how long it is.
    """

    __slots__ = ("_end", "_statements", "_texts", "_unfit", "kinds", "units")

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.units: list[tuple[Unit, Promise]] = []
        self.kinds: list[list[tuple[Any, ...]]] = [[] for _ in statements]
        self._statements = statements
        self._texts = [b" "]  # never empty: for SQLite, any part of an empty value is NULL
        self._end = 2  # SQLite counts bytes from 1
        self._unfit: Exception | None = None

    def add(self, unit: Unit, future: Promise) -> None:
        """Add a unit. A row that does not fit is reported when the batch is written, so that other units still are."""
        self.units.append((unit, future))
        try:
            for kind, values in unit:
                statement = self._statements[kind]
                if len(values) != statement.width:  # a text's position would be taken for a value
                    raise ValueError(f"{len(values)} values where {statement.width} expected")
                if values[-1] is None or not statement.text:
                    self.kinds[kind].append(values)
                    continue
                text = values[-1].encode()
                self.kinds[kind].append((*values[:-1], self._end, len(text)))
                self._texts.append(text)
                self._end += len(text)
        except Exception as error:
            self._unfit = error

    def arrays(self, kinds: Iterable[int]) -> list[str]:
        """Return the rows of these kinds, each as a JSON array."""
        if self._unfit is not None:
            raise self._unfit
        arrays = []
        for kind in kinds:
            array = _encode(self.kinds[kind]).decode() if self.kinds[kind] else "[]"
            if "\\" in array and NUL in array:  # looking for one character is faster
                raise ValueError("SQLite's JSON ends a text at a null character")
            arrays.append(array)
        return arrays

    def texts(self) -> bytes:
        """Return all long texts, one after the other."""
        return b"".join(self._texts)
