"""What a store's writer takes: units of rows, and the promises by which it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

Row = tuple[int, tuple[Any, ...]]
"""The kind (`bot.store.rows.KINDS`), and the values of one row."""
Unit = Sequence[Row]
"""Rows that are written together or not at all."""
UnitSource = Unit | Callable[[], Unit]
"""A unit, or a function that makes it: making many in a row is faster than making each between other work."""


class Promise(asyncio.Future[None]):
    """The result of a unit. It cannot be cancelled, because a write that has begun is not undone."""

    def cancel(self, msg: object = None) -> bool:
        """Refuse; asyncio then cancels the waiting task as soon as the result is there."""
        return False


class Counters:
    """What a writer has done so far."""

    def __init__(self) -> None:
        self.commits = 0
        self.units = 0
        self.rows = 0
