"""Overwrites the remains of deleted rows in a SQLite file.

`secure_delete` overwrites deleted rows in place. But a page that was split may keep, in its unused middle, a copy of
rows that moved to its neighbour, and when these are deleted later, SQLite does not know of the copy
(docs/adr/0014-privacy.md). So the unused parts of pages are overwritten with zeros. SQLite never reads them: whether
this is done fully, partly or not at all makes no difference to any row.
"""

from __future__ import annotations

import os
import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.host.model import UserId
from bot.private_files import PRIVATE_FILE

TREES_WITHOUT_USER_IDS: Final = ("actions", "each_interaction_once")
"""Tables and indexes that name no person. They are most of the file."""
PAGES_PER_READ: Final = 64
"""Cap on neighbouring pages that are read at once."""
_INNER: Final = (2, 5)
"""The types of pages that point to other pages; the rest are leaves."""


def needles(user: UserId) -> tuple[bytes, ...]:
    """Return every way in which SQLite writes a user id: as text, as an integer in a row, as a row id."""
    fits = [size for size in (1, 2, 3, 4, 6, 8) if -(1 << (8 * size - 1)) <= user < 1 << (8 * size - 1)]
    return str(user).encode(), user.to_bytes(fits[0], "big", signed=True), varint(user)


def varint(number: int) -> bytes:
    """Write a number as SQLite writes a row id: seven bits per byte, and eight in the ninth."""
    number &= (1 << 64) - 1
    if number >= 1 << 56:
        last, number = number & 255, number >> 8
        return bytes([(number >> shift & 127) | 128 for shift in range(49, -1, -7)] + [last])
    parts = [number & 127]
    while number := number >> 7:
        parts.append(number & 127 | 128)
    return bytes(reversed(parts))


def checkpoint(connection: sqlite3.Connection) -> bool:
    """Copy the write-ahead log into the file and empty it; return False if a reader still needs it."""
    busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not busy


class Wiper:
    """Keeps the file open alongside SQLite, from before the first connection until after the last.

    It must not be closed in between: closing any handle to a file releases all of the process's locks on it,
    including SQLite's.
    """

    def __init__(self, path: Path) -> None:
        real = path.resolve()  # SQLite keeps its log beside the file that a link leads to
        self._log = real.with_name(f"{real.name}-wal")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def wipe(self, connection: sqlite3.Connection, wanted: Sequence[bytes] = ()) -> bool:
        """Overwrite the unused parts of every page that contains one of `wanted`, or of all pages if it is empty.

        Return False if another process keeps the file busy. Runs on the writing connection, in its thread. The
        write-ahead log is emptied first and nobody can write meanwhile, so that the file is complete; afterwards the
        connection drops its cached pages.
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
            named = [1, *[root for name, root in roots if not wanted or name not in TREES_WITHOUT_USER_IDS]]
            pages = sorted(number for root in named for number in self._pages(root, size))
            for number in self._pages_containing(pages, size, wanted) if wanted else pages:
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

    def _pages_containing(self, pages: Sequence[int], size: int, wanted: Sequence[bytes]) -> Iterator[int]:
        """Yield the pages that contain any of these byte strings. Reads neighbours together: ten times faster."""
        first = 0
        while first < len(pages):
            last = bisect_right(pages, pages[first] + PAGES_PER_READ - 1)
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
    """Yield the positions of the pages that contain these bytes."""
    at = pages.find(wanted)
    while at >= 0:
        yield at // size
        at = pages.find(wanted, (at // size + 1) * size)


def _children(page: bytes, start: int) -> list[int]:
    """Return the child pages of an inner page: one per cell, and one after the last."""
    count = _number(page, start + 3, 2)
    places = [_number(page, start + 12 + 2 * cell, 2) for cell in range(count)]
    return [*[_number(page, place, 4) for place in places], _number(page, start + 8, 4)]


def _number(page: bytes, at: int, size: int) -> int:
    return int.from_bytes(page[at : at + size], "big")


def unused(page: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the unused parts of a page: its middle, and its free blocks."""
    middle = start + (12 if page[start] in _INNER else 8) + 2 * _number(page, start + 3, 2)
    yield middle, _number(page, start + 5, 2) or 65536
    free = _number(page, start + 1, 2)
    while free:
        yield free + 4, free + _number(page, free + 2, 2)
        free = _number(page, free, 2)
