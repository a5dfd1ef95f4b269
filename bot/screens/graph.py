"""A line of block characters: how a number went, at a glance. The numbers themselves stand beside it in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
WIDTH: Final = 30


def sparkline(values: Sequence[int], width: int = WIDTH) -> str:
    """Draw numbers, oldest first; more than fit are gathered, each column showing where its numbers ended."""
    columns = min(width, len(values))
    drawn = [values[(place + 1) * len(values) // columns - 1] for place in range(columns)]
    low, high = min(drawn, default=0), max(drawn, default=0)
    if low == high:
        return _BLOCKS[3] * columns
    top = len(_BLOCKS) - 1
    return "".join(_BLOCKS[round((value - low) * top / (high - low))] for value in drawn)
