"""Documents of version 1: lists become objects, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.upgrading import DROP, Upgrade, each, keep, named, object_with, optional

POINT = named(x=keep, y=keep)


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (keep, [1, 2], [1, 2]),
        (POINT, [1, 2], {"x": 1, "y": 2}),
        (named(a=POINT, b=keep), [[1, 2], 3], {"a": {"x": 1, "y": 2}, "b": 3}),
        (each(POINT), [[1, 2], [3, 4]], [{"x": 1, "y": 2}, {"x": 3, "y": 4}]),
        (named(x=keep, old=DROP, y=keep), [1, 2, 3], {"x": 1, "y": 3}),
        (optional(POINT), None, None),
        (optional(POINT), [1, 2], {"x": 1, "y": 2}),
        (object_with(at=POINT), {"name": "Ana", "at": [1, 2]}, {"name": "Ana", "at": {"x": 1, "y": 2}}),
        (object_with(at=POINT), {"name": "Ana"}, {"name": "Ana"}),
    ],
)
def test_matching_documents_are_changed(change: Upgrade, before: Any, after: Any) -> None:
    assert change(before) == after


@pytest.mark.parametrize(
    ("change", "document", "complaint"),
    [
        (POINT, [], "is not a list of 2 values"),
        (POINT, [1], "is not a list of 2 values"),
        (POINT, [1, 2, 3], "is not a list of 2 values"),
        (POINT, {"x": 1}, "is not a list of 2 values"),
        (POINT, None, "is not a list of 2 values"),
        (each(POINT), None, "None is not a list"),
        (object_with(at=POINT), [1], r"\[1\] is not an object"),
        (object_with(at=POINT), {"at": 5}, "5 is not a list of 2 values"),
    ],
)
def test_documents_that_do_not_match_are_refused(change: Upgrade, document: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        change(document)
