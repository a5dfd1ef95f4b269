"""Lets mutmut 3.8 run under pytest 9.2, which calls `nodeid` what mutmut still calls `_nodeid`."""

from __future__ import annotations

import pytest


def pytest_configure() -> None:
    """Make the older name readable again."""
    pytest.Item._nodeid = property(lambda item: item.nodeid)  # type: ignore[attr-defined]
