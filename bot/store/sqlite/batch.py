"""What shares a transaction: units, made ready for one call of SQLite as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from bot.store.sqlite.statements import Statement

NUL: Final = r"\u0000"
_encode: Final = msgspec.json.Encoder().encode

Row = tuple[int, tuple[Any, ...]]
"""The number of a statement, and its values."""
Unit = Sequence[Row]
"""Rows that are written together or not at all."""
Asked = Unit | Callable[[], Unit]
"""A unit, or what makes it: to make many in a row is quicker than one in between of everything else."""


class Promise(asyncio.Future[None]):
    """The answer to a unit. A write that is under way is not undone, so it cannot be cancelled."""

    def cancel(self, msg: object = None) -> bool:
        """Refuse: asyncio then cancels the waiting task as soon as the answer is there."""
        return False


class Batch:
    """Units, and all their rows by kind, as `Statement.several` reads them.

    The long text of a row is not in its JSON, where it would be escaped, and read by SQLite three times over. All of
    them are one value, and the row says where in it its own starts, and how long it is.
    """

    __slots__ = ("_end", "_statements", "_texts", "_unfit", "asked", "kinds")

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.asked: list[tuple[Unit, Promise]] = []
        self.kinds: list[list[tuple[Any, ...]]] = [[] for _ in statements]
        self._statements = statements
        self._texts = [b" "]  # to SQLite a part of nothing is NULL, even one without length
        self._end = 2  # and the first byte is 1
        self._unfit: Exception | None = None

    def add(self, unit: Unit, future: Promise) -> None:
        """Take one more unit. What does not fit is told when it is written, where others can do without it."""
        self.asked.append((unit, future))
        try:
            for kind, values in unit:
                statement = self._statements[kind]
                if len(values) != statement.width:  # a place in the texts would be taken for a value
                    raise ValueError(f"{len(values)} values where {statement.width} belong")
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
            if "\\" in array and NUL in array:  # the one character is found sooner, and is hardly ever there
                raise ValueError("to SQLite's JSON a text ends there, but not if it is bound alone")
            arrays.append(array)
        return arrays

    def texts(self) -> bytes:
        """Return all long texts, one after the other."""
        return b"".join(self._texts)
