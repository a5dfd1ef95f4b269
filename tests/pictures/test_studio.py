"""The studio draws off the event loop, and caches stay within their bounds."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.pictures.cache import PieceCache, all_caches, forget_all
from bot.pictures.studio import Studio, StudioBusy
from bot.text.catalogue import catalogue
from tests.pictures import scenes


async def test_pictures_are_drawn_in_another_thread() -> None:
    studio = Studio()
    try:
        assert await studio.draw(threading.current_thread) is not threading.current_thread()
    finally:
        studio.close()


async def test_too_many_pictures_are_refused_at_once() -> None:
    studio = Studio(most_waiting=2)
    go = threading.Event()
    try:
        waiting = [asyncio.ensure_future(studio.draw(go.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(StudioBusy):
            await studio.draw(go.wait)
        go.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await studio.draw(lambda: 3) == 3
    finally:
        go.set()
        studio.close()


async def test_a_failed_drawing_does_not_block_the_next() -> None:
    studio = Studio(most_waiting=1)
    try:
        with pytest.raises(ZeroDivisionError):
            await studio.draw(lambda: 1 // 0)
        assert await studio.draw(lambda: "drawn") == "drawn"
    finally:
        studio.close()


def test_a_cache_forgets_what_was_not_used_for_longest() -> None:
    cache = PieceCache[str]("test", 10, len)
    for word in ("aaaa", "bbbb"):
        cache.get(word, lambda word=word: word)  # type: ignore[misc]
    assert cache.get("aaaa", lambda: "made again") == "aaaa"
    cache.get("cccc", lambda: "cccc")
    assert cache.get("aaaa", lambda: "made again") == "aaaa"
    assert cache.get("bbbb", lambda: "new") == "new"
    assert cache.report().kept_bytes <= 10
    cache.get("too long", lambda: "x" * 11)
    assert cache.report().kept_bytes == 0


def test_caches_stay_within_their_bounds_and_change_no_picture() -> None:
    forget_all()
    cold = scenes.look(catalogue(), "feathers", 6).picture
    assert scenes.look(catalogue(), "feathers", 6).picture == cold
    for cache in all_caches():
        report = cache.report()
        assert report.kept_bytes <= report.most_bytes
