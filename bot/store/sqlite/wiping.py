"""Overwrites what deleting leaves behind in a SQLite file.

`secure_delete` overwrites what is deleted, where it is. But a page that was split may keep, in its unused middle, a
copy of rows that have moved to its neighbour, and when those are deleted later SQLite does not know of the copy
(docs/adr/0014-privacy.md). So the unused parts of pages are looked at, and overwritten with zeros. They mean nothing to
SQLite: whether this is done wholly, partly or not at all makes no difference to any row.
"""

from __future__ import annotations

import os
import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.host.model import UserId

NAMELESS: Final = ("actions", "each_interaction_once")
"""Trees in which no person is named. They are most of the file."""
TOGETHER: Final = 64
"""So many pages are read at once."""
_INNER: Final = (2, 5)
"""The kinds of pages that lead to others; the others are leaves."""


def needles(user: UserId) -> tuple[bytes, ...]:
    """Return every way in which SQLite writes a user id: as text, as a number in a row, as the number of a row."""
    fits = [size for size in (1, 2, 3, 4, 6, 8) if -(1 << (8 * size - 1)) <= user < 1 << (8 * size - 1)]
    return str(user).encode(), user.to_bytes(fits[0], "big", signed=True), varint(user)


def varint(number: int) -> bytes:
    """Write a number as SQLite writes the number of a row: seven bits a byte, and eight in the ninth."""
    number &= (1 << 64) - 1
    if number >= 1 << 56:
        last, number = number & 255, number >> 8
        return bytes([(number >> shift & 127) | 128 for shift in range(49, -1, -7)] + [last])
    parts = [number & 127]
    while number := number >> 7:
        parts.append(number & 127 | 128)
    return bytes(reversed(parts))


def checkpoint(connection: sqlite3.Connection) -> bool:
    """Bring everything from the log into the file and empty the log; False if somebody is reading from it."""
    busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not busy


class Wiper:
    """Has the file open beside SQLite, from before the first connection until after the last.

    It must not be closed in between: that would take from SQLite the locks by which other processes know of us.
    """

    def __init__(self, path: Path) -> None:
        real = path.resolve()  # beside which SQLite keeps its log
        self._log = real.with_name(f"{real.name}-wal")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def wipe(self, connection: sqlite3.Connection, wanted: Sequence[bytes] = ()) -> bool:
        """Overwrite the unused parts of the pages that hold any of these bytes; without any, of all.

        Returns False if somebody else keeps the file busy. Runs on the connection that writes, in its thread. The log
        beside the file is emptied first, and nobody can write meanwhile, so that the file is all there is; then the
        connection forgets the pages that it remembers.
        """
        if not checkpoint(connection):
            return False
        connection.execute("PRAGMA shrink_memory")
        connection.execute("BEGIN IMMEDIATE")
        try:
            if self._log.exists() and self._log.stat().st_size:
                return False
            roots = connection.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0").fetchall()
            size = self._page_size()
            named = [1, *[root for name, root in roots if not wanted or name not in NAMELESS]]
            pages = sorted(number for root in named for number in self._pages(root, size))
            for number in self._holding(pages, size, wanted) if wanted else pages:
                self._overwrite(number, size)
            os.fsync(self._file)
        finally:
            connection.execute("ROLLBACK")
            connection.execute("PRAGMA shrink_memory")
        return True

    def _pages(self, root: int, size: int) -> Iterator[int]:
        """Yield the pages of a tree, level by level; all of its leaves are equally deep."""
        level, inner = [root], True
        while inner:
            yield from level
            children: list[int] = []
            for number in level:
                page = os.pread(self._file, size, (number - 1) * size)
                start = 100 if number == 1 else 0
                inner = page[start] in _INNER
                if not inner:
                    break  # the first leaf: this level was the last
                children += _children(page, start)
            level = children

    def _holding(self, pages: Sequence[int], size: int, wanted: Sequence[bytes]) -> Iterator[int]:
        """Yield those of the pages that hold any of these bytes. Reading neighbours at once costs a tenth."""
        first = 0
        while first < len(pages):
            last = bisect_right(pages, pages[first] + TOGETHER - 1)
            some = pages[first:last]
            read = os.pread(self._file, (some[-1] - some[0] + 1) * size, (some[0] - 1) * size)
            ours = b"".join([read[at : at + size] for at in ((number - some[0]) * size for number in some)])
            yield from [some[place] for place in {place for each in wanted for place in _places(ours, each, size)}]
            first = last

    def _overwrite(self, number: int, size: int) -> None:
        page = os.pread(self._file, size, (number - 1) * size)
        for first, last in unused(page, 100 if number == 1 else 0):
            if page[first:last].strip(b"\0"):
                os.pwrite(self._file, bytes(last - first), (number - 1) * size + first)

    def _page_size(self) -> int:
        size = _number(os.pread(self._file, 100, 0), 16, 2)
        return 65536 if size == 1 else size


def _places(pages: bytes, wanted: bytes, size: int) -> Iterator[int]:
    """Yield which of some pages hold these bytes."""
    at = pages.find(wanted)
    while at >= 0:
        yield at // size
        at = pages.find(wanted, (at // size + 1) * size)


def _children(page: bytes, start: int) -> list[int]:
    """Return the pages below an inner page: one before each of its cells, and one after the last."""
    count = _number(page, start + 3, 2)
    places = [_number(page, start + 12 + 2 * cell, 2) for cell in range(count)]
    return [*[_number(page, place, 4) for place in places], _number(page, start + 8, 4)]


def _number(page: bytes, at: int, size: int) -> int:
    return int.from_bytes(page[at : at + size], "big")


def unused(page: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the parts of a page that hold nothing: its middle, and the blocks that are free."""
    middle = start + (12 if page[start] in _INNER else 8) + 2 * _number(page, start + 3, 2)
    yield middle, _number(page, start + 5, 2) or 65536
    free = _number(page, start + 1, 2)
    while free:
        yield free + 4, free + _number(page, free + 2, 2)
        free = _number(page, free, 2)
