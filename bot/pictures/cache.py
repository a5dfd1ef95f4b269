"""Caches drawn pieces for the next picture, up to a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, TypeVar
from weakref import WeakSet

T = TypeVar("T")


class CacheReport(NamedTuple):
    """How full a cache is."""

    name: str
    entries: int
    kept_bytes: int
    most_bytes: int


class PieceCache(Generic[T]):
    """A cache that drops the least recently used pieces once it holds more than `most_bytes`."""

    def __init__(self, name: str, most_bytes: int, size_of: Callable[[T], int]) -> None:
        self.name = name
        self.most_bytes = most_bytes
        self._size_of = size_of
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        _ALL_CACHES.add(self)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the piece for a key, and make it if it is not there."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found[0]
        piece = make()
        size = self._size_of(piece)
        with self._lock:
            before = self._kept.pop(key, None)
            self._bytes += size - (before[1] if before is not None else 0)
            self._kept[key] = (piece, size)
            while self._bytes > self.most_bytes and self._kept:
                self._bytes -= self._kept.popitem(last=False)[1][1]
        return piece

    def find(self, key: Hashable) -> T | None:
        """Return the piece for a key, or None if it is not there."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def report(self) -> CacheReport:
        """Return how full it is."""
        with self._lock:
            return CacheReport(self.name, len(self._kept), self._bytes, self.most_bytes)


_ALL_CACHES: Final[WeakSet[PieceCache[Any]]] = WeakSet()


def all_caches() -> list[PieceCache[Any]]:
    """Return every cache that is in use, the largest first."""
    return sorted(_ALL_CACHES, key=lambda cache: (-cache.most_bytes, cache.name))


def forget_all() -> None:
    """Empty all caches, as after a start."""
    for cache in all_caches():
        cache.clear()
